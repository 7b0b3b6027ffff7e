#ifndef CONVERT_H
#define CONVERT_H

#include "money.h"

/* Returns an amount in euros. */
money convert_to_euro(money amount, const char *currency);

#endif
