// tests: 13
// options: --sym-stdin 3
// An interpreter with a stack: '0' pushes, '+' adds two, 'd' doubles, others end it. Popping an empty stack is a fault.
// F(k, s), the paths with k bytes left and s values on the stack: end 1, push F(k-1, s+1); '+': s < 2: fault 1, else F(k-1, s-1);
// 'd': s < 1: fault 1, else F(k-1, s). F(0, s) = 1. F(1, s) = 4. F(2, 0) = 7, F(2, 1) = 10, F(2, 2) = 13; F(3, 0) = 1 + 10 + 1 + 1.
#include <assert.h>
#include <stdio.h>

static int stack[4], top;

static int pop(void)
{
    assert(top > 0); //! assert
    return stack[--top];
}

int main(void)
{
    int c;
    while ((c = getchar()) != EOF) {
        switch (c) {
        case '0': stack[top++] = 0; break;
        case '+': {
            int a = pop(), b = pop();
            stack[top++] = a + b;
            break;
        }
        case 'd': {
            int a = pop();
            stack[top++] = 2 * a;
            break;
        }
        default: return 1;
        }
    }
    return 0;
}
