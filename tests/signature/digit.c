// Classes of characters read as ranges, not as look-ups in a table.
#include <ctype.h>
#include <sheaf.h>

int main(void)
{
    char c;
    sheaf_symbolic(&c, sizeof c, "c");
    if (isdigit((unsigned char)c))
        return 1;
    if (isalpha((unsigned char)c))
        return 2;
    return 0;
}
