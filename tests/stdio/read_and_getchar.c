// getchar reads ahead a block; what read() then sees is what natively remains of the pipe.
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char block[64];
    int c = getchar();
    printf("%c\n", c);
    ssize_t n = read(0, block, 10);
    printf("%zd %.*s\n", n, (int)(n > 0 ? n : 0), block);
    int left = 0;
    while (getchar() != EOF)
        left++;
    printf("%d\n", left);
    return 0;
}
