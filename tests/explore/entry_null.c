// tests: 3
// uncovered: 1 because a loop's condition is one branch in the IR, whichever operand of && ends it, and two for clang
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
