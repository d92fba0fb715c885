// tests: 5
// options: --entry length --shape bytes --object-size 3
// incomplete: extent
// NULL, strings of 0, 1 and 2 bytes, and one that does not end within the three bytes that were asked for.
int length(const char *s)
{
    int n = 0;
    while (*s++) //! null oob-read
        n++;
    return n;
}
