/* The ways of KLEE and of SV-COMP to ask for inputs. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

void klee_make_symbolic(void *, size_t, const char *);
int klee_int(const char *), klee_range(int, int, const char *);
unsigned char __VERIFIER_nondet_uchar(void);
double __VERIFIER_nondet_double(void);
bool __VERIFIER_nondet_bool(void);
void __VERIFIER_nondet_memory(void *, size_t), __VERIFIER_assume(int), __VERIFIER_assert(int);

int main(void)
{
    char buffer[2], memory[3];
    int k = klee_int("k");
    klee_make_symbolic(buffer, sizeof buffer, "buffer");
    int r = klee_range(0, 3, "r");
    unsigned char u = __VERIFIER_nondet_uchar();
    double d = __VERIFIER_nondet_double();
    bool b = __VERIFIER_nondet_bool();
    __VERIFIER_nondet_memory(memory, sizeof memory);
    __VERIFIER_assume(k == 1);
    __VERIFIER_assert(u == 255);
    return !memcmp(buffer, "ab", 2) && r == 2 && d == 0.5 && b && !memcmp(memory, "xyz", 3) ? 42 : 1;
}
