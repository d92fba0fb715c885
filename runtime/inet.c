/* inet.c - byte order and the texts of Internet addresses. Sockets are not modelled. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

#undef htonl
#undef htons
#undef ntohl
#undef ntohs

uint32_t htonl(uint32_t x) { return __builtin_bswap32(x); }

uint16_t htons(uint16_t x) { return __builtin_bswap16(x); }

uint32_t ntohl(uint32_t x) { return __builtin_bswap32(x); }

uint16_t ntohs(uint16_t x) { return __builtin_bswap16(x); }

/* One to four numbers with dots between; the last fills what is left. Bases as in C. */
static bool parse_v4(const char *s, uint32_t *out)
{
    uint32_t parts[4], value = 0;
    int n = 0;
    for (;; s++) {
        unsigned base = 10;
        if (!byte_between(*s, '0', '9'))
            return false;
        if (*s == '0') {
            base = 8;
            if ((s[1] | 32) == 'x') {
                decided();
                base = 16;
                s += 2;
                if (digit_value(*s) >= 16)
                    return false;
            }
        }
        unsigned long number = 0;
        for (unsigned digit; (digit = digit_value(*s)) < base; s++) {
            number = number * base + digit;
            if (number > UINT32_MAX)
                return false;
        }
        parts[n++] = (uint32_t)number;
        if (*s != '.')
            break;
        if (n == 4)
            return false;
    }
    if (*s && !ascii_space((unsigned char)*s))
        return false;
    for (int i = 0; i < n - 1; i++) {
        if (parts[i] > 255)
            return false;
        value |= parts[i] << (24 - 8 * i);
    }
    if (n > 1 && parts[n - 1] > UINT32_MAX >> (8 * (n - 1)))
        return false;
    *out = __builtin_bswap32(value | parts[n - 1]);
    return true;
}

int inet_aton(const char *s, struct in_addr *out)
{
    uint32_t value;
    if (!parse_v4(s, &value))
        return 0;
    if (out)
        out->s_addr = value;
    return 1;
}

in_addr_t inet_addr(const char *s)
{
    uint32_t value;
    return parse_v4(s, &value) ? value : INADDR_NONE;
}

static int print_v4(const unsigned char *bytes, char *out, size_t n)
{
    return snprintf(out, n, "%u.%u.%u.%u", bytes[0], bytes[1], bytes[2], bytes[3]);
}

char *inet_ntoa(struct in_addr address)
{
    static char text[INET_ADDRSTRLEN];
    print_v4((unsigned char *)&address, text, sizeof text);
    return text;
}

/* Exactly four decimal numbers without leading zeros; returns where they end, or NULL. */
static const char *strict_v4(const char *s, unsigned char *out)
{
    for (int i = 0; i < 4; i++) {
        if (i && *s++ != '.')
            return NULL;
        unsigned value = 0;
        const char *digits = s;
        for (; byte_between(*s, '0', '9'); s++) {
            if (s > digits && value == 0)
                return NULL;
            value = value * 10 + (unsigned)(*s - '0');
            if (value > 255)
                return NULL;
        }
        if (s == digits)
            return NULL;
        out[i] = (unsigned char)value;
    }
    return s;
}

static bool parse_v6(const char *s, unsigned char out[16])
{
    unsigned char bytes[16] = {0};
    int n = 0, gap = -1;
    if (s[0] == ':' && *++s != ':')
        return false;
    while (*s) {
        if (*s == ':') {
            if (gap >= 0)
                return false;
            gap = n;
            s++;
            continue;
        }
        const char *start = s;
        unsigned value = 0, digits = 0;
        for (; digit_value(*s) < 16; s++, digits++)
            value = value * 16 + digit_value(*s);
        if (*s == '.' && n <= 12) {
            s = strict_v4(start, bytes + n);
            n += 4;
            if (!s || *s)
                return false;
            break;
        }
        if (digits == 0 || digits > 4 || n == 16)
            return false;
        bytes[n++] = (unsigned char)(value >> 8);
        bytes[n++] = (unsigned char)value;
        if (*s == ':' && !*++s)
            return false;
        else if (*s && s[-1] != ':')
            return false;
    }
    if ((gap < 0) != (n == 16))
        return false;
    if (gap >= 0) {
        __builtin_memmove(bytes + 16 - (n - gap), bytes + gap, (size_t)(n - gap));
        __builtin_memset(bytes + gap, 0, (size_t)(16 - n));
    }
    __builtin_memcpy(out, bytes, 16);
    return true;
}

int inet_pton(int family, const char *restrict s, void *restrict out)
{
    unsigned char bytes[16];
    if (family == AF_INET) {
        const char *end = strict_v4(s, bytes);
        if (!end || *end)
            return 0;
        __builtin_memcpy(out, bytes, 4);
        return 1;
    }
    if (family == AF_INET6)
        return parse_v6(s, out);
    errno = EAFNOSUPPORT;
    return -1;
}

/* The longest run of at least two zero groups becomes "::". */
static void print_v6(const unsigned char *bytes, char *out)
{
    int best = -1, longest = 1;
    for (int i = 0; i < 8; i++) {
        int run = 0;
        while (i + run < 8 && !bytes[2 * (i + run)] && !bytes[2 * (i + run) + 1])
            run++;
        if (run > longest) {
            best = i;
            longest = run;
        }
    }
    bool mapped = best == 0 && (longest == 6 || (longest == 7 && bytes[14]) ||
                                (longest == 5 && bytes[10] == 255 && bytes[11] == 255));
    for (int i = 0; i < 8; i++) {
        if (best >= 0 && i >= best && i < best + longest) {
            if (i == best)
                *out++ = ':';
            continue;
        }
        if (i)
            *out++ = ':';
        if (mapped && i == 6) {
            print_v4(bytes + 12, out, INET_ADDRSTRLEN);
            return;
        }
        out += snprintf(out, 5, "%x", bytes[2 * i] << 8 | bytes[2 * i + 1]);
    }
    if (best >= 0 && best + longest == 8)
        *out++ = ':';
    *out = '\0';
}

const char *inet_ntop(int family, const void *restrict address, char *restrict out, socklen_t n)
{
    char text[INET6_ADDRSTRLEN];
    if (family != AF_INET && family != AF_INET6) {
        errno = EAFNOSUPPORT;
        return NULL;
    }
    if (family == AF_INET)
        print_v4(address, text, sizeof text);
    else
        print_v6(address, text);
    size_t size = strlen(text) + 1;
    if (size > n) {
        errno = ENOSPC;
        return NULL;
    }
    return __builtin_memcpy(out, text, size);
}
