; Definitions and uses of Java.

(class_declaration name: (identifier) @name) @definition.type
(interface_declaration name: (identifier) @name) @definition.type
(enum_declaration name: (identifier) @name) @definition.type
(annotation_type_declaration name: (identifier) @name) @definition.type
(record_declaration
  name: (identifier) @name parameters: (formal_parameters) @parameters) @definition.type
(method_declaration
  name: (identifier) @name parameters: (formal_parameters) @parameters) @definition.method
(constructor_declaration
  name: (identifier) @name parameters: (formal_parameters) @parameters) @definition.method
(annotation_type_element_declaration name: (identifier) @name) @definition.method
(enum_constant name: (identifier) @name) @definition.constant

(field_declaration) @definition.field
(constant_declaration) @definition.field
(local_variable_declaration) @definition.variable
(spread_parameter) @definition.parameter
(resource name: (identifier) @name) @definition.variable
(variable_declarator name: (identifier) @name)
(formal_parameter name: (identifier) @name) @definition.parameter
(catch_formal_parameter name: (identifier) @name) @definition.parameter
(enhanced_for_statement name: (identifier) @name) @definition.parameter
(inferred_parameters (identifier) @name @definition.parameter)
(lambda_expression parameters: (identifier) @name @definition.parameter)
(type_parameter (type_identifier) @name) @definition.parameter
(instanceof_expression name: (identifier) @name) @definition.variable
(labeled_statement . (identifier) @name) @definition.label
(import_declaration (scoped_identifier name: (identifier) @name)) @definition.import

(method_invocation
  name: (identifier) @name arguments: (argument_list) @arguments) @reference.call
(object_creation_expression
  type: (type_identifier) @name arguments: (argument_list) @arguments) @reference.call
(object_creation_expression
  type: (generic_type (type_identifier) @name)
  arguments: (argument_list) @arguments) @reference.call

[
  (method_declaration) (constructor_declaration) (lambda_expression) (record_declaration)
] @scope.function
[
  (block) (constructor_body) (for_statement) (enhanced_for_statement) (catch_clause)
  (try_with_resources_statement) (class_declaration) (interface_declaration)
] @scope

(field_access field: (identifier) @member)
(method_invocation object: (_) name: (identifier) @member)
