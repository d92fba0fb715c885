/* A line that only assigns is a target; behind contradicting branches no run comes to it. */
#include <sheaf.h>

int classify(int x)
{
    int y = 0;
    if (x > 5)
        y = 77;
    else
        goto out;
    if (x < 3)
        y = 78;
out:
    return y;
}

int unused(int x)
{
    return x + 1;
}

int main(void)
{
    int x;
    sheaf_symbolic(&x, sizeof x, "x");
    return classify(x);
}
