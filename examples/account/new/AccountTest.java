import junit.framework.TestCase;

public class AccountTest extends TestCase {
    public void testDebit() {
        Account a = new Account(100, new Auth("usr", "pwd"));
        a.debit(10);
        assertTrue(a.balance() == 90);
    }

    public void testCredit() {
        Account a = new Account(100, new Auth("usr", "pwd"));
        a.credit(10);
        assertTrue(a.balance() == 110);
    }

    public void testTransfer() {
        Account a1 = new Account(100, new Auth("usr", "pwd"));
        Account a2 = new Account(80, new Auth("usr", "pwd"));
        a1.transfer(a2, 10);
        assertTrue(a1.balance() == 90);
        assertTrue(a2.balance() == 90);
    }
}
