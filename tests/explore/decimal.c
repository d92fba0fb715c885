// tests: 6
// Four digits around a point, read by strtod: below 12.34, above 12.36, these two, and 12.35 in between, which is a fault.
// All numbers are tried; Z3 took ten seconds for these questions.
#include <assert.h>
#include <sheaf.h>
#include <stdlib.h>

int main(void)
{
    char s[6];
    sheaf_symbolic(s, sizeof s, "s");
    sheaf_assume(s[2] == '.' && s[5] == 0);
    for (int i = 0; i < 5; i++)
        sheaf_assume(i == 2 || (s[i] >= '0') & (s[i] <= '9'));
    double d = strtod(s, NULL);
    if (d < 12.34)
        return 1;
    if (d > 12.36)
        return 2;
    assert(d == 12.34 || d == 12.36); //! assert
    return 0;
}
