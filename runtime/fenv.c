/* fenv.c - the floating-point environment: rounding to nearest, no flags, nothing to change. */
#include <fenv.h>

#include "internal.h"

int fegetround(void)
{
    return FE_TONEAREST;
}

int __fegetround(void)
{
    return FE_TONEAREST;
}

/* The machine rounds to nearest. A program that asks for more gets an honest end rather than other numbers. */
int fesetround(int mode)
{
    if (mode == FE_TONEAREST)
        return 0;
    __sheaf_unsupported("fesetround: another rounding mode than to nearest");
}

int feclearexcept(int which)
{
    (void)which;
    return 0;
}

int feraiseexcept(int which)
{
    (void)which;
    return 0;
}

int fetestexcept(int which)
{
    (void)which;
    return 0;
}

int fegetexceptflag(fexcept_t *flags, int which)
{
    (void)which;
    *flags = 0;
    return 0;
}

int fesetexceptflag(const fexcept_t *flags, int which)
{
    (void)flags, (void)which;
    return 0;
}

int fegetenv(fenv_t *environment)
{
    *environment = (fenv_t){0};
    return 0;
}

int feholdexcept(fenv_t *environment)
{
    *environment = (fenv_t){0};
    return 0;
}

int fesetenv(const fenv_t *environment)
{
    (void)environment;
    return 0;
}

int feupdateenv(const fenv_t *environment)
{
    (void)environment;
    return 0;
}

int fegetexcept(void)
{
    return 0;
}

int feenableexcept(int which)
{
    (void)which;
    return 0;
}

int fedisableexcept(int which)
{
    (void)which;
    return 0;
}
