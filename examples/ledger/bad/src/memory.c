#include "memory.h"

#include "error.h"

#include <stdlib.h>
#include <string.h>

void *grow(void *block, size_t count, size_t size)
{
    void *grown = realloc(block, count * size);
    if (!grown)
        fail("out of memory", "cannot go on");
    return grown;
}

char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(grow(NULL, size, 1), text, size);
}
