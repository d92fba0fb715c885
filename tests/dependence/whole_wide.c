/* Work before each decision, so that tasks have snapshots of their own, on many branches. */
#include <sheaf.h>

static volatile int done;

static int sum_up(const unsigned char *bytes, int sum)
{
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 3000; k++)
            done += k;
        sum = bytes[i] > 100 ? 3 * sum + 7 : 5 * sum - 1;
    }
    return 100 / (sum - 64);
}

int main(void)
{
    unsigned char which, bytes[5];
    sheaf_symbolic(&which, sizeof which, "which");
    sheaf_symbolic(bytes, sizeof bytes, "bytes");
    switch (which) {
    case 0: return sum_up(bytes, 1);
    case 1: return sum_up(bytes, 2);
    case 2: return sum_up(bytes, 3);
    case 3: return sum_up(bytes, 4);
    case 4: return sum_up(bytes, 5);
    case 5: return sum_up(bytes, 6);
    case 6: return sum_up(bytes, 7);
    case 7: return sum_up(bytes, 8);
    default: return sum_up(bytes, 100);
    }
}
