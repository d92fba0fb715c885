// Computed goto: a threaded interpreter, label tables, label differences.
#include <stdio.h>

static int run(const unsigned char *code)
{
    static const void *const table[] = {&&push, &&add, &&mul, &&jump_if, &&halt};
    int stack[16], sp = 0, counter = 5;
    goto *table[*code++];
push:
    stack[sp++] = *code++;
    goto *table[*code++];
add:
    sp--;
    stack[sp - 1] += stack[sp];
    goto *table[*code++];
mul:
    sp--;
    stack[sp - 1] *= stack[sp];
    goto *table[*code++];
jump_if:
    if (--counter > 0)
        code -= *code;
    else
        code++;
    goto *table[*code++];
halt:
    return stack[sp - 1];
}

int main(void)
{
    static const unsigned char code[] = {0, 1, 0, 3, 2, 0, 2, 1, 3, 7, 4};
    int choice = 2;
    void *where[] = {&&first, &&second, &&third};
    printf("%d\n", run(code));
    goto *where[choice];
first:
    puts("first");
second:
    puts("second");
    return 1;
third:
    puts("third");
    choice = 0;
    if (where[0] != where[2])
        goto *where[choice];
    return 2;
}
