// run => native
// SHA-256 of a few texts.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t rotate(uint32_t x, int n) {
    return x >> n | x << (32 - n);
}

static uint32_t constants[64];

static uint32_t fraction_of_root(unsigned prime, int cube) {
    /* the first 32 bits of the fractional part, by integer bisection */
    unsigned __int128 low = 0, high = (unsigned __int128)1 << 40;
    unsigned __int128 target = (unsigned __int128)prime << (cube ? 96 : 64);
    while (high - low > 1) {
        unsigned __int128 middle = (low + high) / 2;
        unsigned __int128 power = middle * middle;
        int above = cube ? power > target / middle : power > target;
        if (above)
            high = middle;
        else
            low = middle;
    }
    return (uint32_t)low;
}

static void compress(uint32_t h[8], const uint8_t block[64]) {
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++) {
        w[i] = (uint32_t)block[4 * i] << 24 | block[4 * i + 1] << 16 | block[4 * i + 2] << 8 | block[4 * i + 3];
    }
    for (int i = 16; i < 64; i++) {
        uint32_t a = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t b = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    memcpy(v, h, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
        uint32_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[i] + w[i];
        uint32_t s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
        uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        h[i] += v[i];
}

int main(void) {
    uint32_t start[8];
    for (unsigned n = 0, p = 2; n < 64; p++) {
        int prime = 1;
        for (unsigned d = 2; d * d <= p; d++)
            if (p % d == 0)
                prime = 0;
        if (prime) {
            if (n < 8)
                start[n] = fraction_of_root(p, 0);
            constants[n++] = fraction_of_root(p, 1);
        }
    }
    const char *texts[] = {"", "abc", "The quick brown fox jumps over the lazy dog"};
    for (int t = 0; t < 3; t++) {
        uint8_t block[64] = {0};
        size_t length = strlen(texts[t]);
        memcpy(block, texts[t], length);
        block[length] = 0x80;
        block[62] = (uint8_t)(length * 8 >> 8);
        block[63] = (uint8_t)(length * 8);
        uint32_t h[8];
        memcpy(h, start, sizeof h);
        compress(h, block);
        for (int i = 0; i < 8; i++)
            printf("%08x", h[i]);
        printf("\n");
    }
    return 0;
}
