/* flags.c - nsw, nuw and exact. LLVM-C of 14 to 16 cannot tell them, but LLVM prints them: the module is printed once,
 * and the k-th arithmetic line of a function's text belongs to its k-th arithmetic instruction. */
#include "frontend/frontend_int.h"

static const struct { const char *word; LLVMOpcode opcode; } arithmetic[] = {
    {"add", LLVMAdd},   {"sub", LLVMSub},   {"mul", LLVMMul},   {"shl", LLVMShl},
    {"udiv", LLVMUDiv}, {"sdiv", LLVMSDiv}, {"lshr", LLVMLShr}, {"ashr", LLVMAShr},
};

static bool can_have_flags(LLVMValueRef insn)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(insn);
    for (unsigned i = 0; i < COUNT_OF(arithmetic); i++)
        if (arithmetic[i].opcode == opcode)
            return true;
    return false;
}

/* Behind "  %name = ", or NULL if the line does not define a value. Names with odd characters are quoted. */
static const char *behind_name(const char *line)
{
    if (strncmp(line, "  %", 3) != 0)
        return NULL;
    line += 3;
    if (*line == '"')
        line = line + 1 + strcspn(line + 1, "\"\n");
    line += strcspn(line, " \n");
    return strncmp(line, " = ", 3) == 0 ? line + 3 : NULL;
}

static bool take_word(const char **at, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(*at, word, n) != 0 || (*at)[n] != ' ')
        return false;
    *at += n + 1;
    return true;
}

/* True if the line is arithmetic that can have flags; *flags then holds them. */
static bool read_line(const char *line, uint8_t *flags)
{
    const char *at = behind_name(line);
    bool is_arithmetic = false;
    for (unsigned i = 0; at && i < COUNT_OF(arithmetic) && !is_arithmetic; i++)
        is_arithmetic = take_word(&at, arithmetic[i].word);
    if (!is_arithmetic)
        return false;
    *flags = 0;
    for (;;) {
        if (take_word(&at, "nsw"))
            *flags |= IR_NSW;
        else if (take_word(&at, "nuw"))
            *flags |= IR_NUW;
        else if (take_word(&at, "exact"))
            *flags |= IR_EXACT;
        else
            return true;
    }
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : NULL;
}

/* Gives the function's instructions the flags of its lines; returns the line behind its text. */
static const char *read_function(Front *fr, LLVMValueRef fn, const char *line)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            uint8_t flags;
            if (!can_have_flags(i))
                continue;
            while (line && *line != '}' && !read_line(line, &flags))
                line = next_line(line);
            if (!line || *line == '}')
                bug("LLVM's text of %s has too few lines", symbol_name(fn));
            if (flags)
                map_put(&fr->flags, (uintptr_t)i, flags);
            line = next_line(line);
        }
    }
    return line;
}

void flags_save(Front *fr)
{
    char *text = LLVMPrintModuleToString(fr->module);
    const char *line = text;
    for (LLVMValueRef f = LLVMGetFirstFunction(fr->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        while (line && strncmp(line, "define ", 7) != 0)
            line = next_line(line);
        if (!line)
            bug("LLVM's text of the module lacks %s", symbol_name(f));
        line = read_function(fr, f, next_line(line));
    }
    LLVMDisposeMessage(text);
}
