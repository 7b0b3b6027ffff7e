; inherits: typescript/names.scm
