/* ubsan.c - what code compiled with -fsanitize=undefined calls: a fault of the kind that the check is
 * about. */
#include "internal.h"

#define HANDLER(name, kind, text)                                             \
    void __ubsan_handle_##name(void *data, uintptr_t a, uintptr_t b);         \
    void __ubsan_handle_##name##_abort(void *data, uintptr_t a, uintptr_t b); \
    void __ubsan_handle_##name(void *data, uintptr_t a, uintptr_t b)          \
    {                                                                         \
        (void)data, (void)a, (void)b;                                         \
        __sheaf_fault(kind, text);                                            \
    }                                                                         \
    void __ubsan_handle_##name##_abort(void *data, uintptr_t a, uintptr_t b)  \
    {                                                                         \
        (void)data, (void)a, (void)b;                                         \
        __sheaf_fault(kind, text);                                            \
    }
HANDLER(add_overflow, "overflow", "of an addition")
HANDLER(sub_overflow, "overflow", "of a subtraction")
HANDLER(mul_overflow, "overflow", "of a multiplication")
HANDLER(negate_overflow, "overflow", "of a negation")
HANDLER(shift_out_of_bounds, "shift", "")
HANDLER(out_of_bounds, "oob-read", "a subscript beyond its array")
HANDLER(builtin_unreachable, "unreachable", "")
HANDLER(missing_return, "unreachable", "a function ends without a value")
HANDLER(vla_bound_not_positive, "reported", "a variable-length array of no positive size")
HANDLER(float_cast_overflow, "overflow", "of a conversion from floating point")
HANDLER(load_invalid_value, "reported", "a value that its type does not have")
HANDLER(invalid_builtin, "reported", "a builtin function of 0")
HANDLER(nonnull_arg, "null", "an argument that must not be null")
HANDLER(nonnull_return_v1, "null", "a result that must not be null")
HANDLER(nullability_arg, "null", "an argument that must not be null")
HANDLER(nullability_return_v1, "null", "a result that must not be null")
HANDLER(pointer_overflow, "reported", "arithmetic leads a pointer beyond memory")
HANDLER(implicit_conversion, "reported", "a conversion that changes the value")
HANDLER(alignment_assumption, "reported", "an assumption about alignment does not hold")
HANDLER(function_type_mismatch, "bad-call", "a function of another type")

/* The data: where (16 bytes), type, log2 of the alignment, kind of check. */
typedef struct Mismatch {
    const char *file;
    uint32_t line, column;
    const void *type;
    unsigned char align, kind;
} Mismatch;

static void mismatch(const Mismatch *data, uintptr_t address)
{
    if (!address)
        __sheaf_fault("null", "");
    if (address & (((uintptr_t)1 << data->align) - 1))
        __sheaf_fault("reported", "an address that is not aligned as its type demands");
    __sheaf_fault("oob-read", "an object too small for its type");
}

void __ubsan_handle_type_mismatch_v1(const Mismatch *data, uintptr_t address);
void __ubsan_handle_type_mismatch_v1_abort(const Mismatch *data, uintptr_t address);

void __ubsan_handle_type_mismatch_v1(const Mismatch *data, uintptr_t address) { mismatch(data, address); }

void __ubsan_handle_type_mismatch_v1_abort(const Mismatch *data, uintptr_t address)
{
    mismatch(data, address);
}

/* Division by zero, or of the least number by -1. */
void __ubsan_handle_divrem_overflow(void *data, uintptr_t a, uintptr_t b);
void __ubsan_handle_divrem_overflow_abort(void *data, uintptr_t a, uintptr_t b);

static void division(uintptr_t b)
{
    if (b == 0)
        __sheaf_fault("div-zero", "");
    __sheaf_fault("div-overflow", "");
}

void __ubsan_handle_divrem_overflow(void *data, uintptr_t a, uintptr_t b)
{
    (void)data, (void)a;
    division(b);
}

void __ubsan_handle_divrem_overflow_abort(void *data, uintptr_t a, uintptr_t b)
{
    (void)data, (void)a;
    division(b);
}
