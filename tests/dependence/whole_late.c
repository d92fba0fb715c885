/* Of the bytes all combinations must be run; of the parts, which some of them lead to, none. */
#include <sheaf.h>

static int apart(void)
{
    unsigned char parts[40];
    int table[4] = {1, 2, 3, 4}, sum = 0;
    sheaf_symbolic(parts, sizeof parts, "parts");
    for (unsigned i = 0; i < sizeof parts; i++) {
        int at = parts[i] & 3;
        if (parts[i] > 100)
            at = i == 7 && parts[i] == 200 ? 4 : 1;
        sum += table[at];
    }
    return sum;
}

int main(void)
{
    unsigned char bytes[10];
    int sum = 0;
    sheaf_symbolic(bytes, sizeof bytes, "bytes");
    for (unsigned i = 0; i < sizeof bytes; i++)
        if (bytes[i] > 100)
            sum = 3 * sum + 7;
        else
            sum = 5 * sum - 1;
    return sum % 61 == 20 ? apart() : 100 / (sum - 64);
}
