# needs: git cc make tar
# A program in C with a history: v1.4 passes its self-test, v1.5 fails it.
set -e
day=0
commit() {
    day=$((day + 1))
    git add -A -- ':!test.sh' ':!old' ':!new.tar.gz' ':!releases'
    GIT_AUTHOR_DATE="2026-03-$(printf %02d $day)T12:00:00Z" GIT_COMMITTER_DATE="$GIT_AUTHOR_DATE" \
        git commit -q -m "$1"
}
replace() { sed -i "s/$2/$3/" "$1"; } # a file, a regular expression, what comes instead

git init -q -b main
mkdir src
cat >Makefile <<'EOF'
app: src/main.c src/parse.c src/opts.c src/opts.h
	$(CC) -o app src/main.c src/parse.c src/opts.c
EOF
echo app >.gitignore
cat >src/opts.h <<'EOF'
extern const char separator;
extern const int most_fields;
EOF
cat >src/opts.c <<'EOF'
#include "opts.h"

/* What stands between fields. */
const char separator = ':';

/* How many fields a line may have. */
const int most_fields = 64;
EOF
cat >src/parse.c <<'EOF'
#include "opts.h"

/* Returns the number of fields of a line. */
int count_fields(const char *line) {
    int fields = 1;
    while (*line != '\0') {
        if (*line == separator)
            fields++;
        line++;
    }
    return fields;
}
EOF
cat >src/main.c <<'EOF'
#include <stdio.h>
#include <string.h>

int count_fields(const char *line);

static int selftest(void) {
    int fields = count_fields("a:b:c:d");
    if (fields != 4) {
        fprintf(stderr, "selftest: error: %d fields instead of 4\n", fields);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--selftest") == 0)
        return selftest();
    char line[256];
    while (fgets(line, sizeof line, stdin) != NULL)
        printf("%d\n", count_fields(line));
    return 0;
}
EOF
echo 'Counts the fields of lines.' >README
commit 'First version'
git tag v1.4
echo 'Fields are separated by colons.' >>README
commit 'Describe the format'
replace src/main.c 'char line\[256\]' 'char line[1024]'
commit 'Allow longer lines'
replace Makefile '-o app' '-O1 -o app'
commit 'Build with optimisation'
replace src/main.c 'stdio.h>' 'stdio.h>\n#include <stdlib.h>'
replace src/main.c 'return 0;$' 'return EXIT_SUCCESS;'
commit 'Name exit codes'
echo 'Lines have at most 1024 characters.' >>README
commit 'Describe limits'
replace src/parse.c "while (\*line != '.0')" "while (*line != '\\\\0' \&\& fields < most_fields)"
replace src/parse.c 'number of fields of a line' 'number of fields of a line, without reading further than needed'
replace src/opts.c '= 64' '= 3'
replace src/opts.c 'may have' 'may have, as in version 1.0'
commit 'Speed up the parser'
echo 'Written in C.' >>README
commit 'Name the language'
replace src/main.c 'char \*\*argv' 'char *argv[]'
commit 'Tidy up main'
echo 'v1.5: faster' >NEWS
commit 'Announce v1.5'
git tag v1.5

printf '#!/bin/sh\nmake -s || exit 125\nexec ./app --selftest\n' >test.sh
chmod +x test.sh
mkdir old releases releases/app-1.4 releases/app-1.5
git archive v1.4 | tar -x -C old
git archive --format=tar.gz -o new.tar.gz v1.5
git archive v1.4 | tar -x -C releases/app-1.4
git archive v1.5 | tar -x -C releases/app-1.5
