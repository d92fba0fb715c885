/* Twelve bytes that have nothing to do with each other but for a count, and a side of a branch on that count that no input takes: all
 * ways to it are as many as there are subsets of the bytes. */
#include <sheaf.h>

enum { BYTES = 12 };

int main(void)
{
    unsigned char in[BYTES];
    int table[2] = {1, 2}, upper = 0, sum = 0;
    sheaf_symbolic(in, sizeof in, "in");
    for (int i = 0; i < BYTES; i++) {
        int large = in[i] > 100;
        sum += table[large];
        if (large)
            upper++;
    }
    if (upper > BYTES)
        sum = 0;
    return sum & 1;
}
