# needs: git python3 pytest
# A history in which a test is newer than the fault, and two versions cannot be tested.
set -e
day=0
commit() {
    day=$((day + 1))
    git add -A
    GIT_AUTHOR_DATE="2026-03-$(printf %02d $day)T12:00:00Z" GIT_COMMITTER_DATE="$GIT_AUTHOR_DATE" \
        git commit -q -m "$1"
}
git init -q -b main
mkdir tests
printf '.pytest_cache\n__pycache__\n' >.gitignore
printf 'def add(a, b):\n    return a + b\n' >calc.py
commit 'Add'
git tag v1.4
for number in 1 2 3; do
    printf '\n\ndef times%d(a):\n    return a * %d\n' $number $number >>calc.py
    commit "Multiply by $number"
done
sed -i 's/return a + b/return abs(a) + abs(b)/' calc.py
commit 'Be robust'
sed -i 's/^def times1(a):/def times1(a)/' calc.py
commit 'Shorten'
printf 'The calculator.\n' >README
commit 'Describe it'
sed -i 's/^def times1(a)$/def times1(a):/' calc.py
commit 'Correct a typing error'
printf 'from calc import add\n\n\ndef test_old():\n    assert add(1, 1) == 2\n' >tests/test_calc.py
printf '' >conftest.py
commit 'Test with small numbers'
printf '\n\ndef test_new():\n    assert add(-1, 1) == 0\n' >>tests/test_calc.py
commit 'Test with negative numbers'
printf 'Negative numbers are tested.\n' >>README
commit 'Describe the tests'
