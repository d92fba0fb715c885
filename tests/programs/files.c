// Files of its own making: write, read back, append, seek, remove.
#include <stdio.h>
#include <string.h>

int main(void)
{
    FILE *f = fopen("sheaf_test.txt", "w");
    if (!f)
        return 1;
    for (int i = 0; i < 5; i++)
        fprintf(f, "line %d\n", i);
    fclose(f);
    f = fopen("sheaf_test.txt", "a+");
    fputs("appended\n", f);
    rewind(f);
    char line[32];
    int n = 0;
    while (fgets(line, sizeof line, f))
        n += (int)strlen(line), printf("%d:%s", n, line);
    fseek(f, 7, SEEK_SET);
    printf("%d %ld\n", fgetc(f), ftell(f));
    fclose(f);
    printf("%d %d\n", remove("sheaf_test.txt"), fopen("sheaf_test.txt", "r") == NULL);
    return 0;
}
