/* klee.h - KLEE's intrinsics. Part of replay.c. */

/* KLEE's own header may declare these otherwise in details that do not matter to callers. */
void klee_make_symbolic(void *, size_t, const char *);
void klee_assume(uintptr_t);
void klee_assert(int);
int klee_int(const char *);
int klee_range(int, int, const char *);
uintptr_t klee_choose(uintptr_t);
void klee_abort(void);
void klee_silent_exit(int);
void klee_report_error(const char *, int, const char *, const char *);
size_t klee_get_obj_size(void *);
unsigned klee_is_symbolic(uintptr_t);
unsigned klee_is_replay(void);
void klee_prefer_cex(void *, uintptr_t);
void klee_posix_prefer_cex(void *, uintptr_t);
void klee_check_memory_access(const void *, size_t);
void klee_define_fixed_object(void *, size_t);
void klee_mark_global(void *);
void klee_set_forking(unsigned);
void klee_open_merge(void);
void klee_close_merge(void);
void klee_print_expr(const char *, ...);
void klee_print_range(const char *, int);
void klee_stack_trace(void);
void klee_warning(const char *);
void klee_warning_once(const char *);
int klee_get_errno(void);
void klee_assert_fail(const char *, const char *, unsigned, const char *);

SHEAF_WEAK void klee_make_symbolic(void *object, size_t size, const char *name)
{
    sheaf_replay_input(object, size, name ? name : "unnamed");
}

SHEAF_WEAK void klee_assume(uintptr_t condition) { sheaf_assume(condition != 0); }
SHEAF_WEAK int klee_int(const char *name)
{
    int value;
    sheaf_replay_input(&value, sizeof value, name);
    return value;
}

SHEAF_WEAK void klee_assert(int condition)
{
    if (!condition)
        sheaf_replay_error("klee_assert");
}

SHEAF_WEAK int klee_range(int begin, int end, const char *name)
{
    if (begin >= end)
        sheaf_replay_error("klee_range: an empty range");
    int value = klee_int(name);
    sheaf_assume(value >= begin && value < end);
    return value;
}

SHEAF_WEAK uintptr_t klee_choose(uintptr_t n)
{
    uintptr_t value;
    sheaf_replay_input(&value, sizeof value, "klee_choose");
    sheaf_assume(value < n);
    return value;
}

SHEAF_WEAK void klee_assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
{
    fprintf(stderr, "%s:%u: %s: assertion `%s' failed\n", file, line, function, assertion);
    abort();
}
SHEAF_WEAK void klee_abort(void) { abort(); }
SHEAF_WEAK void klee_silent_exit(int status)
{
    (void)status;
    sheaf_replay_no_assumption("klee_silent_exit");
}
SHEAF_WEAK void klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
    (void)file, (void)line, (void)suffix;
    sheaf_replay_error(message ? message : "klee_report_error");
}
/* AddressSanitizer knows objects of every kind. */
SHEAF_WEAK const char *__asan_locate_address(void *, char *, size_t, void **, size_t *);
SHEAF_WEAK size_t klee_get_obj_size(void *object)
{
    char name[8];
    void *start;
    size_t size = 0;
    const char *kind =
        __asan_locate_address ? __asan_locate_address(object, name, sizeof name, &start, &size) : NULL;
    return kind && size ? size : malloc_usable_size(object);
}
SHEAF_WEAK unsigned klee_is_symbolic(uintptr_t value) { return (void)value, 0; }
SHEAF_WEAK unsigned klee_is_replay(void)
{
    return 0;
} /* as on the machine: behaviour must not depend on it */
SHEAF_WEAK void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
SHEAF_WEAK void klee_posix_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
SHEAF_WEAK void klee_check_memory_access(const void *address, size_t size)
{
    const volatile char *bytes = address;
    if (size) {
        (void)bytes[0];
        (void)bytes[size - 1];
    }
}
SHEAF_WEAK void klee_define_fixed_object(void *address, size_t size) { (void)address, (void)size; }
SHEAF_WEAK void klee_mark_global(void *object) { (void)object; }
SHEAF_WEAK void klee_set_forking(unsigned on) { (void)on; }
SHEAF_WEAK void klee_open_merge(void) {}
SHEAF_WEAK void klee_close_merge(void) {}
SHEAF_WEAK void klee_print_expr(const char *message, ...) { (void)message; }
SHEAF_WEAK void klee_print_range(const char *name, int value) { (void)name, (void)value; }
SHEAF_WEAK void klee_stack_trace(void) {}
SHEAF_WEAK void klee_warning(const char *message) { (void)message; }
SHEAF_WEAK void klee_warning_once(const char *message) { (void)message; }
SHEAF_WEAK int klee_get_errno(void) { return errno; }

#define SHEAF_VALUE(type, suffix)      \
    type klee_get_value##suffix(type); \
    SHEAF_WEAK type klee_get_value##suffix(type value) { return value; }
SHEAF_VALUE(float, f)
SHEAF_VALUE(double, d)
SHEAF_VALUE(long, l)
SHEAF_VALUE(long long, ll)
SHEAF_VALUE(int32_t, _i32)
SHEAF_VALUE(int64_t, _i64)
