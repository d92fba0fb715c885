/* vm_text.h - for tests of the machine: runs a program given as IR text. */
#ifndef SHEAF_TEST_VM_TEXT_H
#define SHEAF_TEST_VM_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "vm/vm.h"

typedef struct TextRun {
    Arena *arena;
    IrProgram *program;
    Vm *vm;
    VmResult result;
} TextRun;

static inline IrProgram *text_parse(Arena *a, const char *text)
{
    const char *error = NULL;
    IrProgram *p = ir_program_parse(text, strlen(text), a, &error);
    if (!p)
        fail_msg("%s", error);
    if (!ir_program_verify(p, a, &error))
        fail_msg("%s", error);
    ir_program_index(p);
    return p;
}

static inline VmEnvironment text_environment(void)
{
    static const char *const argv[] = {"prog", "one", "two", NULL};
    return (VmEnvironment){.argc = 3, .argv = argv, .stdin_fd = -1, .stdout_fd = -1, .stderr_fd = -1};
}

static inline TextRun text_run_with(const char *text, VmOptions options)
{
    TextRun r = {.arena = arena_new()};
    VmEnvironment environment = text_environment();
    r.program = text_parse(r.arena, text);
    r.vm = vm_new(r.program, &options);
    r.result = vm_run(r.vm, &environment);
    return r;
}

static inline TextRun text_run(const char *text)
{
    return text_run_with(text, (VmOptions){.external = VM_EXTERNAL_PURE});
}

static inline void text_end(TextRun *r)
{
    vm_free(r->vm);
    ir_program_free(r->program);
    arena_free(r->arena);
}

/* The program returns this status. */
static inline void expect_status(const char *text, int status)
{
    TextRun r = text_run(text);
    if (r.result.ending != VM_END_RETURN)
        fail_msg("ending %d: %s (fault %s)", r.result.ending, r.result.message,
                 vm_fault_suffix(r.result.fault));
    assert_int_equal(r.result.status, status);
    text_end(&r);
}

static inline void expect_fault_with(const char *text, VmOptions options, VmFaultKind kind,
                                     const char *message)
{
    TextRun r = text_run_with(text, options);
    assert_int_equal(r.result.ending, VM_END_FAULT);
    assert_string_equal(vm_fault_suffix(r.result.fault), vm_fault_suffix(kind));
    if (message && !strstr(r.result.message, message))
        fail_msg("message is: %s", r.result.message);
    text_end(&r);
}

static inline void expect_fault(const char *text, VmFaultKind kind, const char *message)
{
    expect_fault_with(text, (VmOptions){.external = VM_EXTERNAL_PURE}, kind, message);
}

static inline VmOptions check_options(const char *word)
{
    VmOptions options = {.external = VM_EXTERNAL_PURE};
    assert_true(vm_check_by_word(word, &options.checks));
    return options;
}

#endif
