#include "balance.h"

#include "account.h"
#include "report.h"
#include "totals.h"

void balance(FILE *out, const struct journal *journal, const struct filter *filter)
{
    struct totals totals = {0};
    for (size_t at = 0; at < journal->count; at++) {
        const struct posting *posting = &journal->postings[at];
        if (filter_takes(filter, posting))
            totals_add(&totals, posting->account, posting_in_euro(posting));
    }
    for (size_t at = 0; at < totals.count; at++)
        report_line(out, account_depth(totals.all[at].name), totals.all[at].name, totals.all[at].sum);
    report_rule(out);
    report_line(out, 0, "total", totals_sum(&totals));
    totals_free(&totals);
}
