#ifndef PARSER_H
#define PARSER_H

#include "journal.h"

#include <stdio.h>

/* Reads lines of the form `2026-03-02 assets:bank -12.50 USD what it was`. */
void parse(FILE *file, struct journal *journal);

#endif
