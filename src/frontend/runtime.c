/* runtime.c - joins the user's module with what it needs of Sheaf's runtime.
 *
 * The runtime's bitcode is opened without reading its functions, and LLVM's linker then reads only those it
 * moves: what the user's module declares, the start-up, and what these need in turn. It moves on demand what
 * has linkonce linkage, so that is what all definitions get. The user's own definitions win, as over a static
 * library. */
#include "frontend/frontend_int.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>

static void make_optional(LLVMValueRef symbol)
{
    if (LLVMIsDeclaration(symbol) || symbol_is_local(symbol) ||
        LLVMGetLinkage(symbol) == LLVMAppendingLinkage)
        return;
    if (strcmp(symbol_name(symbol), "__sheaf_start") != 0)
        LLVMSetLinkage(symbol, LLVMLinkOnceODRLinkage);
}

void runtime_link(Front *fr)
{
    const char *path = fr->options->runtime;
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef runtime;
    char *message = NULL;
    if (!path)
        return;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message))
        die("%s: %s (Sheaf's runtime: is the installation complete?)", path, message);
    if (LLVMGetBitcodeModuleInContext2(fr->context, buffer, &runtime))
        die("%s: %s (Sheaf's runtime: is it built with LLVM %s?)", path, front_reason(fr),
            frontend_llvm_version());
    for (LLVMValueRef f = LLVMGetFirstFunction(runtime); f; f = LLVMGetNextFunction(f))
        make_optional(f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(runtime); g; g = LLVMGetNextGlobal(g))
        make_optional(g);
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(runtime); a; a = LLVMGetNextGlobalAlias(a))
        make_optional(a);
    if (LLVMLinkModules2(fr->module, runtime))
        die("the program cannot be linked to Sheaf's runtime: %s", front_reason(fr));
}
