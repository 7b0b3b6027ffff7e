#include "filter.h"

int filter_takes(const struct filter *filter, const struct posting *posting)
{
    if (filter->account && !posting_is_below(posting, filter->account))
        return 0;
    if (filter->has_begin && date_cmp(&posting->date, &filter->begin) < 0)
        return 0;
    if (filter->has_end && date_cmp(&posting->date, &filter->end) >= 0)
        return 0;
    if (filter->working_days_only && !date_is_working_day(&posting->date))
        return 0;
    return 1;
}
