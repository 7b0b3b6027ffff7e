; Definitions and uses of C, and of C++ as far as it is C.
; What the captures mean stands in src/names/query.rs.

(function_definition) @definition.function
(declaration) @definition.variable
(parameter_declaration) @definition.parameter
(field_declaration) @definition.field
(type_definition) @definition.type

(declaration declarator: (identifier) @name)
(init_declarator declarator: (identifier) @name)
(pointer_declarator declarator: (identifier) @name)
(array_declarator declarator: (identifier) @name)
(parenthesized_declarator (identifier) @name)
(attributed_declarator (identifier) @name)
(parameter_declaration declarator: (identifier) @name)
(function_declarator
  declarator: (identifier) @name parameters: (parameter_list) @parameters)

(field_declaration declarator: (field_identifier) @name)
(pointer_declarator declarator: (field_identifier) @name)
(array_declarator declarator: (field_identifier) @name)
(parenthesized_declarator (field_identifier) @name)
(function_declarator
  declarator: (field_identifier) @name parameters: (parameter_list) @parameters)

(type_definition declarator: (type_identifier) @name)
(pointer_declarator declarator: (type_identifier) @name)
(array_declarator declarator: (type_identifier) @name)
(function_declarator declarator: (type_identifier) @name)
(function_declarator
  declarator: (parenthesized_declarator
    (pointer_declarator declarator: (type_identifier) @name)))

(struct_specifier name: (type_identifier) @name body: (_)) @definition.type
(union_specifier name: (type_identifier) @name body: (_)) @definition.type
(enum_specifier name: (type_identifier) @name body: (_)) @definition.type
(enumerator name: (identifier) @name) @definition.constant
(preproc_def name: (identifier) @name) @definition.constant
(preproc_function_def
  name: (identifier) @name parameters: (preproc_params) @parameters) @definition.macro
(labeled_statement label: (statement_identifier) @name) @definition.label

(call_expression
  function: (identifier) @name arguments: (argument_list) @arguments) @reference.call
(call_expression
  function: (field_expression field: (field_identifier) @name)
  arguments: (argument_list) @arguments) @reference.call

(function_definition) @scope.function
[(compound_statement) (for_statement) (declaration) (field_declaration) (type_definition)] @scope

(field_identifier) @member
