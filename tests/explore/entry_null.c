// tests: 3
// options: --entry length
// NULL is not looked for: up to the caller, and no test. An empty string, one of one byte, and longer ones, of which two bytes are counted.
int length(const char *s)
{
    int n = 0;
    if (s[0] == 0) //? null
        return 0;
    while (n < 2 && s[n])
        n++;
    return n;
}
