/* sites.c - from LLVM's debug locations to sites: file as the compiler was given it, line, column, source
 * function. */
#include "frontend/frontend_int.h"

#include <llvm-c/DebugInfo.h>

/* Two files of one name from different directories are told apart by the directory; else the name is
 * enough. */
static const char *file_path(Front *fr, LLVMMetadataRef file)
{
    unsigned n = 0, ndir = 0;
    if (!file)
        return "?";
    const char *name = LLVMDIFileGetFilename(file, &n), *dir = LLVMDIFileGetDirectory(file, &ndir);
    char *path = arena_strndup(fr->arena, name ? name : "", n);
    if (path[0] == '/' || ndir == 0)
        return path;
    uint64_t first, mine = ir_string(fr->p, arena_strndup(fr->arena, dir, ndir));
    if (!strmap_get(&fr->file_dirs, path, &first)) {
        strmap_put(&fr->file_dirs, path, mine);
        return path;
    }
    return first == mine ? path : arena_printf(fr->arena, "%.*s/%s", (int)ndir, dir, path);
}

/* LLVM-C has no name of a subprogram: operand 2 of its node. A lexical block has its parent scope as
 * operand 1. */
static const char *scope_function(Front *fr, LLVMMetadataRef scope)
{
    for (unsigned depth = 0; scope && depth < 1000; depth++) {
        LLVMValueRef node = LLVMMetadataAsValue(fr->context, scope), operands[32];
        unsigned n = LLVMGetMDNodeNumOperands(node);
        if (n > COUNT_OF(operands) || n < 2)
            return "?";
        LLVMGetMDNodeOperands(node, operands);
        if (LLVMGetMetadataKind(scope) == LLVMDISubprogramMetadataKind) {
            unsigned length = 0;
            const char *name = n > 2 && operands[2] ? LLVMGetMDString(operands[2], &length) : NULL;
            return name ? arena_strndup(fr->arena, name, length) : "?";
        }
        scope = operands[1] ? LLVMValueAsMetadata(operands[1]) : NULL;
    }
    return "?";
}

static uint32_t site_of_location(Front *fr, LLVMValueRef insn, LLVMMetadataRef location)
{
    LLVMMetadataRef scope = LLVMDILocationGetScope(location);
    LLVMValueRef fn = LLVMGetBasicBlockParent(LLVMGetInstructionParent(insn));
    const char *function = LLVMDILocationGetInlinedAt(location) ? scope_function(fr, scope) : symbol_name(fn);
    return ir_site_add(fr->p, file_path(fr, LLVMDIScopeGetFile(scope)), LLVMDILocationGetLine(location),
                       LLVMDILocationGetColumn(location), function);
}

uint32_t site_of(Front *fr, LLVMValueRef insn)
{
    uint64_t known;
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(insn);
    if (!location || LLVMDILocationGetLine(location) == 0)
        return IR_NONE;
    if (map_get(&fr->loc_sites, (uintptr_t)location, &known))
        return (uint32_t)known;
    uint32_t site = site_of_location(fr, insn, location);
    map_put(&fr->loc_sites, (uintptr_t)location, site);
    return site;
}

uint32_t site_of_fn(Front *fr, LLVMValueRef fn)
{
    LLVMMetadataRef program = LLVMGetSubprogram(fn);
    if (!program)
        return IR_NONE;
    const char *path = file_path(fr, LLVMDIScopeGetFile(program));
    return ir_site_add(fr->p, path, LLVMDISubprogramGetLine(program), 0, symbol_name(fn));
}

uint32_t site_of_global(Front *fr, LLVMValueRef global)
{
    size_t n = 0;
    uint32_t site = IR_NONE;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &n);
    for (size_t i = 0; i < n && site == IR_NONE; i++) {
        LLVMMetadataRef data = LLVMValueMetadataEntriesGetMetadata(entries, (unsigned)i);
        if (LLVMGetMetadataKind(data) != LLVMDIGlobalVariableExpressionMetadataKind)
            continue;
        LLVMMetadataRef variable = LLVMDIGlobalVariableExpressionGetVariable(data);
        const char *path = file_path(fr, LLVMDIVariableGetFile(variable));
        site = ir_site_add(fr->p, path, LLVMDIVariableGetLine(variable), 0, "");
    }
    LLVMDisposeValueMetadataEntries(entries);
    return site;
}
