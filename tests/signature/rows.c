/* Several ways to one output. */

int positive(int x)
{
    if (x < 0)
        return -1;
    if (x == 0)
        return 0;
    return x;
}

enum { NONE, WORD, NUMBER };

/* Each test stands by itself, and few of the combinations matter. */
int kind(char first, char second, int quoted)
{
    if (quoted)
        return WORD;
    if (first == '-' || first == '+') {
        if (second >= '0' && second <= '9')
            return NUMBER;
        return WORD;
    }
    if (first >= '0' && first <= '9')
        return second >= '0' && second <= '9' ? NUMBER : NONE;
    if (first >= 'a' && first <= 'z')
        return second == 0 ? WORD : NONE;
    return NONE;
}
