// tests: 13
// Three keys in a search tree, equal ones found: the paths are the weak orders of three values, of which there are 13.
#include <sheaf.h>
#include <stdlib.h>

typedef struct Tree {
    struct Tree *left, *right;
    unsigned char key;
} Tree;

static int insert(Tree **t, unsigned char key)
{
    while (*t) {
        if (key < (*t)->key)
            t = &(*t)->left;
        else if (key > (*t)->key)
            t = &(*t)->right;
        else
            return 0;
    }
    *t = calloc(1, sizeof **t);
    (*t)->key = key;
    return 1;
}

static int depth(const Tree *t)
{
    if (!t)
        return 0;
    int left = depth(t->left), right = depth(t->right);
    return 1 + (left > right ? left : right);
}

int main(void)
{
    unsigned char key[3];
    Tree *tree = NULL;
    sheaf_symbolic(key, sizeof key, "key");
    for (int i = 0; i < 3; i++)
        insert(&tree, key[i]);
    return depth(tree);
}
