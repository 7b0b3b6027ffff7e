#ifndef BALANCE_H
#define BALANCE_H

#include "filter.h"
#include "journal.h"

#include <stdio.h>

/* Prints what is on each account, in euros. */
void balance(FILE *out, const struct journal *journal, const struct filter *filter);

#endif
