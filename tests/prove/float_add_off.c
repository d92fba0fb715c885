/* expect: reached */
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

int main(void)
{
    float x = __VERIFIER_nondet_float();
    if (!(x >= 0.0f && x <= 1e8f))
        return 0;
    float y = x + 1.0f;
    __VERIFIER_assert(y > x);
    return 0;
}
