/* A pointer of the entry is null, or leads somewhere: a choice that only the failing end depends on. */
int check(const char *s)
{
    if (s[0] == 'x')
        return 1;
    return 0;
}
