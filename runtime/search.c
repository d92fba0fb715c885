/* search.c - hash tables and trees of search.h. */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* Hash tables: open addressing. ENTRY and the slot it lies in stay where they are. */
struct _ENTRY {
    bool used;
    ENTRY entry;
};

static struct hsearch_data common;

int hcreate_r(size_t n, struct hsearch_data *table)
{
    if (table->table)
        return 0;
    table->size = (unsigned)(n + n / 2 + 3);
    table->filled = 0;
    table->table = __sheaf_alloc(table->size * sizeof *table->table, _Alignof(struct _ENTRY), 1);
    if (!table->table)
        errno = ENOMEM;
    return table->table != NULL;
}

void hdestroy_r(struct hsearch_data *table)
{
    __sheaf_free(table->table);
    table->table = NULL;
}

static unsigned hash(const char *key)
{
    unsigned value = 5381;
    for (; *key; key++)
        value = value * 33 + (unsigned char)*key;
    return value;
}

int hsearch_r(ENTRY item, ACTION action, ENTRY **found, struct hsearch_data *table)
{
    unsigned at = hash(item.key) % table->size;
    for (unsigned tried = 0; tried < table->size && table->table[at].used; tried++) {
        if (strcmp(table->table[at].entry.key, item.key) == 0) {
            *found = &table->table[at].entry;
            return 1;
        }
        at = (at + 1) % table->size;
    }
    *found = NULL;
    if (action == FIND) {
        errno = ESRCH;
        return 0;
    }
    if (table->table[at].used) {
        errno = ENOMEM;
        return 0;
    }
    table->table[at] = (struct _ENTRY){.used = true, .entry = item};
    table->filled++;
    *found = &table->table[at].entry;
    return 1;
}

int hcreate(size_t n) { return hcreate_r(n, &common); }

void hdestroy(void) { hdestroy_r(&common); }

ENTRY *hsearch(ENTRY item, ACTION action)
{
    ENTRY *found;
    hsearch_r(item, action, &found, &common);
    return found;
}

/* Trees: AA trees (Andersson 1993). The key is first, since callers read it through the node. A node stays
 * where it is, whatever is inserted or deleted around it. */
typedef struct Node {
    const void *key;
    struct Node *left, *right;
    int level;
} Node;

typedef int Compare(const void *, const void *);

static int level(const Node *n) { return n ? n->level : 0; }

static Node *skew(Node *n)
{
    if (!n || level(n->left) != n->level)
        return n;
    Node *left = n->left;
    n->left = left->right;
    left->right = n;
    return left;
}

static Node *split(Node *n)
{
    if (!n || !n->right || level(n->right->right) != n->level)
        return n;
    Node *right = n->right;
    n->right = right->left;
    right->left = n;
    right->level++;
    return right;
}

static Node *insert(Node *n, const void *key, Compare *compare, Node **found)
{
    if (!n) {
        *found = malloc(sizeof **found);
        if (*found)
            **found = (Node){.key = key, .level = 1};
        return *found;
    }
    int order = compare(key, n->key);
    if (order == 0) {
        *found = n;
        return n;
    }
    if (order < 0) {
        decided();
        n->left = insert(n->left, key, compare, found);
    } else {
        n->right = insert(n->right, key, compare, found);
    }
    return split(skew(n));
}

static Node *lower(Node *n)
{
    int should = (level(n->left) < level(n->right) ? level(n->left) : level(n->right)) + 1;
    if (should < n->level) {
        n->level = should;
        if (level(n->right) > should)
            n->right->level = should;
    }
    n = skew(n);
    n->right = skew(n->right);
    if (n->right)
        n->right->right = skew(n->right->right);
    n = split(n);
    n->right = split(n->right);
    return n;
}

/* Takes the leftmost node out of the tree. */
static Node *take_first(Node *n, Node **first)
{
    if (!n->left) {
        *first = n;
        return n->right;
    }
    n->left = take_first(n->left, first);
    return lower(n);
}

static Node *delete (Node *n, Node *parent, const void *key, Compare *compare, Node **found_parent,
                     Node **gone)
{
    if (!n)
        return NULL;
    int order = compare(key, n->key);
    if (order < 0) {
        decided();
        n->left = delete (n->left, n, key, compare, found_parent, gone);
    } else if (order > 0) {
        n->right = delete (n->right, n, key, compare, found_parent, gone);
    } else {
        *found_parent = parent;
        *gone = n;
        if (!n->right)
            return n->left;
        Node *next, *right = take_first(n->right, &next);
        next->left = n->left;
        next->right = right;
        next->level = n->level;
        n = next;
    }
    return lower(n);
}

void *tsearch(const void *key, void **root, Compare *compare)
{
    Node *found = NULL;
    if (root)
        *root = insert(*root, key, compare, &found);
    return found;
}

void *tfind(const void *key, void *const *root, Compare *compare)
{
    Node *n = root ? *root : NULL;
    while (n) {
        int order = compare(key, n->key);
        if (order == 0)
            return n;
        if (order < 0) {
            decided();
            n = n->left;
        } else {
            n = n->right;
        }
    }
    return NULL;
}

/* The parent of what was deleted; the root's own place is no node, but the answer must not be NULL. */
void *tdelete(const void *restrict key, void **restrict root, Compare *compare)
{
    Node *parent = NULL, *gone = NULL;
    if (!root)
        return NULL;
    *root = delete (*root, NULL, key, compare, &parent, &gone);
    free(gone);
    return !gone ? NULL : parent ? (void *)parent : (void *)root;
}

static void walk(const Node *n, void (*visit)(const void *, VISIT, void *), void *context, int depth,
                 void (*visit_depth)(const void *, VISIT, int))
{
    static const VISIT inner[3] = {preorder, postorder, endorder};
    bool is_leaf = !n->left && !n->right;
    for (int i = 0; i < (is_leaf ? 1 : 3); i++) {
        VISIT which = is_leaf ? leaf : inner[i];
        if (visit)
            visit(n, which, context);
        else
            visit_depth(n, which, depth);
        const Node *child = i == 0 ? n->left : i == 1 ? n->right : NULL;
        if (child)
            walk(child, visit, context, depth + 1, visit_depth);
    }
}

void twalk(const void *root, void (*visit)(const void *, VISIT, int))
{
    if (root && visit)
        walk(root, NULL, NULL, 0, visit);
}

void twalk_r(const void *root, void (*visit)(const void *, VISIT, void *), void *context)
{
    if (root && visit)
        walk(root, visit, context, 0, NULL);
}

void tdestroy(void *root, void (*free_key)(void *))
{
    Node *n = root;
    if (!n)
        return;
    tdestroy(n->left, free_key);
    tdestroy(n->right, free_key);
    free_key((void *)n->key);
    free(n);
}
