#include "currency.h"

#include <string.h>

static const struct {
    const char *name;
    long rate;
} known[] = {
    {"EUR", 1000},
    {"USD", 917},
    {"GBP", 1163},
    {"CHF", 1042},
    {"SEK", 88},
    {"NOK", 86},
    {"DKK", 134},
};

long currency_rate(const char *name)
{
    /* Few enough to look at all of them. */
    for (size_t at = 0; at < sizeof known / sizeof *known; at++)
        if (strcmp(known[at].name, name) == 0)
            return known[at].rate;
    return 0;
}
