#ifndef FILTER_H
#define FILTER_H

#include "posting.h"

/* What postings a report is about. */
struct filter {
    const char *account;
    int has_begin;
    struct date begin;
    int has_end;
    struct date end;
    int working_days_only;
};

int filter_takes(const struct filter *filter, const struct posting *posting);

#endif
