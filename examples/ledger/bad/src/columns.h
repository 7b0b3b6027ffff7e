#ifndef COLUMNS_H
#define COLUMNS_H

/* How wide things are on paper. */
#define NAME_COLUMN 34
#define AMOUNT_COLUMN 14
#define INDENT 2

/* Room for an amount as text. */
#define AMOUNT_SIZE 40

#endif
