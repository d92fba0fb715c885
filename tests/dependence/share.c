/* Records of a kind and a length, each with a copy of its own: nearly every path fails, each in a way of its own, and a run seems to stand
 * for far more paths than it does. Six flags before them matter to nothing: here `dependence` is done first, without them `full` is. */
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 12, RECORDS = 4 };

static int flags_of(const unsigned char *bytes)
{
    int flags = 0;
    for (int i = 0; i < FLAGS; i++)
        if (bytes[i] == 'x')
            flags++;
    return flags;
}

int main(void)
{
    unsigned char bytes[FLAGS + SIZE], *copies[RECORDS];
    int kinds[RECORDS], n = 0, sum = 0;
    if (fread(bytes, 1, sizeof bytes, stdin) != sizeof bytes)
        return 1;
    const unsigned char *records = bytes + FLAGS;
    for (int at = 0; at + 1 < SIZE && n < RECORDS && records[at]; n++) {
        int length = records[at + 1];
        if (length < 2 || at + length > SIZE)
            return 2;
        kinds[n] = records[at];
        copies[n] = malloc((size_t)length - 2);
        for (int i = 2; i < length; i++)
            copies[n][i - 2] = records[at + i];
        at += length;
    }
    for (int i = 0; i < n; i++) {
        if (kinds[i] == 7)
            sum += copies[i][0];              /* of a record of two bytes there is none */
        free(copies[i]);
    }
    printf("%d of %d\n", sum, flags_of(bytes));
    return 0;
}
