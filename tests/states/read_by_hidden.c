/* Words that lead to locals, and do not look like addresses of them: tagged in the high bits, combined with
 * another by xor, before the beginning of an array, and read again from text. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static uint64_t boxed(int *p) { return (uint64_t)(uintptr_t)p | 0xfffc000000000000u; }
static int *unboxed(uint64_t v) { return (int *)(uintptr_t)(v & 0xffffffffffffu); }
static int read_boxed(uint64_t v) { return getchar() == 'y' ? *unboxed(v) : 0; }
static int read_xor(uintptr_t both, int *one) { return getchar() == 'y' ? *(int *)(both ^ (uintptr_t)one) : 0; }
static int read_before(int *array) { return getchar() == 'y' ? array[101] : 0; }
static int read_text(const char *text)
{
    void *p;
    return getchar() == 'y' && sscanf(text, "%p", &p) == 1 ? *(int *)p : 0;
}
int main(void)
{
    int value = 0, other = 0, array[2] = {0, 0};
    char text[32];
    sprintf(text, "%p", (void *)&value);
    int how = getchar();
    if (getchar() == 'x')
        value = array[1] = 7;
    if (how == '0' && read_boxed(boxed(&value)))
        abort();
    else if (how == '1' && read_xor((uintptr_t)&value ^ (uintptr_t)&other, &other))
        abort();
    else if (how == '2' && read_before(array - 100))
        abort();
    else if (how == '3' && read_text(text))
        abort();
    return 0;
}
