#include "money.h"

#include <ctype.h>
#include <stdio.h>

int money_read(const char *text, money *amount)
{
    int negative = *text == '-';
    long whole = 0;
    long part = 0;
    int digits = 0;
    if (negative)
        text++;
    if (!isdigit((unsigned char)*text))
        return 0;
    while (isdigit((unsigned char)*text))
        whole = whole * 10 + (*text++ - '0');
    if (*text == '.') {
        text++;
        while (isdigit((unsigned char)*text) && digits < 2) {
            part = part * 10 + (*text++ - '0');
            digits++;
        }
        if (digits == 1)
            part *= 10;
    }
    *amount = whole * 100 + part;
    if (negative)
        *amount = -*amount;
    return *text == '\0';
}

void money_write(char *buffer, size_t size, money amount)
{
    long absolute = amount < 0 ? -amount : amount;
    const char *sign = amount < 0 ? "-" : "";
    snprintf(buffer, size, "%s%ld.%02ld", sign, absolute / 100, absolute % 100);
}

money money_round(long thousandths)
{
    long half = thousandths < 0 ? -500 : 500;
    return (thousandths + half) / 1000;
}
