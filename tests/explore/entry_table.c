// tests: 11
// options: --entry lookup --shape bytes
// The pointer is one of two that an index selects: the table is NULL, or the index is beyond it, or each of the rows is NULL, holds
// the key or does not (2 * 3). The table itself may be a row: the first, which then holds an address and no key (1), or the second (2).
int lookup(int **rows, unsigned i)
{
    if (i > 1)
        return 0;
    if (rows[i][0] == 7) //! null
        return 1;
    return 2;
}
