// tests: 8
// A fault that needs two branches of main and one 300 calls below it: deeper than calls are told apart.
#include <assert.h>
#include <sheaf.h>

static unsigned char in[3];
static int flag;

static void end(void)
{
    if (in[1] == 7)
        assert(!flag);                        //! assert
}

#define LINK(f, g) static void f(void) { g(); }
#define TEN(p, last) LINK(p##0, last) LINK(p##1, p##0) LINK(p##2, p##1) LINK(p##3, p##2) LINK(p##4, p##3) \
    LINK(p##5, p##4) LINK(p##6, p##5) LINK(p##7, p##6) LINK(p##8, p##7) LINK(p##9, p##8)
#define HUNDRED(p, last) TEN(p##0, last) TEN(p##1, p##09) TEN(p##2, p##19) TEN(p##3, p##29) TEN(p##4, p##39) \
    TEN(p##5, p##49) TEN(p##6, p##59) TEN(p##7, p##69) TEN(p##8, p##79) TEN(p##9, p##89)
HUNDRED(a, end)
HUNDRED(b, a99)
HUNDRED(c, b99)

int main(void)
{
    int local = 0;
    sheaf_symbolic(in, sizeof in, "in");
    if (in[0] > 3)
        flag = 1;
    if (in[1] > 3)
        local = in[2];
    assert(local != 5);                       //! assert
    c99();
    return 0;
}
