#ifndef JOURNAL_H
#define JOURNAL_H

#include "posting.h"

#include <stddef.h>

/* All postings, in the order of their dates. */
struct journal {
    struct posting *postings;
    size_t count;
    size_t room;
};

void journal_add(struct journal *journal, struct posting posting);

/* Puts postings in order; those of one day stay as they are. */
void journal_sort(struct journal *journal);

void journal_free(struct journal *journal);

#endif
