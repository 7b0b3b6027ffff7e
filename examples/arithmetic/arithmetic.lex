N     [0-9]+   1
SKIP  \s+
