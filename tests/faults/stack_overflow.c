// fault: stack-overflow
static int sink;
static int deep(volatile int *up)
{
    volatile int here[16];
    here[0] = *up + 1;
    sink = here[0];
    return deep(here) + here[0];
}

int main(void)
{
    volatile int top = 0;
    return deep(&top);
}
