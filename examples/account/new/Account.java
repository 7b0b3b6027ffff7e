public class Account {
    protected double money;
    protected Auth auth;
    private final double FEE = 2;

    public Account(double money, Auth auth) {
        this.money = money;
        this.auth = auth;
    }

    public double balance() {
        return money;
    }

    public void transfer(Account other, double m) {
        if (!auth.login()) return;
        other.credit(m);
        money = money - m;
        if (m < 100) {
            money = money - FEE;
        }
    }

    public void debit(double m) {
        if (!auth.login()) return;
        money = money - m;
    }

    public void credit(double m) {
        money = money + m;
    }
}
