#include "words.h"

#include <ctype.h>
#include <string.h>

char *trim(char *text)
{
    char *end;
    while (isspace((unsigned char)*text))
        text++;
    end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        *--end = '\0';
    return text;
}

char *next_word(char **rest)
{
    char *word = trim(*rest);
    char *end = word;
    while (*end && !isspace((unsigned char)*end))
        end++;
    *rest = *end ? end + 1 : end;
    *end = '\0';
    return word;
}
