#!/bin/sh
# The failure: a lock that somebody takes twice without giving it back between.
awk '
    / take / { if (held[$NF]++) found = 1 }
    / give / { held[$NF] = 0 }
    END { exit !found }
' service.log
