// Parses a text with so much work and no more.
//
// The parser calls back every hundred steps, but a step may be anything: at the end of a text that
// is full of errors it lists every way to read it, in one step that was seen to take hours and all
// memory. All of its work allocates memory, so that is what is counted, and where it is too much the
// parser is left from within, and all that it had allocated is freed.
//
// Counts do not depend on the machine. Nothing is left but functions of the parser: the callbacks
// have returned when it allocates.

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tree_sitter/api.h"

// To fill so many bytes takes about as long as to allocate them.
#define BYTES 256

// Stands before everything that the parser allocates. What was allocated by the parse that is under
// way is in a ring; all else has no neighbours, and may be freed by any thread.
typedef struct Block {
    struct Block *previous, *next;
} Block;

// The parse that is under way on this thread.
static _Thread_local struct {
    bool is_on;
    uint64_t spent, most;
    Block ring;
    jmp_buf leave;
} bounds;

static void spend(size_t size) {
    if (!bounds.is_on) return;
    bounds.spent += 1 + size / BYTES;
    if (bounds.spent > bounds.most) longjmp(bounds.leave, 1);
}

static void *entered(Block *block) {
    if (block == NULL) abort();
    block->previous = block->next = NULL;
    if (bounds.is_on) {
        block->previous = &bounds.ring;
        block->next = bounds.ring.next;
        block->previous->next = block->next->previous = block;
    }
    return block + 1;
}

static void leave_ring(Block *block) {
    if (block->next == NULL) return;
    block->previous->next = block->next;
    block->next->previous = block->previous;
    block->previous = block->next = NULL;
}

static void *bounded_malloc(size_t size) {
    spend(size);
    return entered(malloc(sizeof(Block) + size));
}

static void *bounded_calloc(size_t count, size_t size) {
    if (size != 0 && count > (SIZE_MAX - sizeof(Block)) / size) abort();
    spend(count * size);
    return entered(calloc(1, sizeof(Block) + count * size));
}

static void *bounded_realloc(void *pointer, size_t size) {
    if (pointer == NULL) return bounded_malloc(size);
    spend(size);
    Block *block = (Block *)pointer - 1;
    leave_ring(block);
    return entered(realloc(block, sizeof(Block) + size));
}

static void bounded_free(void *pointer) {
    if (pointer == NULL) return;
    Block *block = (Block *)pointer - 1;
    leave_ring(block);
    free(block);
}

// Has to be called once, before anything else of the parser.
void whodunit_bound(void) {
    ts_set_allocator(bounded_malloc, bounded_calloc, bounded_realloc, bounded_free);
}

// Adds work that the callbacks know of; returns whether it is too much by now.
bool whodunit_spend(uint64_t work) {
    bounds.spent += work;
    return bounds.spent > bounds.most;
}

static void end(bool is_freed) {
    bounds.is_on = false;
    while (bounds.ring.next != &bounds.ring) {
        Block *block = bounds.ring.next;
        leave_ring(block);
        if (is_freed) free(block);
    }
}

// Returns a tree, or nothing if the parser was stopped or had too much to do. A parser that was left
// keeps hold of what it had taken of the former tree, and of the little that its scanner has.
TSTree *whodunit_parse(
    const TSLanguage *language, const TSTree *former, TSInput input, TSParseOptions options,
    uint64_t most
) {
    bounds.spent = 0;
    bounds.most = most;
    bounds.ring.previous = bounds.ring.next = &bounds.ring;
    if (setjmp(bounds.leave) != 0) {
        end(true);
        return NULL;
    }
    bounds.is_on = true;
    TSParser *parser = ts_parser_new();
    TSTree *tree = NULL;
    if (ts_parser_set_language(parser, language)) {
        tree = ts_parser_parse_with_options(parser, former, input, options);
    }
    // To tidy up is not part of the work.
    bounds.most = UINT64_MAX;
    ts_parser_delete(parser);
    end(false);
    if (tree != NULL && bounds.spent > most) {
        ts_tree_delete(tree);
        return NULL;
    }
    return tree;
}
