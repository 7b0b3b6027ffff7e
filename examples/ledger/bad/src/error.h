#ifndef ERROR_H
#define ERROR_H

/* Prints a message and ends the program. */
void fail(const char *message, const char *about);

/* The same with the number of a line. */
void fail_at(int line, const char *message, const char *about);

#endif
