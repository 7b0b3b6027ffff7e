#include "parser.h"

#include "error.h"
#include "memory.h"
#include "words.h"

/* Longer lines are cut. */
#define LONGEST_LINE 1024

static struct posting parse_line(char *line, int number)
{
    struct posting posting;
    char *rest = line;
    if (!date_read(next_word(&rest), &posting.date))
        fail_at(number, "not a date", line);
    posting.account = copy_text(next_word(&rest));
    if (!money_read(next_word(&rest), &posting.quantity))
        fail_at(number, "not an amount", posting.account);
    posting.currency = copy_text(next_word(&rest));
    posting.text = copy_text(trim(rest));
    return posting;
}

void parse(FILE *file, struct journal *journal)
{
    char line[LONGEST_LINE];
    int number = 0;
    while (fgets(line, sizeof line, file)) {
        char *text = trim(line);
        number++;
        if (*text == '\0' || *text == '#' || *text == ';')
            continue;
        journal_add(journal, parse_line(text, number));
    }
}
