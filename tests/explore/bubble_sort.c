// tests: 6
// Three values, three comparisons. The outcomes are the permutations that sort them: 3!.
#include <assert.h>
#include <sheaf.h>

int main(void)
{
    short v[3];
    sheaf_symbolic(v, sizeof v, "v");
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (v[j] > v[j + 1]) {
                short t = v[j];
                v[j] = v[j + 1];
                v[j + 1] = t;
            }
    assert(v[0] <= v[1]);
    assert(v[1] <= v[2]);
    return 0;
}
