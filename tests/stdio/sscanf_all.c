// sscanf: all conversions, widths, sets, suppression, allocation, positions, edge cases.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static const char *const numbers[] = {"42", "-42", "+7", "0x1f", "010", "0", "0x", "abc", "", "  9", "2147483648",
                                          "99999999999999999999", "-99999999999999999999", "1e5", ".5", "-"};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        int d = -1, n = -1, r = sscanf(numbers[i], "%d%n", &d, &n);
        printf("%s: %d %d %d", numbers[i], r, d, n);
        d = -1, r = sscanf(numbers[i], "%i", &d);
        printf(" | %d %d", r, d);
        unsigned u = 1;
        r = sscanf(numbers[i], "%x", &u);
        printf(" | %d %u", r, u);
        long l = -1;
        r = sscanf(numbers[i], "%ld", &l);
        printf(" | %d %ld", r, l);
        double f = -1;
        r = sscanf(numbers[i], "%lf", &f);
        printf(" | %d %g\n", r, f);
    }
    static const char *const floats[] = {"1.5", "-1.5e-3", "inf", "-infinity", "nan", "0x1.8p1", "1e", "1e+", ".", "1..2", "+.5e2x"};
    for (unsigned i = 0; i < sizeof floats / sizeof *floats; i++) {
        float f = -1;
        long double l = -1;
        char rest[16] = "";
        int r = sscanf(floats[i], "%f%15s", &f, rest);
        printf("%s: %d %g [%s]", floats[i], r, f, rest);
        printf(" %d", sscanf(floats[i], "%Lg", &l));
        printf(" %Lg\n", l);
    }
    signed char c;
    short h;
    long long ll;
    size_t z;
    printf("%d", sscanf("300 70000 5000000000 6", "%hhd%hd%lld%zu", &c, &h, &ll, &z));
    printf(" %d %d %lld %zu\n", c, h, ll, z);
    char a[16] = "", b[16] = "", *p = NULL, *q = NULL;
    printf("%d", sscanf("alpha,beta;gamma", "%15[^,],%15[^;]", a, b));
    printf(" %s %s\n", a, b);
    printf("%d", sscanf("]x-y", "%15[]x-]", a));
    printf(" %s\n", a);
    printf("%d", sscanf("one two", "%ms %m[a-z]", &p, &q));
    printf(" %s %s\n", p, q);
    free(p);
    free(q);
    printf("%d", sscanf("first second", "%2$s %1$s", a, b));
    printf(" %s %s\n", a, b);
    printf("%d", sscanf("50% off", "%d%% %15s", &(int){0}, a));
    printf(" %s\n", a);
    void *pointer = &pointer;
    printf("%d", sscanf("0x1234 (nil)", "%p", &pointer));
    printf(" %p\n", pointer);
    printf("%d %d %d\n", sscanf("", ""), sscanf("", "%d", &(int){0}), sscanf("x", "%d", &(int){0}));
    int y, m, d;
    printf("%d", sscanf("2024-02-29", "%4d-%2d-%2d", &y, &m, &d));
    printf(" %d %d %d\n", y, m, d);
    char chars[5] = "....";
    printf("%d", sscanf("ab cd", "%4c", chars));
    printf(" %s\n", chars);
    return 0;
}
