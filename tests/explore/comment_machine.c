// tests: 29
// options: --sym-stdin 4
// A machine that strips C comments. N(s, k), the paths from state s over k bytes: N(0) = N(1) + N(0), N(1) = N(2) + N(1) + N(0),
// N(2) = N(3) + N(2), N(3) = N(0) + N(3) + N(2), each of k - 1; all are 1 for k = 0. So N(0, 4) = 17 + 12 = 29.
#include <unistd.h>

int main(void)
{
    unsigned char text[4];
    int state = 0, kept = 0;
    if (read(0, text, sizeof text) != sizeof text)
        return 99;
    for (int i = 0; i < 4; i++) {
        switch (state) {
        case 0:
            switch (text[i]) {
            case '/': state = 1; break;
            default: kept++; break;
            }
            break;
        case 1:
            switch (text[i]) {
            case '*': state = 2; break;
            case '/': kept++; break;
            default: kept += 2; state = 0; break;
            }
            break;
        case 2:
            switch (text[i]) {
            case '*': state = 3; break;
            default: break;
            }
            break;
        default:
            switch (text[i]) {
            case '/': state = 0; break;
            case '*': break;
            default: state = 2; break;
            }
            break;
        }
    }
    return kept;
}
