/* expect: unreachable */
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);

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
    int floor = 0, dir = 1;
    while (1) {
        if (__VERIFIER_nondet_bool()) {
            if (floor == 9)
                dir = -1;
            if (floor == 0)
                dir = 1;
            floor += dir;
        }
        __VERIFIER_assert(floor >= 0 && floor <= 9);
    }
}
