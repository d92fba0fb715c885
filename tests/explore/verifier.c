// tests: 5
// Test-Comp's functions: n is 0 to 3 (an assumption), so many bytes are summed, and three of 200 and more make an error.
// 3 tests for n below 3, and two for 3.
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
void reach_error(void) { abort(); } //! abort

int main(void)
{
    int n = __VERIFIER_nondet_int(), sum = 0;
    __VERIFIER_assume(n >= 0 && n <= 3);
    for (int i = 0; i < n; i++)
        sum += __VERIFIER_nondet_uchar();
    if (sum >= 600)
        reach_error();
    return 0;
}
