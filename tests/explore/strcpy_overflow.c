// tests: 4 to 5
// A name of up to 4 bytes goes into 4: NUL after 0, 1, 2 or 3 is fine; 4 bytes and the NUL are not.
#include <sheaf.h>
#include <string.h>

int main(void)
{
    char name[5], copy[4];
    sheaf_symbolic(name, 4, "name");
    name[4] = 0;
    strcpy(copy, name); //! oob-write
    return copy[0] == 'x';
}
