// tests: 9
// options: --entry count --shape bytes --object-size 3
// incomplete: extent
// The end is a place in the array: at its beginning, or behind 1, 2 or 3 elements (4); or an element before it is 9 (3); or it is somewhere
// else, so that the walk leaves the array, whose size is ours (1). The beginning may be NULL (1).
int count(const int *begin, const int *end)
{
    int n = 0;
    for (; begin != end; begin++) {
        if (*begin == 9) //! null oob-read
            return -1;
        n++;
    }
    return n;
}
