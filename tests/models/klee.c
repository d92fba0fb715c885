#include <klee/klee.h>
#include <assert.h>
char *__VERIFIER_nondet_charp(void); unsigned char __VERIFIER_nondet_unsigned_char(void);
void klee_assert_fail(const char*,const char*,unsigned,const char*);
int main(void) {
  int n = klee_int("n");
  klee_prefer_cex(&n, n > 3); klee_warning("a"); klee_warning_once("b"); klee_print_expr("n", n);
  if (n == 1) return klee_is_symbolic(n);
  if (n == 2) return __VERIFIER_nondet_unsigned_char();
  if (n == 3) return __VERIFIER_nondet_charp() != 0;
  if (n == 4) klee_assert_fail("x", "f", 1, "g");
  return 0;
}
