#include <sys/mman.h>
#include <sheaf.h>
int main(void) {
  int n; sheaf_symbolic(&n, sizeof n, "n");
  char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  p[0] = 1;
  mprotect(p, 4096, PROT_READ);
  if (n == 5) p[1] = 2;
  mprotect(p, 4096, PROT_READ | PROT_WRITE);
  p[2] = 3;
  char *q = mmap(0, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (n == 6) q[1] = 2;
  return q[0] + p[0];
}
