# needs: git cc gcc make tar
# Everything that the first page shows: the cases `app` and `crash`, an answer, a run that was stopped.
set -e
. "$CASES/app.sh"
. "$CASES/crash.sh"
whodunit changes v1.4 v1.5 --json -q -- ./test.sh >answer.json

# This run stops itself, as with Ctrl-C, at its fourth test.
seq 100 >numbers.txt
cat >stops.sh <<EOF
#!/bin/sh
echo >>$PWD/count.txt
[ \$(wc -l <$PWD/count.txt) = 4 ] && kill -INT \$(cat $PWD/pid.txt)
grep -q 42 numbers.txt
EOF
chmod +x stops.sh
sh -c 'echo $$ >pid.txt; exec whodunit reduce numbers.txt -j1 -q --test ./stops.sh' >summary.txt || test $? = 130
