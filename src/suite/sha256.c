/* sha256.c - SHA-256 (FIPS 180-4), for the hash of a program file in a Test-Comp suite. */
#include "suite/suite.h"

/* The constants are the first 32 bits of the fractions of roots of primes. They are computed, exactly: a slip
 * in a table is hard to see. The root is the largest r with r^power <= prime * 2^(32 * power). */
static uint32_t root_fraction(uint32_t prime, unsigned power)
{
    uint64_t root = 0;
    for (int bit = 35; bit >= 0; bit--) { /* no root in question reaches 2^4, so powers stay below 2^108 */
        uint64_t tried = root | (uint64_t)1 << bit;
        u128 value = (u128)tried * tried;
        if (power == 3)
            value *= tried;
        if (value <= (u128)prime << 32 * power)
            root = tried;
    }
    return (uint32_t)root;
}

static bool is_prime(uint32_t n)
{
    for (uint32_t d = 2; d * d <= n; d++)
        if (n % d == 0)
            return false;
    return true;
}

static void constants(uint32_t start[8], uint32_t rounds[64])
{
    for (uint32_t n = 2, i = 0; i < 64; n++) {
        if (!is_prime(n))
            continue;
        if (i < 8)
            start[i] = root_fraction(n, 2);
        rounds[i++] = root_fraction(n, 3);
    }
}

static uint32_t turn(uint32_t x, unsigned by) { return x >> by | x << (32 - by); }

static void take_block(uint32_t state[8], const uint32_t rounds[64], const uint8_t *block)
{
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t b = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    memcpy(v, state, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]),
                 majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        uint32_t one = v[7] + (turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)) + choice + rounds[i] + w[i];
        uint32_t two = (turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)) + majority;
        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += one;
        v[0] = one + two;
    }
    for (int i = 0; i < 8; i++)
        state[i] += v[i];
}

void suite_sha256(const void *data, size_t size, char hex[65])
{
    uint32_t state[8], rounds[64];
    const uint8_t *bytes = data;
    size_t whole = size / 64 * 64, left = size - whole;
    uint8_t tail[128] = {0};
    constants(state, rounds);
    for (size_t at = 0; at < whole; at += 64)
        take_block(state, rounds, bytes + at);
    if (left)
        memcpy(tail, bytes + whole, left);
    tail[left] = 0x80;
    size_t end = left < 56 ? 64 : 128;
    for (int i = 0; i < 8; i++)
        tail[end - 1 - i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
    for (size_t at = 0; at < end; at += 64)
        take_block(state, rounds, tail + at);
    for (int i = 0; i < 8; i++)
        snprintf(hex + 8 * i, 9, "%08x", state[i]);
}
