// tests: 3 to 60
// options: --sym-stdin 2
// scanf of a number of up to two bytes: none, or one from -9 to 99; 77 is the fault.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int n = 0;
    if (scanf("%d", &n) != 1)
        return 1;
    assert(n >= -9 && n <= 99);
    assert(n != 77); //! assert
    return 0;
}
