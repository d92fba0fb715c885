#include <sheaf.h>
typedef float v4 __attribute__((vector_size(16)));
int main(void) {
  int k; sheaf_symbolic(&k, sizeof k, "k");
  v4 f = {1, 2, 3, 4};
#ifdef W
  f[k] = 5;
  return f[0] == 5;
#else
  return (int)f[k & 7];
#endif
}
