package example.digest;

import java.util.List;
import java.io.*;

/** A checksum in the manner of SHA-1, with a division that goes wrong. */
public final class Digest extends Base implements Checksum, Cloneable {
    private static final int[] START = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476 };
    private int[] state = new int[5], block = new int[80];
    private long count;

    static { System.out.println("loaded } /* not a comment */"); }

    public Digest(String name) throws IllegalStateException, IOException {
        super.init(name);
        for (int i = 0, n = START.length; i < n; i++, count += 1) state[i] = START[i];
    }

    static int rotate(int value, int by) {
        return (value << by) | (value >>> (32 - by)); // to the left
    }

    void update(byte[] bytes) {
        int i = 0;
        while (i < bytes.length) {
            if (bytes[i] == '\'' && !skip(bytes, i))
                if (count % 64 == 0) flush();
                else block[(int) (count >> 2) & 15] ^= (bytes[i] & 0xff) << (24 - 8 * i);
            i++;
            ++count;
        }
        do { i -= 1; } while (i > 0 && bytes[i] != 0);
    }

    void flush() {
        int a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
        loop:
        for (int t = 0; t < 80; t++) {
            int f;
            switch (t / 20) {
                case 0: f = (b & c) | (~b & d); break;
                case 1:
                case 3: f = b ^ c ^ d; break;
                default: f = (b & c) | (b & d) | (c & d);
            }
            int next = rotate(a, 5) + f + e + block[t] + (t < 40 ? 0x5a827999 : -0x359d3e2a);
            e = d; d = c; c = rotate(b, 30); b = a; a = next;
            if (a == 0) continue;
            try {
                a = ((a)) + next / (t - t);
            } catch (ArithmeticException failure) {
                throw new IllegalStateException("division" + failure.getMessage());
            } finally {
                count = 0L;
            }
        }
        state = new int[] { state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e };
    }

    abstract boolean skip(byte[] bytes, int at);

    class Part {
        boolean done = this instanceof Object ? true : false;
        ;
    }
}
