/* A state machine over standard input whose faults depend on everything that was read before: many classes of inputs
 * fail, and each task has to avoid all of them. */
#include <stdio.h>
#include <stdlib.h>

static char name[4];
static int length;
static char *object;

static int outside(int c)
{
    if (c == '<')
        return 1;
    if (c == '!')
        free(object);
    else if (c == '+' && !object)
        object = malloc(1);
    return 0;
}

static int inside(int c)
{
    if (c == '>')
        return length = 0;
    name[length++] = (char)c;
    return 1;
}

int main(void)
{
    int c, state = 0;
    while ((c = getchar()) != EOF)
        state = state ? inside(c) : outside(c);
    if (object)
        object[0] = 1;
    return length;
}
