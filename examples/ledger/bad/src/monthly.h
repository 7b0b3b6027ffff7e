#ifndef MONTHLY_H
#define MONTHLY_H

#include "filter.h"
#include "journal.h"

#include <stdio.h>

/* Prints the sum of each month, in euros. */
void monthly(FILE *out, const struct journal *journal, const struct filter *filter);

#endif
