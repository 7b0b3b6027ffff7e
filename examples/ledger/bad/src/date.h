#ifndef DATE_H
#define DATE_H

#include <stdio.h>

struct date {
    int year;
    int month;
    int day;
};

/* Reads `2026-03-02`. Returns 0 if it is no date. */
int date_read(const char *text, struct date *date);

/* Less than, equal to or greater than zero, like strcmp. */
int date_compare(const struct date *one, const struct date *other);

/* Prints `2026-03-02`. */
void date_print(FILE *out, const struct date *date);

/* Whether banks are open on that day. */
int date_is_working_day(const struct date *date);

#endif
