#include "budget.h"

#include "report.h"

void budget(FILE *out, const struct journal *journal, const struct filter *filter, money limit)
{
    money spent = 0;
    for (size_t at = 0; at < journal->count; at++) {
        const struct posting *posting = &journal->postings[at];
        if (filter_takes(filter, posting) && posting->amount > 0)
            spent += posting_in_euro(posting);
    }
    report_line(out, "limit", limit);
    report_line(out, "spent", spent);
    report_rule(out);
    report_line(out, "left", limit - spent);
}
