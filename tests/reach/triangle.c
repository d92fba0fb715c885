#include <sheaf.h>
int main(void) {
  int a, b, c;
  sheaf_symbolic(&a, sizeof a, "a"); sheaf_symbolic(&b, sizeof b, "b"); sheaf_symbolic(&c, sizeof c, "c");
  if (a <= 0 || b <= 0 || c <= 0) return 0;
  if (a > 1000 || b > 1000 || c > 1000) return 0;
  if (a + b <= c || a + c <= b || b + c <= a) return 0;
  if (a == b && b == c)
    return 1;
  if (a == b || b == c || a == c)
    return 2;
  if (a * a + b * b == c * c)
    return 3;
  return 4;
}
