/* The rule without `else` comes first, so of the two trees the one is taken
   in which an `else` belongs to the nearest `if`. */
%%
statement
    : "if" '(' NAME ')' statement
    | "if" '(' NAME ')' statement "else" statement
    | NAME ';'
    | '{' statements '}'
    ;

statements
    : /* empty */
    | statements statement
    ;
