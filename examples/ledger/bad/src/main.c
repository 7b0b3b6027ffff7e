#include "balance.h"
#include "budget.h"
#include "error.h"
#include "monthly.h"
#include "options.h"
#include "parser.h"
#include "register.h"

#include <string.h>

static void read_file(const char *name, struct journal *journal)
{
    FILE *file = fopen(name, "r");
    if (!file)
        fail("file cannot be read", name);
    parse(file, journal);
    fclose(file);
}

int main(int count, char **words)
{
    struct options options = options_read(count, words);
    struct journal journal = {0};
    if (options.file && strcmp(options.file, "-") != 0)
        read_file(options.file, &journal);
    else
        parse(stdin, &journal);
    journal_sort(&journal);
    switch (options.command) {
    case COMMAND_BALANCE:
        balance(stdout, &journal, &options.filter);
        break;
    case COMMAND_REGISTER:
        print_register(stdout, &journal, &options.filter);
        break;
    case COMMAND_BUDGET:
        budget(stdout, &journal, &options.filter, options.limit);
        break;
    case COMMAND_MONTHLY:
        monthly(stdout, &journal, &options.filter);
        break;
    }
    journal_free(&journal);
    return 0;
}
