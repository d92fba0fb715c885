/* internal.h - what the C models share among themselves.
 *
 * Rules of runtime/, since these functions run symbolically:
 * - One decision where one suffices: conditions are joined with & and |, values chosen with ?: (the compiler
 * makes selects of them), so that a loop over symbolic bytes forks once for each byte and not once for each
 * comparison. Comparisons of whole strings are one value (window.h).
 * - But an address is never chosen that way (decided(), below), nor is a value behind a condition that must
 * be loaded.
 * - No tables where arithmetic does, no words where bytes are meant: an address that depends on a symbolic
 * byte, or a word that mixes eight of them, hides what a result depends on.
 * - Memory is copied, moved and filled by __builtin_memcpy, __builtin_memmove and __builtin_memset. With
 * -fno-builtin clang 14 to 19 still turn exactly these spellings into the llvm.mem* intrinsics, which the
 * front end makes one instruction of the machine: that is how memcpy itself is written without calling
 * itself.
 * - A user's own definition replaces ours. So a model calls only ISO C functions by their public names; what
 * programs like to call their own (index, error, basename…) is never called from here. Where a function has
 * several names, each is a definition of its own and none an alias, so that one can be replaced without the
 * others.
 * - No state but what the C interface itself demands. */
#ifndef SHEAF_RUNTIME_INTERNAL_H
#define SHEAF_RUNTIME_INTERNAL_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prim.h"

/* Made by the front end: the program's constructors and destructors in the order of their priorities. */
void __sheaf_constructors(int argc, char **argv, char **envp);
void __sheaf_destructors(void);
/* runtime/stdio: flushes every stream. Called once, after the handlers of atexit. */
void __sheaf_stdio_exit(void);
/* runtime/stdio: forgets what streams have not written yet, as an end without exit() does natively. */
void __sheaf_stdio_abandon(void);

/* The handler of a signal runs, if the program installed one and the signal is not blocked (signal.c). */
void __sheaf_signal_deliver(int signal);
/* The part of sigsetjmp and siglongjmp that is about the mask (signal.c). */
struct __jmp_buf_tag;
void __sheaf_jump_save(struct __jmp_buf_tag *buffer, int with_mask);
void __sheaf_jump_restore(struct __jmp_buf_tag *buffer);
/* Text to standard error, past stdio: for messages of a program that is about to end. */
void __sheaf_complain(const char *text);
/* What the program's environment has under this name, or NULL: for models, whose question is not recorded as
 * the program's (env.c). */
const char *__sheaf_variable(const char *name);
/* memmem under a name that no program has (memory.c). */
void *__sheaf_find(const void *hay, size_t nhay, const void *needle, size_t nneedle);
/* "*** buffer overflow detected ***" and the end of the run: what _FORTIFY_SOURCE's checks call. */
_Noreturn void __chk_fail(void);

/* Keeps a branch a branch: the compiler cannot make a select of two ways one of which does this. For choices
 * after which an address or a loop would depend on symbolic bytes: there two paths are better than one
 * expression. */
static inline void decided(void) { __asm__ volatile(""); }

static inline bool byte_between(int c, int low, int high)
{
    return (unsigned)c - (unsigned)low <= (unsigned)(high - low);
}

static inline int ascii_lower(int c) { return c + (byte_between(c, 'A', 'Z') << 5); }

static inline int ascii_upper(int c) { return c - (byte_between(c, 'a', 'z') << 5); }

static inline bool ascii_space(int c) { return (c == ' ') | byte_between(c, '\t', '\r'); }

/* The value of a digit in bases up to 36, or 99. */
static inline unsigned digit_value(int c)
{
    unsigned letter = (unsigned)ascii_lower(c);
    unsigned value = byte_between(c, '0', '9') ? (unsigned)c - '0' : 99;
    return letter - 'a' < 26 ? letter - 'a' + 10 : value;
}

/* The same where the base is known: up to 10, one subtraction. What is no digit gives radix or more. */
static inline unsigned digit_in(unsigned long radix, int c)
{
    if (radix <= 10) {
        decided();
        return (unsigned)c - '0';
    }
    return digit_value(c);
}

#endif
