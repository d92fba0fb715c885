/* klee/klee.h - declarations of the functions that programs written for KLEE call, so that they compile under
 * Sheaf without KLEE. Written for Sheaf; where KLEE itself is installed and named with -I, its own header
 * comes first.
 *
 * Inputs and assumptions mean what they mean to KLEE. Hints to its search (klee_prefer_cex, klee_open_merge,
 * klee_set_forking...) do nothing here; klee_is_symbolic is 0 when a test is replayed natively. */
#ifndef SHEAF_KLEE_H
#define SHEAF_KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Inputs. */
void klee_make_symbolic(void *object, size_t size, const char *name);
int klee_int(const char *name);
int klee_range(int begin, int end, const char *name); /* begin <= value < end */
uintptr_t klee_choose(uintptr_t n);                   /* value < n */
void klee_assume(uintptr_t condition);

/* Endings. */
void klee_abort(void) __attribute__((noreturn));
void klee_silent_exit(int status) __attribute__((noreturn));
void klee_report_error(const char *file, int line, const char *message, const char *suffix)
    __attribute__((noreturn));
extern void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
    __attribute__((noreturn));
void klee_assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
    __attribute__((noreturn));
#define klee_assert(condition) \
    ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))

/* Memory. */
size_t klee_get_obj_size(void *object);
void klee_check_memory_access(const void *address, size_t size);
void klee_define_fixed_object(void *address, size_t size);
void klee_mark_global(void *object);

/* Values. */
unsigned klee_is_symbolic(uintptr_t value);
unsigned klee_is_replay(void);
float klee_get_valuef(float value);
double klee_get_valued(double value);
long klee_get_valuel(long value);
long long klee_get_valuell(long long value);
int32_t klee_get_value_i32(int32_t value);
int64_t klee_get_value_i64(int64_t value);
int klee_get_errno(void);

/* Hints and messages. */
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);
void klee_set_forking(unsigned on);
void klee_open_merge(void);
void klee_close_merge(void);
void klee_print_expr(const char *message, ...);
void klee_print_range(const char *name, int value);
void klee_stack_trace(void);
void klee_warning(const char *message);
void klee_warning_once(const char *message);

#ifdef __cplusplus
}
#endif

#endif
