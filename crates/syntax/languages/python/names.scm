; Definitions and uses of Python.

(class_definition
  body: (block (function_definition
    name: (identifier) @name parameters: (parameters) @parameters) @definition.method))
(class_definition
  body: (block (decorated_definition definition: (function_definition
    name: (identifier) @name parameters: (parameters) @parameters) @definition.method)))
(function_definition
  name: (identifier) @name parameters: (parameters) @parameters) @definition.function
(class_definition name: (identifier) @name) @definition.type
(class_definition
  body: (block (expression_statement
    (assignment left: (identifier) @name) @definition.field)))
(assignment left: (identifier) @name) @definition.variable
(assignment left: (pattern_list (identifier) @name)) @definition.variable
(assignment left: (tuple_pattern (identifier) @name)) @definition.variable
(assignment
  left: (attribute object: (identifier) @_self attribute: (identifier) @name)
  (#eq? @_self "self")) @definition.field
(named_expression name: (identifier) @name) @definition.variable
(as_pattern alias: (as_pattern_target (identifier) @name)) @definition.variable
(for_statement left: (identifier) @name @definition.variable)
(for_statement left: (pattern_list (identifier) @name @definition.variable))
(for_in_clause left: (identifier) @name @definition.variable)
(for_in_clause left: (pattern_list (identifier) @name @definition.variable))

(parameters (identifier) @name @definition.parameter)
(lambda_parameters (identifier) @name @definition.parameter)
(default_parameter name: (identifier) @name) @definition.parameter
(typed_parameter . (identifier) @name) @definition.parameter
(typed_default_parameter name: (identifier) @name) @definition.parameter
(list_splat_pattern (identifier) @name) @definition.parameter
(dictionary_splat_pattern (identifier) @name) @definition.parameter

(import_statement name: (dotted_name . (identifier) @name)) @definition.import
(import_from_statement name: (dotted_name (identifier) @name .)) @definition.import
(import_statement) @definition.import
(import_from_statement) @definition.import
(aliased_import alias: (identifier) @name)

(call function: (identifier) @name arguments: (argument_list) @arguments) @reference.call
(call
  function: (attribute attribute: (identifier) @name)
  arguments: (argument_list) @arguments) @reference.call

(class_definition
  body: (block (function_definition
    parameters: (parameters . (identifier) @receiver)))
  (#any-of? @receiver "self" "cls"))
(class_definition
  body: (block (decorated_definition
    definition: (function_definition parameters: (parameters . (identifier) @receiver))))
  (#any-of? @receiver "self" "cls"))

(decorated_definition) @wrapper
(expression_statement . (assignment) .) @wrapper
[(function_definition) (lambda)] @scope.function
[
  (list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)
] @scope

(attribute attribute: (identifier) @member)
(keyword_argument name: (identifier) @keyword)
