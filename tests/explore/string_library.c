// tests: 4 to 40
// The library's search in three symbolic bytes: found or not, and the places agree with each other. How many paths the library has is its own.
#include <assert.h>
#include <sheaf.h>
#include <string.h>

int main(void)
{
    char s[4];
    sheaf_symbolic(s, 3, "s");
    s[3] = 0;
    const char *a = strchr(s, 'a'), *last = strrchr(s, 'a');
    assert(!a == !last);
    if (a) {
        assert(a <= last);
        assert(*a == 'a');
        assert(strlen(s) > (size_t)(last - s));
    } else {
        assert(strcspn(s, "a") == strlen(s));
    }
    return strcmp(s, "abc") == 0;
}
