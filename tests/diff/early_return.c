/* an early return instead of nesting
 * VERDICT same */
/* The price of a ticket. */
int price(int age, int zone, int member)
{
#ifdef NEW
    if (age < 6)
        return 0;
    if (age < 16)
        return zone * 2;
    return member ? zone * 3 : zone * 4;
#else
    int result;
    if (age < 6) {
        result = 0;
    } else {
        if (age < 16) {
            result = zone * 2;
        } else {
            if (member)
                result = zone * 3;
            else
                result = zone * 4;
        }
    }
    return result;
#endif
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = 0; a <= 20; a++)
        for (int b = -2; b <= 5; b++)
            for (int c = 0; c < 2; c++)
                printf("%d\n", price(a, b, c));
    return 0;
}
#endif
