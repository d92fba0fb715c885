/* asm.c - inline assembly that does nothing: barriers, and `asm("" : "+r"(x))` against the optimiser. */
#include "frontend/frontend_int.h"

/* Takes the next "..." of LLVM's text, with its \hh escapes undone. */
static char *next_quoted(Arena *a, const char **at)
{
    const char *s = strchr(*at, '"');
    if (!s)
        return NULL;
    char *out = arena_alloc(a, strlen(s) + 1), *to = out;
    for (s++; *s && *s != '"'; s++) {
        unsigned code;
        if (*s == '\\' && sscanf(s + 1, "%2x", &code) == 1) {
            *to++ = (char)code;
            s += 2;
        } else {
            *to++ = *s;
        }
    }
    *at = *s ? s + 1 : s;
    return out;
}

/* True if every instruction of the template orders memory or waits. */
static bool does_nothing(Arena *a, const char *template)
{
    static const char *const idle[] = {"",       "nop",    "pause",  "rep nop",
                                       "mfence", "lfence", "sfence", "lock addl $$0,0(%rsp)"};
    char *text = arena_strdup(a, template), *rest = text;
    for (char *line; (line = strsep(&rest, "\n;")) != NULL;) {
        line += strspn(line, " \t");
        if (*line == '#' || strcmp(line, "rep") == 0)
            continue;
        for (size_t n = strlen(line); n && (line[n - 1] == ' ' || line[n - 1] == '\t');)
            line[--n] = '\0';
        bool known = false;
        for (unsigned i = 0; i < COUNT_OF(idle); i++)
            known |= strcmp(line, idle[i]) == 0;
        if (!known)
            return false;
    }
    return true;
}

typedef struct AsmOutput {
    bool in_memory; /* its pointer is an argument; what it points to stays as it is */
    int tied;       /* argument that shares a register with it, or -1 */
} AsmOutput;

/* Reads LLVM's constraints, "=r,=*m,0,~{memory}". False if there are more outputs than room. */
static bool read_constraints(char *text, AsmOutput *out, unsigned *n, unsigned max)
{
    int arg = 0;
    *n = 0;
    for (char *item; (item = strsep(&text, ",")) != NULL;) {
        if (*item == '=') {
            if (*n == max)
                return false;
            out[(*n)++] = (AsmOutput){.in_memory = strchr(item, '*') != NULL, .tied = -1};
            arg += out[*n - 1].in_memory;
        } else if (*item >= '0' && *item <= '9') {
            if ((unsigned)(*item - '0') < *n)
                out[*item - '0'].tied = arg;
            arg++;
        } else if (*item != '~' && *item != '!') {
            arg++;
        }
    }
    return true;
}

void call_asm(Trans *t, LLVMValueRef call, LLVMValueRef callee)
{
    enum { MAX_OUTPUTS = 10 };
    AsmOutput outputs[MAX_OUTPUTS];
    unsigned noutputs;
    char *printed = LLVMPrintValueToString(callee);
    const char *at = strstr(printed, "asm");
    char *template = at ? next_quoted(t->arena, &at) : NULL;
    char *constraints = template ? next_quoted(t->arena, &at) : NULL;
    LLVMDisposeMessage(printed);
    if (!constraints || !does_nothing(t->arena, template) ||
        !read_constraints(constraints, outputs, &noutputs, MAX_OUTPUTS)) {
        problem(t, "inline assembly \"%.100s\"", template ? template : "");
        return;
    }
    const TypeInfo *info = value_info(t, call);
    LLVMTypeRef type = LLVMTypeOf(call);
    bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    uint32_t *out = regs_room(t, info->n), n = 0;
    for (unsigned i = 0, field = 0; i < noutputs && !t->problem; i++) {
        if (outputs[i].in_memory)
            continue;
        const TypeInfo *part = is_struct ? type_info(t->fr, LLVMStructGetTypeAtIndex(type, field++)) : info;
        int tied = outputs[i].tied;
        Regs in = tied >= 0 ? regs_of(t, LLVMGetArgOperand(call, (unsigned)tied)) : (Regs){.n = 0};
        for (uint32_t k = 0; k < part->n && n < info->n; k++)
            out[n++] = k < in.n ? resize(t, in.v[k], part->leaves[k].width, false)
                                : emit(t, IR_UNINIT, part->leaves[k].width, 0, 0, 0);
    }
    if (!t->problem)
        set_regs(t, call, out, n);
}
