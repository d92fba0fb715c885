// tests: 7
// options: --entry price
// Structures of up to 16 bytes come in registers, in pieces: two integers in one, a pointer in its own, floats in pairs, a long double
// with padding. Each condition fails (6) or all hold: then the pointer is not NULL, or the caller is wrong.
struct item {
    int id;
    short count;
};

struct label {
    const char *text;
    char kind;
};

struct point {
    float x, y, z;
};

int price(struct item i, struct label l, struct point p, long double tax, _Bool sale)
{
    if (i.id != 70000 || i.count != -3)
        return 0;
    if (l.kind != 'x' || p.z != 0.5f)
        return 1;
    if (tax < 0.25L || !sale)
        return 2;
    return l.text[0]; //? null
}
