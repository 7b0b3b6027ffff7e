#ifndef OPTIONS_H
#define OPTIONS_H

#include "filter.h"

enum command { COMMAND_BALANCE, COMMAND_REGISTER, COMMAND_BUDGET };

/* What the user wants. */
struct options {
    enum command command;
    const char *file;
    money limit;
    struct filter filter;
};

struct options options_read(int count, char **words);

#endif
