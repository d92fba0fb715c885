/* sorting.h - qsort with a callback of the test: the calls that Sheaf's model makes. Part of replay.c. */

/* Sanitizers call the comparison more often than qsort does. These make the calls that Sheaf's model makes.
 */
typedef int SheafCompare(const void *, const void *, void *);
static int sheaf_replay_compare(const void *a, const void *b, void *compare)
{
    int (**plain)(const void *, const void *) = compare;
    return (*plain)(a, b);
}

static void sheaf_replay_sort(char *base, size_t n, size_t size, SheafCompare *compare, void *context,
                              char *spare)
{
    size_t left = n / 2, right = n - left;
    char *a = base, *b = base + left * size, *to = spare;
    if (n <= 1)
        return;
    sheaf_replay_sort(a, left, size, compare, context, spare);
    sheaf_replay_sort(b, right, size, compare, context, spare);
    for (; left > 0 && right > 0; to += size) {
        bool first = compare(a, b, context) <= 0;
        memcpy(to, first ? a : b, size);
        *(first ? &a : &b) += size;
        --*(first ? &left : &right);
    }
    memcpy(to, a, left * size);
    memcpy(base, spare, (n - right) * size);
}

SHEAF_WRAP(void, qsort_r, (void *base, size_t n, size_t size, SheafCompare *compare, void *context))
{
    if (n <= 1 || !size)
        return;
    sheaf_replay.own++;
    char *spare = malloc(n * size);
    sheaf_replay.own--;
    if (!spare)
        abort();
    sheaf_replay_sort(base, n, size, compare, context, spare);
    free(spare);
}

SHEAF_WRAP(void, qsort, (void *base, size_t n, size_t size, int (*compare)(const void *, const void *)))
{
    __wrap_qsort_r(base, n, size, sheaf_replay_compare, &compare);
}
