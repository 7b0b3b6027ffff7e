; inherits: javascript/ecmascript.scm
; What TypeScript adds to JavaScript.

(abstract_class_declaration name: (type_identifier) @name) @definition.type
(interface_declaration name: (type_identifier) @name) @definition.type
(type_alias_declaration name: (type_identifier) @name) @definition.type
(enum_declaration name: (identifier) @name) @definition.type
(enum_assignment name: (property_identifier) @name) @definition.constant
(enum_body name: (property_identifier) @name @definition.constant)
(internal_module name: (identifier) @name) @definition.module
(type_parameter name: (type_identifier) @name) @definition.parameter

(required_parameter pattern: (identifier) @name) @definition.parameter
(optional_parameter pattern: (identifier) @name) @definition.parameter
[(required_parameter) (optional_parameter)] @definition.parameter
(public_field_definition name: (property_identifier) @name) @definition.field
(public_field_definition name: (private_property_identifier) @name) @definition.field
(property_signature name: (property_identifier) @name) @definition.field
(method_signature
  name: (property_identifier) @name parameters: (formal_parameters) @parameters) @definition.method
(abstract_method_signature
  name: (property_identifier) @name parameters: (formal_parameters) @parameters) @definition.method
(function_signature
  name: (identifier) @name parameters: (formal_parameters) @parameters) @definition.function

[(ambient_declaration) (expression_statement (internal_module))] @wrapper
[
  (class_declaration) (abstract_class_declaration) (interface_declaration)
  (type_alias_declaration) (function_type) (method_signature) (abstract_method_signature)
  (function_signature) (construct_signature) (call_signature)
] @scope
