/* expect: proved */
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int stack[32], top = 0;
    while (1) {
        if (__VERIFIER_nondet_bool()) {
            if (top == 32)
                break;
            stack[top++] = __VERIFIER_nondet_int();
        } else {
            if (top == 0)
                break;
            top--;
            if (stack[top] == 5)
                continue;
        }
    }
    return 0;
}
