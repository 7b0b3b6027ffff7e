#ifndef REPORT_H
#define REPORT_H

#include "money.h"

#include <stdio.h>

/* Prints a name and an amount. */
void report_line(FILE *out, const char *name, money amount);

/* Prints a line before a sum. */
void report_rule(FILE *out);

#endif
