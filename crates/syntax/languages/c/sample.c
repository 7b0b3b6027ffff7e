/* Counts words. */
#include <stdio.h>
#define LIMIT 64

typedef struct word { const char *text; unsigned count; } word_t;

static word_t words[LIMIT];

static int same(const char *a, const char *b)
{
    while (*a && *a == *b) { a++; b++; } // both go on
    return *a == *b;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc && i < LIMIT; ++i) {
        words[i].text = argv[i];
        words[i].count += same(argv[i], "word\n") ? 1u : 0x0;
    }
    switch (argc) {
    case 0: goto out;
    default: printf("%u %c\n", words[1].count, 'x'); break;
    }
out:
    return 0;
}
