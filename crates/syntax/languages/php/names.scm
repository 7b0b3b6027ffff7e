; Definitions and uses of PHP. A variable's name has its dollar; a property's has none.

(function_definition
  name: (name) @name parameters: (formal_parameters) @parameters) @definition.function
(method_declaration
  name: (name) @name parameters: (formal_parameters) @parameters) @definition.method
(class_declaration name: (name) @name) @definition.type
(interface_declaration name: (name) @name) @definition.type
(trait_declaration name: (name) @name) @definition.type
(enum_declaration name: (name) @name) @definition.type
(enum_case name: (name) @name) @definition.constant
(const_declaration (const_element (name) @name)) @definition.constant
(property_declaration) @definition.field
(property_element name: (variable_name (name) @name))
(assignment_expression left: (variable_name) @name) @definition.variable
(static_variable_declaration name: (variable_name) @name) @definition.variable
(foreach_statement (variable_name) @name @definition.variable)
(catch_clause name: (variable_name) @name @definition.parameter)
(simple_parameter name: (variable_name) @name) @definition.parameter
(variadic_parameter name: (variable_name) @name) @definition.parameter
(property_promotion_parameter name: (variable_name) @name) @definition.parameter
(namespace_use_declaration) @definition.import
(namespace_use_clause !alias (name) @name)
(namespace_use_clause !alias (qualified_name (name) @name))
(namespace_use_clause alias: (name) @name)

(function_call_expression
  function: (name) @name arguments: (arguments) @arguments) @reference.call
(member_call_expression name: (name) @name arguments: (arguments) @arguments) @reference.call
(nullsafe_member_call_expression
  name: (name) @name arguments: (arguments) @arguments) @reference.call
(scoped_call_expression name: (name) @name arguments: (arguments) @arguments) @reference.call
(object_creation_expression (name) @name (arguments) @arguments) @reference.call

(expression_statement . (assignment_expression) .) @wrapper
[
  (function_definition) (method_declaration) (anonymous_function) (arrow_function)
] @scope.function

(member_access_expression name: (name) @member)
(member_call_expression name: (name) @member)
(argument name: (name) @keyword)
