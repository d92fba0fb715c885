#include <sheaf.h>
int main(void) {
  int x, k = 0;
  sheaf_symbolic(&x, sizeof x, "x");
  while (x > 0) { x -= 3; k++; }
  if (k == 20 && x == -1)
    return 1;
  return 0;
}
