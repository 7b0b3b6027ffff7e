#include "parser.h"

#include "error.h"
#include "memory.h"

#include <ctype.h>
#include <string.h>

/* Takes white space away from both ends. */
static char *trim(char *text)
{
    char *end;
    while (isspace((unsigned char)*text))
        text++;
    end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        *--end = '\0';
    return text;
}

/* Cuts the first word off. */
static char *next_word(char **rest)
{
    char *word = trim(*rest);
    char *end = word;
    while (*end && !isspace((unsigned char)*end))
        end++;
    *rest = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

static struct posting parse_line(char *line)
{
    struct posting posting;
    char *rest = line;
    if (!date_read(next_word(&rest), &posting.date))
        fail("not a date", line);
    posting.account = copy_text(next_word(&rest));
    if (!money_read(next_word(&rest), &posting.amount))
        fail("not an amount", posting.account);
    posting.currency = copy_text(next_word(&rest));
    posting.text = copy_text(trim(rest));
    return posting;
}

void parse(FILE *file, struct journal *journal)
{
    char line[256];
    while (fgets(line, sizeof line, file)) {
        char *text = trim(line);
        if (*text == '\0' || *text == '#')
            continue;
        journal_add(journal, parse_line(text));
    }
}
