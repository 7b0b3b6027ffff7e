#include "register.h"

#include "columns.h"
#include "report.h"

void print_register(FILE *out, const struct journal *journal, const struct filter *filter)
{
    money sum = 0;
    for (size_t at = 0; at < journal->count; at++) {
        const struct posting *posting = &journal->postings[at];
        char amount[AMOUNT_SIZE];
        if (!filter_takes(filter, posting))
            continue;
        money_write(amount, sizeof amount, posting->quantity);
        date_print(out, &posting->date);
        fprintf(out, "  %s %s  %s\n", amount, posting->currency, posting->text);
        sum += posting_in_euro(posting);
        report_line(out, 1, posting->account, sum);
    }
}
