#include "report.h"

#include "columns.h"

void report_line(FILE *out, int depth, const char *name, money amount)
{
    char text[AMOUNT_SIZE];
    int indent = depth * INDENT;
    money_write(text, sizeof text, amount);
    fprintf(out, "%*s%-*s %*s\n", indent, "", NAME_COLUMN - indent, name, AMOUNT_COLUMN, text);
}

void report_rule(FILE *out)
{
    for (int at = 0; at < NAME_COLUMN + 1 + AMOUNT_COLUMN; at++)
        fputc('-', out);
    fputc('\n', out);
}
