/* A stack machine that reads its program from standard input: digits push, + adds, . prints and pops; anything else ends it. */
#include <stdio.h>

enum { DEPTH = 3 };
static int stack[DEPTH], top;

static void push(int value)
{
    stack[top++] = value; /* no check */
}

static int pop(void)
{
    return top > 0 ? stack[--top] : 0;
}

int main(void)
{
    int c;
    while ((c = getchar()) != EOF) {
        if (c >= '0' && c <= '9')
            push(c - '0');
        else if (c == '+') {
            int b = pop(), a = pop();
            push(a + b);
        } else if (c == '.')
            printf("%d\n", pop());
        else
            break;
    }
    return 0;
}
