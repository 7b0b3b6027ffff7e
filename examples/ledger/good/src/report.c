#include "report.h"

void report_line(FILE *out, const char *name, money amount)
{
    char text[32];
    money_write(text, sizeof text, amount);
    fprintf(out, "%-30s %12s\n", name, text);
}

void report_rule(FILE *out)
{
    for (int at = 0; at < 43; at++)
        fputc('-', out);
    fputc('\n', out);
}
