/* Keeps the stock of a small shop and prints a summary of it. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOOL, PAINT, TIMBER, KINDS };
static const char *kinds[] = { "tool", "paint", "timber" };
static int verbose = 0;

struct item {
    char name[24];
    int kind;
    int count;
    int cents;
};

static struct item stock[64];
static int length = 0;
static int sum = 0;
static int pieces = 0;

/* Changes of the stock. */

static void add(const char *name, int kind, int count, int cents) {
    struct item *item = &stock[length++];
    strncpy(item->name, name, sizeof item->name - 1);
    item->kind = kind;
    item->count = count;
    item->cents = cents;
    if (verbose) printf("added %d %s\n", count, name);
}

static struct item *find(const char *name) {
    int i;
    for (i = 0; i < length; i++)
        if (strcmp(stock[i].name, name) == 0) return &stock[i];
    return NULL;
}

static void sell(const char *name, int count) {
    struct item *item = find(name);
    if (item == NULL) return;
    if (count > item->count) count = item->count;
    item->count -= count;
    if (verbose) printf("sold %d %s\n", count, name);
}

static void reprice(const char *name, int percent) {
    struct item *item = find(name);
    if (item == NULL) return;
    item->cents += item->cents * percent / 100;
    if (verbose) printf("%s costs %d now\n", name, item->cents);
}

/* Statistics. */

static int value(void) {
    int i;
    int sum = 0;
    for (i = 0; i < length; i++)
        sum += stock[i].count * stock[i].cents;
    return sum;
}

static int dearest(void) {
    int i;
    int best = 0;
    for (i = 0; i < length; i++)
        if (stock[i].cents > stock[best].cents) best = i;
    return best;
}

static int average(int kind) {
    int i;
    sum = pieces = 0;
    for (i = 0; i < length; i++) {
        if (stock[i].kind != kind) continue;
        sum += stock[i].count * stock[i].cents;
        pieces += stock[i].count;
    }
    assert(pieces > 0);
    return sum / pieces;
}

/* Printing. */

static int by_name(const void *left, const void *right) {
    const struct item *one = left;
    const struct item *other = right;
    return strcmp(one->name, other->name);
}

static void print_items(void) {
    int i;
    qsort(stock, length, sizeof stock[0], by_name);
    for (i = 0; i < length; i++)
        printf("%-12s %3d x %d\n", stock[i].name, stock[i].count, stock[i].cents);
    printf("dearest: %s\n", stock[dearest()].name);
}

static void print_summary(void) {
    int kind;
    printf("in all: %d\n", value());
    for (kind = 0; kind < KINDS; kind++)
        printf("average %s: %d\n", kinds[kind], average(kind));
}

int main(void) {
    add("hammer", TOOL, 12, 1450);
    add("saw", TOOL, 7, 2250);
    add("screwdriver", TOOL, 31, 600);
    add("red", PAINT, 4, 1990);
    add("white", PAINT, 2, 1790);
    add("beam", TIMBER, 40, 320);
    add("plank", TIMBER, 85, 275);
    sell("hammer", 3);
    sell("red", 4);
    reprice("saw", -10);
    sell("plank", 60);
    sell("white", 2);
    reprice("beam", 5);
    sell("beam", 11);
    print_items();
    print_summary();
    return 0;
}
