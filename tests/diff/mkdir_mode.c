/* a directory gets another mode. Open: what is done to files is not compared
 * VERDICT different */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int make(int k)
{
#ifdef NEW
    return mkdir("sheaf-d", k > 3 ? 0700 : 0755);
#else
    return mkdir("sheaf-d", 0755);
#endif
}
#ifdef BRUTE
int main(void) { struct stat s; make(4); stat("sheaf-d", &s); printf("%o\n", s.st_mode); rmdir("sheaf-d"); }
#endif
