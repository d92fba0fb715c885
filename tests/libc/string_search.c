/* Searching: characters, sets, substrings, tokens. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *const texts[] = {"",     "a",          "banana",          "the quick brown fox",
                                    "aaaa", "/usr//lib/", "key=value;x=1;;", "Mixed CASE mixed case"};
static const char *const needles[] = {"",   "a",     "an", "ana", "nana", "fox",  "x",
                                      "aa", "aaaaa", "/",  "=;",  "case", "CASE", "zzz"};
#define COUNT(a) (int)(sizeof(a) / sizeof *(a))

static void where(const char *label, const char *found, const char *base)
{
    if (found)
        printf(" %s %td", label, found - base);
    else
        printf(" %s -", label);
}

int main(void)
{
    for (int i = 0; i < COUNT(texts); i++) {
        const char *t = texts[i];
        size_t n = strlen(t);
        for (const char *c = "a/=x\xff";; c++) {
            printf("%d %02x:", i, (unsigned char)*c);
            where("strchr", strchr(t, *c), t);
            where("strrchr", strrchr(t, *c), t);
            where("strchrnul", strchrnul(t, *c), t);
            where("index", index(t, *c), t);
            where("rindex", rindex(t, *c), t);
            where("memchr", memchr(t, *c, n), t);
            where("memchr+1", memchr(t, *c, n + 1), t);
            where("memrchr", memrchr(t, *c, n), t);
            where("high bits", strchr(t, *c + 256), t);
            printf("\n");
            if (!*c)
                break;
        }
        where("rawmemchr", rawmemchr(t, 0), t);
        printf("\n");
        for (int k = 0; k < COUNT(needles); k++) {
            const char *x = needles[k];
            printf("%d %d: %zu %zu", i, k, strspn(t, x), strcspn(t, x));
            where("strstr", strstr(t, x), t);
            where("strcasestr", strcasestr(t, x), t);
            where("strpbrk", strpbrk(t, x), t);
            where("memmem", memmem(t, n, x, strlen(x)), t);
            printf("\n");
        }
        static const char *const separators[] = {" ", "/", ";", "=;", "a", ""};
        for (int k = 0; k < COUNT(separators); k++) {
            char copy[64], *rest, *line;
            strcpy(copy, t);
            for (char *w = strtok(copy, separators[k]); w; w = strtok(NULL, separators[k]))
                printf("[%s]", w);
            strcpy(copy, t);
            printf(" | ");
            for (char *w = strtok_r(copy, separators[k], &rest); w; w = strtok_r(NULL, separators[k], &rest))
                printf("[%s]%td ", w, rest - copy);
            strcpy(copy, t);
            printf(" | ");
            line = copy;
            for (char *w; (w = strsep(&line, separators[k]));)
                printf("[%s]", w);
            printf("\n");
        }
    }
    char to[16];
    memset(to, '.', sizeof to);
    char *end = memccpy(to, "hello, world", ',', 12);
    printf("%td %.16s %d\n", end - to, to, memccpy(to, "abc", 'z', 3) == NULL);
    printf("%td\n", (char *)mempcpy(to, "xyz", 3) - to);
    memmove(to + 2, to, 8);
    printf("%.16s\n", to);
    memmove(to, to + 1, 8);
    printf("%.16s\n", to);
    bcopy(to, to + 3, 5);
    bzero(to, 2);
    printf("%d %d %.14s\n", to[0], to[1], to + 2);
    printf("%d %d %d %d\n", bcmp("abc", "abd", 2) != 0, bcmp("abc", "abd", 3) != 0, memcmp("a\xff", "a\x01", 2),
           memcmp("", "x", 0));
    for (int bit = 0; bit < 32; bit += 5)
        printf("%d %d %d ", ffs(1 << bit), ffsl(6l << bit), ffsll(-1ll << (bit * 2)));
    printf("%d %d %d\n", ffs(0), ffsl(0), ffsll(1ll << 63));
    return 0;
}
