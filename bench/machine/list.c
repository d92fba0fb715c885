// Linked lists and a binary tree on the heap: allocation, pointer chasing, freeing.
#include <stdio.h>
#include <stdlib.h>

typedef struct Node { struct Node *left, *right; int key; } Node;

static Node *insert(Node *root, int key)
{
    Node **at = &root;
    while (*at)
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    *at = calloc(1, sizeof **at);
    (*at)->key = key;
    return root;
}

static long walk(const Node *n) { return n ? walk(n->left) + n->key + walk(n->right) : 0; }

static void drop(Node *n)
{
    if (!n)
        return;
    drop(n->left);
    drop(n->right);
    free(n);
}

int main(void)
{
    long sum = 0;
    unsigned seed = 7;
    for (int round = 0; round < 30; round++) {
        Node *root = NULL;
        for (int i = 0; i < 20000; i++)
            root = insert(root, (int)((seed = seed * 1103515245u + 12345u) >> 9));
        for (int i = 0; i < 30; i++)
            sum += walk(root);
        drop(root);
    }
    printf("%ld\n", sum);
    return 0;
}
