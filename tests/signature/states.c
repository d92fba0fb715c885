/* Reads parentheses and other bytes: two bytes on, hardly anything is left of how it came there. */
#include <stdio.h>

int main(void)
{
    int c, depth = 0;
    while ((c = getchar()) != EOF) {
        if (c == '(')
            depth++;
        else if (c == ')' && depth-- == 0)
            return 2;
        if (depth > 3)
            return 3;
    }
    return depth != 0;
}
