// How files open, and how they fail to.
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void try(const char *name, const char *mode)
{
    errno = 0;
    FILE *f = fopen(name, mode);
    printf("%s %s: %s\n", name, mode, f ? "opened" : strerror(errno));
    if (!f)
        return;
    errno = 0;
    int put = fputc('p', f), put_errno = errno;
    fseek(f, 0, SEEK_SET);
    errno = 0;
    int got = fgetc(f), get_errno = errno;
    printf("  put %d (%s), get %d (%s)", put, strerror(put_errno), got, strerror(get_errno));
    printf(", closes %d\n", fclose(f));
}

int main(void)
{
    try("m.txt", "r");
    try("m.txt", "r+");
    try("m.txt", "w");
    try("m.txt", "wx");
    try("m.txt", "r");
    try("m.txt", "r+");
    try("m.txt", "w+");
    try("m.txt", "a");
    try("m.txt", "a+");
    try("m.txt", "rb");
    try("m.txt", "r+b");
    try("m.txt", "rb+");
    try("m.txt", "q");
    try("none/m.txt", "w");
    try("m.txt/x", "w");
    try(".", "r");
    try(".", "w");
    try("", "w");
    try("/dev/null", "r+");
    printf("%d %s\n", rename("m.txt", "n.txt"), strerror(errno));
    try("m.txt", "r");
    printf("%d\n", remove("n.txt"));
    printf("%d %s\n", remove("n.txt"), strerror(errno));
    FILE *f = fopen("/dev/full", "w");
    fputs("lost", f);
    errno = 0;
    printf("%d %s\n", fflush(f), strerror(errno));
    printf("%d\n", ferror(f) != 0);
    fputs("lost", f);
    printf("%d %s\n", fclose(f), strerror(errno));
    return 0;
}
