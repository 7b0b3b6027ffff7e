/* A subset of Java: classes, fields, methods, statements and expressions.
   The actions and declarations are there to be skipped. */
%{
#include <stdio.h>
/* A brace in a comment: } */
static tree current_class;
static char brace = '}';
%}

%union {
  struct { int line; tree node; } position;   /* nested { braces } */
  char *text;
}

%token <text> ID
%token CLASS "class" PUBLIC "public"
%token NUMBER TEXT CHARACTER
%type <position> class_declaration
%left '+' '-'
%right '='
%expect 1
%start compilation_unit

%%

compilation_unit
    : package_declaration import_declarations type_declarations
    ;

package_declaration
    : /* empty */                 { $$ = NULL; }
    | "package" name ';'
    ;

import_declarations
    : /* empty */
    | import_declarations import_declaration
    ;

import_declaration
    : "import" name ';'
    | "import" name '.' '*' ';'   { import_all ($2); }
    ;

type_declarations
    : type_declaration
    | type_declarations type_declaration
    ;

type_declaration
    : class_declaration
    | ';'
    ;

class_declaration
    : modifiers CLASS ID super interfaces
        { current_class = create_class ($1, $3, $4, $5); printf ("{%s", "}}"); }
      class_body
        { end_class (current_class, '}'); }
    ;

modifiers
    : /* empty */
    | modifiers modifier
    ;

modifier
    : PUBLIC | "private" | "protected" | "static" | "final" | "abstract"
    ;

super
    : /* empty */
    | "extends" name
    ;

interfaces
    : /* empty */
    | "implements" names
    ;

names
    : name
    | names ',' name
    ;

class_body
    : '{' members '}'
    ;

members
    : /* empty */
    | members member
    ;

member
    : field
    | method
    | constructor
    | initializer
    | class_declaration
    | ';'
    ;

field
    : modifiers type declarators ';'
    ;

method
    : modifiers type ID '(' parameters ')' throws method_body
    | modifiers "void" ID '(' parameters ')' throws method_body
    ;

constructor
    : modifiers ID '(' parameters ')' throws block
    ;

initializer
    : block
    | "static" block
    ;

method_body
    : block
    | ';'
    ;

parameters
    : /* empty */
    | parameter_list
    ;

parameter_list
    : parameter
    | parameter_list ',' parameter
    ;

parameter
    : type ID
    ;

throws
    : /* empty */
    | "throws" names
    ;

type
    : primitive_type
    | name
    | type '[' ']'
    ;

primitive_type
    : "boolean" | "byte" | "char" | "short" | "int" | "long" | "float" | "double"
    ;

name
    : ID
    | name '.' ID
    ;

declarators
    : declarator
    | declarators ',' declarator
    ;

declarator
    : variable
    | variable '=' initial_value
    ;

variable
    : ID
    | variable '[' ']'
    ;

initial_value
    : expression
    | array_values
    ;

array_values
    : '{' '}'
    | '{' initial_values '}'
    ;

initial_values
    : initial_value
    | initial_values ',' initial_value
    ;

block
    : '{' statements '}'
    ;

statements
    : /* empty */
    | statements statement
    ;

statement
    : block
    | type declarators ';'
    | expression ';'
    | "if" '(' expression ')' statement                    %prec '='
    | "if" '(' expression ')' statement "else" statement
    | "while" '(' expression ')' statement
    | "do" statement "while" '(' expression ')' ';'
    | "for" '(' for_start ';' condition ';' expressions ')' statement
    | "switch" '(' expression ')' '{' switch_groups '}'
    | "return" condition ';'
    | "break" ';'
    | "continue" ';'
    | "throw" expression ';'
    | "try" block catches
    | "try" block catches "finally" block
    | ID ':' statement
    | error ';'
    | ';'
    ;

for_start
    : expressions
    | type declarators
    ;

condition
    : /* empty */
    | expression
    ;

expressions
    : /* empty */
    | expression_list
    ;

expression_list
    : expression
    | expression_list ',' expression
    ;

switch_groups
    : /* empty */
    | switch_groups switch_label statements
    ;

switch_label
    : "case" expression ':'
    | "default" ':'
    ;

catches
    : /* empty */
    | catches "catch" '(' parameter ')' block
    ;

expression
    : conditional
    | unary assignment expression
    ;

assignment
    : '=' | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" | ">>>="
    ;

conditional
    : or_else
    | or_else '?' expression ':' conditional
    ;

or_else
    : and_then
    | or_else "||" and_then
    ;

and_then
    : bit_or
    | and_then "&&" bit_or
    ;

bit_or
    : bit_xor
    | bit_or '|' bit_xor
    ;

bit_xor
    : bit_and
    | bit_xor '^' bit_and
    ;

bit_and
    : equality
    | bit_and '&' equality
    ;

equality
    : relation
    | equality "==" relation
    | equality "!=" relation
    ;

relation
    : shift
    | relation '<' shift
    | relation '>' shift
    | relation "<=" shift
    | relation ">=" shift
    | relation "instanceof" type
    ;

shift
    : sum
    | shift "<<" sum
    | shift ">>" sum
    | shift ">>>" sum
    ;

sum
    : product
    | sum '+' product
    | sum '-' product
    ;

product
    : unary
    | product '*' unary
    | product '/' unary
    | product '%' unary
    ;

unary
    : postfix
    | '+' unary
    | '-' unary
    | '!' unary
    | '~' unary
    | "++" unary
    | "--" unary
    | '(' primitive_type ')' unary
    | '(' name ')' unary
    ;

postfix
    : primary
    | postfix "++"
    | postfix "--"
    ;

primary
    : literal
    | "this"
    | ID
    | '(' expression ')'
    | primary '.' ID
    | primary '[' expression ']'
    | primary '(' expressions ')'
    | "new" name '(' expressions ')'
    | "new" type sizes
    | "new" type array_values
    ;

sizes
    : '[' expression ']'
    | sizes '[' expression ']'
    ;

literal
    : NUMBER | TEXT | CHARACTER | "true" | "false" | "null"
    ;

%%

int main (void) { return yyparse (); }
