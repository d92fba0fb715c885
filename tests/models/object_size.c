#include <klee/klee.h>
#include <stdlib.h>
static int global[5];
int main(void) {
  char local[7]; int n = klee_int("n");
  if (n == 1) return klee_get_obj_size(global) != 20;
  if (n == 2) return klee_get_obj_size(local) != 7;
  if (n == 3) return klee_get_obj_size(malloc(10)) != 10;
  return 0;
}
