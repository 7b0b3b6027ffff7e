#!/bin/sh
# A picky importer: what it is given must be JSON, and the count must be that of the orders.
awk '
    { text = text $0 }
    END {
        shape = text
        gsub(/"[^"]*"/, "s", shape)
        gsub(/-?[0-9]+|true|false/, "v", shape)
        gsub(/[ \t]/, "", shape)
        orders = gsub(/[{]/, "{", shape) - 1
        while (gsub(/[{][}]|[[][]]|[{]s:[sv](,s:[sv])*[}]|[[][sv](,[sv])*[]]/, "v", shape)) { }
        if (shape !~ /^v$/) { print "error: this is no JSON"; exit 1 }
        count = text
        found = sub(/.*"count": */, "", count)
        if (!found || count + 0 != orders) { print "error: not as many orders as announced"; exit 1 }
        if (text ~ /"orders": *[[][^]]*"pieces": *-/) { print "panic: fewer than no pieces"; exit 101 }
    }
' "$1"
