; Definitions and uses of Rust.

(declaration_list (function_item
  name: (identifier) @name parameters: (parameters) @parameters) @definition.method)
(declaration_list (function_signature_item
  name: (identifier) @name parameters: (parameters) @parameters) @definition.method)
(function_item
  name: (identifier) @name parameters: (parameters) @parameters) @definition.function
(function_signature_item
  name: (identifier) @name parameters: (parameters) @parameters) @definition.function
(struct_item name: (type_identifier) @name) @definition.type
(enum_item name: (type_identifier) @name) @definition.type
(union_item name: (type_identifier) @name) @definition.type
(trait_item name: (type_identifier) @name) @definition.type
(type_item name: (type_identifier) @name) @definition.type
(associated_type name: (type_identifier) @name) @definition.field
(type_parameter name: (type_identifier) @name) @definition.parameter
(const_parameter name: (identifier) @name) @definition.parameter
(lifetime_parameter name: (lifetime (identifier) @name)) @definition.parameter
(enum_variant name: (identifier) @name) @definition.constant
(field_declaration name: (field_identifier) @name) @definition.field
(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.constant
(mod_item name: (identifier) @name) @definition.module
(macro_definition name: (identifier) @name) @definition.macro

(let_declaration) @definition.variable
(parameter) @definition.parameter
(let_declaration pattern: (identifier) @name)
(parameter pattern: (identifier) @name)
(let_declaration pattern: (mut_pattern (identifier) @name))
(let_declaration pattern: (tuple_pattern (identifier) @name))
(parameter pattern: (tuple_pattern (identifier) @name))
(parameter pattern: (mut_pattern (identifier) @name))
(tuple_pattern (identifier) @name @definition.variable)
(ref_pattern (identifier) @name) @definition.variable
(mut_pattern (identifier) @name) @definition.variable
(tuple_struct_pattern
  type: (_) (identifier) @name @definition.variable)
(captured_pattern . (identifier) @name @definition.variable)
(field_pattern name: (shorthand_field_identifier) @name) @definition.variable
(field_pattern pattern: (identifier) @name) @definition.variable
(closure_parameters (identifier) @name @definition.parameter)
(for_expression pattern: (identifier) @name @definition.variable)
(let_condition pattern: (identifier) @name @definition.variable)

(use_declaration) @definition.import
(use_declaration argument: (identifier) @name)
(use_declaration argument: (scoped_identifier name: (identifier) @name))
(use_list (identifier) @name)
(use_list (scoped_identifier name: (identifier) @name))
(use_as_clause alias: (identifier) @name)
(extern_crate_declaration name: (identifier) @name) @definition.import

(call_expression
  function: (identifier) @name arguments: (arguments) @arguments) @reference.call
(call_expression
  function: (scoped_identifier name: (identifier) @name)
  arguments: (arguments) @arguments) @reference.call
(call_expression
  function: (field_expression field: (field_identifier) @name)
  arguments: (arguments) @arguments) @reference.call
(call_expression
  function: (generic_function function: (identifier) @name)
  arguments: (arguments) @arguments) @reference.call

(parameters (self_parameter) @receiver)
[(function_item) (function_signature_item) (closure_expression)] @scope.function
[
  (block) (match_arm) (for_expression) (if_expression) (while_expression) (struct_item)
  (enum_item) (trait_item) (impl_item) (type_item) (union_item)
] @scope

(field_identifier) @member
(scoped_identifier name: (identifier) @member)
