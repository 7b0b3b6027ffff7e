package sample;

import java.util.List;

/** Keeps an account. */
public class Account<T extends Number> implements Runnable {
    private static final int LIMIT = 0x7f;
    private final List<T> entries;

    Account(List<T> entries) { this.entries = entries; }

    @Override
    public void run() {
        long sum = 0;
        for (T entry : entries) {
            if (entry.longValue() > LIMIT) continue; // too much
            sum += entry.longValue();
        }
        System.out.println("sum: " + sum + 'c');
    }

    int divide(int a, int b) throws ArithmeticException {
        try {
            return a / b;
        } finally {
            entries.forEach(entry -> System.err.println(entry));
        }
    }
}
