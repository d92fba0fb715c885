#include <klee/klee.h>
int t[4];
int main(void) { int n = klee_int("n"); int m = klee_int("m");
 if (m == 1) return n + 1; if (m == 2) return 1 << n; if (m == 3) return t[n]; if (m == 4) return 7 / n; if (m == 5) return *(int*)(long)n; if (m == 6) return -n; if (m==7) { char a[n]; return sizeof a; } return 0; }
