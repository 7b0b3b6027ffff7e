#ifndef MONEY_H
#define MONEY_H

#include <stddef.h>

/* An amount in hundredths. */
typedef long money;

/* Reads `12.34` or `-5`. Returns 0 if it is no amount. */
int money_read(const char *text, money *amount);

/* Writes an amount with two decimals. */
void money_write(char *buffer, size_t size, money amount);

/* Rounds thousandths of a hundredth, half away from zero. */
money money_round(long thousandths);

#endif
