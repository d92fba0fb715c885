/* scanf.c - the work of the scanf family: one pass over the format, one byte of look-ahead. */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "stream.h"

/* Functions that need locals in memory of their own, which not every call does, stay out of line: see
 * printf.c. */
#define RARE __attribute__((noinline))

enum { SUPPRESS = 1, ALLOCATE = 2 };

typedef enum Length { LENGTH_CHAR, LENGTH_SHORT, LENGTH_INT, LENGTH_LONG, LENGTH_LONG_DOUBLE } Length;

typedef struct Spec {
    unsigned flags;
    long width; /* 0: none */
    Length length;
    char conversion;
    int position;              /* from 1; 0: the next argument */
    const char *set, *set_end; /* of "%[": between the brackets, without '^' */
    bool inverted;
} Spec;

typedef struct Scan {
    Stream *stream;
    const char *text;
    bool is_text;        /* else the stream is read, NULL or not */
    long count;          /* bytes consumed */
    va_list args, first; /* what is left of the arguments, and all of them */
    int done;            /* conversions stored */
    const char *at;      /* in the format */
    Spec spec;           /* the conversion under way */
} Scan;

typedef enum Outcome { MATCHED, MISMATCH, INPUT_ENDED } Outcome;

/* ---- input ----------------------------------------------------------------------------------- */

static int next(Scan *s)
{
    int c;
    if (!s->is_text)
        c = stream_get(s->stream);
    else if ((c = (unsigned char)*s->text))
        s->text++;
    else
        c = EOF;
    s->count += c != EOF;
    return c;
}

/* Gives back what next() gave last. */
static void back(Scan *s, int c)
{
    if (c == EOF)
        return;
    s->count--;
    if (!s->is_text)
        s->stream->file._IO_read_ptr--;
    else
        s->text--;
}

/* The next byte of a field, or EOF at its width's end (nothing is then consumed). */
static int next_in_field(Scan *s, long *width)
{
    if (*width == 0)
        return EOF;
    --*width;
    return next(s);
}

static int skip_blanks(Scan *s)
{
    int c;
    do
        c = next(s);
    while (ascii_space(c));
    back(s, c);
    return c;
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* Every argument of scanf is a pointer, so one at a position is found by counting. */
static RARE void *target_at(Scan *s, int position)
{
    va_list walk;
    void *p = NULL;
    va_copy(walk, s->first);
    for (int i = 0; i < position; i++)
        p = va_arg(walk, void *);
    va_end(walk);
    return p;
}

static void *target(Scan *s, const Spec *spec)
{
    return spec->position ? target_at(s, spec->position) : va_arg(s->args, void *);
}

static void store_integer(void *to, Length length, unsigned long value)
{
    switch (length) {
    case LENGTH_CHAR: *(unsigned char *)to = (unsigned char)value; break;
    case LENGTH_SHORT: *(unsigned short *)to = (unsigned short)value; break;
    case LENGTH_INT: *(unsigned *)to = (unsigned)value; break;
    default: *(unsigned long *)to = value;
    }
}

/* ---- text that grows ------------------------------------------------------------------------- */

/* Where the bytes of a conversion go: the caller's memory, nowhere, or memory that is allocated as it
 * fills. */
typedef struct Growing {
    char *data;
    char *first;        /* what data was before anything was allocated */
    size_t n, capacity; /* in elements; capacity only of what is allocated */
    size_t element;     /* 1, or sizeof(wchar_t) */
    bool allocated, nowhere;
} Growing;

static bool add(Growing *g, int c)
{
    if (g->nowhere)
        return true;
    if (g->allocated && g->n == g->capacity) {
        size_t capacity = g->capacity ? 2 * g->capacity : 32;
        char *more = realloc(g->data == g->first ? NULL : g->data, capacity * g->element);
        if (!more)
            return false;
        if (g->data == g->first && g->n)
            __builtin_memcpy(more, g->data, g->n * g->element);
        g->data = more;
        g->capacity = capacity;
    }
    if (g->element == 1)
        g->data[g->n] = (char)c;
    else
        ((wchar_t *)(void *)g->data)[g->n] = c;
    g->n++;
    return true;
}

/* ---- conversions ----------------------------------------------------------------------------- */

static bool in_set(const Spec *spec, int c)
{
    bool found = false;
    for (const char *p = spec->set; p < spec->set_end; p++) {
        int low = (unsigned char)*p, high = low;
        if (p + 2 < spec->set_end && p[1] == '-') {
            high = (unsigned char)p[2];
            p += 2;
        }
        found |= (c >= low) & (c <= high);
    }
    return found != spec->inverted;
}

/* %s, %[ and %c differ in which bytes they take and in the NUL. */
static bool takes(const Spec *spec, int c)
{
    if (spec->conversion == 'c')
        return true;
    return spec->conversion == 's' ? !ascii_space(c) : in_set(spec, c);
}

static RARE Outcome scan_bytes(Scan *s, const Spec *spec)
{
    Growing out = {.element = spec->length == LENGTH_LONG ? sizeof(wchar_t) : 1,
                   .nowhere = spec->flags & SUPPRESS,
                   .allocated = spec->flags & ALLOCATE};
    char **pointer = NULL;
    if (!out.nowhere) {
        void *to = target(s, spec);
        if (out.allocated)
            pointer = to;
        else
            out.data = to;
    }
    long left = spec->width ? spec->width : spec->conversion == 'c' ? 1 : LONG_MAX, taken = 0;
    int c = EOF;
    while (left && (c = next(s)) != EOF && takes(spec, c)) {
        if (!add(&out, c))
            return INPUT_ENDED;
        left--;
        taken++;
    }
    if (left)
        back(s, c);
    if (!taken)
        return c == EOF ? INPUT_ENDED : MISMATCH;
    if (spec->conversion != 'c' && !add(&out, 0))
        return INPUT_ENDED;
    if (pointer) {
        char *exact = realloc(out.data, out.n * out.element);
        *pointer = exact ? exact : out.data;
    }
    s->done += !out.nowhere;
    return MATCHED;
}

/* strtol's answer for digits that were gathered one by one. */
static unsigned long clamp(unsigned long value, bool overflow, bool negative, bool is_signed)
{
    if (!is_signed)
        return overflow ? ULONG_MAX : negative ? -value : value;
    unsigned long most = (unsigned long)LONG_MAX + negative;
    value = (overflow | (value > most)) ? most : value;
    return negative ? -value : value;
}

static Outcome scan_integer(Scan *s, const Spec *spec, unsigned base, bool is_signed)
{
    long width = spec->width ? spec->width : LONG_MAX;
    int c = next_in_field(s, &width);
    if (c == EOF)
        return INPUT_ENDED;
    bool negative = c == '-', any = false, overflow = false;
    if ((c == '-') | (c == '+'))
        c = next_in_field(s, &width);
    if (c == '0') {
        any = true;
        c = next_in_field(s, &width);
        if ((base == 0 || base == 16) && ascii_lower(c) == 'x') {
            base = 16;
            c = next_in_field(s, &width);
        } else if (base == 0) {
            base = 8;
        }
    }
    base = base ? base : 10;
    unsigned long value = 0;
    while (c != EOF && digit_value(c) < base) {
        any = true;
        overflow |= __builtin_mul_overflow(value, (unsigned long)base, &value);
        overflow |= __builtin_add_overflow(value, (unsigned long)digit_value(c), &value);
        c = next_in_field(s, &width);
    }
    back(s, c);
    if (!any)
        return MISMATCH;
    if (!(spec->flags & SUPPRESS)) {
        store_integer(target(s, spec), spec->length, clamp(value, overflow, negative, is_signed));
        s->done++;
    }
    return MATCHED;
}

/* "(nil)", which printf writes for a null pointer, or a hexadecimal number. */
static Outcome scan_pointer(Scan *s, Spec *spec)
{
    int c = next(s);
    spec->length = LENGTH_LONG;
    if (c != '(') {
        back(s, c);
        return scan_integer(s, spec, 16, false);
    }
    long width = spec->width ? spec->width - 1 : LONG_MAX;
    for (const char *p = "nil)"; *p; p++) {
        c = next_in_field(s, &width);
        if (ascii_lower(c) != *p) {
            back(s, c);
            return MISMATCH;
        }
    }
    if (!(spec->flags & SUPPRESS)) {
        *(void **)target(s, spec) = NULL;
        s->done++;
    }
    return MATCHED;
}

/* Takes the letters of a word behind its first; false if they differ. */
static bool take_word(Scan *s, Growing *out, long *width, const char *rest)
{
    for (; *rest; rest++) {
        int c = next_in_field(s, width);
        if (ascii_lower(c) != *rest) {
            back(s, c);
            return false;
        }
        add(out, c);
    }
    return true;
}

/* "inf", "infinity" or "nan", whose first letter is c. */
static bool take_name(Scan *s, Growing *out, long *width, int c)
{
    add(out, c);
    if (ascii_lower(c) == 'n')
        return take_word(s, out, width, "an");
    if (!take_word(s, out, width, "nf"))
        return false;
    c = next_in_field(s, width);
    if (ascii_lower(c) != 'i') {
        back(s, c);
        return true;
    }
    add(out, c);
    return take_word(s, out, width, "nity");
}

/* Digits, point and exponent from c on. False: no number. */
static bool take_digits(Scan *s, Growing *out, long *width, int c)
{
    bool hex = false, digit = false, point = false, exponent = false, sign_next = false;
    size_t prefix = out->n;
    if (c == '0') {
        add(out, c);
        c = next_in_field(s, width);
        hex = ascii_lower(c) == 'x' && *width; /* as glibc: an 'x' that ends the field is none */
        digit = !hex;
        if (hex) {
            add(out, c);
            prefix = out->n;
            c = next_in_field(s, width);
        }
    }
    int exponent_letter = hex ? 'p' : 'e';
    for (; c != EOF; c = next_in_field(s, width)) {
        bool sign = sign_next & ((c == '+') | (c == '-'));
        sign_next = false;
        if (digit_value(c) < (hex && !exponent ? 16u : 10u)) {
            digit = true;
        } else if (digit && !exponent && ascii_lower(c) == exponent_letter) {
            exponent = sign_next = point = true;
        } else if (!point && c == '.') {
            point = true;
        } else if (!sign) {
            back(s, c);
            break;
        }
        add(out, c);
    }
    return out->n > prefix;
}

static RARE Outcome scan_float(Scan *s, const Spec *spec)
{
    long width = spec->width ? spec->width : LONG_MAX;
    int c = next_in_field(s, &width);
    if (c == EOF)
        return INPUT_ENDED;
    char small[64];
    Growing text = {.data = small, .first = small, .capacity = sizeof small, .element = 1, .allocated = true};
    if ((c == '-') | (c == '+')) {
        add(&text, c);
        c = next_in_field(s, &width);
    }
    int lower = ascii_lower(c);
    bool ok = c != EOF;
    if (ok) {
        bool name = (lower == 'n') | (lower == 'i');
        ok = name ? take_name(s, &text, &width, c) : take_digits(s, &text, &width, c);
    }
    ok = ok && add(&text, 0);
    if (ok) {
        long double value;
        size_t size = spec->length == LENGTH_LONG_DOUBLE ? 16 : spec->length == LENGTH_LONG ? 8 : 4;
        ok = __sheaf_parse_float(text.data, &value, size) != 0;
        if (ok && !(spec->flags & SUPPRESS)) {
            void *to = target(s, spec);
            __builtin_memcpy(to, &value, size == 16 ? 10 : size);
            s->done++;
        }
    }
    if (text.data != small)
        free(text.data);
    return ok ? MATCHED : MISMATCH;
}

/* ---- the format ------------------------------------------------------------------------------ */

static long parse_number(Scan *s)
{
    long n = 0;
    for (; (unsigned)*s->at - '0' <= 9; s->at++)
        n = n > INT_MAX ? n : n * 10 + (*s->at - '0');
    return n > INT_MAX ? INT_MAX : n;
}

static Length parse_length(Scan *s)
{
    char c = *s->at;
    if (c == 'h' || c == 'l') {
        bool twice = *++s->at == c;
        s->at += twice;
        return c == 'h' ? (twice ? LENGTH_CHAR : LENGTH_SHORT) : twice ? LENGTH_LONG_DOUBLE : LENGTH_LONG;
    }
    if (c == 'L' || c == 'q') {
        s->at++;
        return LENGTH_LONG_DOUBLE;
    }
    if (c == 'j' || c == 'z' || c == 'Z' || c == 't') {
        s->at++;
        return LENGTH_LONG;
    }
    return LENGTH_INT;
}

static bool parse_set(Scan *s)
{
    const char *at = s->at;
    s->spec.inverted = *at == '^';
    at += s->spec.inverted;
    s->spec.set = at;
    if (*at == ']') /* first, it is a member */
        at++;
    while (*at && *at != ']')
        at++;
    s->spec.set_end = at;
    s->at = at + (*at == ']');
    return *at;
}

/* Position, flags, width and 'm': what may stand between '%' and the length. */
static void parse_options(Scan *s)
{
    const char *start = s->at;
    Spec *spec = &s->spec;
    spec->position = (int)parse_number(s);
    if (*s->at == '$' && spec->position) {
        s->at++;
    } else {
        s->at = start;
        spec->position = 0;
    }
    for (; *s->at == '*' || *s->at == '\'' || *s->at == 'I'; s->at++)
        spec->flags |= *s->at == '*' ? SUPPRESS : 0;
    spec->width = parse_number(s);
    if (*s->at == 'm') {
        s->at++;
        spec->flags |= ALLOCATE;
    }
}

static bool parse_spec(Scan *s)
{
    Spec *spec = &s->spec;
    *spec = (Spec){.flags = 0};
    if (*s->at < 'A' || *s->at == 'I' || *s->at == 'm')
        parse_options(s);
    spec->length = parse_length(s);
    spec->conversion = *s->at++;
    if (spec->conversion == 'C' || spec->conversion == 'S') {
        spec->conversion = spec->conversion == 'C' ? 'c' : 's';
        spec->length = LENGTH_LONG;
    }
    return spec->conversion && (spec->conversion != '[' || parse_set(s));
}

static Outcome convert(Scan *s, Spec *spec)
{
    char kind = spec->conversion;
    if (kind != 'c' && kind != '[' && kind != 'n' && skip_blanks(s) == EOF)
        return INPUT_ENDED;
    switch (kind) {
    case 'd': return scan_integer(s, spec, 10, true);
    case 'i': return scan_integer(s, spec, 0, true);
    case 'u': return scan_integer(s, spec, 10, false);
    case 'o': return scan_integer(s, spec, 8, false);
    case 'x':
    case 'X': return scan_integer(s, spec, 16, false);
    case 'p': return scan_pointer(s, spec);
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A': return scan_float(s, spec);
    case 's':
    case '[':
    case 'c': return scan_bytes(s, spec);
    case 'n':
        if (!(spec->flags & SUPPRESS))
            store_integer(target(s, spec), spec->length, (unsigned long)s->count);
        return MATCHED;
    case '%': {
        int c = next(s);
        if (c == '%')
            return MATCHED;
        back(s, c);
        return MISMATCH;
    }
    default: return MISMATCH;
    }
}

static Outcome literal(Scan *s, char wanted)
{
    int c = next(s);
    if (c == (unsigned char)wanted)
        return MATCHED;
    back(s, c);
    return c == EOF ? INPUT_ENDED : MISMATCH;
}

static int scan(Scan *s, const char *format, va_list args)
{
    va_copy(s->args, args);
    va_copy(s->first, args);
    s->at = format;
    Outcome outcome = MATCHED;
    while (outcome == MATCHED && *s->at) {
        char c = *s->at++;
        if (ascii_space(c))
            skip_blanks(s);
        else if (c != '%')
            outcome = literal(s, c);
        else
            outcome = parse_spec(s) ? convert(s, &s->spec) : MISMATCH;
    }
    va_end(s->args);
    va_end(s->first);
    return outcome == INPUT_ENDED && !s->done ? EOF : s->done;
}

int __sheaf_scan_stream(Stream *stream, const char *format, va_list args)
{
    Scan s = {.stream = stream};
    return scan(&s, format, args);
}

int __sheaf_scan_text(const char *text, const char *format, va_list args)
{
    Scan s = {.text = text, .is_text = true};
    return scan(&s, format, args);
}
