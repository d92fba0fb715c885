/* A stack machine over LENGTH bytes of code: every instruction works on what the ones before it left, so
 * that nothing here is independent of anything. */
#include <sheaf.h>
#include <stdio.h>

#ifndef LENGTH
#define LENGTH 3
#endif

enum { PUSH, ADD, DIVIDE, SKIP, DUPLICATE, OPCODES };
enum { DEPTH = 4 };

static int stack[DEPTH], top;

static int pop(void) { return top > 0 ? stack[--top] : 0; }

static void push(int value)
{
    if (top < DEPTH)
        stack[top++] = value;
}

static int step(const unsigned char *code, int pc)
{
    int a, b;
    switch (code[pc] % OPCODES) {
    case PUSH: push(code[pc] / OPCODES); break;
    case ADD: push(pop() + pop()); break;
    case DIVIDE:
        b = pop();
        a = pop();
        push(a / b);
        break;
    case SKIP: return pop() > 3 ? pc + 2 : pc + 1;
    case DUPLICATE:
        a = pop();
        push(a);
        push(a);
        break;
    }
    return pc + 1;
}

int main(void)
{
    unsigned char code[LENGTH];
    sheaf_symbolic(code, sizeof code, "code");
    push(1);
    for (int pc = 0; pc < LENGTH;)
        pc = step(code, pc);
    printf("%d\n", pop());
    return 0;
}
