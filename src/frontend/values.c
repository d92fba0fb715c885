/* values.c - which registers hold an LLVM value. */
#include "frontend/frontend_int.h"

uint32_t *regs_room(Trans *t, uint32_t n) { return arena_alloc(t->arena, (n ? n : 1) * sizeof(uint32_t)); }

static const Regs *known_regs(const Trans *t, LLVMValueRef value)
{
    uint64_t known;
    return map_get(&t->values, (uintptr_t)value, &known) ? (const Regs *)(uintptr_t)known : NULL;
}

Regs regs_of(Trans *t, LLVMValueRef value)
{
    const Regs *known = known_regs(t, value);
    if (known)
        return *known;
    if (LLVMIsConstant(value)) {
        Regs made = const_regs(t, value);
        if (!t->problem)
            set_regs(t, value, made.v, made.n);
        return made;
    }
    /* Only a value whose type has no registers, or one from a block that cannot be reached. */
    const TypeInfo *info = value_info(t, value);
    uint32_t *regs = regs_room(t, info->n);
    for (uint32_t i = 0; i < info->n; i++)
        regs[i] = reg_undef(t, info->leaves[i].width);
    return (Regs){.v = regs, .n = info->n};
}

uint32_t reg_of(Trans *t, LLVMValueRef value)
{
    Regs regs = regs_of(t, value);
    if (regs.n == 1)
        return regs.v[0];
    problem(t, "a vector or structure where one value is expected");
    return reg_undef(t, 64);
}

void set_regs(Trans *t, LLVMValueRef value, const uint32_t *regs, uint32_t n)
{
    Regs *kept = arena_alloc(t->arena, sizeof *kept);
    uint32_t *list = regs_room(t, n);
    if (n)
        memcpy(list, regs, n * sizeof *list);
    *kept = (Regs){.v = list, .n = n};
    map_put(&t->values, (uintptr_t)value, (uintptr_t)kept);
    const char *variable = LLVMIsAInstruction(value) ? value_variable(t->fr, value) : NULL;
    for (uint32_t i = 0; variable && i < n; i++)
        if (t->ir.regs.v[list[i]].kind == IR_REG_RESULT && t->ir.regs.v[list[i]].name == 0)
            t->ir.regs.v[list[i]].name = ir_string(t->p, variable);
}

void set_reg(Trans *t, LLVMValueRef value, uint32_t reg) { set_regs(t, value, &reg, 1); }

/* Parameters and objects have the name that clang gave them; a value that is assigned to a variable was
 * marked by prepare.c, and phis of mem2reg carry on that mark or, in code that came optimised, the variable's
 * name and a number. */
const char *value_variable(Front *fr, LLVMValueRef value)
{
    size_t n;
    const char *name = LLVMGetValueName2(value, &n);
    const char *mark = memchr(name, VARIABLE_MARK, n);
    if (mark)
        n = (size_t)(mark - name);
    else if (LLVMIsAPHINode(value))
        n = memchr(name, '.', n) ? (size_t)((const char *)memchr(name, '.', n) - name) : 0;
    else if (LLVMIsAAllocaInst(value))
        n -= n > 5 && memcmp(name + n - 5, ".addr", 5) == 0 ? 5 : 0;
    else if (!LLVMIsAArgument(value))
        return NULL;
    return n ? arena_strndup(fr->arena, name, n) : NULL;
}
