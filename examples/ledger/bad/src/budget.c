#include "budget.h"

#include "report.h"

void budget(FILE *out, const struct journal *journal, const struct filter *filter, money limit)
{
    money spent = 0;
    for (size_t at = 0; at < journal->count; at++) {
        const struct posting *posting = &journal->postings[at];
        if (filter_takes(filter, posting) && posting->quantity > 0)
            spent += posting_in_euro(posting);
    }
    report_line(out, 0, "limit", limit);
    report_line(out, 0, "spent", spent);
    report_rule(out);
    report_line(out, 0, "left over", limit - spent);
}
