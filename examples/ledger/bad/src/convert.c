#include "convert.h"

#include "currency.h"
#include "error.h"

money convert_to_euro(money amount, const char *currency)
{
    long rate = currency_rate(currency);
    if (rate == 0)
        fail("no rate for this currency", currency);
    return money_trim(amount * rate);
}
