# needs: git python3
# A bank account in Python: v1.4 passes its test, v1.5 fails it.
set -e
commit() {
    git add -A
    GIT_AUTHOR_DATE="2026-03-0$2T12:00:00Z" GIT_COMMITTER_DATE="2026-03-0$2T12:00:00Z" \
        git commit -q -m "$1"
    git tag "$3"
}
git init -q -b main
cat >account.py <<'EOF'
class Account:
    def __init__(self, money):
        self.money = money

    def debit(self, amount):
        self.money -= amount

    def credit(self, amount):
        self.money += amount


def transfer(source, target, amount):
    source.debit(amount)
    target.credit(amount)
EOF
cat >test_account.py <<'EOF'
from account import Account, transfer


def test_transfer():
    source, target = Account(100), Account(0)
    transfer(source, target, 40)
    assert source.money == 60, f"{source.money} left"


test_transfer()
EOF
commit 'First version' 1 v1.4
cat >account.py <<'EOF'
FEE = 2


class Account:
    def __init__(self, money):
        self.money = money

    def debit(self, amount):
        self.money -= amount + FEE

    def credit(self, amount):
        self.money += amount

    def statement(self):
        return f"{self.money} in all"


def transfer(source, target, amount):
    source.debit(amount)
    target.credit(amount)
EOF
commit 'Take a fee' 2 v1.5
printf '#!/bin/sh\nexec python3 test_account.py\n' >run-test
chmod +x run-test
# What the failing test runs, as coverage tools write it.
cat >lcov.info <<'EOF'
SF:account.py
DA:1,1
DA:4,1
DA:5,1
DA:6,2
DA:8,1
DA:9,1
DA:11,1
DA:12,1
DA:14,1
DA:15,0
DA:18,1
DA:19,1
DA:20,1
end_of_record
EOF
