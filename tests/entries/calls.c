// Needs of a function, and the calls that the program makes of it.
// entry: text_length
// for: s string <= 3
int text_length(const char *s)
{
    int n = 0;
    while (s[n]) //? null
        n++;
    return n;
}

int length_or_zero(const char *s) { return s ? text_length(s) : 0; }

int length_of_both(const char *a, const char *b) { return text_length(a) + (b ? text_length(b) : 0); }

static const char *name_of(int kind)
{
    switch (kind) {
    case 0: return "none";
    case 1: return "one";
    default: return 0;
    }
}

int name_length(int kind) { return text_length(name_of(kind)); }

int main(int argc, char **argv) { return argc > 1 ? text_length(argv[1]) : 0; }

// Its shape has two elements, and one of its callers only one.
// entry: sum_of_two
// for: t 2 elements
int sum_of_two(const int *t)
{
    return t[0] ^ t[1]; //? null
}

int sum_of_one(void)
{
    int t[1] = {3};
    return sum_of_two(t);
}
