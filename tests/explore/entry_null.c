// tests: 4
// options: --entry length --shape bytes
// NULL is not looked for: a fault. An empty string, one of one byte, and longer ones, of which two bytes are counted.
int length(const char *s)
{
    int n = 0;
    if (s[0] == 0) //! null
        return 0;
    while (n < 2 && s[n])
        n++;
    return n;
}
