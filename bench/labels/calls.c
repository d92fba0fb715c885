// A decision in every call, activations deeper and deeper, and a result through memory.
#include <sheaf.h>
#include <stdlib.h>
static unsigned char in[256];
struct node { int key; struct node *next; } *list;
static void add(int key)
{
    struct node *n = malloc(sizeof *n);
    n->key = in[key & 255] > 7 ? key : -key;
    n->next = list;
    list = n;
}
static int count(struct node *n, int most) { return n && most ? (n->key > 0) + count(n->next, most - 1) : 0; }
int main(void)
{
    int sum = 0;
    sheaf_symbolic(in, sizeof in, "in");
    for (int i = 0; i < N; i++)
        add(i);
    sum = count(list, 1000);
    return sum;                               // here
}
