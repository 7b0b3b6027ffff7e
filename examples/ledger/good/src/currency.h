#ifndef CURRENCY_H
#define CURRENCY_H

/* How many thousandths of a euro one unit is worth; 0 if it is not known. */
long currency_rate(const char *name);

#endif
