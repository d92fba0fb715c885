// Look-ups at an index of the input read as the program writes them; texts and fractions that are returned.
static const int primes[100] = {2, 3, 5, 7, 11};
static const short few[5] = {1, -2, 3, 4, 5};
static const double parts[4] = {0.5, 1.5, 2.5, 3.5};

int prime(unsigned i) { return i < 100 ? primes[i] : -1; }
int twice(unsigned i) { return i < 5 ? 2 * few[i] : -1; }
double part(unsigned i) { return i < 4 ? parts[i] : -1; }
int element(int a[8], unsigned i) { return i < 8 ? a[i] : 0; }
const char *name(int x) { return x == 0 ? "red" : x == 1 ? "green" : "none"; }
