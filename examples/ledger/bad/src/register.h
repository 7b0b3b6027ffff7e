#ifndef REGISTER_H
#define REGISTER_H

#include "filter.h"
#include "journal.h"

#include <stdio.h>

/* Prints all postings with a running sum. */
void print_register(FILE *out, const struct journal *journal, const struct filter *filter);

#endif
