// tests: 6
// Insertion into a sorted list: the second value goes to one of 2 places, the third to one of 3. Equal values go before: 1 * 2 * 3.
#include <assert.h>
#include <sheaf.h>
#include <stdlib.h>

typedef struct Node {
    struct Node *next;
    unsigned char value;
} Node;

static Node *insert(Node *list, unsigned char value)
{
    Node **at = &list, *node = malloc(sizeof *node);
    if (!node)
        abort();
    while (*at && (*at)->value < value)
        at = &(*at)->next;
    node->value = value;
    node->next = *at;
    *at = node;
    return list;
}

int main(void)
{
    unsigned char v[3];
    Node *list = NULL;
    sheaf_symbolic(v, sizeof v, "v");
    for (int i = 0; i < 3; i++)
        list = insert(list, v[i]);
    assert(list->value <= list->next->value && list->next->value <= list->next->next->value);
    return 0;
}
