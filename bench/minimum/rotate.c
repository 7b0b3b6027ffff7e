/* A small hash, as found at the bottom of many programs. */
typedef unsigned char byte;
typedef unsigned long word;
typedef word state;

struct digest {
    state sum;
    const byte *from;
    int length;
};

static const word seeds[4] = { 0x9e3779b9, 0x7f4a7c15, 0xbf58476d, 0x1ce4e5b9 };

static int minimum(int left, int right) {
    return left < right ? left : right;
}

static state turn(state value, int distance) {
    return value << distance | value >> (64 - distance);
}

static void add(struct digest *digest, const byte *bytes, int count) {
    int place;
    for (place = 0; place < count; place++) {
        digest->sum ^= bytes[place];
        digest->sum = turn(digest->sum, 13) * seeds[place % 4];
    }
    digest->length += count;
}

static state finish(struct digest *digest) {
    digest->sum ^= digest->length;
    digest->sum = turn(digest->sum, minimum(31, digest->length));
    return digest->sum;
}

int main(int count, char **words) {
    struct digest digest = { 0, 0, 0 };
    if (count > 1) {
        add(&digest, (const byte *)words[1], 8);
    }
    return finish(&digest) & 127;
}
