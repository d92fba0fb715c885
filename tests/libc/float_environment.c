/* The floating-point environment as far as a program sets it itself. */
#include <fenv.h>
#include <stdio.h>

int main(void)
{
    fexcept_t flags;
    fenv_t environment;
    printf("%d %d\n", fegetround() == FE_TONEAREST, fesetround(FE_TONEAREST));
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(FE_INVALID);
    printf("invalid %d\n", fetestexcept(FE_INVALID) == FE_INVALID);
    fegetexceptflag(&flags, FE_INVALID);
    feholdexcept(&environment);
    feraiseexcept(FE_DIVBYZERO);
    feupdateenv(&environment);
    printf("both %d\n", fetestexcept(FE_INVALID | FE_DIVBYZERO) == (FE_INVALID | FE_DIVBYZERO));
    feclearexcept(FE_INVALID);
    fesetexceptflag(&flags, FE_INVALID);
    printf("again %d\n", fetestexcept(FE_INVALID) == FE_INVALID);
    fesetenv(FE_DFL_ENV);
    printf("none asked %d\n", fetestexcept(0));
    return 0;
}
