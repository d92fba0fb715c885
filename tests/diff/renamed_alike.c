/* a file is renamed. Open: names that are given to the system are not compared
 * VERDICT same */
#include <stdio.h>
int move(int k)
{
#ifdef NEW
    const char *from = k ? "a" : "b";
    return rename(from, "c");
#else
    if (k)
        return rename("a", "c");
    return rename("b", "c");
#endif
}
#ifdef BRUTE
int main(void) { printf("%d %d\n", move(0), move(1)); }
#endif
