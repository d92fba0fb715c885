/* One helper for thirty bytes: 2^30 paths. */
#include <assert.h>
#include <sheaf.h>

static void part(unsigned char c)
{
    int v;
    if (c > 100)
        v = c + 1;
    else
        v = c * 2;
    assert(v != 7);
}

int main(void)
{
    unsigned char in[30];
    sheaf_symbolic(in, sizeof in, "in");
    part(in[0]); part(in[1]); part(in[2]); part(in[3]); part(in[4]); part(in[5]);
    part(in[6]); part(in[7]); part(in[8]); part(in[9]); part(in[10]); part(in[11]);
    part(in[12]); part(in[13]); part(in[14]); part(in[15]); part(in[16]); part(in[17]);
    part(in[18]); part(in[19]); part(in[20]); part(in[21]); part(in[22]); part(in[23]);
    part(in[24]); part(in[25]); part(in[26]); part(in[27]); part(in[28]); part(in[29]);
    return 0;
}
