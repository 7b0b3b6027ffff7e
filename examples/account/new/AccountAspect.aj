public aspect AccountAspect {
    pointcut AccountDebit(Account account, double m) :
        execution(public void Account+.debit(double))
        && target(account) && args(m);

    before(Account account, double m) : AccountDebit(account, m) {
        if (account.balance() < m) {
            throw new IllegalArgumentException("...");
        }
    }
}
