// options: --entry target
// tests: 3
// A caller must not pass null: there are three places where that shows first, by the number, and three tests. None of them depends on more
// than that number, and no check follows that would ask for it.

struct Pair { int a, b; };

int target(struct Pair *pair, int n)
{
    if (n == 0)
        pair->a = 1; //? null
    if (n < 2)
        pair->b = 3; //? null
    pair->a = 2; //? null
    return 0;
}
