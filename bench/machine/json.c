// A JSON tokeniser over a generated document: character classes, nesting, numbers, escapes.
#include <stdio.h>
#include <string.h>

static char doc[1 << 16];
static int size;

static void put(const char *s)
{
    int n = (int)strlen(s);
    memcpy(doc + size, s, n);
    size += n;
}

static void generate(void)
{
    char item[128];
    put("[");
    for (int i = 0; i < 600; i++) {
        snprintf(item, sizeof item, "{\"id\": %d, \"name\": \"item\\t%d\", \"tags\": [true, null, -%d.5e%d]}%s", i, i * 7, i, i % 9,
                 i < 599 ? ",\n  " : "");
        put(item);
    }
    put("]");
    doc[size] = 0;
}

typedef struct { int objects, arrays, strings, numbers, words, depth, most; long sum; } Counts;

static int is_digit(int c) { return c >= '0' && c <= '9'; }

static const char *token(const char *p, Counts *c)
{
    switch (*p) {
    case '{': c->objects++; if (++c->depth > c->most) c->most = c->depth; return p + 1;
    case '[': c->arrays++; if (++c->depth > c->most) c->most = c->depth; return p + 1;
    case '}': case ']': c->depth--; return p + 1;
    case ',': case ':': case ' ': case '\n': case '\t': return p + 1;
    case '"':
        c->strings++;
        for (p++; *p != '"'; p++) {
            if (*p == '\\')
                p++;
            c->sum += *p;
        }
        return p + 1;
    default:
        if (*p == '-' || is_digit(*p)) {
            long v = 0;
            c->numbers++;
            for (; *p == '-' || *p == '.' || *p == 'e' || is_digit(*p); p++)
                if (is_digit(*p))
                    v = v * 10 + (*p - '0');
            c->sum += v;
            return p;
        }
        c->words++;
        while (*p >= 'a' && *p <= 'z')
            p++;
        return p;
    }
}

int main(void)
{
    Counts c = {0};
    generate();
    for (int round = 0; round < 1100; round++)
        for (const char *p = doc; *p;)
            p = token(p, &c);
    printf("%d %d %d %d %d %d %ld\n", c.objects, c.arrays, c.strings, c.numbers, c.words, c.most, c.sum);
    return 0;
}
