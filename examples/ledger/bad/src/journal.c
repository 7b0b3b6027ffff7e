#include "journal.h"

#include "memory.h"

#include <stdlib.h>

void journal_add(struct journal *journal, struct posting posting)
{
    if (journal->count == journal->room) {
        journal->room = journal->room ? 2 * journal->room : 64;
        journal->postings = grow(journal->postings, journal->room, sizeof posting);
    }
    journal->postings[journal->count++] = posting;
}

void journal_sort(struct journal *journal)
{
    for (size_t at = 1; at < journal->count; at++) {
        struct posting moved = journal->postings[at];
        size_t to = at;
        while (to > 0 && date_compare(&journal->postings[to - 1].date, &moved.date) > 0) {
            journal->postings[to] = journal->postings[to - 1];
            to--;
        }
        journal->postings[to] = moved;
    }
}

void journal_free(struct journal *journal)
{
    for (size_t at = 0; at < journal->count; at++) {
        free(journal->postings[at].account);
        free(journal->postings[at].text);
        free(journal->postings[at].currency);
    }
    free(journal->postings);
}
