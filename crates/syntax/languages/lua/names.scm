; Definitions and uses of Lua.

(function_declaration
  name: (identifier) @name parameters: (parameters) @parameters) @definition.function
(function_declaration
  name: (dot_index_expression field: (identifier) @name)
  parameters: (parameters) @parameters) @definition.method
(function_declaration
  name: (method_index_expression method: (identifier) @name)
  parameters: (parameters) @parameters) @definition.method
(variable_declaration (variable_list (identifier) @name)) @definition.variable
(variable_declaration
  (assignment_statement (variable_list (identifier) @name))) @definition.variable
(assignment_statement (variable_list (identifier) @name)) @definition.field
(parameters name: (identifier) @name @definition.parameter)
(for_numeric_clause name: (identifier) @name @definition.parameter)
(for_generic_clause (variable_list (identifier) @name @definition.parameter))
(label_statement (identifier) @name) @definition.label

(function_call
  name: (identifier) @name arguments: (arguments) @arguments) @reference.call
(function_call
  name: (dot_index_expression field: (identifier) @name)
  arguments: (arguments) @arguments) @reference.call
(function_call
  name: (method_index_expression method: (identifier) @name)
  arguments: (arguments) @arguments) @reference.call

[(function_declaration) (function_definition)] @scope.function
[
  (do_statement) (for_statement) (while_statement) (repeat_statement) (if_statement)
  (elseif_statement) (else_statement)
] @scope

(dot_index_expression field: (identifier) @member)
(method_index_expression method: (identifier) @member)
