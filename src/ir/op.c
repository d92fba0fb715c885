/* op.c - the opcode table: bits.def and op.def as data, and what the text and the verifier add to it. */
#include "ir/ir_int.h"

#define FORM_1          "dr"
#define FORM_2          "drr"
#define FORM_3          "drrr"
#define OPERANDS_SAME_1 "w"
#define OPERANDS_SAME_2 "ww"
#define OPERANDS_SAME_3 "www"
#define OPERANDS_BIT_2  "oo"
#define OPERANDS_CAST_1 "*"

typedef struct OpInfo {
    const char *text, *form, *flags;
} OpInfo;

static const OpInfo ops[IR_OP_COUNT] = {
#define BITS(NAME, text, arity, result) {text, FORM_##arity, "W"},
#include "bits/bits.def"
#undef BITS
#define OP(NAME, text, form, flags) {text, form, flags},
#include "ir/op.def"
#undef OP
};

static const char *const pure_operands[BITS_COUNT] = {
#define BITS(NAME, text, arity, result) OPERANDS_##result##_##arity,
#include "bits/bits.def"
#undef BITS
};

/* Operands and list of the opcodes of op.def; the letters are explained in ir_int.h. */
static const struct {
    const char *operands, *list;
} shapes[IR_OP_COUNT] = {
    [IR_PHI] = {".", "br"},
    [IR_UNINIT] = {"", ""},
    [IR_OFFSET] = {"pp", ""},
    [IR_INDEX] = {"p*s", ""},
    [IR_ALLOCA] = {"pa", ""},
    [IR_LOAD] = {"pa", ""},
    [IR_STORE] = {"pwa", ""},
    [IR_MEMCPY] = {"ppp", ""},
    [IR_MEMMOVE] = {"ppp", ""},
    [IR_MEMSET] = {"pyp", ""},
    [IR_LIFE] = {"p", ""},
    [IR_DEAD] = {"p", ""},
    [IR_STACKSAVE] = {"", ""},
    [IR_STACKRESTORE] = {"p", ""},
    [IR_VASTART] = {"p", ""},
    [IR_CALL] = {"..", "d,r,rii"},
    [IR_CALLPTR] = {"p.", "d,r,rii"},
    [IR_SETJMP] = {"p", ""},
    [IR_LONGJMP] = {"pi", ""},
    [IR_JMP] = {".", ""},
    [IR_BR] = {"c..", ""},
    [IR_SWITCH] = {"w..", "rb"},
    [IR_GOTO] = {"p.", "b"},
    [IR_RET] = {".", "r"},
    [IR_TRAP] = {"", ""},
    [IR_UNREACHABLE] = {"", ""},
    [IR_UNSUPPORTED] = {".", ""},
};

const IrFlagName ir_flag_names[] = {
    {IR_NSW, "nsw", "pure"},       {IR_NUW, "nuw", "pure"},
    {IR_EXACT, "exact", "pure"},   {IR_NORETURN, "noreturn", "call callptr"},
    {IR_FIXED, "fixed", "alloca"}, {IR_VOLATILE, "volatile", "load store memcpy memmove memset"},
};
const uint32_t ir_flag_count = COUNT_OF(ir_flag_names);

const char *ir_op_text(IrOp op) { return ops[op].text; }

const char *ir_op_form(IrOp op) { return ops[op].form; }

bool ir_op_has_flag(IrOp op, char flag) { return strchr(ops[op].flags, flag) != NULL; }

bool ir_op_by_text(const char *text, IrOp *op)
{
    for (unsigned i = 0; i < IR_OP_COUNT; i++)
        if (strcmp(ops[i].text, text) == 0) {
            *op = (IrOp)i;
            return true;
        }
    return false;
}

const char *ir_op_operands(IrOp op)
{
    if (op == IR_SELECT)
        return "cww";
    return ir_op_is_pure(op) ? pure_operands[op] : shapes[op].operands;
}

const char *ir_op_list(IrOp op) { return ir_op_is_pure(op) ? "" : shapes[op].list; }

unsigned ir_op_width(IrOp op)
{
    if (ir_op_is_pure(op) && bits_op_result(ir_op_bits(op)) == BITS_RESULT_BIT)
        return 1;
    return ir_op_has_flag(op, 'W')   ? IR_WIDTH_OWN
           : ir_op_has_flag(op, 'P') ? 64
           : ir_op_has_flag(op, 'I') ? 32
           : ir_op_has_flag(op, 'B') ? 1
                                     : 0;
}

unsigned ir_operand_width(char letter, unsigned width, unsigned operand)
{
    switch (letter) {
    case 'p': return 64;
    case 'w': return width;
    case 'o': return operand;
    case 'c': return 1;
    case 'y': return 8;
    case 'i': return 32;
    default: return 0;
    }
}

bool ir_flag_allowed(const IrFlagName *flag, IrOp op)
{
    if (ir_op_is_pure(op))
        return strcmp(flag->allowed, "pure") == 0;
    size_t n = strlen(ops[op].text);
    for (const char *s = flag->allowed; (s = strstr(s, ops[op].text)) != NULL; s += n)
        if ((s == flag->allowed || s[-1] == ' ') && (s[n] == ' ' || s[n] == '\0'))
            return true;
    return false;
}
