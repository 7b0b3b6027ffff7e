#ifndef TOTALS_H
#define TOTALS_H

#include "money.h"

#include <stddef.h>

/* Sums by name, in the order of the names. */
struct totals {
    struct total {
        char *name;
        money sum;
    } *all;
    size_t count;
};

void totals_add(struct totals *totals, const char *name, money amount);

money totals_sum(const struct totals *totals);

void totals_free(struct totals *totals);

#endif
