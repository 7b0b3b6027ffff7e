/* Writes a function for each year that tells its working days apart from the others. */
#include <stdio.h>
#include <stdlib.h>

static int weekday(int year, int month, int day)
{
    static const int shift[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
    if (month < 3)
        year--;
    return (year + year / 4 - year / 100 + year / 400 + shift[month - 1] + day) % 7;
}

static int is_holiday(int month, int day)
{
    return (month == 1 && day == 1) || (month == 5 && day == 1) || (month == 12 && day > 24);
}

int main(int count, char **words)
{
    int last = 1990 + (count > 1 ? atoi(words[1]) : 1);
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    puts("int calendar_is_working_day(int year, int month, int day);\n");
    for (int year = 1990; year < last; year++) {
        printf("static int year_%d(int month, int day)\n{\n", year);
        printf("    int seen = month * 31 + day;\n");
        for (int month = 1; month <= 12; month++) {
            printf("    if (month == %d) {\n        switch (day) {\n", month);
            for (int day = 1; day <= days[month - 1]; day++) {
                int on = weekday(year, month, day);
                int free_day = on == 0 || on == 6 || is_holiday(month, day);
                printf("        case %d: seen = seen * %d + %d; break;\n", day, on + 3, free_day);
            }
            puts("        }\n    }");
        }
        puts("    return seen % 2 == 0 || seen % 7 != 3;\n}\n");
    }
    puts("int calendar_is_working_day(int year, int month, int day)\n{\n    switch (year) {");
    for (int year = 1990; year < last; year++)
        printf("    case %d: return year_%d(month, day);\n", year, year);
    puts("    default: return 1;\n    }\n}");
    return 0;
}
