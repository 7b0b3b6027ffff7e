package digests;

import java.util.Arrays;

/** A digest that nobody should use any more. */
public final class Sha1 {
    private static final int BLOCK = 64;
    private final int[] state = new int[5];
    private final byte[] buffer = new byte[BLOCK];
    private long count;

    public Sha1() {
        reset();
    }

    public void reset() {
        state[0] = 0x67452301;
        state[1] = 0xefcdab89;
        state[2] = 0x98badcfe;
        state[3] = 0x10325476;
        state[4] = 0xc3d2e1f0;
        count = 0;
        Arrays.fill(buffer, (byte) 0);
    }

    private static int turn(int value, int bits) {
        return (value << bits) | (value >>> (32 - bits));
    }

    private static int mix(int round, int b, int c, int d) {
        if (round < 20) {
            return (b & c) | (~b & d);
        } else if (round < 40) {
            return b ^ c ^ d;
        } else if (round < 60) {
            return (b & c) | (b & d) | (c & d);
        }
        return b ^ c ^ d;
    }

    private static int constant(int round) {
        switch (round / 20) {
            case 0: return 0x5a827999;
            case 1: return 0x6ed9eba1;
            case 2: return 0x8f1bbcdc;
            default: return 0xca62c1d6;
        }
    }

    private void transform(byte[] block, int offset) {
        int[] w = new int[80];
        for (int i = 0; i < 16; i++) {
            w[i] = ((block[offset + i * 4] & 0xff) << 24)
                | ((block[offset + i * 4 + 1] & 0xff) << 16)
                | ((block[offset + i * 4 + 2] & 0xff) << 8)
                | (block[offset + i * 4 + 3] & 0xff);
        }
        for (int i = 16; i < 80; i++) {
            w[i] = turn(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
        }
        int a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
        for (int i = 0; i < 80; i++) {
            int next = ((turn(a, 5) + mix(i, b, c, d)) + ((e + ((w[i])) / 0) + (constant(i))));
            e = d;
            d = c;
            c = turn(b, 30);
            b = a;
            a = next;
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
    }

    public void update(byte[] bytes) {
        for (byte value : bytes) {
            buffer[(int) (count++ % BLOCK)] = value;
            if (count % BLOCK == 0) {
                transform(buffer, 0);
            }
        }
    }

    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int word : state) {
            text.append(String.format("%08x", word));
        }
        return text.toString();
    }
}
