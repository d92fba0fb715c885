// fault: read-only
#include <stdio.h>

int main(void)
{
    char *greeting = "hello";
    greeting[0] = 'j';
    puts(greeting);
    return 0;
}
