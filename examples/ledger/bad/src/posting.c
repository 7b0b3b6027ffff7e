#include "posting.h"

#include "convert.h"

#include <string.h>

money posting_in_euro(const struct posting *posting)
{
    return convert_to_euro(posting->quantity, posting->currency);
}

int posting_is_below(const struct posting *posting, const char *account)
{
    size_t length = strlen(account);
    char after;
    if (strncmp(posting->account, account, length) != 0)
        return 0;
    after = posting->account[length];
    return after == '\0' || after == ':';
}
