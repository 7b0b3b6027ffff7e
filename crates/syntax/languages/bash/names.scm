; Functions and variables of the shell. A call has no list of arguments of its own.

(function_definition name: (word) @name) @definition.function
(variable_assignment name: (variable_name) @name) @definition.variable
(for_statement variable: (variable_name) @name @definition.variable)

(command name: (command_name (word) @name)) @reference.call @arguments
