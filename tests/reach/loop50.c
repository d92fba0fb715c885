#include <math.h>
#include <sheaf.h>
int main(void) {
  int n, res = 11, u;
  sheaf_symbolic(&n, sizeof n, "n");
  sheaf_symbolic(&u, sizeof u, "u");
  for (int i = 0; i < n; i++)
    res++;
  if (res == 61)
    if (sin(u) > 0.5)
      return 1;
  return 0;
}
