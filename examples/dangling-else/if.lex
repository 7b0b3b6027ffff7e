NAME  [a-z]+   a
SKIP  \s+
