#include "date.h"

#include "calendar.h"

#include <stdio.h>

int date_read(const char *text, struct date *date)
{
    char rest;
    int seen = sscanf(text, "%4d-%2d-%2d%c", &date->year, &date->month, &date->day, &rest);
    if (seen != 3)
        return 0;
    return date->month >= 1 && date->month <= 12 && date->day >= 1 && date->day <= 31;
}

int date_cmp(const struct date *one, const struct date *other)
{
    if (one->year != other->year)
        return one->year - other->year;
    if (one->month != other->month)
        return one->month - other->month;
    return one->day - other->day;
}

int date_is_working_day(const struct date *date)
{
    return calendar_is_working_day(date->year, date->month, date->day);
}
