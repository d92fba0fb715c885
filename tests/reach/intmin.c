#include <sheaf.h>
int my_abs(int x) { if (x < 0) return -x; return x; }
int main(void) {
  int x;
  sheaf_symbolic(&x, sizeof x, "x");
  if (my_abs(x) < 0)
    return 1;
  return 0;
}
