/* wire.c - values as bytes: what is written is read again by another process, another day. */
#include "base/base.h"

void wire_uint(Str *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        str_add_char(out, (char)(value | 0x80));
    str_add_char(out, (char)value);
}

void wire_u64(Str *out, uint64_t value)
{
    for (unsigned i = 0; i < 64; i += 8)
        str_add_char(out, (char)(value >> i));
}

void wire_bytes(Str *out, const void *bytes, size_t n)
{
    wire_uint(out, n);
    str_add_n(out, bytes, n);
}

void wire_text(Str *out, const char *text) { wire_bytes(out, text, strlen(text)); }

Wire wire_of(const void *bytes, size_t n) { return (Wire){.at = bytes, .left = n}; }

bool wire_refuse(Wire *in)
{
    in->bad = true;
    in->left = 0;
    return false;
}

uint64_t wire_get(Wire *in)
{
    uint64_t value = 0;
    for (unsigned shift = 0; in->left; shift += 7) {
        uint8_t byte = *in->at++;
        in->left--;
        if (shift == 63 && byte > 1)
            break;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    wire_refuse(in);
    return 0;
}

uint64_t wire_get_below(Wire *in, uint64_t limit)
{
    uint64_t value = wire_get(in);
    if (value < limit)
        return value;
    wire_refuse(in);
    return 0;
}

uint32_t wire_get_u32(Wire *in) { return (uint32_t)wire_get_below(in, (uint64_t)UINT32_MAX + 1); }

uint64_t wire_get_u64(Wire *in)
{
    uint64_t value = 0;
    if (in->left < sizeof value)
        return wire_refuse(in);
    for (unsigned i = 0; i < sizeof value; i++)
        value |= (uint64_t)in->at[i] << 8 * i;
    in->at += sizeof value;
    in->left -= sizeof value;
    return value;
}

uint32_t wire_get_count(Wire *in)
{
    uint64_t n = wire_get(in);
    if (n <= in->left && n < UINT32_MAX)
        return (uint32_t)n;
    wire_refuse(in);
    return 0;
}

const uint8_t *wire_get_bytes(Wire *in, uint32_t *n)
{
    *n = wire_get_count(in);
    const uint8_t *bytes = in->at;
    in->at += *n;
    in->left -= *n;
    return bytes;
}

char *wire_get_text(Wire *in, Arena *arena)
{
    uint32_t n;
    const uint8_t *bytes = wire_get_bytes(in, &n);
    if (n && memchr(bytes, 0, n))
        wire_refuse(in);
    return arena_strndup(arena, in->bad || !n ? "" : (const char *)bytes, in->bad ? 0 : n);
}

bool wire_ended(const Wire *in) { return !in->bad && !in->left; }
