#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <time.h>
#include <stdlib.h>
#include <stdio.h>
int main(int argc, char **argv) {
  char *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  time_t t = 0;
  struct rlimit r = {0, 0}, now;
  switch (argv[1][0]) {
  case 'm': mprotect(p, 4096, PROT_READ); break;
  case 'a': alarm(1); break;
  case 'z': setenv("TZ", "EST5EDT", 1); tzset(); return localtime(&t)->tm_hour;
  case 'r': setrlimit(RLIMIT_AS, &r); getrlimit(RLIMIT_AS, &now); return now.rlim_cur != 0;
  case 'c': setrlimit(RLIMIT_CORE, &r); break;
  case 'd': p[0] = 7; madvise(p, 8192, MADV_DONTNEED); if (p[0]) abort(); break;
  }
  return 0;
}
