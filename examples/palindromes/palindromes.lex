# Line ends do not count.
SKIP  \n+
