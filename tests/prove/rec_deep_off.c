/* expect: reached */
extern void abort(void);

void reach_error(void)
{
    abort();
}

int f(int x)
{
    if (x == 7)
        reach_error();
    return f(x + 1);
}
int main(void)
{
    f(0);
    return 0;
}
