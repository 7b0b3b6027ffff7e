#include "monthly.h"

#include "report.h"
#include "totals.h"

void monthly(FILE *out, const struct journal *journal, const struct filter *filter)
{
    struct totals totals = {0};
    for (size_t at = 0; at < journal->count; at++) {
        const struct posting *posting = &journal->postings[at];
        char month[16];
        if (!filter_takes(filter, posting))
            continue;
        snprintf(month, sizeof month, "%04d-%02d", posting->date.year % 10000, posting->date.month % 100);
        totals_add(&totals, month, posting_in_euro(posting));
    }
    for (size_t at = 0; at < totals.count; at++)
        report_line(out, 0, totals.all[at].name, totals.all[at].sum);
    totals_free(&totals);
}
