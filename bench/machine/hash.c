// FNV hashing and an open-addressing table: multiplication, masks, dependent loads.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SLOTS = 1 << 16 };
static struct {
    uint64_t key;
    uint32_t count;
} table[SLOTS];

static uint64_t fnv(const unsigned char *p, int n)
{
    uint64_t h = 14695981039346656037u;
    for (int i = 0; i < n; i++)
        h = (h ^ p[i]) * 1099511628211u;
    return h;
}

int main(void)
{
    unsigned char key[16];
    uint32_t seed = 1, most = 0;
    for (int i = 0; i < 8000000; i++) {
        seed = seed * 1664525u + 1013904223u;
        uint32_t id = (seed >> 10) % 20000;
        memcpy(key, &id, 4);
        key[4] = (unsigned char)(id * 3);
        uint64_t h = fnv(key, 5);
        uint32_t at = (uint32_t)h & (SLOTS - 1);
        while (table[at].count && table[at].key != h)
            at = (at + 1) & (SLOTS - 1);
        table[at].key = h;
        if (++table[at].count > most)
            most = table[at].count;
    }
    printf("%u\n", most);
    return 0;
}
