// tests: 2
// strtol of two bytes is one value, from -9 to 99 and nothing else; 42 is the fault.
#include <assert.h>
#include <sheaf.h>
#include <stdlib.h>

int main(void)
{
    char s[3], *end;
    sheaf_symbolic(s, 2, "s");
    s[2] = 0;
    long n = strtol(s, &end, 10);
    assert(n >= -9 && n <= 99);
    assert(end <= s + 2);
    assert(n != 42); //! assert
    return end == s;
}
