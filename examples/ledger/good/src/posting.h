#ifndef POSTING_H
#define POSTING_H

#include "date.h"
#include "money.h"

/* One movement on one account. */
struct posting {
    struct date date;
    char *account;
    char *text;
    char *currency;
    money amount;
};

/* Returns what the posting is worth in euros. */
money posting_in_euro(const struct posting *posting);

/* Whether the posting is on an account or on one below it. */
int posting_is_below(const struct posting *posting, const char *account);

#endif
