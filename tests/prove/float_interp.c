/* expect: unreachable */
extern void abort(void);
extern float __VERIFIER_nondet_float(void);

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

static const float dm[4] = {0.0f, 5.0f, 10.0f, 20.0f};
int main(void)
{
    float x = __VERIFIER_nondet_float();
    if (!(x >= 0.0f && x <= 20.0f))
        return 0;
    int i;
    for (i = 0; i < 3; i++)
        if (x <= dm[i + 1])
            break;
    if (i == 3)
        i = 2;
    __VERIFIER_assert(i >= 0 && i <= 2);
    __VERIFIER_assert(x <= dm[i + 1]);
    return 0;
}
