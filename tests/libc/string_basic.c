/* Length, copy, concatenation and comparison, with the results of every call. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *const words[] = {"",    "a",      "b",    "ab",    "abc",   "abd",
                                    "ABC", "abcabc", "\xff", "a\x80", "zebra", "Zebra"};
enum { WORDS = sizeof words / sizeof *words };

static void show(const char *label, const char *bytes, size_t n)
{
    printf("%s:", label);
    for (size_t i = 0; i < n; i++)
        printf(" %02x", (unsigned char)bytes[i]);
    printf("\n");
}

int main(void)
{
    for (int i = 0; i < WORDS; i++) {
        printf("%d: %zu", i, strlen(words[i]));
        for (size_t n = 0; n < 5; n++)
            printf(" %zu", strnlen(words[i], n));
        printf("\n");
        for (int k = 0; k < WORDS; k++) {
            printf("%d %d: %d %d %d %d", i, k, strcmp(words[i], words[k]), strcoll(words[i], words[k]),
                   strcasecmp(words[i], words[k]), memcmp(words[i], words[k], 1));
            for (size_t n = 0; n < 5; n++)
                printf(" %d/%d", strncmp(words[i], words[k], n), strncasecmp(words[i], words[k], n));
            printf("\n");
        }
        char buffer[24];
        memset(buffer, '#', sizeof buffer);
        printf("%td\n", strcpy(buffer, words[i]) - buffer);
        show("strcpy", buffer, sizeof buffer);
        memset(buffer, '#', sizeof buffer);
        printf("%td\n", stpcpy(buffer, words[i]) - buffer);
        show("stpcpy", buffer, sizeof buffer);
        for (size_t n = 0; n < 9; n++) {
            memset(buffer, '#', sizeof buffer);
            printf("%td ", strncpy(buffer, words[i], n) - buffer);
            show("strncpy", buffer, sizeof buffer);
            memset(buffer, '#', sizeof buffer);
            printf("%td ", stpncpy(buffer, words[i], n) - buffer);
            show("stpncpy", buffer, sizeof buffer);
            memset(buffer, '#', sizeof buffer);
            strcpy(buffer, "xy");
            printf("%td ", strncat(buffer, words[i], n) - buffer);
            show("strncat", buffer, sizeof buffer);
            memset(buffer, '#', sizeof buffer);
            printf("%zu ", strxfrm(buffer, words[i], n));
            if (n > strlen(words[i]))
                show("strxfrm", buffer, sizeof buffer);
            else
                printf("\n");
        }
        strcpy(buffer, "0123");
        printf("%s\n", strcat(strcat(buffer, words[i]), "!"));
        char *copy = strdup(words[i]), *part = strndup(words[i], 2);
        printf("%s %s %d\n", copy, part, copy != words[i]);
    }
    return 0;
}
