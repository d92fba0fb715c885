/* prepare.c - the user's module before translation.
 *
 * Requires: a valid module. Leaves: scalars in registers (mem2reg), loops in simple form; each local that
 * mem2reg promotes starts as the result of a call of __sheaf_uninit.N, since LLVM would take any value that
 * suits it for a variable without one (`int x; if (c) x = 5; return x;` would return 5). Functions that call
 * setjmp keep their locals in memory, as natively without optimisation. */
#include "frontend/frontend_int.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

/* ---- uninitialised locals -------------------------------------------------------------------- */

static bool is_lifetime_call(LLVMValueRef user)
{
    if (!LLVMIsACallInst(user))
        return false;
    LLVMValueRef callee = LLVMGetCalledValue(user);
    return LLVMIsAFunction(callee) && text_starts_with(symbol_name(callee), "llvm.lifetime.");
}

static bool only_lifetimes(LLVMValueRef cast)
{
    for (LLVMUseRef u = LLVMGetFirstUse(cast); u; u = LLVMGetNextUse(u))
        if (!is_lifetime_call(LLVMGetUser(u)))
            return false;
    return true;
}

/* What mem2reg asks of an alloca. To be too generous costs a store of an uninitialised value, no more. */
static bool is_promotable(LLVMValueRef object)
{
    LLVMTypeRef type = LLVMGetAllocatedType(object);
    uint64_t count;
    if (!const_is_int(LLVMGetOperand(object, 0), &count) || count != 1 ||
        LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        return false;
    for (LLVMUseRef u = LLVMGetFirstUse(object); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsALoadInst(user)) {
            if (LLVMGetVolatile(user) || LLVMTypeOf(user) != type)
                return false;
        } else if (LLVMIsAStoreInst(user)) {
            LLVMValueRef value = LLVMGetOperand(user, 0);
            if (LLVMGetVolatile(user) || value == object || LLVMTypeOf(value) != type)
                return false;
        } else if (!is_lifetime_call(user) && !(LLVMIsABitCastInst(user) && only_lifetimes(user))) {
            return false;
        }
    }
    return true;
}

static LLVMValueRef uninit_function(Front *fr, Map *functions, LLVMTypeRef type)
{
    uint64_t known;
    if (map_get(functions, (uintptr_t)type, &known))
        return (LLVMValueRef)(uintptr_t)known;
    char name[48];
    snprintf(name, sizeof name, UNINIT_PREFIX "%u", functions->n);
    LLVMValueRef fn = LLVMAddFunction(fr->module, name, LLVMFunctionType(type, NULL, 0, false));
    map_put(functions, (uintptr_t)type, (uintptr_t)fn);
    return fn;
}

/* Values assigned to the variable, and later mem2reg's phis, take its name, marked as such. */
static void name_values(LLVMValueRef object)
{
    size_t n;
    const char *name = LLVMGetValueName2(object, &n);
    char marked[256];
    if (n > 5 && memcmp(name + n - 5, ".addr", 5) == 0)
        n -= 5;
    if (n == 0 || n >= sizeof marked - 1 || memchr(name, '.', n))
        return; /* clang's own helpers: "retval" has no dot, "agg.tmp" has */
    memcpy(marked, name, n);
    marked[n] = VARIABLE_MARK;
    LLVMSetValueName2(object, marked, n + 1);
    for (LLVMUseRef u = LLVMGetFirstUse(object); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u), value = LLVMIsAStoreInst(user) ? LLVMGetOperand(user, 0) : NULL;
        if (value && LLVMIsAInstruction(value) && !LLVMIsALoadInst(value) && !LLVMIsAAllocaInst(value))
            LLVMSetValueName2(value, marked, n + 1);
    }
}

/* mem2reg leaves nothing of `k = 1;`: a freeze of what is stored, at the store's place, stays. */
static void keep_assignments(LLVMBuilderRef builder, LLVMValueRef object)
{
    for (LLVMUseRef u = LLVMGetFirstUse(object); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAStoreInst(user) || !LLVMInstructionGetDebugLoc(user))
            continue;
        LLVMPositionBuilderBefore(builder, user);
        LLVMSetOperand(user, 0, LLVMBuildFreeze(builder, LLVMGetOperand(user, 0), ""));
    }
}

static void mark_uninit(Front *fr, LLVMBuilderRef builder, Map *functions, LLVMValueRef fn)
{
    LLVMValueRef next;
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(fn)); i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!LLVMIsAAllocaInst(i) || !is_promotable(i))
            continue;
        LLVMTypeRef type = LLVMGetAllocatedType(i);
        LLVMValueRef source = uninit_function(fr, functions, type);
        if (fr->options->assignments)
            keep_assignments(builder, i);
        name_values(i);
        LLVMPositionBuilderBefore(builder, next);
        LLVMBuildStore(builder, LLVMBuildCall2(builder, LLVMGlobalGetValueType(source), source, NULL, 0, ""),
                       i);
    }
}

/* ---- attributes ------------------------------------------------------------------------------ */

static bool returns_twice(Front *fr, LLVMValueRef call)
{
    if (LLVMGetCallSiteEnumAttribute(call, OF_FUNCTION, fr->attr_returns_twice))
        return true;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(callee))
        return false;
    return LLVMGetEnumAttributeAtIndex(callee, OF_FUNCTION, fr->attr_returns_twice) ||
           strstr(symbol_name(callee), "setjmp");
}

static bool calls_setjmp(Front *fr, LLVMValueRef fn)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && returns_twice(fr, i))
                return true;
    return false;
}

static void add_attribute(LLVMValueRef fn, unsigned kind)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(fn));
    LLVMAddAttributeAtIndex(fn, OF_FUNCTION, LLVMCreateEnumAttribute(context, kind, 0));
}

/* LLVM leaves functions that are optnone alone: just what setjmp needs, and nothing else does. */
static void prepare_function(Front *fr, LLVMBuilderRef builder, Map *functions, LLVMValueRef fn)
{
    if (calls_setjmp(fr, fn)) {
        add_attribute(fn, fr->attr_noinline);
        add_attribute(fn, fr->attr_optnone);
        return;
    }
    LLVMRemoveEnumAttributeAtIndex(fn, OF_FUNCTION, fr->attr_optnone);
    mark_uninit(fr, builder, functions, fn);
}

/* Natively, objectsize and is.constant are answered when code is generated: the same answers first. */
static void run_passes(LLVMModuleRef module)
{
    static const char passes[] = "function(lower-constant-intrinsics,mem2reg,loop-simplify,lcssa)";
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (error)
        die("LLVM refuses to run its passes: %s", LLVMGetErrorMessage(error));
}

static void note_symbol(Front *fr, LLVMValueRef symbol)
{
    map_put(&fr->user_symbols, (uintptr_t)symbol, 1);
    if (*symbol_name(symbol) == '\0') /* @0, @1, ...: the IR knows symbols by name */
        LLVMSetValueName2(symbol, "unnamed", strlen("unnamed"));
}

/* Who defines what, and which functions of C its intrinsics stand for, before the runtime joins in. */
static void note_symbols(Front *fr)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(fr->module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f)) {
            note_symbol(fr, f);
        } else {
            intrinsic_declare_library(fr, f);
            call_declare_jumps(fr, f);
        }
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(fr->module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g))
            note_symbol(fr, g);
}

void prepare_user(Front *fr)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(fr->context);
    Map functions = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(fr->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            prepare_function(fr, builder, &functions, f);
    map_free(&functions);
    LLVMDisposeBuilder(builder);
    if (fr->suspect)
        guard_begin(fr->suspect);
    run_passes(fr->module);
    if (fr->suspect)
        guard_end();
    note_symbols(fr);
}
