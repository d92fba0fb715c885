// Directories: mkdir, opendir, readdir, chdir, rmdir, rename, stat, access.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void make(const char *name)
{
    FILE *f = fopen(name, "w");
    fprintf(f, "%s", name);
    fclose(f);
}

static void list(const char *name)
{
    struct dirent **entries;
    int n = scandir(name, &entries, NULL, alphasort);
    printf("%s:", name);
    for (int i = 0; i < n; i++) {
        printf(" %s%s", entries[i]->d_name, entries[i]->d_type == DT_DIR ? "/" : "");
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    printf(" (%d)\n", n);
}

int main(void)
{
    umask(022);
    printf("%d %d %s\n", mkdir("top", 0777), mkdir("top", 0777), strerror(errno));
    printf("%d %s\n", mkdir("no/sub", 0777), strerror(errno));
    mkdir("top/sub", 0755);
    make("top/b");
    make("top/a");
    make("top/sub/deep");
    list("top");
    list("top/sub");
    list("nothing");
    DIR *d = opendir("top");
    int n = 0, m = 0;
    while (readdir(d))
        n++;
    rewinddir(d);
    while (readdir(d))
        m++;
    printf("%d %d\n", n, m);
    closedir(d);
    printf("%d %s\n", opendir("top/a") == NULL, strerror(errno));
    struct stat st;
    printf("%d", stat("top", &st));
    printf(" %d %o\n", S_ISDIR(st.st_mode), st.st_mode & 0777);
    printf("%d %s\n", stat("top/zzz", &st), strerror(errno));
    printf("%d %d %d\n", access("top/a", R_OK | W_OK), access("top/a", F_OK), access("top/none", F_OK));
    printf("%d %s\n", rmdir("top"), strerror(errno));
    printf("%d %s\n", rmdir("top/a"), strerror(errno));
    printf("%d\n", chdir("top/sub"));
    printf("%d\n", access("deep", F_OK));
    printf("%d\n", access("../b", F_OK));
    char path[4096];
    printf("%s\n", getcwd(path, sizeof path) ? strstr(path, "/top/sub") : "none");
    printf("%d %s\n", getcwd(path, 2) == NULL, strerror(errno));
    printf("%d\n", chdir("../.."));
    printf("%d\n", rename("top/sub", "moved"));
    list("top");
    list("moved");
    printf("%d %s\n", rename("none", "other"), strerror(errno));
    printf("%d %s\n", rename("moved", "top"), strerror(errno));
    printf("%d\n", rename("top/a", "top/b"));
    list("top");
    int dir = open("top", O_RDONLY | O_DIRECTORY);
    int fd = openat(dir, "b", O_RDONLY);
    printf("%zd %.5s\n", read(fd, path, 5), path);
    printf("%zd %s\n", read(dir, path, 5), strerror(errno));
    printf("%d %d\n", fstatat(dir, "b", &st, 0), (int)st.st_size);
    printf("%d %s\n", chmod("top/b", 0600), stat("top/b", &st) ? "gone" : "there");
    printf("%o\n", st.st_mode & 0777);
    char *real = realpath("top/../top/./b", NULL);
    printf("%s\n", real ? strrchr(real, '/') : "none");
    free(real);
    printf("%d %s\n", remove("top"), strerror(errno));
    printf("%d %d %d %d\n", remove("top/b"), remove("top"), remove("moved/deep"), remove("moved"));
    return 0;
}
