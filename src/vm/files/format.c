/* format.c - one conversion of printf, rendered by the host's snprintf; and strtod and its kin.
 *
 * Nothing of the program under test reaches snprintf but a value: flags and letter are checked, width and
 * precision are numbers within bounds, and the format is built here. */
#include "vm/files/files.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

static const char flag_letters[] = "-+ #0'"; /* bit i of VmItem.flags is letter i */

bool vm_item_parse(VmItem *item, const char *spec, long width, long precision, size_t size)
{
    *item = (VmItem){.width = width > 0 && width <= INT32_MAX ? (int32_t)width : 0,
                     .precision = precision >= 0 && precision <= INT32_MAX ? (int32_t)precision : -1,
                     .size = (uint8_t)size};
    const char *flag;
    for (; *spec && (flag = strchr(flag_letters, *spec)); spec++)
        item->flags |= (uint8_t)(1u << (flag - flag_letters));
    item->conversion = *spec;
    if (!spec[0] || spec[1] || !strchr("diuoxXcpeEfFgGaA", spec[0]))
        return false;
    if (vm_item_is_float(item))
        return size == 8 || size == 16;
    if (item->conversion == 'c')
        return size == 1;
    return size == 1 || size == 2 || size == 4 || size == 8;
}

static uint64_t integer_of(const VmItem *item)
{
    uint64_t value = 0;
    memcpy(&value, item->value, item->size);
    if (item->conversion == 'd' || item->conversion == 'i') {
        unsigned unused = 64 - 8 * item->size;
        return (uint64_t)((int64_t)(value << unused) >> unused);
    }
    return value;
}

/* "%d" and "%u" without anything else: most of what programs print. */
static void render_plain(uint64_t value, bool negative, Str *out)
{
    char digits[24];
    char *at = digits + sizeof digits;
    if (negative)
        value = -value;
    do
        *--at = (char)('0' + value % 10);
    while (value /= 10);
    if (negative)
        *--at = '-';
    str_add_n(out, at, (size_t)(digits + sizeof digits - at));
}

/* "%-+ #0'*.*" and the letters: at most 16 bytes. */
static void build_format(char *format, const VmItem *item, const char *length)
{
    *format++ = '%';
    for (unsigned i = 0; flag_letters[i]; i++)
        if (item->flags >> i & 1)
            *format++ = flag_letters[i];
    *format++ = '*';
    if (item->precision >= 0) {
        *format++ = '.';
        *format++ = '*';
    }
    while (*length)
        *format++ = *length++;
    *format++ = item->conversion;
    *format = 0;
}

/* A format made at run time is the point here; its arguments are known by the item's kind. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static int print_item(char *out, size_t cap, const VmItem *item)
{
    char format[24];
    bool wide = item->size == 16, has_precision = item->precision >= 0;
#define PRINT(value)                                                                 \
    (has_precision ? snprintf(out, cap, format, item->width, item->precision, value) \
                   : snprintf(out, cap, format, item->width, value))
    if (vm_item_is_float(item)) {
        build_format(format, item, wide ? "L" : "");
        long double extended;
        double plain;
        if (wide) {
            memcpy(&extended, item->value, sizeof extended);
            return PRINT(extended);
        }
        memcpy(&plain, item->value, sizeof plain);
        return PRINT(plain);
    }
    uint64_t value = integer_of(item);
    if (item->conversion == 'c' || item->conversion == 'p') {
        build_format(format, item, "");
        return item->conversion == 'c' ? PRINT((int)value) : PRINT((void *)(uintptr_t)value);
    }
    build_format(format, item, "l");
    return PRINT(value);
#undef PRINT
}
#pragma GCC diagnostic pop

void vm_item_render(const VmItem *item, Str *out)
{
    if (!item->flags && !item->width && item->precision < 0 && strchr("diu", item->conversion)) {
        uint64_t value = integer_of(item);
        render_plain(value, item->conversion != 'u' && (int64_t)value < 0, out);
        return;
    }
    char small[128];
    int length = print_item(small, sizeof small, item);
    if (length < 0)
        bug("snprintf failed on %%%c, width %d, precision %d", item->conversion, item->width,
            item->precision);
    if ((size_t)length < sizeof small) {
        str_add_n(out, small, (size_t)length);
        return;
    }
    vec_reserve(out, out->n + (uint32_t)length + 1);
    print_item(out->v + out->n, (size_t)length + 1, item);
    out->n += (uint32_t)length;
}

/* ---- primitives ------------------------------------------------------------------------------ */

bool prim_format_float(PrimCall *call)
{
    Str spec = {0};
    VmItem item;
    if (!vm_mem_string(call->vm, call->args[2], &spec))
        return str_free(&spec), false;
    bool valid =
        vm_item_parse(&item, str_text(&spec), (long)call->args[3], (long)call->args[4], call->args[6]) &&
        vm_item_is_float(&item);
    str_free(&spec);
    if (!valid) {
        call->result = (uint64_t)-EINVAL;
        return true;
    }
    if (item.width > ITEM_FIELD_LIMIT || item.precision > ITEM_FIELD_LIMIT)
        return vm_end_limit(call->vm, LEDGER_OUTPUT, "a printed field of more than %d characters",
                            ITEM_FIELD_LIMIT);
    if (!vm_mem_read(call->vm, call->args[5], item.value, item.size))
        return false;
    Str text = {0};
    vm_item_render(&item, &text);
    size_t fits = call->args[1] < text.n ? call->args[1] : text.n;
    bool ok = !fits || vm_mem_write(call->vm, call->args[0], text.v, fits);
    call->result = text.n;
    str_free(&text);
    return ok;
}

/* Reads what strtod may look at: blanks, then what a number can be made of. Never more than the number and
 * one byte behind it, so that a buffer that ends there is no fault, and that a long text is parsed in time
 * linear in it. */
static bool read_number(Vm *vm, uint64_t address, Str *out)
{
    bool blank = true, is_nan = false;
    char before = 0;
    for (;; address++) {
        char c;
        if (!vm_mem_read(vm, address, &c, 1))
            return false;
        unsigned char byte = (unsigned char)c;
        if (blank && isspace(byte)) {
            str_add_char(out, c);
            continue;
        }
        bool sign_here = blank || strchr("eEpP", before);
        blank = false;
        is_nan |= before == 'a' || before == 'A';
        if (!c || !(isalnum(byte) || c == '.' || ((c == '+' || c == '-') && sign_here) ||
                    (is_nan && (c == '(' || c == ')' || c == '_'))))
            return true;
        str_add_char(out, c);
        before = c;
    }
}

bool prim_parse_float(PrimCall *call)
{
    Str text = {0};
    if (!read_number(call->vm, call->args[0], &text))
        return str_free(&text), false;
    unsigned char value[16] = {0};
    const char *start = str_text(&text);
    char *end;
    size_t size = call->args[2];
    errno = 0;
    if (size == 4) {
        float f = strtof(start, &end);
        memcpy(value, &f, sizeof f);
    } else if (size == 8) {
        double d = strtod(start, &end);
        memcpy(value, &d, sizeof d);
    } else {
        long double l = strtold(start, &end);
        memcpy(value, &l, 10);
        size = 16;
    }
    long consumed = end - start;
    call->result = (uint64_t)(errno == ERANGE ? -1 - consumed : consumed);
    str_free(&text);
    return vm_mem_write(call->vm, call->args[1], value, size);
}
