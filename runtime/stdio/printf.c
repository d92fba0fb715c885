/* printf.c - the work of the printf family.
 *
 * Where text goes decides how a conversion is made. To a descriptor it is handed to the machine as an item,
 * value and all, and the machine prints it: nothing here looks at the value, so a symbolic one forks nothing.
 * Into memory the digits of integers are written here, and floating point is asked of the machine. */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "stream.h"

enum { LEFT = 1, PLUS = 2, BLANK = 4, ALTERNATE = 8, ZERO = 16, GROUP = 32 };
enum { MAX_POSITIONS = 64, NUMBER_TOO_LARGE = -2 };

typedef enum Length { LENGTH_CHAR, LENGTH_SHORT, LENGTH_INT, LENGTH_LONG, LENGTH_LONG_DOUBLE } Length;

/* What lies in the argument list. */
typedef enum ArgKind { ARG_NONE, ARG_INT, ARG_LONG, ARG_DOUBLE, ARG_LONG_DOUBLE } ArgKind;

typedef union Value {
    unsigned long word;
    double number;
    long double extended;
    const char *text;
    const wchar_t *wide;
    void *pointer;
    unsigned char byte;
} Value;

typedef struct Spec {
    unsigned flags;
    long width, precision; /* precision -1: none */
    Length length;
    char conversion;
    int arg, width_arg, precision_arg; /* positions from 1; 0: the next argument; -1: none asked for */
} Spec;

/* All that a call needs is in one object: on the machine each local whose address is taken costs what it is
 * to make and to drop an object. Functions that need others, and are not part of most calls, are kept out of
 * line for that. */
#define RARE __attribute__((noinline))

typedef struct Print {
    /* Where to: memory (out), a descriptor (fd >= 0), or a stream that is not one. */
    char *out;
    size_t capacity;
    int fd;
    Stream *stream;
    size_t count; /* bytes so far */
    bool failed;
    va_list args;
    Value *positions; /* NULL: arguments are taken in order */
    const char *at;   /* in the format */
    Spec spec;        /* the conversion under way, */
    Value value;      /* its value, */
    char letters[12]; /* its flags and letter, as the machine wants them, */
    char digits[72];  /* and the digits of an integer, from the end */
} Print;

/* ---- where text goes ------------------------------------------------------------------------- */

static void fail(Print *p, long error)
{
    __sheaf_broken_pipe(error);
    p->failed = true;
    errno = (int)-error;
}

/* Text was sent, and so much of it not taken; or -errno. That depends on where it goes, and not on the text:
 * so printing a value decides nothing. */
static void sent(Print *p, long left)
{
    if (left < 0)
        fail(p, left);
    else if (left)
        p->failed = true;
}

/* There is no question whether the text is empty, since that may depend on what it says. */
static void put(Print *p, const char *text, size_t size)
{
    if (p->failed)
        return;
    p->count += size;
    if (p->fd >= 0) {
        sent(p, __sheaf_put(p->fd, text, size));
    } else if (p->stream) {
        sent(p, __sheaf_stream_write(p->stream, text, size) ? -errno : 0);
    } else {
        size_t before = p->count - size, room = before < p->capacity ? p->capacity - before : 0;
        if (room)
            __builtin_memcpy(p->out + before, text, room < size ? room : size);
    }
}

static void pad(Print *p, char c, long n)
{
    static const char blanks[] = "                                ",
                      zeros[] = "00000000000000000000000000000000";
    const char *from = c == '0' ? zeros : blanks;
    if (p->fd < 0 && !p->stream && n > 0) { /* memory: what does not fit is only counted */
        size_t room = p->count < p->capacity ? p->capacity - p->count : 0;
        if (room)
            __builtin_memset(p->out + p->count, c, room < (size_t)n ? room : (size_t)n);
        p->count += (size_t)n;
        return;
    }
    for (; n > 0 && !p->failed; n -= 32)
        put(p, from, n < 32 ? (size_t)n : 32);
}

static void put_field(Print *p, const Spec *spec, const char *text, size_t size)
{
    if (!spec->width) {
        put(p, text, size);
        return;
    }
    long fill = spec->width - (long)size;
    if (!(spec->flags & LEFT))
        pad(p, ' ', fill);
    put(p, text, size);
    if (spec->flags & LEFT)
        pad(p, ' ', fill);
}

/* ---- conversions ----------------------------------------------------------------------------- */

static void build_letters(Print *p, const Spec *spec)
{
    char *at = p->letters;
    if (spec->flags) {
        for (unsigned i = 0; i < 6; i++)
            if (spec->flags >> i & 1)
                *at++ = "-+ #0'"[i];
    }
    *at++ = spec->conversion;
    *at = 0;
}

static void emit(Print *p, const Spec *spec, size_t size)
{
    if (p->failed)
        return;
    build_letters(p, spec);
    p->count += (size_t)__sheaf_emit(p->fd, p->letters, spec->width, spec->precision, &p->value, size);
    sent(p, __sheaf_sent(p->fd));
}

/* Sign or prefix, zeros, digits: with the blanks around them. There is room for the prefix before the
 * digits. */
static void put_number(Print *p, const Spec *spec, const char *prefix, char *digits, long n)
{
    if (!spec->width && spec->precision < 0) {
        for (long i = *prefix ? (long)strlen(prefix) : 0; i-- > 0; n++)
            *--digits = prefix[i];
        put(p, digits, (size_t)n);
        return;
    }
    long prefix_length = (long)strlen(prefix);
    long zeros = spec->precision > n ? spec->precision - n : 0;
    long fill = spec->width - prefix_length - zeros - n;
    bool fill_zeros = (spec->flags & (ZERO | LEFT)) == ZERO && spec->precision < 0;
    if (!(spec->flags & LEFT) && !fill_zeros)
        pad(p, ' ', fill);
    put(p, prefix, (size_t)prefix_length);
    pad(p, '0', fill_zeros && fill > 0 ? fill : zeros);
    put(p, digits, (size_t)n);
    if (spec->flags & LEFT)
        pad(p, ' ', fill);
}

static char *decimal_of(char *end, unsigned long value)
{
    for (; value; value /= 10)
        *--end = (char)('0' + value % 10);
    return end;
}

static char *digits_of(char *end, unsigned long value, unsigned base, char ten)
{
    for (; value; value /= base) {
        unsigned digit = (unsigned)(value % base);
        *--end = (char)(digit < 10 ? '0' + digit : (unsigned)ten - 10 + digit);
    }
    return end;
}

static void put_integer(Print *p, const Spec *spec, unsigned long value)
{
    char *end = p->digits + sizeof p->digits, *start;
    bool is_signed = (spec->conversion == 'd') | (spec->conversion == 'i');
    bool negative = is_signed && (long)value < 0;
    const char *prefix = negative              ? "-"
                         : !is_signed          ? ""
                         : spec->flags & PLUS  ? "+"
                         : spec->flags & BLANK ? " "
                                               : "";
    switch (spec->conversion) {
    case 'o':
        start = digits_of(end, value, 8, 'a');
        if (spec->flags & ALTERNATE && spec->precision <= end - start && (value || spec->precision == 0))
            *--start = '0';
        break;
    case 'x':
    case 'X':
        start = digits_of(end, value, 16, spec->conversion == 'x' ? 'a' : 'A');
        if (spec->flags & ALTERNATE && value)
            prefix = spec->conversion == 'x' ? "0x" : "0X";
        break;
    case 'b':
    case 'B':
        start = digits_of(end, value, 2, 'a');
        if (spec->flags & ALTERNATE && value)
            prefix = spec->conversion == 'b' ? "0b" : "0B";
        break;
    default: start = decimal_of(end, negative ? -value : value);
    }
    if (start == end && spec->precision < 0)
        *--start = '0';
    put_number(p, spec, prefix, start, end - start);
}

static void print_integer(Print *p, Spec *spec)
{
    static const unsigned char sizes[] = {1, 2, 4, 8, 8};
    size_t size = sizes[spec->length];
    bool binary = (spec->conversion == 'b') | (spec->conversion == 'B');
    if (p->fd >= 0 && !binary) { /* no item: the host's printf may be older than %b */
        emit(p, spec, size);
        return;
    }
    unsigned unused = 64 - 8 * (unsigned)size;
    bool is_signed = (spec->conversion == 'd') | (spec->conversion == 'i');
    unsigned long value = p->value.word << unused;
    put_integer(p, spec, is_signed ? (unsigned long)((long)value >> unused) : value >> unused);
}

static void print_pointer(Print *p, Spec *spec)
{
    if (!p->value.pointer) {
        put_field(p, spec, "(nil)", 5);
        return;
    }
    if (p->fd >= 0) {
        emit(p, spec, 8);
        return;
    }
    char *end = p->digits + sizeof p->digits;
    char *start = digits_of(end, p->value.word, 16, 'a');
    put_number(p, spec, spec->flags & PLUS ? "+0x" : spec->flags & BLANK ? " 0x" : "0x", start, end - start);
}

/* To a stream that is no descriptor: through memory. */
static RARE void put_float(Print *p, const Spec *spec, size_t size)
{
    char small[64], *text = small;
    long n =
        __sheaf_format_float(small, sizeof small, p->letters, spec->width, spec->precision, &p->value, size);
    if (n > (long)sizeof small) {
        text = __sheaf_alloc((size_t)n, 1, 0);
        if (!text) {
            fail(p, -ENOMEM);
            return;
        }
        __sheaf_format_float(text, (size_t)n, p->letters, spec->width, spec->precision, &p->value, size);
    }
    put(p, text, (size_t)n);
    if (text != small)
        __sheaf_free(text);
}

static void print_float(Print *p, Spec *spec)
{
    size_t size = spec->length == LENGTH_LONG_DOUBLE ? 16 : 8;
    if (p->fd >= 0) {
        emit(p, spec, size);
        return;
    }
    if (p->failed)
        return;
    build_letters(p, spec);
    if (p->stream) {
        put_float(p, spec, size);
        return;
    }
    size_t room = p->count < p->capacity ? p->capacity - p->count : 0;
    p->count += (size_t)__sheaf_format_float(room ? p->out + p->count : NULL, room, p->letters, spec->width,
                                             spec->precision, &p->value, size);
}

/* In the C locale a wide character is a byte, or it cannot be written. */
static RARE void print_wide(Print *p, const Spec *spec, const wchar_t *text)
{
    size_t n = 0;
    for (; (spec->precision < 0 || n < (size_t)spec->precision) && text[n]; n++) {
        if ((unsigned)text[n] > 0x7f) {
            fail(p, -EILSEQ);
            return;
        }
    }
    long fill = spec->width - (long)n;
    if (!(spec->flags & LEFT))
        pad(p, ' ', fill);
    for (size_t i = 0; i < n; i++) {
        char c = (char)text[i];
        put(p, &c, 1);
    }
    if (spec->flags & LEFT)
        pad(p, ' ', fill);
}

static void print_string(Print *p, const Spec *spec, const char *text)
{
    if (!text)
        text = spec->precision < 0 || spec->precision >= 6 ? "(null)" : "";
    put_field(p, spec, text,
              spec->precision < 0 ? strlen(text) : bounded_length(text, (size_t)spec->precision));
}

static RARE void print_wide_char(Print *p, Spec *spec)
{
    wchar_t wide[2] = {(wchar_t)p->value.word, 0};
    spec->precision = -1;
    if (!wide[0])
        put_field(p, spec, "", 1);
    else
        print_wide(p, spec, wide);
}

static void print_char(Print *p, Spec *spec)
{
    if (spec->length == LENGTH_LONG) {
        print_wide_char(p, spec);
    } else if (p->fd >= 0) {
        spec->precision = -1;
        spec->flags &= LEFT;
        emit(p, spec, 1);
    } else {
        put_field(p, spec, (const char *)&p->value.byte, 1);
    }
}

static void store_count(Print *p, const Spec *spec)
{
    void *to = p->value.pointer;
    if (p->count > INT_MAX) {
        fail(p, -EOVERFLOW);
        return;
    }
    switch (spec->length) {
    case LENGTH_CHAR: *(signed char *)to = (signed char)p->count; break;
    case LENGTH_SHORT: *(short *)to = (short)p->count; break;
    case LENGTH_INT: *(int *)to = (int)p->count; break;
    default: *(long *)to = (long)p->count;
    }
}

/* Something that is no conversion is printed as it stood. */
static RARE void print_unknown(Print *p, const Spec *spec)
{
    static const struct {
        unsigned flag;
        const char *text;
    } order[] = {{ALTERNATE, "#"}, {GROUP, "'"}, {PLUS, "+"}, {BLANK, " "}, {LEFT, "-"}, {ZERO, "0"}};
    char *end = p->digits + sizeof p->digits, *start;
    put(p, "%", 1);
    for (unsigned i = 0; i < 6; i++)
        if (spec->flags & order[i].flag && !(order[i].flag == BLANK && spec->flags & PLUS) &&
            !(order[i].flag == ZERO && spec->flags & LEFT))
            put(p, order[i].text, 1);
    if (spec->width) {
        start = decimal_of(end, (unsigned long)spec->width);
        put(p, start, (size_t)(end - start));
    }
    if (spec->precision >= 0) {
        start = decimal_of(end, (unsigned long)spec->precision);
        if (start == end)
            *--start = '0';
        *--start = '.';
        put(p, start, (size_t)(end - start));
    }
    put(p, &spec->conversion, 1);
}

static void print_one(Print *p, Spec *spec)
{
    switch (spec->conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'b':
    case 'B': print_integer(p, spec); break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A': print_float(p, spec); break;
    case 'c': print_char(p, spec); break;
    case 's':
        if (spec->length == LENGTH_LONG && p->value.wide)
            print_wide(p, spec, p->value.wide);
        else
            print_string(p, spec, p->value.text);
        break;
    case 'p': print_pointer(p, spec); break;
    case 'n': store_count(p, spec); break;
    case 'm': print_string(p, spec, strerror(errno)); break;
    case '%': put(p, "%", 1); break;
    default: print_unknown(p, spec);
    }
}

/* ---- the format ------------------------------------------------------------------------------ */

/* Digits; NUMBER_TOO_LARGE beyond an int. -1: there are none. */
static long parse_number(Print *p)
{
    const char *at = p->at;
    long n = 0;
    if ((unsigned)*at - '0' > 9)
        return -1;
    for (; (unsigned)*at - '0' <= 9; at++)
        n = n > INT_MAX ? n : n * 10 + (*at - '0');
    p->at = at;
    return n > INT_MAX ? NUMBER_TOO_LARGE : n;
}

/* "12$": the position; 0 and nothing consumed otherwise. */
static int parse_position(Print *p)
{
    const char *start = p->at;
    long n = parse_number(p);
    if (n <= 0 || *p->at != '$') {
        p->at = start;
        return 0;
    }
    p->at++;
    return n <= MAX_POSITIONS ? (int)n : MAX_POSITIONS + 1;
}

static unsigned parse_flags(Print *p)
{
    unsigned flags = 0;
    for (;; p->at++) {
        switch (*p->at) {
        case '-': flags |= LEFT; break;
        case '+': flags |= PLUS; break;
        case ' ': flags |= BLANK; break;
        case '#': flags |= ALTERNATE; break;
        case '0': flags |= ZERO; break;
        case '\'': flags |= GROUP; break;
        case 'I': break;
        default: return flags;
        }
    }
}

static void parse_width(Print *p)
{
    if (*p->at == '*') {
        p->at++;
        p->spec.width_arg = parse_position(p);
        return;
    }
    long n = parse_number(p);
    p->spec.width = n == -1 ? 0 : n;
}

static void parse_precision(Print *p)
{
    if (*p->at != '.')
        return;
    if (*++p->at == '*') {
        p->at++;
        p->spec.precision_arg = parse_position(p);
        return;
    }
    long n = parse_number(p);
    p->spec.precision = n == -1 ? 0 : n;
}

static Length parse_length(Print *p)
{
    char c = *p->at;
    bool twice;
    switch (c) {
    case 'h':
    case 'l':
        twice = *++p->at == c;
        p->at += twice;
        return c == 'h' ? (twice ? LENGTH_CHAR : LENGTH_SHORT) : twice ? LENGTH_LONG_DOUBLE : LENGTH_LONG;
    case 'L':
    case 'q': p->at++; return LENGTH_LONG_DOUBLE;
    case 'j':
    case 'z':
    case 'Z':
    case 't': p->at++; return LENGTH_LONG;
    default: return LENGTH_INT;
    }
}

/* Reads a specification behind its '%' (the width and precision of "*" are left to the caller). False: the
 * format ends in the middle, or a number is too large. */
static bool parse_spec(Print *p)
{
    Spec *spec = &p->spec;
    *spec = (Spec){.precision = -1, .width_arg = -1, .precision_arg = -1};
    if (*p->at < 'A' || *p->at == 'I') { /* a letter can only be a length or the conversion itself */
        spec->arg = parse_position(p);
        spec->flags = parse_flags(p);
        parse_width(p);
        parse_precision(p);
    }
    if (spec->width == NUMBER_TOO_LARGE || spec->precision == NUMBER_TOO_LARGE) {
        errno = EOVERFLOW;
        return false;
    }
    spec->length = parse_length(p);
    spec->conversion = *p->at++;
    if (spec->conversion == 'C' || spec->conversion == 'S') {
        spec->conversion = spec->conversion == 'C' ? 'c' : 's';
        spec->length = LENGTH_LONG;
    }
    if (!spec->conversion)
        errno = EINVAL;
    return spec->conversion;
}

static ArgKind kind_of(const Spec *spec)
{
    switch (spec->conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'b':
    case 'B': return spec->length >= LENGTH_LONG ? ARG_LONG : ARG_INT;
    case 'c': return ARG_INT;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A': return spec->length == LENGTH_LONG_DOUBLE ? ARG_LONG_DOUBLE : ARG_DOUBLE;
    case 's':
    case 'p':
    case 'n': return ARG_LONG;
    default: return ARG_NONE;
    }
}

static void take(Print *p, ArgKind kind, Value *out)
{
    switch (kind) {
    case ARG_NONE: break;
    case ARG_INT: out->word = (unsigned long)va_arg(p->args, int); break;
    case ARG_LONG: out->word = va_arg(p->args, unsigned long); break;
    case ARG_DOUBLE: out->number = va_arg(p->args, double); break;
    case ARG_LONG_DOUBLE: out->extended = va_arg(p->args, long double); break;
    }
}

/* The value of the argument at a position (from 1), or of the next one. */
static void fetch(Print *p, ArgKind kind, int position, Value *out)
{
    if (p->positions && position > 0)
        *out = p->positions[position - 1];
    else
        take(p, kind, out);
}

static RARE bool fetch_stars(Print *p, Spec *spec)
{
    Value star;
    if (spec->width_arg >= 0) {
        fetch(p, ARG_INT, spec->width_arg, &star);
        spec->width = (int)star.word;
        if (spec->width < 0) {
            spec->width = -spec->width;
            spec->flags |= LEFT;
        }
        if (spec->width > INT_MAX) {
            errno = EOVERFLOW;
            return false;
        }
    }
    if (spec->precision_arg >= 0) {
        fetch(p, ARG_INT, spec->precision_arg, &star);
        spec->precision = (int)star.word < 0 ? -1 : (int)star.word;
    }
    return true;
}

static bool note(ArgKind *kinds, int *n, int position, ArgKind kind)
{
    if (position > MAX_POSITIONS)
        return false;
    if (position > 0) {
        kinds[position - 1] = kind;
        *n = position > *n ? position : *n;
    }
    return true;
}

/* First pass over a format with "%1$d": which argument is of which kind, then their values. */
static bool fetch_positions(Print *p, const char *format, Value *values)
{
    ArgKind kinds[MAX_POSITIONS] = {ARG_NONE};
    const Spec *spec = &p->spec;
    int n = 0;
    p->at = format;
    while ((p->at = strchr(p->at, '%'))) {
        p->at++;
        if (!parse_spec(p) || !note(kinds, &n, spec->arg, kind_of(spec)) ||
            !note(kinds, &n, spec->width_arg, ARG_INT) || !note(kinds, &n, spec->precision_arg, ARG_INT))
            return false;
    }
    for (int i = 0; i < n; i++)
        take(p, kinds[i] == ARG_NONE ? ARG_INT : kinds[i], &values[i]);
    p->positions = values;
    return true;
}

static bool print_conversions(Print *p, const char *format);

static RARE bool print_with_positions(Print *p, const char *format)
{
    Value values[MAX_POSITIONS];
    return fetch_positions(p, format, values) && print_conversions(p, format);
}

/* One conversion, from behind its '%' on. Out of line, or its work would be prepared again in every call. */
static __attribute__((noinline)) bool print_conversion(Print *p)
{
    Spec *spec = &p->spec;
    if ((spec->width_arg & spec->precision_arg) >= 0 && !fetch_stars(p, spec))
        return false;
    fetch(p, kind_of(spec), spec->arg, &p->value);
    print_one(p, spec);
    return !p->failed;
}

static void emit_word(Print *p, const char *letter, size_t size)
{
    p->count += (size_t)__sheaf_emit(p->fd, letter, 0, -1, &p->value, size);
    sent(p, __sheaf_sent(p->fd));
}

/* Most conversions are a letter alone, and go to a descriptor: they need no specification. Returns where the
 * format goes on, or NULL if this is another one. */
static const char *print_letter(Print *p, const char *at)
{
    bool is_long = *at == 'l';
    char letter = at[is_long];
    if (letter == 's' && !is_long) {
        const char *text = va_arg(p->args, const char *);
        text = text ? text : "(null)";
        put(p, text, strlen(text));
        return at + 1;
    }
    if (letter != 'd' && letter != 'u' && letter != 'x' && (letter != 'c' || is_long))
        return NULL;
    take(p, is_long ? ARG_LONG : ARG_INT, &p->value);
    switch (letter) {
    case 'd': emit_word(p, "d", is_long ? 8 : 4); break;
    case 'u': emit_word(p, "u", is_long ? 8 : 4); break;
    case 'x': emit_word(p, "x", is_long ? 8 : 4); break;
    default: emit_word(p, "c", 1);
    }
    return at + 1 + is_long;
}

static bool print_conversions(Print *p, const char *format)
{
    for (;;) {
        const char *literal = format;
        while (*format && *format != '%')
            format++;
        if (format != literal)
            put(p, literal, (size_t)(format - literal));
        if (!*format || p->failed)
            return !p->failed;
        const char *next = p->fd >= 0 ? print_letter(p, format + 1) : NULL;
        if (next) {
            format = next;
            continue;
        }
        p->at = format + 1;
        if (!parse_spec(p))
            return false;
        if (p->spec.arg && !p->positions) /* "%1$d": from the first conversion on, or not at all */
            return print_with_positions(p, format);
        if (!print_conversion(p))
            return false;
        format = p->at;
    }
}

/* What it returns. Without a branch, since how much was printed may depend on much. */
static int finish(const Print *p)
{
    size_t count = p->count;
    int before = errno;
    errno = count <= INT_MAX ? before : EOVERFLOW;
    return count <= INT_MAX ? (int)count : -1;
}

static int print(Print *p, const char *format, va_list args)
{
    va_copy(p->args, args);
    bool ok = print_conversions(p, format);
    va_end(p->args);
    return ok ? finish(p) : -1;
}

int __sheaf_print_stream(Stream *s, const char *format, va_list args)
{
    if (!__sheaf_stream_to_write(s))
        return -1;
    bool to_fd = s->kind == STREAM_FD;
    Print p = {.fd = to_fd ? s->file._fileno | SHEAF_PENDING : -1, .stream = to_fd ? NULL : s};
    int n = print(&p, format, args);
    if (p.failed)
        s->file._flags |= STREAM_ERROR;
    return n;
}

int __sheaf_print_fd(int fd, const char *format, va_list args)
{
    if (fd < 0)
        return (int)with_errno(-EBADF);
    Print p = {.fd = fd};
    return print(&p, format, args);
}

int __sheaf_print_memory(char *out, size_t size, const char *format, va_list args)
{
    Print p = {.fd = -1, .out = out, .capacity = size ? size - 1 : 0};
    int n = print(&p, format, args);
    if (size)
        out[p.count < size ? p.count : size - 1] = 0;
    return n;
}

int __sheaf_print_new(char **out, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = __sheaf_print_memory(NULL, 0, format, again);
    va_end(again);
    *out = n < 0 ? NULL : malloc((size_t)n + 1);
    return *out ? __sheaf_print_memory(*out, (size_t)n + 1, format, args) : -1;
}
