#include "register.h"

#include "report.h"

void print_register(FILE *out, const struct journal *journal, const struct filter *filter)
{
    money sum = 0;
    for (size_t at = 0; at < journal->count; at++) {
        const struct posting *posting = &journal->postings[at];
        char amount[32];
        if (!filter_takes(filter, posting))
            continue;
        money_write(amount, sizeof amount, posting->amount);
        fprintf(out, "%04d-%02d-%02d ", posting->date.year, posting->date.month, posting->date.day);
        fprintf(out, "%s %s %s\n", amount, posting->currency, posting->text);
        sum += posting_in_euro(posting);
        report_line(out, posting->account, sum);
    }
}
