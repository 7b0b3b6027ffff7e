public class Account {
    protected double money;
    protected Auth auth;

    public Account(double money, Auth auth) {
        this.money = money;
        this.auth = auth;
    }

    public double balance() {
        return money;
    }

    public void transfer(Account other, double m) {
        other.credit(m);
        money = money - m;
    }

    public void debit(double m) {
        money = money - m;
    }

    public void credit(double m) {
        money = money + m;
    }
}
