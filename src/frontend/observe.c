/* observe.c - variables that the user wants to see at a place: FILE:LINE:VAR.
 *
 * Requires: the user's module, before its locals go into registers. Leaves: before the first instruction of that line a
 * call of sheaf_output with the variable, which so stays in memory. */
#include "frontend/frontend_int.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

typedef struct Observed {
    const char *file, *variable;
    unsigned line;
} Observed;

static Observed parse(Front *fr, const char *text)
{
    const char *last = strrchr(text, ':'), *before = last;
    while (before && before > text && before[-1] != ':')
        before--;
    u128 line;
    if (!last || before == text || !last[1] || !text_parse_u128(arena_strndup(fr->arena, before, (size_t)(last - before)), 10, &line) || !line)
        die("%s: expected FILE:LINE:VARIABLE", text);
    return (Observed){arena_strndup(fr->arena, text, (size_t)(before - 1 - text)), last + 1, (unsigned)line};
}

/* The file as the user wrote it, or its end after a slash. */
static bool is_file(LLVMValueRef insn, const char *wanted)
{
    unsigned n;
    const char *file = LLVMGetDebugLocFilename(insn, &n);
    size_t size = strlen(wanted);
    return file && n >= size && !memcmp(file + n - size, wanted, size) && (n == size || file[n - size - 1] == '/');
}

static LLVMValueRef first_of_line(LLVMValueRef fn, const Observed *o)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (!LLVMIsAAllocaInst(i) && !LLVMIsAPHINode(i) && LLVMGetDebugLocLine(i) == o->line && is_file(i, o->file))
                return i;
    return NULL;
}

static bool is_named(LLVMValueRef object, const char *name, const char *end)
{
    size_t n, size = strlen(name), more = strlen(end);
    const char *has = LLVMGetValueName2(object, &n);
    return n == size + more && !memcmp(has, name, size) && !memcmp(has + size, end, more);
}

/* A local, a parameter's copy, a static local, or a variable of the program. */
static LLVMValueRef variable_at(Front *fr, LLVMValueRef fn, const char *name)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i) && (is_named(i, name, "") || is_named(i, name, ".addr")))
                return i;
    LLVMValueRef inside = LLVMGetNamedGlobal(fr->module, arena_printf(fr->arena, "%s.%s", symbol_name(fn), name));
    return inside ? inside : LLVMGetNamedGlobal(fr->module, name);
}

static void show(Front *fr, LLVMBuilderRef builder, LLVMValueRef before, LLVMValueRef variable, const char *name)
{
    LLVMTypeRef type = LLVMIsAAllocaInst(variable) ? LLVMGetAllocatedType(variable) : LLVMGlobalGetValueType(variable);
    LLVMTypeRef pointer = LLVMPointerType(LLVMInt8TypeInContext(fr->context), 0), word = LLVMInt64TypeInContext(fr->context);
    LLVMTypeRef params[] = {pointer, word, pointer};
    LLVMTypeRef signature = LLVMFunctionType(LLVMVoidTypeInContext(fr->context), params, 3, false);
    LLVMValueRef output = LLVMGetNamedFunction(fr->module, "sheaf_output");
    if (!output)
        output = LLVMAddFunction(fr->module, "sheaf_output", signature);
    LLVMPositionBuilderBefore(builder, before);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(before));
    LLVMValueRef arguments[] = {LLVMBuildBitCast(builder, variable, pointer, ""), LLVMConstInt(word, LLVMABISizeOfType(LLVMGetModuleDataLayout(fr->module), type), false),
                                LLVMBuildGlobalStringPtr(builder, name, "observed")};
    LLVMBuildCall2(builder, signature, output, arguments, 3, "");
}

static void observe(Front *fr, LLVMBuilderRef builder, const char *text)
{
    Observed o = parse(fr, text);
    for (LLVMValueRef fn = LLVMGetFirstFunction(fr->module); fn; fn = LLVMGetNextFunction(fn)) {
        LLVMValueRef at = first_of_line(fn, &o);
        if (!at)
            continue;
        LLVMValueRef variable = variable_at(fr, fn, o.variable);
        if (!variable)
            die("%s: %s has no variable '%s' there", text, symbol_name(fn), o.variable);
        show(fr, builder, at, variable, text);
        return;
    }
    die("%s: no code of the program stands on that line", text);
}

void observe_user(Front *fr)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(fr->context);
    for (uint32_t i = 0; i < fr->options->observed.n; i++)
        observe(fr, builder, fr->options->observed.v[i]);
    LLVMDisposeBuilder(builder);
}
