// tests: 4
// A constant tree walked to a leaf by two symbolic bits, recursively: 4 leaves. No leaf holds a 9.
#include <assert.h>
#include <sheaf.h>
#include <stddef.h>

typedef struct Tree {
    const struct Tree *side[2];
    int value;
} Tree;

static const Tree leaf[4] = {{.value = 3}, {.value = 5}, {.value = 7}, {.value = 8}};
static const Tree inner[2] = {{.side = {&leaf[0], &leaf[1]}}, {.side = {&leaf[2], &leaf[3]}}};
static const Tree root = {.side = {&inner[0], &inner[1]}};

static int walk(const Tree *t, unsigned bits)
{
    if (!t->side[0])
        return t->value;
    return (bits & 1) ? walk(t->side[1], bits >> 1) : walk(t->side[0], bits >> 1);
}

int main(void)
{
    unsigned char bits;
    sheaf_symbolic(&bits, sizeof bits, "bits");
    int value = walk(&root, bits);
    assert(value != 9);
    return value;
}
