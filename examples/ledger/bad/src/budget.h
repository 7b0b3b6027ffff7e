#ifndef BUDGET_H
#define BUDGET_H

#include "filter.h"
#include "journal.h"

#include <stdio.h>

/* Prints what is left of a limit for one account. */
void budget(FILE *out, const struct journal *journal, const struct filter *filter, money limit);

#endif
