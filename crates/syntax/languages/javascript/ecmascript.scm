; Definitions and uses of JavaScript that TypeScript has as well.

(function_declaration
  name: (identifier) @name parameters: (formal_parameters) @parameters) @definition.function
(generator_function_declaration
  name: (identifier) @name parameters: (formal_parameters) @parameters) @definition.function
(function_expression
  name: (identifier) @name parameters: (formal_parameters) @parameters) @definition.method
(class_declaration name: (_) @name) @definition.type
(method_definition
  name: (property_identifier) @name parameters: (formal_parameters) @parameters) @definition.method
(method_definition
  name: (private_property_identifier) @name
  parameters: (formal_parameters) @parameters) @definition.method

(assignment_expression
  left: (member_expression property: (property_identifier) @name)
  right: (function_expression parameters: (formal_parameters) @parameters)) @definition.method
(assignment_expression
  left: (member_expression property: (property_identifier) @name)
  right: (arrow_function parameters: (formal_parameters) @parameters)) @definition.method

(lexical_declaration) @definition.variable
(variable_declaration) @definition.hoisted
(variable_declarator name: (identifier) @name)
(variable_declarator
  name: (identifier) @name
  value: (function_expression parameters: (formal_parameters) @parameters))
(variable_declarator
  name: (identifier) @name
  value: (arrow_function parameters: (formal_parameters) @parameters))
(shorthand_property_identifier_pattern) @name
(array_pattern (identifier) @name)
(rest_pattern (identifier) @name)
(pair_pattern value: (identifier) @name)

(arrow_function parameter: (identifier) @name @definition.parameter)
(catch_clause parameter: (identifier) @name @definition.parameter)
(for_in_statement kind: _ left: (identifier) @name @definition.parameter)
(labeled_statement label: (statement_identifier) @name) @definition.label

(import_statement) @definition.import
(import_clause (identifier) @name)
(namespace_import (identifier) @name)
(import_specifier name: (identifier) @name !alias)
(import_specifier alias: (identifier) @name)

(call_expression
  function: (identifier) @name arguments: (arguments) @arguments) @reference.call
(call_expression
  function: (member_expression property: (_) @name)
  arguments: (arguments) @arguments) @reference.call
(new_expression
  constructor: (identifier) @name arguments: (arguments) @arguments) @reference.call

(export_statement declaration: (_)) @wrapper
(expression_statement . (assignment_expression) .) @wrapper
[
  (function_declaration) (generator_function_declaration) (function_expression)
  (generator_function) (arrow_function) (method_definition)
] @scope.function
[(statement_block) (for_statement) (for_in_statement) (catch_clause) (class_static_block)] @scope

(property_identifier) @member
(private_property_identifier) @member
