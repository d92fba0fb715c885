/* An event notification is encoded for the wire, after Siena: ATTRIBUTES attributes, each with a name, a
 * type and a value; the encoder writes into a buffer of fixed size, escapes what must be, and counts what
 * it refused. */
#include <sheaf.h>
#include <stdio.h>
#include <string.h>

#ifndef ATTRIBUTES
#define ATTRIBUTES 2
#endif

enum { NONE, NUMBER, TEXT, FLAG, TYPES };
enum { ROOM = 32 };

typedef struct Attribute {
    unsigned char type, name, value;
} Attribute;

typedef struct Packet {
    char bytes[ROOM];
    int n;
} Packet;

static const char *const names[] = {"id", "kind", "place", "level"};
static int refused;

static void put(Packet *p, char c)
{
    if (p->n < ROOM)
        p->bytes[p->n++] = c;
}

static void put_text(Packet *p, const char *s)
{
    while (*s)
        put(p, *s++);
}

static void put_number(Packet *p, unsigned char value)
{
    if (value >= 100)
        put(p, (char)('0' + value / 100));
    if (value >= 10)
        put(p, (char)('0' + value / 10 % 10));
    put(p, (char)('0' + value % 10));
}

static void put_character(Packet *p, char c)
{
    if (c == '"' || c == '\\')
        put(p, '\\');
    if (c >= ' ')
        put(p, c);
    else
        put(p, '?');
}

static int encode(const Attribute *a, Packet *p)
{
    p->n = 0;
    if (a->name >= sizeof names / sizeof names[0]) {
        refused++;
        return 0;
    }
    put_text(p, names[a->name]);
    put(p, '=');
    switch (a->type) {
    case NONE: put(p, '-'); break;
    case NUMBER: put_number(p, a->value); break;
    case TEXT:
        put(p, '"');
        put_character(p, (char)a->value);
        put(p, '"');
        break;
    case FLAG: put(p, a->value ? 't' : 'f'); break;
    default: refused++; return 0;
    }
    return 1;
}

int main(void)
{
    Attribute attribute[ATTRIBUTES];
    Packet packet;
    sheaf_symbolic(attribute, sizeof attribute, "attribute");
    for (int i = 0; i < ATTRIBUTES; i++)
        if (encode(&attribute[i], &packet)) {
            fwrite(packet.bytes, 1, (size_t)packet.n, stdout);
            putchar(';');
        }
    printf(" %d refused\n", refused);
    return 0;
}
