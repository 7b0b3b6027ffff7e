#include "totals.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

static size_t find(const struct totals *totals, const char *name)
{
    size_t low = 0;
    size_t high = totals->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(totals->all[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void totals_add(struct totals *totals, const char *name, money amount)
{
    size_t at = find(totals, name);
    if (at == totals->count || strcmp(totals->all[at].name, name) != 0) {
        size_t behind = totals->count - at;
        totals->all = grow(totals->all, totals->count + 1, sizeof *totals->all);
        memmove(totals->all + at + 1, totals->all + at, behind * sizeof *totals->all);
        totals->all[at].name = copy_text(name);
        totals->all[at].sum = 0;
        totals->count++;
    }
    totals->all[at].sum += amount;
}

money totals_sum(const struct totals *totals)
{
    money sum = 0;
    for (size_t at = 0; at < totals->count; at++)
        sum += totals->all[at].sum;
    return sum;
}

void totals_free(struct totals *totals)
{
    for (size_t at = 0; at < totals->count; at++)
        free(totals->all[at].name);
    free(totals->all);
}
