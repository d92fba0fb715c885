/* intrinsics.c - how a program names its inputs and what it demands of them: sheaf.h, KLEE's intrinsics, and
 * the functions of SV-COMP and Test-Comp, all in terms of three primitives. */
#include <stdlib.h>
#include <sys/types.h>

#include "../include/sheaf.h"
#include "internal.h"

void sheaf_symbolic(void *object, size_t size, const char *name) { __sheaf_symbolic(object, size, name); }

void sheaf_assume(long condition) { __sheaf_assume(condition); }

void sheaf_fail_if(long condition)
{
    if (condition)
        __sheaf_report("sheaf_fail_if");
}

void sheaf_output(const void *object, size_t size, const char *name) { __sheaf_output(object, size, name); }

/* What a harness makes. An object is as large as it may become, and the machine is told where it ends. */

static void *room_for(size_t size)
{
    void *object = __sheaf_alloc(size, 16, 1);
    if (!object)
        __sheaf_report("sheaf.h: an object that is too large");
    return object;
}

void *sheaf_object(size_t size, const char *name)
{
    void *object = room_for(size);
    __sheaf_given(object, GIVEN_LIMIT, size, name);
    return object;
}

char *sheaf_string(size_t max, const char *name)
{
    char *s = room_for(max == SIZE_MAX ? max : max + 1);
    __sheaf_given(s, GIVEN_STRING, max, name);
    return s;
}

size_t sheaf_size(size_t max, const char *name)
{
    size_t n;
    __sheaf_symbolic(&n, sizeof n, name);
    __sheaf_assume(n <= max);
    __sheaf_bounded(n, max);
    return n;
}

/* If nothing says how many elements there are at most, --elements does: an array of more is not followed. */
void *sheaf_array(size_t n, size_t size, const char *name)
{
    size_t most = __sheaf_most(n), few = most & SIZE_MAX >> 1, bytes;
    if (__builtin_mul_overflow(few, size, &bytes))
        bytes = SIZE_MAX;
    void *array = room_for(bytes);
    __sheaf_given(array, GIVEN_LIMIT, n * size, name);
    if (most == few)
        return array;
    void *beyond = room_for(0);
    __sheaf_given(beyond, GIVEN_BEYOND, few, name);
    return n <= few ? array : beyond;
}

void *sheaf_maybe_null(const void *object)
{
    unsigned char null = 0;
    if (!object)
        return NULL;
    __sheaf_nullness(&null, object);
    return null ? NULL : (void *)object;
}

size_t sheaf_choice(size_t n, const char *name)
{
    unsigned i;
    if (!n)
        __sheaf_report("sheaf_choice: among nothing");
    __sheaf_symbolic(&i, sizeof i, name);
    __sheaf_assume(i < n);
    __sheaf_bounded(i, n - 1);
    return i;
}

/* What --criterion observes: nothing behind a null pointer. */

void *__sheaf_observed_step(const char *base, size_t offset)
{
    return base ? *(void *const *)(base + offset) : NULL;
}

void __sheaf_observed(const char *base, size_t offset, size_t size, const char *name)
{
    if (base)
        __sheaf_output(base + offset, size, name);
}

/* KLEE */

void klee_make_symbolic(void *object, size_t size, const char *name)
{
    __sheaf_symbolic(object, size, name ? name : "unnamed");
}

void klee_assume(uintptr_t condition) { __sheaf_assume(condition != 0); }

int klee_int(const char *name)
{
    int value;
    __sheaf_symbolic(&value, sizeof value, name);
    return value;
}

int klee_range(int begin, int end, const char *name)
{
    if (begin >= end)
        __sheaf_report("klee_range: an empty range");
    int value;
    __sheaf_symbolic(&value, sizeof value, name);
    __sheaf_assume((value >= begin) & (value < end));
    return value;
}

uintptr_t klee_choose(uintptr_t n)
{
    uintptr_t value;
    __sheaf_symbolic(&value, sizeof value, "klee_choose");
    __sheaf_assume(value < n);
    return value;
}

/* A macro in KLEE's header; some programs declare it as a function. */
void klee_assert(int condition)
{
    if (!condition)
        __sheaf_report("klee_assert");
}

_Noreturn void klee_abort(void) { __sheaf_abort(); }

/* A path that is to leave no test: one whose assumption does not hold. */
_Noreturn void klee_silent_exit(int status)
{
    __sheaf_assume(0);
    __sheaf_exit(status);
}

_Noreturn void klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
    (void)file, (void)line, (void)suffix;
    __sheaf_report(message);
}

size_t klee_get_obj_size(void *object) { return __sheaf_extent(object); }

/* As under KLEE: true in a symbolic run only. What a program does with it, its native replay does not. */
unsigned klee_is_symbolic(uintptr_t value) { return (unsigned)__sheaf_is_symbolic(value); }

_Noreturn void klee_assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
{
    (void)file, (void)line, (void)function;
    __sheaf_assert_fail(assertion);
}

unsigned klee_is_replay(void) { return 0; }

void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }

void klee_posix_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }

/* A value stays what it is; where the machine needs one number it takes the input's. */
#define VALUE(type, suffix) \
    type klee_get_value##suffix(type value) { return value; }
VALUE(float, f)
VALUE(double, d)
VALUE(long, l)
VALUE(long long, ll)
VALUE(int32_t, _i32)
VALUE(int64_t, _i64)

/* Faults as a plain access would. */
void klee_check_memory_access(const void *address, size_t size)
{
    const volatile char *bytes = address;
    if (size) {
        (void)bytes[0];
        (void)bytes[size - 1];
    }
}

void klee_define_fixed_object(void *address, size_t size)
{
    (void)address, (void)size;
    __sheaf_unsupported("klee_define_fixed_object");
}

void klee_mark_global(void *object) { (void)object; }

void klee_set_forking(unsigned on) { (void)on; }

void klee_open_merge(void) {}

void klee_close_merge(void) {}

void klee_print_expr(const char *message, ...) { (void)message; }

void klee_print_range(const char *name, int value) { (void)name, (void)value; }

void klee_stack_trace(void) {}

void klee_warning(const char *message) { (void)message; }

void klee_warning_once(const char *message) { (void)message; }

int klee_get_errno(void) { return errno; }

/* SV-COMP and Test-Comp: the n-th call of any of these is the n-th input of a test. */
#define NONDET(type, suffix)                                                  \
    type __VERIFIER_nondet_##suffix(void)                                     \
    {                                                                         \
        type value;                                                           \
        __sheaf_symbolic(&value, sizeof value, "__VERIFIER_nondet_" #suffix); \
        return value;                                                         \
    }
NONDET(char, char)
NONDET(int, int)
NONDET(__int128, int128)
NONDET(float, float)
NONDET(double, double)
NONDET(loff_t, loff_t)
NONDET(long, long)
NONDET(long long, longlong)
NONDET(char *, pchar)
NONDET(void *, pointer)
NONDET(pthread_t, pthread_t)
NONDET(unsigned long, sector_t)
NONDET(short, short)
NONDET(size_t, size_t)
NONDET(uint32_t, u32)
NONDET(unsigned char, uchar)
NONDET(unsigned, uint)
NONDET(unsigned __int128, uint128)
NONDET(unsigned long, ulong)
NONDET(unsigned long long, ulonglong)
NONDET(unsigned, unsigned)
NONDET(unsigned short, ushort)
NONDET(signed char, schar)
NONDET(unsigned char, unsigned_char)
NONDET(unsigned short, unsigned_short)
NONDET(unsigned, unsigned_int)
NONDET(unsigned long, unsigned_long)
NONDET(unsigned long long, unsigned_long_long)
NONDET(long long, long_long)
NONDET(uint8_t, u8)
NONDET(uint16_t, u16)
NONDET(uint64_t, u64)
NONDET(int8_t, s8)
NONDET(int16_t, s16)
NONDET(int32_t, s32)
NONDET(int64_t, s64)
NONDET(uint8_t, uint8_t)
NONDET(uint16_t, uint16_t)
NONDET(uint32_t, uint32_t)
NONDET(uint64_t, uint64_t)
NONDET(int8_t, int8_t)
NONDET(int16_t, int16_t)
NONDET(int32_t, int32_t)
NONDET(int64_t, int64_t)
NONDET(ssize_t, ssize_t)
NONDET(char *, charp)

/* One byte that is 0 or 1: other bytes are no value of the type. */
bool __VERIFIER_nondet_bool(void)
{
    unsigned char value;
    __sheaf_symbolic(&value, sizeof value, "__VERIFIER_nondet_bool");
    __sheaf_assume(value <= 1);
    return value;
}

bool __VERIFIER_nondet__Bool(void) { return __VERIFIER_nondet_bool(); }

void __VERIFIER_nondet_memory(void *object, size_t size)
{
    __sheaf_symbolic(object, size, "__VERIFIER_nondet_memory");
}

/* Weak, so that the compiler assumes nothing about it below: a program may have one of its own that comes
 * back. */
__attribute__((weak)) void reach_error(void) { __sheaf_report("reach_error"); }

_Noreturn void __VERIFIER_error(void) { __sheaf_report("__VERIFIER_error"); }

void __VERIFIER_assume(int condition) { __sheaf_assume(condition); }

void __VERIFIER_assert(int condition)
{
    if (!condition)
        reach_error();
}

void __VERIFIER_atomic_begin(void) {}

void __VERIFIER_atomic_end(void) {}
