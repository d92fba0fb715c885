/* The texts of error numbers and signals, and names of both. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

int __xpg_strerror_r(int, char *, size_t);

int main(void)
{
    char buffer[64];
    for (int e = -2; e < 140; e++) {
        printf("%d: %s | %s", e, strerror(e), strerror_r(e, buffer, sizeof buffer));
        const char *name = strerrorname_np(e), *text = strerrordesc_np(e);
        printf(" | %s | %s\n", name ? name : "-", text ? text : "-");
    }
    for (size_t n = 0; n < 40; n += 6) {
        memset(buffer, 0, sizeof buffer);
        int known = __xpg_strerror_r(ENOENT, buffer, n);
        printf("%zu: %d [%s]", n, known, buffer);
        memset(buffer, 0, sizeof buffer);
        int unknown = __xpg_strerror_r(9999, buffer, n);
        printf(" %d [%s]", unknown, buffer);
        memset(buffer, 0, sizeof buffer);
        if (n)
            printf(" [%s]", strerror_r(9999, buffer, n));
        printf("\n");
    }
    for (int s = -1; s < 68; s++) {
        const char *name = sigabbrev_np(s), *text = sigdescr_np(s);
        printf("%d: %s | %s | %s\n", s, strsignal(s), name ? name : "-", text ? text : "-");
    }
    return 0;
}
