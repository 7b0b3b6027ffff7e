; Definitions and uses of SMT-LIB. An application has no list of arguments of its own.

(declare_const name: (_) @name) @definition.constant
(define_const name: (_) @name) @definition.constant
(declare_fun name: (_) @name parameters: (sorts) @parameters) @definition.function
(define_fun name: (_) @name parameters: (parameters) @parameters) @definition.function
(define_fun_rec name: (_) @name parameters: (parameters) @parameters) @definition.function
(function_declaration
  name: (_) @name parameters: (parameters) @parameters) @definition.method
(declare_sort name: (_) @name) @definition.type
(define_sort name: (_) @name) @definition.type
(declare_datatype name: (_) @name) @definition.type
(sort_declaration name: (_) @name) @definition.type
(constructor name: (_) @name) @definition.constant
(selector name: (_) @name) @definition.field
(sorted_variable name: (_) @name) @definition.parameter
(binding name: (_) @name) @definition.variable

(application function: (_) @name) @reference.call @arguments

[(define_fun) (define_fun_rec) (define_funs_rec) (quantifier) (lambda) (let)] @scope
