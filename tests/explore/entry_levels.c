// tests: 5
// options: --entry deep --shape bytes
// Three levels of pointers, each NULL (3), or the second the first itself: then the third is that too. Nothing is written, so whatever else
// may be one object makes no difference. Or all are objects of their own; whether the number is 3 decides nothing but a value.
int deep(int ***p)
{
    return ***p == 3 ? 1 : 2; //! null
}
