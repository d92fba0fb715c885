/* prim.h - what the C models ask of Sheaf's machine. src/vm/core/prim.def binds these names; its comments are
 * the contract. */
#ifndef SHEAF_RUNTIME_PRIM_H
#define SHEAF_RUNTIME_PRIM_H

#include <stddef.h>

void *__sheaf_alloc(size_t size, size_t align, int zeroed);
void __sheaf_free(void *p);
size_t __sheaf_size(void *p);

/* src/vm/core/prim.def says what a window is; __sheaf_window_pair has in its upper half how many bytes to
 * skip before it. */
size_t __sheaf_window(const void *s, size_t most, int end, int c);
size_t __sheaf_window_pair(const void *a, const void *b, size_t most, int end, int folded);
unsigned char __sheaf_peek(const void *p);

_Noreturn void __sheaf_exit(int status);
_Noreturn void __sheaf_abort(void);
_Noreturn void __sheaf_assert_fail(const char *text);
_Noreturn void __sheaf_report(const char *text);
_Noreturn void __sheaf_fault(const char *kind, const char *text);
int __sheaf_is_symbolic(unsigned long value);
_Noreturn void __sheaf_unsupported(const char *what);
void __sheaf_differs(const char *text);
int __sheaf_protect(void *p, int writable);
size_t __sheaf_extent(void *p);
void __sheaf_assume(long condition);
void __sheaf_symbolic(void *p, size_t n, const char *name);
void __sheaf_output(const void *p, size_t n, const char *name);

enum { GIVEN_LIMIT, GIVEN_STRING, GIVEN_BEYOND }; /* as src/vm/symbolic/sym_int.h has them */
size_t __sheaf_most(size_t n);
void __sheaf_bounded(size_t n, size_t max);
void __sheaf_given(void *p, int what, size_t limit, const char *name);
int __sheaf_stream(void *p, size_t max, const char *name);
void __sheaf_nullness(unsigned char *null, const void *p);

int __sheaf_open(const char *path, int flags, int mode);
int __sheaf_close(int fd);
long __sheaf_read(int fd, void *buffer, size_t n);
long __sheaf_write(int fd, const void *buffer, size_t n);
long __sheaf_seek(int fd, long offset, int whence);
int __sheaf_truncate(int fd, long size);
int __sheaf_stat_fd(int fd, long out[4]);
int __sheaf_stat_path(const char *path, long out[4]);
int __sheaf_unlink(const char *path);
int __sheaf_rename(const char *from, const char *to);
int __sheaf_dup(int fd, int target, int exact);
int __sheaf_pipe(int fds[2]);
int __sheaf_mkdir(const char *path, int mode);
int __sheaf_rmdir(const char *path);
int __sheaf_chdir(const char *path);
int __sheaf_chmod(const char *path, int mode);
long __sheaf_path(int fd, char *out, size_t cap);
long __sheaf_entry(int fd, char *out, size_t cap, long out_stat[4]);

/* With this bit in the descriptor, __sheaf_put and __sheaf_emit go through its buffer: see control.def. */
#define SHEAF_PENDING (1 << 30)
#define SHEAF_LINES   (1l << 32)
enum {
#define CONTROL(NAME) CONTROL_##NAME,
#include "control.def"
#undef CONTROL
};
long __sheaf_control(int fd, int what, long value);

long __sheaf_put(int fd, const void *data, size_t n);
long __sheaf_emit(int fd, const char *spec, long width, long precision, const void *value, size_t size);
long __sheaf_sent(int fd);
long __sheaf_format_float(char *out, size_t cap, const char *spec, long width, long precision,
                          const void *value, size_t size);
long __sheaf_parse_float(const char *text, void *out, size_t size);
long __sheaf_clock(int which);

enum {
#define ENVIRONMENT(NAME, word, fixed, input) ENV_##NAME,
#include "environment.def"
#undef ENVIRONMENT
};
int __sheaf_environment(int what, void *p, size_t n, const char *name);

#endif
