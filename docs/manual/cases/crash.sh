# needs: gcc make
# A program that does not compile, alone and in a folder.
set -e
cat >crash.c <<'EOF'
#include <stdio.h>

static int total(int pieces) {
    return pieces * prize;
}

int main(void) {
    printf("%d\n", total(2));
    return 0;
}
EOF
cat >still-crashes.sh <<'EOF'
#!/bin/sh
gcc -O2 -c "$(find . -name crash.c)" -o crash.o 2>&1 | grep ".prize. undeclared"
EOF
chmod +x still-crashes.sh
mkdir project
cp crash.c project
printf 'crash.o: crash.c\n\t$(CC) -c crash.c\n' >project/Makefile
echo 'Sums orders.' >project/README
