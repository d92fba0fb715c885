#include <stdarg.h>

int log_list(int n, va_list values)
{
    return n ? va_arg(values, int) : 0;
}

int log_all(int n, ...)
{
    va_list values;
    va_start(values, n);
    int r = log_list(n, values);
    va_end(values);
    return r;
}
