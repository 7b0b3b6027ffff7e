#include "convert.h"

#include "currency.h"
#include "error.h"

money convert_to_euro(money amount, const char *currency)
{
    long rate = currency_rate(currency);
    if (!rate)
        fail("unknown currency", currency);
    return money_round(amount * rate);
}
