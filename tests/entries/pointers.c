// Pointers to pointers, and to arrays.
#include <stddef.h>
#include <stdlib.h>

struct part {
    int kind;
    char *name;
};

struct box {
    int kind;
    char *label;
    int cells[];
};

// entry: count_named
// for: v n elements, n <= 3; v[0] string; v[1] string; v[2] string
int count_named(const char *const *v, int n)
{
    int t = 0;
    for (int i = 0; i < n; i++)
        t += v[i] && v[i][0] == 'a'; //? null
    if (t == 2)
        abort(); //! abort
    return t;
}

// entry: first_part
// for: v n elements, n <= 3; v[0] one object; v[0]->name string
int first_part(struct part **v, unsigned n)
{
    if (!n)
        return 0;
    return v[0]->kind == 3 ? v[0]->name[0] : 0; //? null
}

// entry: rows_sum
// for: m n elements, n <= 3
double rows_sum(double (*m)[2], int n)
{
    double t = 0;
    for (int i = 0; i < n; i++)
        t += m[i][0] > 1 ? m[i][1] : 0; //? null
    if (n == 2 && m[1][1] == 3.5)
        abort(); //! abort
    return t;
}

// entry: last_box
// for: v n elements, n <= 3; v[1] one object with 3 elements at its end; v[1]->label string; v[2] one object with 3 elements at its end; v[2]->label string
int last_box(struct box *const *v, int n)
{
    return n > 1 && v[n - 1] && v[n - 1]->kind == 3 ? v[n - 1]->label[0] : 0; //? null
}
