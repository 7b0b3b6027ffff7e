#ifndef WORDS_H
#define WORDS_H

/* Takes white space away from both ends. */
char *trim(char *text);

/* Cuts the first word off. */
char *next_word(char **rest);

#endif
