; Definitions and uses of Go.

(function_declaration
  name: (identifier) @name parameters: (parameter_list) @parameters) @definition.function
(method_declaration
  name: (field_identifier) @name parameters: (parameter_list) @parameters) @definition.method
(method_elem
  name: (field_identifier) @name parameters: (parameter_list) @parameters) @definition.method
(type_declaration) @definition.type
(type_spec name: (type_identifier) @name)
(type_alias name: (type_identifier) @name)
(type_parameter_declaration name: (identifier) @name) @definition.parameter
(field_declaration name: (field_identifier) @name) @definition.field
(const_declaration) @definition.constant
(const_spec name: (identifier) @name)
(var_declaration) @definition.variable
(var_spec name: (identifier) @name)
(short_var_declaration left: (expression_list (identifier) @name)) @definition.variable
(range_clause left: (expression_list (identifier) @name @definition.variable))
(parameter_declaration name: (identifier) @name) @definition.parameter
(variadic_parameter_declaration name: (identifier) @name) @definition.parameter
(import_declaration) @definition.import
(import_spec name: (package_identifier) @name)
(import_spec
  !name path: (interpreted_string_literal (interpreted_string_literal_content) @name))
(labeled_statement label: (label_name) @name) @definition.label

(call_expression
  function: (identifier) @name arguments: (argument_list) @arguments) @reference.call
(call_expression
  function: (selector_expression field: (field_identifier) @name)
  arguments: (argument_list) @arguments) @reference.call

[(function_declaration) (method_declaration) (func_literal) (method_elem)] @scope.function
[
  (block) (for_statement) (if_statement) (expression_switch_statement) (type_switch_statement)
  (expression_case) (communication_case) (type_declaration) (function_type)
] @scope

(field_identifier) @member
