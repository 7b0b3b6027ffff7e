#include "account.h"

int account_depth(const char *name)
{
    int depth = 0;
    for (; *name; name++)
        depth += *name == ':';
    return depth;
}
