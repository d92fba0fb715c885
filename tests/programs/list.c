// A doubly linked list and a queue: insertion, removal, reversal, merge sort of nodes.
#include <stdio.h>
#include <stdlib.h>

typedef struct Node { int value; struct Node *prev, *next; } Node;
typedef struct { Node *first, *last; int n; } List;

static void append(List *l, int value)
{
    Node *n = malloc(sizeof *n);
    *n = (Node){value, l->last, NULL};
    if (l->last) l->last->next = n; else l->first = n;
    l->last = n;
    l->n++;
}

static void erase(List *l, Node *n)
{
    if (n->prev) n->prev->next = n->next; else l->first = n->next;
    if (n->next) n->next->prev = n->prev; else l->last = n->prev;
    free(n);
    l->n--;
}

static Node *merge(Node *a, Node *b)
{
    Node head = {0, NULL, NULL}, *at = &head;
    while (a && b) {
        Node **from = a->value <= b->value ? &a : &b;
        at->next = *from;
        at = *from;
        *from = (*from)->next;
    }
    at->next = a ? a : b;
    return head.next;
}

static Node *sort(Node *n)
{
    if (!n || !n->next)
        return n;
    Node *slow = n, *fast = n->next;
    while (fast && fast->next)
        slow = slow->next, fast = fast->next->next;
    Node *right = slow->next;
    slow->next = NULL;
    return merge(sort(n), sort(right));
}

int main(void)
{
    List l = {0};
    unsigned seed = 3;
    for (int i = 0; i < 30; i++)
        append(&l, (int)((seed = seed * 1103515245 + 12345) >> 16) % 100);
    for (Node *n = l.first, *next; n; n = next) {
        next = n->next;
        if (n->value % 5 == 0)
            erase(&l, n);
    }
    l.first = sort(l.first);
    for (Node *n = l.first; n; n = n->next)
        printf("%d ", n->value);
    printf("(%d)\n", l.n);
    while (l.first) {
        Node *n = l.first;
        l.first = n->next;
        free(n);
    }
    return 0;
}
