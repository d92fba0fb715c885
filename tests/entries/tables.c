// Matrices and hash tables.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct Matrix {
    int rows, cols;
    int cell[3][3];
} Matrix;

typedef struct Slot {
    const char *key;
    int value;
} Slot;

typedef struct Map {
    Slot *slots;
    unsigned used, nslots;
} Map;

typedef struct Link {
    unsigned key;
    struct Link *next;
} Link;

typedef struct Chain {
    Link *heads[4];
} Chain;

// entry: matrix_trace
// for: m one object
int matrix_trace(const Matrix *m)
{
    int t = 0;
    if (!m)
        return 0;
    for (int i = 0; i < 3; i++)
        t ^= m->cell[i][i];
    return t;
}

// entry: matrix_get
// for: m one object
int matrix_get(const Matrix *m, int row, int col)
{
    if (!m || row < 0 || row >= 3 || col < 0 || col >= 3)
        return 0;
    return m->cell[row][col];
}

// entry: matrix_sum
// for: a n elements, n <= 3
int matrix_sum(const int *a, int n)
{
    int t = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++)
            t ^= a[k]; //? null
    return t;
}

// entry: matrix_row
const int *matrix_row(const Matrix *m, unsigned row)
{
    return row < 3 ? m->cell[row] : NULL;
}

// entry: map_find
// for: m one object; m->slots m->nslots elements (NULL: none), m->nslots <= 3, m->used <= m->nslots; m->slots[0].key string <= 3; m->slots[1].key string <= 3; m->slots[2].key string <= 3; key string <= 3
const Slot *map_find(const Map *m, const char *key)
{
    if (!m || !key)
        return NULL;
    for (unsigned i = 0; i < m->nslots; i++)
        if (m->slots[i].key && !strcmp(m->slots[i].key, key))
            return &m->slots[i];
    return NULL;
}

// entry: map_at
// for: m one object; m->slots m->nslots elements (NULL: none), m->nslots <= 3, m->used <= m->nslots
int map_at(const Map *m, unsigned hash)
{
    if (!m || !m->slots)
        return 0;
    return m->slots[hash % m->nslots].value; //! div-zero
}

// entry: map_next
// for: m one object; m->slots m->nslots elements (NULL: none), m->nslots <= 3, m->used <= m->nslots
int map_next(const Map *m, unsigned from)
{
    if (!m)
        return -1;
    for (unsigned i = from; i <= m->nslots; i++)
        if (m->slots[i].key) //! oob-read //? null
            return (int)i;
    return -1;
}

// entry: chain_has
// for: c one object; c->heads[0] list depth <= 3; c->heads[1] list depth <= 3; c->heads[2] list depth <= 3; c->heads[3] list depth <= 3
int chain_has(const Chain *c, unsigned key)
{
    if (!c)
        return 0;
    for (const Link *l = c->heads[key % 4]; l; l = l->next)
        if (l->key == key)
            return 1;
    return 0;
}
