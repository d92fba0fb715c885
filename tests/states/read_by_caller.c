/* Frames of one function write through pointers into each other; a library function keeps a pointer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int walk(int *up, int depth)
{
    int mine = *up;
    if (depth == 3)
        return mine;
    int c = getchar();
    if (c == 'a')
        mine++;
    int r = walk(&mine, depth + 1);
    *up = r;
    if (mine == 2 && depth == 1)
        abort();
    return mine + (c == 'b');
}
int main(void)
{
    int top = 0;
    walk(&top, 0);
    char line[16];
    if (top == 3)
        strcpy(line, "a b");
    else
        strcpy(line, "c");
    char *t = strtok(line, " ");
    int n = 0;
    while (t) {
        n++;
        t = strtok(NULL, " ");
    }
    if (n == 2)
        abort();
    return 0;
}
