/* expect: unreachable */
extern void abort(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

void reach_error(void)
{
    abort();
}
void __VERIFIER_assert(int cond)
{
    if (!(cond)) {
    ERROR : {
        reach_error();
        abort();
    }
    }
    return;
}

int main(void)
{
    unsigned short x = __VERIFIER_nondet_ushort(), y = __VERIFIER_nondet_ushort();
    unsigned z = 0, i = 0;
    while (i < 16) {
        z |= ((x & (1u << i)) << i) | ((y & (1u << i)) << (i + 1));
        i++;
    }
    unsigned xx = x, yy = y;
    xx = (xx | (xx << 8)) & 0x00FF00FFu;
    xx = (xx | (xx << 4)) & 0x0F0F0F0Fu;
    xx = (xx | (xx << 2)) & 0x33333333u;
    xx = (xx | (xx << 1)) & 0x55555555u;
    yy = (yy | (yy << 8)) & 0x00FF00FFu;
    yy = (yy | (yy << 4)) & 0x0F0F0F0Fu;
    yy = (yy | (yy << 2)) & 0x33333333u;
    yy = (yy | (yy << 1)) & 0x55555555u;
    __VERIFIER_assert(z == (xx | (yy << 1)));
    return 0;
}
