#include "date.h"

#include "calendar.h"

static int days_in(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap);
}

int date_read(const char *text, struct date *date)
{
    char rest;
    int seen = sscanf(text, "%4d-%2d-%2d%c", &date->year, &date->month, &date->day, &rest);
    if (seen != 3)
        return 0;
    if (date->month < 1 || date->month > 12)
        return 0;
    return date->day >= 1 && date->day <= days_in(date->year, date->month);
}

int date_compare(const struct date *one, const struct date *other)
{
    if (one->year != other->year)
        return one->year - other->year;
    if (one->month != other->month)
        return one->month - other->month;
    return one->day - other->day;
}

void date_print(FILE *out, const struct date *date)
{
    fprintf(out, "%04d-%02d-%02d", date->year, date->month, date->day);
}

int date_is_working_day(const struct date *date)
{
    return calendar_is_working_day(date->year, date->month, date->day);
}
