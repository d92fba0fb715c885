/* a table for a switch, with a slip in it
 * VERDICT different */
/* Roman digits. */
int roman(int letter)
{
#ifdef NEW
    static const int table[26] = {['I' - 'A'] = 1, ['V' - 'A'] = 5, ['X' - 'A'] = 10, ['L' - 'A'] = 50, ['C' - 'A'] = 500};
    return letter >= 'A' && letter <= 'Z' ? table[letter - 'A'] : 0;
#else
    switch (letter) {
    case 'I':
        return 1;
    case 'V':
        return 5;
    case 'X':
        return 10;
    case 'L':
        return 50;
    case 'C':
        return 100;
    }
    return 0;
#endif
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = -300; a <= 300; a++)
        printf("%d\n", roman(a));
    return 0;
}
#endif
