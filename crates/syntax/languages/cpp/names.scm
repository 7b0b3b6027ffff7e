; inherits: c/names.scm
; What C++ adds to C.

(class_specifier name: (type_identifier) @name body: (_)) @definition.type
(class_specifier name: (template_type name: (type_identifier) @name) body: (_)) @definition.type
(struct_specifier name: (template_type name: (type_identifier) @name) body: (_)) @definition.type
(alias_declaration name: (type_identifier) @name) @definition.type
(namespace_definition name: (namespace_identifier) @name) @definition.module
(namespace_alias_definition name: (namespace_identifier) @name) @definition.module
(using_declaration (qualified_identifier name: (identifier) @name)) @definition.import

(optional_parameter_declaration declarator: (identifier) @name) @definition.parameter
(optional_parameter_declaration) @definition.parameter
(type_parameter_declaration (type_identifier) @name) @definition.parameter
(variadic_type_parameter_declaration (type_identifier) @name) @definition.parameter
(optional_type_parameter_declaration name: (type_identifier) @name) @definition.parameter
(reference_declarator (identifier) @name)
(reference_declarator (field_identifier) @name)
(structured_binding_declarator (identifier) @name)
(for_range_loop declarator: (identifier) @name) @definition.parameter
(for_range_loop) @definition.parameter
(function_declarator
  declarator: (qualified_identifier name: (identifier) @name)
  parameters: (parameter_list) @parameters)
(function_declarator
  declarator: (qualified_identifier
    name: (qualified_identifier name: (identifier) @name))
  parameters: (parameter_list) @parameters)

(call_expression
  function: (qualified_identifier name: (identifier) @name)
  arguments: (argument_list) @arguments) @reference.call
(call_expression
  function: (template_function name: (identifier) @name)
  arguments: (argument_list) @arguments) @reference.call
(call_expression
  function: (qualified_identifier name: (template_function name: (identifier) @name))
  arguments: (argument_list) @arguments) @reference.call
(new_expression
  type: (type_identifier) @name arguments: (argument_list) @arguments) @reference.call

(template_declaration) @wrapper
(lambda_expression) @scope.function
[
  (template_declaration) (for_range_loop) (if_statement) (while_statement) (catch_clause)
] @scope
