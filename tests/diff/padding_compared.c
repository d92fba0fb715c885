/* what a function leaves between the members of a structure is no difference, and a caller that compares whole structures shows it
 * VERDICT different */
#include <string.h>
struct key {
    char kind;
    int number;
};
static void fill(struct key *key, char kind, int number)
{
#ifndef NEW
    memset(key, 0, sizeof *key);
#endif
    key->kind = kind;
    key->number = number;
}
int equal(char kind, int number)
{
    struct key a, b;
    memset(&a, 1, sizeof a);
    memset(&b, 2, sizeof b);
    fill(&a, kind, number);
    fill(&b, 'x', 4);
    return !memcmp(&a, &b, sizeof a);
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    printf("%d %d\n", equal('x', 4), equal('y', 4));
    return 0;
}
#endif
