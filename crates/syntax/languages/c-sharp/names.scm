; Definitions and uses of C#.

(class_declaration name: (identifier) @name) @definition.type
(struct_declaration name: (identifier) @name) @definition.type
(interface_declaration name: (identifier) @name) @definition.type
(record_declaration name: (identifier) @name) @definition.type
(enum_declaration name: (identifier) @name) @definition.type
(delegate_declaration
  name: (identifier) @name parameters: (parameter_list) @parameters) @definition.type
(enum_member_declaration name: (identifier) @name) @definition.constant
(method_declaration
  name: (identifier) @name parameters: (parameter_list) @parameters) @definition.method
(constructor_declaration
  name: (identifier) @name parameters: (parameter_list) @parameters) @definition.method
(local_function_statement
  name: (identifier) @name parameters: (parameter_list) @parameters) @definition.function
(property_declaration name: (identifier) @name) @definition.field
(event_declaration name: (identifier) @name) @definition.field

[(field_declaration) (event_field_declaration)] @definition.field
(local_declaration_statement) @definition.variable
(for_statement initializer: (variable_declaration) @definition.variable)
(using_statement (variable_declaration) @definition.variable)
(variable_declarator name: (identifier) @name)
(declaration_expression name: (identifier) @name) @definition.variable
(declaration_pattern name: (identifier) @name) @definition.variable
(foreach_statement left: (identifier) @name @definition.parameter)
(catch_declaration name: (identifier) @name) @definition.parameter
(parameter name: (identifier) @name) @definition.parameter
(implicit_parameter) @name @definition.parameter
(type_parameter name: (identifier) @name) @definition.parameter
(labeled_statement . (identifier) @name) @definition.label
(using_directive name: (identifier) @name) @definition.import
(using_directive (identifier) @name) @definition.import
(using_directive (qualified_name name: (identifier) @name)) @definition.import
(namespace_declaration name: (identifier) @name) @definition.module

(invocation_expression
  function: (identifier) @name arguments: (argument_list) @arguments) @reference.call
(invocation_expression
  function: (member_access_expression name: (identifier) @name)
  arguments: (argument_list) @arguments) @reference.call
(object_creation_expression
  type: (identifier) @name arguments: (argument_list) @arguments) @reference.call

[
  (method_declaration) (constructor_declaration) (local_function_statement) (lambda_expression)
  (delegate_declaration) (accessor_declaration)
] @scope.function
[
  (block) (for_statement) (foreach_statement) (using_statement) (catch_clause)
  (class_declaration) (struct_declaration) (interface_declaration) (record_declaration)
] @scope

(member_access_expression name: (identifier) @member)
(argument name: (identifier) @keyword)
