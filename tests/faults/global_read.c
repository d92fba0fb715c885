// fault: oob-read
#include <stdio.h>

static const char *names[3] = {"one", "two", "three"};
static const char *name_of(const char **from, int i) { return from[i]; }

int main(void)
{
    printf("%s\n", name_of(names, 3) ? "some" : "none");
    return 0;
}
