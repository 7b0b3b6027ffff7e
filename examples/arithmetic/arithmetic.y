/* The grammar of Figure 5.2 in Misherghi's thesis on hierarchical delta debugging.
   It knows no precedence, so most sentences have several trees. */
%token N
%%
E: E '*' E
 | E '/' E
 | E '+' E
 | E '-' E
 | '(' E ')'
 | N
 ;
