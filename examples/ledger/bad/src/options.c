#include "options.h"

#include "error.h"

#include <string.h>

static const char usage[] = "ledger balance|register|budget|monthly [OPTIONS] [FILE]";

static enum command read_command(const char *word)
{
    if (strcmp(word, "balance") == 0)
        return COMMAND_BALANCE;
    if (strcmp(word, "register") == 0)
        return COMMAND_REGISTER;
    if (strcmp(word, "budget") == 0)
        return COMMAND_BUDGET;
    if (strcmp(word, "monthly") == 0)
        return COMMAND_MONTHLY;
    fail("usage", usage);
    return COMMAND_BALANCE;
}

static const char *value(int count, char **words, int *at)
{
    if (*at + 1 == count)
        fail("a value is missing after", words[*at]);
    return words[++*at];
}

struct options options_read(int count, char **words)
{
    struct options options = {0};
    if (count < 2)
        fail("usage", usage);
    options.command = read_command(words[1]);
    for (int at = 2; at < count; at++) {
        const char *word = words[at];
        if (strcmp(word, "--account") == 0) {
            options.filter.account = value(count, words, &at);
        } else if (strcmp(word, "--currency") == 0) {
            options.filter.currency = value(count, words, &at);
        } else if (strcmp(word, "--begin") == 0) {
            options.filter.has_begin = 1;
            if (!date_read(value(count, words, &at), &options.filter.begin))
                fail("not a date", words[at]);
        } else if (strcmp(word, "--end") == 0) {
            options.filter.has_end = 1;
            if (!date_read(value(count, words, &at), &options.filter.end))
                fail("not a date", words[at]);
        } else if (strcmp(word, "--working-days") == 0) {
            options.filter.working_days_only = 1;
        } else if (strcmp(word, "--limit") == 0) {
            if (!money_read(value(count, words, &at), &options.limit))
                fail("not an amount", words[at]);
        } else if (*word == '-' && word[1]) {
            fail("unknown option", word);
        } else {
            options.file = word;
        }
    }
    return options;
}
