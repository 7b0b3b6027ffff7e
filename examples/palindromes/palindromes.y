/* Where the middle is cannot be seen from the left, so no LR parser can do it. */
%%
palindrome
    : 'a' palindrome 'a'
    | 'b' palindrome 'b'
    | 'a'
    | 'b'
    | %empty
    ;
