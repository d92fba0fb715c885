/* atomic.c - the calls that compilers make for atomic objects which they cannot handle in place. The machine
 * has one thread: a plain access is atomic. The names are clang's own, hence the labels. */
#include <string.h>

#include "internal.h"

#define LABEL(name) __asm__("__atomic_" #name)

void atomic_load_any(size_t n, const void *from, void *to, int order) LABEL(load);
void atomic_store_any(size_t n, void *to, const void *from, int order) LABEL(store);
void atomic_exchange_any(size_t n, void *object, const void *new, void *old, int order) LABEL(exchange);
bool atomic_compare_exchange_any(size_t n, void *object, void *expected, const void *wanted, int success,
                                 int failure) LABEL(compare_exchange);
bool atomic_is_lock_free_any(size_t n, const void *object) LABEL(is_lock_free);
bool atomic_always_lock_free_any(size_t n, const void *object) LABEL(always_lock_free);

void atomic_load_any(size_t n, const void *from, void *to, int order)
{
    (void)order;
    __builtin_memcpy(to, from, n);
}

void atomic_store_any(size_t n, void *to, const void *from, int order)
{
    (void)order;
    __builtin_memcpy(to, from, n);
}

void atomic_exchange_any(size_t n, void *object, const void *new, void *old, int order)
{
    (void)order;
    __builtin_memcpy(old, object, n);
    __builtin_memcpy(object, new, n);
}

bool atomic_compare_exchange_any(size_t n, void *object, void *expected, const void *wanted, int success,
                                 int failure)
{
    (void)success, (void)failure;
    bool same = memcmp(object, expected, n) == 0;
    if (same)
        __builtin_memcpy(object, wanted, n);
    else
        __builtin_memcpy(expected, object, n);
    return same;
}

bool atomic_is_lock_free_any(size_t n, const void *object)
{
    (void)object;
    return (n == 1) | (n == 2) | (n == 4) | (n == 8);
}

bool atomic_always_lock_free_any(size_t n, const void *object) { return atomic_is_lock_free_any(n, object); }

#define FETCH(n, type, operation, value)                                                                     \
    type atomic_fetch_##operation##_##n(type *object, type operand, int order)                               \
        LABEL(fetch_##operation##_##n);                                                                      \
    type atomic_fetch_##operation##_##n(type *object, type operand, int order)                               \
    {                                                                                                        \
        (void)order;                                                                                         \
        type old = *object;                                                                                  \
        *object = (type)(value);                                                                             \
        return old;                                                                                          \
    }                                                                                                        \
    type atomic_##operation##_fetch_##n(type *object, type operand, int order) LABEL(operation##_fetch_##n); \
    type atomic_##operation##_fetch_##n(type *object, type operand, int order)                               \
    {                                                                                                        \
        (void)order;                                                                                         \
        type old = *object;                                                                                  \
        return *object = (type)(value);                                                                      \
    }

#define SIZED(n, type)                                                                                    \
    type atomic_load_##n(const type *from, int order) LABEL(load_##n);                                    \
    type atomic_load_##n(const type *from, int order)                                                     \
    {                                                                                                     \
        (void)order;                                                                                      \
        return *from;                                                                                     \
    }                                                                                                     \
    void atomic_store_##n(type *to, type value, int order) LABEL(store_##n);                              \
    void atomic_store_##n(type *to, type value, int order)                                                \
    {                                                                                                     \
        (void)order;                                                                                      \
        *to = value;                                                                                      \
    }                                                                                                     \
    type atomic_exchange_##n(type *object, type value, int order) LABEL(exchange_##n);                    \
    type atomic_exchange_##n(type *object, type value, int order)                                         \
    {                                                                                                     \
        (void)order;                                                                                      \
        type old = *object;                                                                               \
        *object = value;                                                                                  \
        return old;                                                                                       \
    }                                                                                                     \
    bool atomic_compare_exchange_##n(type *object, type *expected, type wanted, int success, int failure) \
        LABEL(compare_exchange_##n);                                                                      \
    bool atomic_compare_exchange_##n(type *object, type *expected, type wanted, int success, int failure) \
    {                                                                                                     \
        (void)success, (void)failure;                                                                     \
        type old = *object;                                                                               \
        bool same = old == *expected;                                                                     \
        *object = same ? wanted : old;                                                                    \
        *expected = old;                                                                                  \
        return same;                                                                                      \
    }                                                                                                     \
    FETCH(n, type, add, old + operand)                                                                    \
    FETCH(n, type, sub, old - operand)                                                                    \
    FETCH(n, type, and, old &operand)                                                                     \
    FETCH(n, type, or, old | operand)                                                                     \
    FETCH(n, type, xor, old ^ operand)                                                                    \
    FETCH(n, type, nand, ~(old & operand))

typedef unsigned __int128 uint128;
SIZED(1, uint8_t)
SIZED(2, uint16_t)
SIZED(4, uint32_t)
SIZED(8, uint64_t)
SIZED(16, uint128)
