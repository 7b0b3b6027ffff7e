#ifndef ERROR_H
#define ERROR_H

/* Prints a message and ends the program. */
void fail(const char *message, const char *about);

#endif
