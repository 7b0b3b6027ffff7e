// Keeps three scanners from ending the process.
//
// A scanner saves its state in a buffer of 1024 bytes. On text that is nested very deeply those of
// Python, Ruby and YAML write a little past its end, and on a very long heredoc word that of Ruby
// saves what it cannot read back; an assertion then ends the process. Here they save to a larger
// buffer first, and a state that is no good is dropped: the text then has errors, no more.

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tree_sitter/parser.h"

// None writes more than a few bytes past the 1024: they look before every entry.
#define ROOM (2 * TREE_SITTER_SERIALIZATION_BUFFER_SIZE)

typedef unsigned (*Serialize)(void *scanner, char *buffer);

// Copies the tables of a language, but for one function; made once and kept.
static const TSLanguage *with_serialize(const TSLanguage *language, Serialize serialize) {
    // Older tables end before the name.
    size_t size = language->abi_version < 15 ? offsetof(TSLanguage, name) : sizeof *language;
    TSLanguage *copy = calloc(1, sizeof *copy);
    if (copy == NULL) return language;
    memcpy(copy, language, size);
    copy->external_scanner.serialize = serialize;
    return copy;
}

static bool fits(const char *state, unsigned size) {
    (void)state;
    return size <= TREE_SITTER_SERIALIZATION_BUFFER_SIZE;
}

#ifdef GUARD_RUBY
// Whether the scanner of Ruby would read back exactly what it saved: a count of literals of five
// bytes each, then a count of heredocs, each of three bytes, a length, and so many bytes.
static bool reads_back(const char *state, unsigned size) {
    if (size == 0 || !fits(state, size)) return size == 0;
    unsigned at = 1 + 5 * (unsigned char)state[0];
    if (at >= size) return false;
    unsigned heredocs = (unsigned char)state[at++];
    for (; heredocs > 0; heredocs--) {
        if (at + 4 > size) return false;
        at += 4 + (unsigned char)state[at + 3];
    }
    return at == size;
}
#endif

#define GUARDED(LANGUAGE, IS_GOOD)                                                                \
    const TSLanguage *tree_sitter_##LANGUAGE(void);                                               \
    unsigned tree_sitter_##LANGUAGE##_external_scanner_serialize(void *scanner, char *buffer);    \
    static unsigned LANGUAGE##_serialize(void *scanner, char *buffer) {                           \
        char room[ROOM];                                                                          \
        unsigned size = tree_sitter_##LANGUAGE##_external_scanner_serialize(scanner, room);       \
        if (!IS_GOOD(room, size)) return 0;                                                       \
        memcpy(buffer, room, size);                                                               \
        return size;                                                                              \
    }                                                                                             \
    const TSLanguage *whodunit_guarded_##LANGUAGE(void) {                                         \
        return with_serialize(tree_sitter_##LANGUAGE(), LANGUAGE##_serialize);                    \
    }

#ifdef GUARD_PYTHON
GUARDED(python, fits)
#endif
#ifdef GUARD_RUBY
GUARDED(ruby, reads_back)
#endif
#ifdef GUARD_YAML
GUARDED(yaml, fits)
#endif
