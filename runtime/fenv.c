/* fenv.c - the floating-point environment: rounding to nearest, and the exceptions that a program raises
 * itself. */
#include <fenv.h>

#include "internal.h"

int fegetround(void) { return FE_TONEAREST; }

int __fegetround(void) { return FE_TONEAREST; }

/* The machine rounds to nearest. A program that asks for more gets an honest end rather than other
 * numbers. */
int fesetround(int mode)
{
    if (mode == FE_TONEAREST)
        return 0;
    __sheaf_unsupported("fesetround: another rounding mode than to nearest");
}

/* The exceptions that the program raised itself. Those of arithmetic are not recorded: whether one of them is
 * set is known only if the program raised it, and a program that asks for another gets an honest end. */
static int raised;

static int known(int which)
{
    which &= FE_ALL_EXCEPT;
    if (which & ~raised)
        __sheaf_unsupported("exceptions of floating-point arithmetic are not recorded");
    return which;
}

int feclearexcept(int which)
{
    raised &= ~which;
    return 0;
}

int feraiseexcept(int which)
{
    raised |= which & FE_ALL_EXCEPT;
    return 0;
}

int fetestexcept(int which) { return known(which); }

int fegetexceptflag(fexcept_t *flags, int which)
{
    *flags = (fexcept_t)known(which);
    return 0;
}

int fesetexceptflag(const fexcept_t *flags, int which)
{
    which &= FE_ALL_EXCEPT;
    raised = (raised & ~which) | (*flags & which);
    return 0;
}

/* An environment is what was raised by then; FE_DFL_ENV, no object, is one with nothing. */
static int of_environment(const fenv_t *environment)
{
    return environment == FE_DFL_ENV ? 0 : environment->__status_word;
}

int fegetenv(fenv_t *environment)
{
    *environment = (fenv_t){.__status_word = (unsigned short)raised};
    return 0;
}

int feholdexcept(fenv_t *environment)
{
    fegetenv(environment);
    raised = 0;
    return 0;
}

int fesetenv(const fenv_t *environment)
{
    raised = of_environment(environment);
    return 0;
}

int feupdateenv(const fenv_t *environment)
{
    raised |= of_environment(environment);
    return 0;
}

int fegetexcept(void) { return 0; }

int feenableexcept(int which)
{
    if (which & FE_ALL_EXCEPT)
        __sheaf_unsupported("feenableexcept: exceptions of floating-point arithmetic are not recorded");
    return 0;
}

int fedisableexcept(int which)
{
    (void)which;
    return 0;
}
