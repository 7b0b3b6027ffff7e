# Literals of the grammar, such as "while", win over these lines.
ID         [A-Za-z_$][A-Za-z0-9_$]*                     a
NUMBER     (0[xX][0-9a-fA-F]+|[0-9]+(\.[0-9]+)?)[lLfF]?  0
TEXT       "([^"\\\n]|\\.)*"                            ""
CHARACTER  '([^'\\\n]|\\.)+'                            'a'
SKIP       \s+
SKIP       //[^\n]*
SKIP       /\*(?s:.)*?\*/
