// tests: 6
// A loop entered in its middle (irreducible): three bits say where to go. From `first`: bit 0 -> second or third; second: bit 1 ->
// third or end; third: bit 2 -> second or end; each bit is asked once, a second visit ends. first>second>end, first>second>third>end
// (2, by bit 2), first>third>end, first>third>second>end (2, by bit 1).
#include <sheaf.h>

int main(void)
{
    unsigned char bits;
    int second = 0, third = 0;
    sheaf_symbolic(&bits, sizeof bits, "bits");
    if (bits & 1)
        goto third;
second:
    if (second++)
        goto end;
    if (!(bits & 2))
        goto end;
third:
    if (third++)
        goto end;
    if (bits & 4)
        goto second;
end:
    return second * 10 + third;
}
