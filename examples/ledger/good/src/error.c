#include "error.h"

#include <stdio.h>
#include <stdlib.h>

void fail(const char *message, const char *about)
{
    fprintf(stderr, "ledger: %s: %s\n", message, about);
    exit(2);
}
