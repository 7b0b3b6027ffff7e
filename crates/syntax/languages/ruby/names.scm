; Definitions and uses of Ruby.

(method
  name: (identifier) @name parameters: (method_parameters) @parameters) @definition.method
(method name: (identifier) @name) @definition.method
(singleton_method
  name: (identifier) @name parameters: (method_parameters) @parameters) @definition.method
(singleton_method name: (identifier) @name) @definition.method
(class name: (constant) @name) @definition.type
(module name: (constant) @name) @definition.module
(assignment left: (identifier) @name) @definition.variable
(assignment left: (left_assignment_list (identifier) @name)) @definition.variable
(assignment left: (constant) @name) @definition.constant
(assignment left: (instance_variable) @name) @definition.field
(assignment left: (class_variable) @name) @definition.field
(assignment left: (global_variable) @name) @definition.field

(method_parameters (identifier) @name @definition.parameter)
(lambda_parameters (identifier) @name @definition.parameter)
(block_parameters (identifier) @name @definition.parameter)
(optional_parameter name: (identifier) @name) @definition.parameter
(keyword_parameter name: (identifier) @name) @definition.parameter
(splat_parameter name: (identifier) @name) @definition.parameter
(hash_splat_parameter name: (identifier) @name) @definition.parameter
(block_parameter name: (identifier) @name) @definition.parameter

(call method: (identifier) @name arguments: (argument_list) @arguments) @reference.call

[(method) (singleton_method)] @scope.function
[(lambda) (block) (do_block) (class) (module)] @scope

(call receiver: (_) method: (identifier) @member)
(argument_list (pair key: (hash_key_symbol) @keyword))
