/* A binary search tree driven by a sequence of operations: insertions change it, lookups only tell. The output is how many
 * keys it holds at the end; lookups and the depth that is logged do not matter to it. */
#include <sheaf.h>
#include <stdio.h>
#include <stdlib.h>

enum { OPERATIONS = 7 };

typedef struct Node {
    unsigned char key;
    struct Node *left, *right;
} Node;

static Node *root;
static int keys, found, deepest;

static void insert(unsigned char key)
{
    Node **at = &root;
    while (*at) {
        if (key == (*at)->key)
            return;
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    }
    *at = calloc(1, sizeof **at);
    (*at)->key = key;
    keys++;
}

static void look_up(unsigned char key)
{
    int depth = 0;
    const Node *n = root;
    while (n && n->key != key) {
        n = key < n->key ? n->left : n->right;
        depth++;
    }
    if (n)
        found++;
    if (depth > deepest)
        deepest = depth;
}

int main(void)
{
    unsigned char key[OPERATIONS];
    sheaf_symbolic(key, sizeof key, "key");
    insert(key[0]);
    look_up(key[1]);
    insert(key[2]);
    look_up(key[3]);
    insert(key[4]);
    look_up(key[5]);
    insert(key[6]);
    printf("%d found, deepest %d\n", found, deepest);
    sheaf_output(&keys, sizeof keys, "keys");
    return 0;
}
