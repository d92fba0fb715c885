// fault: trap
int main(void)
{
    volatile int wrong = 1;
    if (wrong)
        __builtin_trap();
    return 0;
}
