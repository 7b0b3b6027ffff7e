// Keeps some scanners from ending the process, or from never coming to an end.
//
// A scanner saves its state in a buffer of 1024 bytes. On text that is nested very deeply those of
// Python, Ruby and YAML write a little past its end, and on a very long heredoc word that of Ruby
// saves what it cannot read back; an assertion then ends the process. Here they save to a larger
// buffer first, and a state that is no good is dropped: the text then has errors, no more.
//
// Those of HTML and XML save the names of as many open elements as fit, and of all others that they
// are there, which they then make anew for every token: with 20,000 open elements that is 100
// microseconds for each, and no good, because an end without a name ends nothing. Here the others
// are forgotten.

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tree_sitter/parser.h"

// Counts work of the parse that is under way (bounded.c).
bool whodunit_spend(uint64_t work);

// To save and read back so many bytes takes about as long as an allocation.
#define BYTES_SAVED 32

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

// Makes the second number of a state, which says how many there are, the first, which says how many
// were saved.
static bool keep_saved(char *state, unsigned size, size_t number) {
    if (size >= 2 * number) memcpy(state + number, state, number);
    return fits(state, size);
}

static bool keep_saved_html(char *state, unsigned size) {
    return keep_saved(state, size, sizeof(uint16_t));
}

static bool keep_saved_xml(char *state, unsigned size) {
    return keep_saved(state, size, sizeof(uint32_t));
}

#define GUARDED(LANGUAGE, IS_GOOD)                                                                \
    const TSLanguage *tree_sitter_##LANGUAGE(void);                                               \
    unsigned tree_sitter_##LANGUAGE##_external_scanner_serialize(void *scanner, char *buffer);    \
    static unsigned LANGUAGE##_serialize(void *scanner, char *buffer) {                           \
        char room[ROOM];                                                                          \
        unsigned size = tree_sitter_##LANGUAGE##_external_scanner_serialize(scanner, room);       \
        whodunit_spend(size / BYTES_SAVED);                                                       \
        if (!IS_GOOD(room, size)) return 0;                                                       \
        memcpy(buffer, room, size);                                                               \
        return size;                                                                              \
    }                                                                                             \
    const TSLanguage *whodunit_guarded_##LANGUAGE(void) {                                         \
        return with_serialize(tree_sitter_##LANGUAGE(), LANGUAGE##_serialize);                    \
    }

#ifdef GUARD_HTML
GUARDED(html, keep_saved_html)
#endif
#ifdef GUARD_PYTHON
GUARDED(python, fits)
#endif
#ifdef GUARD_RUBY
GUARDED(ruby, reads_back)
#endif
#ifdef GUARD_XML
GUARDED(xml, keep_saved_xml)
#endif
#ifdef GUARD_YAML
GUARDED(yaml, fits)
#endif
