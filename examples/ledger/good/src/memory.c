#include "memory.h"

#include "error.h"

#include <stdlib.h>
#include <string.h>

void *grow(void *block, size_t count, size_t size)
{
    void *grown = realloc(block, count * size);
    if (!grown)
        fail("out of memory", "grow");
    return grown;
}

char *copy_text(const char *text)
{
    size_t length = strlen(text) + 1;
    char *copy = grow(NULL, length, 1);
    memcpy(copy, text, length);
    return copy;
}
