#ifndef REPORT_H
#define REPORT_H

#include "money.h"

#include <stdio.h>

/* Prints a name and an amount, further to the right the deeper it is. */
void report_line(FILE *out, int depth, const char *name, money amount);

/* Prints a line before a sum. */
void report_rule(FILE *out);

#endif
