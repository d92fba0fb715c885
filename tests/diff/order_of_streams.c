/* write() beside printf: the buffer is flushed first
 * VERDICT different */
#include <stdio.h>
#include <unistd.h>
void progress(int n)
{
    printf("step %d", n);
#ifdef NEW
    fflush(stdout);
#endif
    write(1, ".", 1);
}

#ifdef BRUTE
int main(void)
{
    progress(1);
    progress(2);
    return 0;
}
#endif
