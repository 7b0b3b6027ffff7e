; inherits: javascript/ecmascript.scm
; What JavaScript has in its own way.

(formal_parameters (identifier) @name @definition.parameter)
(formal_parameters
  (assignment_pattern left: (identifier) @name) @definition.parameter)
(formal_parameters (rest_pattern) @definition.parameter)
(formal_parameters (object_pattern) @definition.parameter)
(formal_parameters (array_pattern) @definition.parameter)
(field_definition property: (property_identifier) @name) @definition.field
(field_definition property: (private_property_identifier) @name) @definition.field
