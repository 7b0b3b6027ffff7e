; Tables, columns and views of SQL.

(create_table (object_reference name: (identifier) @name)) @definition.type
(create_view (object_reference name: (identifier) @name)) @definition.type
(create_materialized_view (object_reference name: (identifier) @name)) @definition.type
(create_index (identifier) @name) @definition.type
(create_function (object_reference name: (identifier) @name)) @definition.function
(column_definition name: (identifier) @name) @definition.field
(cte . (identifier) @name) @definition.variable
(relation alias: (identifier) @name) @definition.variable

(invocation (object_reference name: (identifier) @name)) @reference.call @arguments

(statement) @wrapper
(statement) @scope
