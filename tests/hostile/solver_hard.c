// run: 3 assumption
// test: 3 solver
// flags: --solver-timeout 1s
// The factors of a product of two primes of 63 bits.
#include <sheaf.h>
#include <stdint.h>

int main(void)
{
    uint64_t p, q;
    sheaf_symbolic(&p, sizeof p, "p");
    sheaf_symbolic(&q, sizeof q, "q");
    sheaf_assume(p > 1);
    sheaf_assume(q > 1);
    unsigned __int128 n = (unsigned __int128)p * q;
    if (n == (unsigned __int128)9223372036854775783u * 9223372036854775643u)
        return 1;
    return 0;
}
