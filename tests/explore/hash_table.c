// tests: 3
// One key is stored in a bucket that it selects. The second key's bucket is empty, or holds the same key, or another one.
#include <sheaf.h>
#include <stddef.h>

typedef struct Node {
    struct Node *next;
    unsigned char key;
    int value;
} Node;

static Node *bucket[4];
static Node pool[2];

static void put(unsigned char key, int value)
{
    static int used;
    Node *n = &pool[used++], **at = &bucket[key & 3];
    *n = (Node){*at, key, value};
    *at = n;
}

static int get(unsigned char key)
{
    for (const Node *n = bucket[key & 3]; n; n = n->next)
        if (n->key == key)
            return n->value;
    return -1;
}

int main(void)
{
    unsigned char a, b;
    sheaf_symbolic(&a, sizeof a, "a");
    sheaf_symbolic(&b, sizeof b, "b");
    put(a, 42);
    return get(b) == 42;
}
