#!/bin/sh
# Run in a version of the program; 0: the sums are right, 1: they are not, 125: nobody can tell.
exec 2>&1
make -s || exit 125
sums=$(build/ledger balance <<'LEDGER'
2026-03-02 assets:bank    -25.00 EUR  rent
2026-03-02 expenses:rent   25.00 EUR  rent
2026-03-04 expenses:books   9.99 GBP  a novel
2026-03-05 expenses:books  12.45 USD  a manual
LEDGER
) || exit 125
echo "$sums"
books=$(echo "$sums" | awk '$1 == "expenses:books" { print $2 }')
case $books in
23.04) exit 0 ;;
23.02 | 23.03) exit 1 ;;
*) exit 125 ;;
esac
