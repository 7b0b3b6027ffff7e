#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>

/* Like realloc, but ends the program when there is no memory. */
void *grow(void *block, size_t count, size_t size);

/* Copies a text. */
char *copy_text(const char *text);

#endif
