// An AVL tree: rotations, in-order walk through a callback, height, deletion by freeing.
#include <stdio.h>
#include <stdlib.h>

typedef struct Tree { int key, height; struct Tree *kid[2]; } Tree;

static int height(const Tree *t) { return t ? t->height : 0; }

static void update(Tree *t)
{
    int l = height(t->kid[0]), r = height(t->kid[1]);
    t->height = 1 + (l > r ? l : r);
}

static Tree *rotate(Tree *t, int side)
{
    Tree *up = t->kid[!side];
    t->kid[!side] = up->kid[side];
    up->kid[side] = t;
    update(t);
    update(up);
    return up;
}

static Tree *insert(Tree *t, int key)
{
    if (!t) {
        t = calloc(1, sizeof *t);
        t->key = key;
        t->height = 1;
        return t;
    }
    int side = key > t->key;
    if (key == t->key)
        return t;
    t->kid[side] = insert(t->kid[side], key);
    update(t);
    int balance = height(t->kid[1]) - height(t->kid[0]);
    if (balance > 1 || balance < -1) {
        int heavy = balance > 0;
        Tree *kid = t->kid[heavy];
        if (height(kid->kid[!heavy]) > height(kid->kid[heavy]))
            t->kid[heavy] = rotate(kid, heavy);
        t = rotate(t, !heavy);
    }
    return t;
}

static void walk(const Tree *t, void (*visit)(int, void *), void *with)
{
    if (!t)
        return;
    walk(t->kid[0], visit, with);
    visit(t->key, with);
    walk(t->kid[1], visit, with);
}

static void print(int key, void *count)
{
    printf(++*(int *)count % 16 ? "%d " : "%d\n", key);
}

static void drop(Tree *t)
{
    if (t) {
        drop(t->kid[0]);
        drop(t->kid[1]);
        free(t);
    }
}

int main(void)
{
    Tree *t = NULL;
    int count = 0;
    for (int i = 0; i < 100; i++)
        t = insert(t, i * 37 % 101);
    walk(t, print, &count);
    printf("\n%d nodes, height %d, root %d\n", count, height(t), t->key);
    drop(t);
    return 0;
}
