// fault: bad-call
typedef int (*Handler)(int);
static int twice(int x) { return 2 * x; }

int main(void)
{
    Handler handlers[2] = {twice, 0};
    int r = 0;
    for (int i = 0; i < 2; i++)
        r += handlers[i](i);
    return r;
}
