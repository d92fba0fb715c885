// run: 0
// test: 3 runs
// Sorting 64 symbolic bytes has 64! paths.
#include <sheaf.h>

int main(void)
{
    unsigned char v[64];
    sheaf_symbolic(v, sizeof v, "v");
    for (int i = 1; i < 64; i++)
        for (int j = i; j > 0 && v[j - 1] > v[j]; j--) {
            unsigned char t = v[j];
            v[j] = v[j - 1];
            v[j - 1] = t;
        }
    return 0;
}
