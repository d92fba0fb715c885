/* print.c - a program as text. docs/ir.md has the grammar; parse.c reads it back.
 *
 * Registers and blocks are printed with their true numbers, so that a dump and a message about register 17
 * agree. Constants are printed in place. A program that the verifier would refuse is printed too, with '?'
 * for what refers to nothing: a dump is most needed then. */
#include "ir/ir_int.h"
#include "ir/lex.h"

typedef struct Printer {
    const IrProgram *p;
    const IrFn *fn;
    Str *out;
} Printer;

static void add_number(Str *out, uint64_t n)
{
    char buffer[20], *at = buffer + sizeof buffer;
    do
        *--at = (char)('0' + n % 10);
    while (n /= 10);
    str_add_n(out, at, (size_t)(buffer + sizeof buffer - at));
}

static void add_hex(Str *out, u128 n)
{
    char buffer[32], *at = buffer + sizeof buffer;
    do
        *--at = "0123456789abcdef"[(unsigned)n & 15];
    while (n >>= 4);
    str_add(out, "0x");
    str_add_n(out, at, (size_t)(buffer + sizeof buffer - at));
}

static void add_byte(Str *out, uint8_t byte)
{
    str_add_char(out, "0123456789abcdef"[byte >> 4]);
    str_add_char(out, "0123456789abcdef"[byte & 15]);
}

void ir_print_quoted(const char *bytes, size_t size, Str *out)
{
    str_add_char(out, '"');
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c >= ' ' && c < 127 && c != '"' && c != '\\') {
            str_add_char(out, (char)c);
        } else {
            str_add_char(out, '\\');
            add_byte(out, c);
        }
    }
    str_add_char(out, '"');
}

static bool is_bare(const char *name)
{
    for (const char *s = name; *s; s++)
        if (!lex_is_bare(*s))
            return false;
    return *name != '\0';
}

void ir_print_name(char sigil, const char *name, Str *out)
{
    str_add_char(out, sigil);
    if (is_bare(name))
        str_add(out, name);
    else
        ir_print_quoted(name, strlen(name), out);
}

/* A name that need not be unique, made so by the number behind it. */
static void add_numbered(Str *out, char sigil, const char *name, uint32_t number)
{
    if (*name) {
        ir_print_name(sigil, name, out);
        str_add_char(out, '.');
    } else {
        str_add_char(out, sigil);
    }
    add_number(out, number);
}

static void add_nowhere(Str *out, char sigil, uint32_t number) { str_printf(out, "%c?%u", sigil, number); }

void ir_print_block_name(const IrProgram *p, const IrFn *fn, uint32_t block, Str *out)
{
    if (block < fn->blocks.n)
        add_numbered(out, '^', ir_text(p, fn->blocks.v[block].name), block);
    else
        add_nowhere(out, '^', block);
}

static void add_fn(const IrProgram *p, uint32_t fn, Str *out)
{
    if (fn < p->fns.n)
        ir_print_name('@', ir_text(p, p->fns.v[fn].name), out);
    else
        add_nowhere(out, '@', fn);
}

/* Small numbers are easier to read as signed decimals, patterns as hexadecimals. */
static void add_int(Str *out, u128 bits, unsigned width)
{
    bool is_plain = width > 1 && width <= IR_WIDTH_MAX;
    i128 s = is_plain ? bits_signed(bits, width) : (i128)bits;
    if (s > -((i128)1 << 31) && s < (i128)1 << 31) {
        if (s < 0)
            str_add_char(out, '-');
        add_number(out, (uint64_t)(s < 0 ? -s : s));
    } else {
        add_hex(out, bits);
    }
}

static void add_offset(Str *out, u128 bits)
{
    int64_t n = (int64_t)bits;
    if (n == 0)
        return;
    str_add_char(out, n < 0 ? '-' : '+');
    add_number(out, n < 0 ? -(uint64_t)n : (uint64_t)n);
}

static void add_const(const IrProgram *p, const IrConst *c, unsigned width, Str *out)
{
    switch (c->kind) {
    case IR_CONST_INT: add_int(out, c->bits, width); break;
    case IR_CONST_UNDEF: str_add(out, "undef"); break;
    case IR_CONST_GLOBAL:
        if (c->index < p->globals.n)
            ir_print_name('$', ir_text(p, p->globals.v[c->index].name), out);
        else
            add_nowhere(out, '$', c->index);
        add_offset(out, c->bits);
        break;
    case IR_CONST_FN:
        add_fn(p, c->index, out);
        add_offset(out, c->bits);
        break;
    case IR_CONST_BLOCK:
        add_fn(p, c->index, out);
        str_add_char(out, '^');
        add_number(out, c->block);
        break;
    }
}

/* A register, or the constant it holds; a constant shows its width unless the place fixes it to
 * `expected`. */
static void add_reg(const Printer *pr, uint32_t reg, unsigned expected)
{
    const IrReg *r = reg < pr->fn->regs.n ? &pr->fn->regs.v[reg] : NULL;
    if (!r || (r->kind == IR_REG_CONST && r->value >= pr->fn->consts.n)) {
        add_nowhere(pr->out, '%', reg);
        return;
    }
    if (r->kind != IR_REG_CONST) {
        add_numbered(pr->out, '%', ir_text(pr->p, r->name), reg);
        return;
    }
    const IrConst *c = ir_reg_const_of(pr->fn, reg);
    bool is_address = c->kind != IR_CONST_INT && c->kind != IR_CONST_UNDEF;
    add_const(pr->p, c, r->width, pr->out);
    if (r->width != (is_address ? 64 : expected)) {
        str_add_char(pr->out, ':');
        add_number(pr->out, r->width);
    }
}

static void add_block(const Printer *pr, uint32_t block)
{
    ir_print_block_name(pr->p, pr->fn, block, pr->out);
}

static void add_reg_width(const Printer *pr, uint32_t reg)
{
    add_reg(pr, reg, 0);
    str_add_char(pr->out, ':');
    add_number(pr->out, reg < pr->fn->regs.n ? pr->fn->regs.v[reg].width : 0);
}

static void add_separator(const Printer *pr, uint32_t i)
{
    if (i)
        str_add(pr->out, ", ");
}

/* "(a, b, ..., c, d byval 16 align 8)" */
static void add_call(const Printer *pr, const IrInsn *insn)
{
    IrCall call = ir_call_read(pr->fn, insn);
    if (insn->op == IR_CALL)
        add_fn(pr->p, insn->a, pr->out);
    else
        add_reg(pr, insn->a, 64);
    str_add_char(pr->out, '(');
    for (uint32_t i = 0; i < call.nargs; i++) {
        add_separator(pr, i);
        add_reg(pr, call.args[i], 0);
    }
    if (call.nvar) {
        add_separator(pr, call.nargs);
        str_add(pr->out, "...");
    }
    for (uint32_t i = 0; i < call.nvar; i++) {
        const uint32_t *var = call.var + (size_t)i * 3;
        add_separator(pr, 1);
        add_reg(pr, var[0], 0);
        if (var[1])
            str_printf(pr->out, " byval %u", var[1]);
        if (var[2])
            str_printf(pr->out, " align %u", var[2]);
    }
    str_add_char(pr->out, ')');
}

/* The list of a phi, switch, goto or ret: pairs as "block: register" or "constant -> block". */
static void add_list(const Printer *pr, const IrInsn *insn, uint32_t start)
{
    const char *layout = ir_op_list((IrOp)insn->op);
    unsigned expected = insn->op == IR_RET ? 0 : insn->width;
    const uint32_t *at = pr->fn->extra.v + start;
    uint32_t n = *at++;
    for (uint32_t i = 0; i < n; i++) {
        add_separator(pr, i);
        for (const char *l = layout; *l; l++) {
            if (l != layout)
                str_add(pr->out, *layout == 'b' ? ": " : " -> ");
            if (*l == 'r')
                add_reg(pr, *at++, expected);
            else
                add_block(pr, *at++);
        }
    }
}

static void add_operands(const Printer *pr, const IrInsn *insn)
{
    const char *form = ir_op_form((IrOp)insn->op), *operands = ir_op_operands((IrOp)insn->op);
    const uint32_t fields[] = {insn->a, insn->b, insn->c};
    unsigned first = insn->a < pr->fn->regs.n ? pr->fn->regs.v[insn->a].width : 0;
    form += *form == 'd';
    for (uint32_t i = 0; form[i]; i++) {
        add_separator(pr, i);
        switch (form[i]) {
        case 'r': add_reg(pr, fields[i], ir_operand_width(operands[i], insn->width, first)); break;
        case 'b': add_block(pr, fields[i]); break;
        case 's':
            ir_print_quoted(ir_text(pr->p, fields[i]), strlen(ir_text(pr->p, fields[i])), pr->out);
            break;
        case 'i':
            str_add(pr->out, operands[i] == 'a' ? "align " : "scale ");
            add_number(pr->out, fields[i]);
            break;
        case 'e':
            str_add(pr->out, form[1] ? "[" : "");
            add_list(pr, insn, fields[i]);
            str_add(pr->out, form[1] ? "]" : "");
            break;
        }
    }
}

static void add_results(const Printer *pr, const IrInsn *insn)
{
    if (insn->op == IR_CALL || insn->op == IR_CALLPTR) {
        IrCall call = ir_call_read(pr->fn, insn);
        for (uint32_t i = 0; i < call.ndst; i++) {
            add_separator(pr, i);
            add_reg_width(pr, call.dst[i]);
        }
        str_add(pr->out, call.ndst ? " = " : "");
    } else if (ir_op_form((IrOp)insn->op)[0] == 'd') {
        add_reg(pr, insn->dst, 0);
        str_add(pr->out, " = ");
    }
}

/* The width in the text is the operands' for a comparison (its result has one bit anyway). */
static void add_opcode(const Printer *pr, const IrInsn *insn)
{
    IrOp op = (IrOp)insn->op;
    str_add(pr->out, ir_op_text(op));
    if (!ir_op_has_flag(op, 'W'))
        return;
    unsigned width = insn->width;
    if (ir_op_operands(op)[0] == 'o')
        width = insn->a < pr->fn->regs.n ? pr->fn->regs.v[insn->a].width : 0;
    str_add_char(pr->out, '.');
    add_number(pr->out, width);
}

static void add_site(Str *out, uint32_t site)
{
    if (site != IR_NONE) {
        str_add(out, " !");
        add_number(out, site);
    }
}

static void add_insn(const Printer *pr, const IrInsn *insn)
{
    str_add(pr->out, "    ");
    if (insn->op >= IR_OP_COUNT || !ir_lists_fit(pr->fn, insn)) {
        str_printf(pr->out, "?%s %u, %u, %u\n", insn->op < IR_OP_COUNT ? ir_op_text((IrOp)insn->op) : "",
                   insn->a, insn->b, insn->c);
        return;
    }
    add_results(pr, insn);
    add_opcode(pr, insn);
    if (*ir_op_operands((IrOp)insn->op) && !(insn->op == IR_RET && pr->fn->extra.v[insn->a] == 0))
        str_add_char(pr->out, ' ');
    if (insn->op == IR_CALL || insn->op == IR_CALLPTR)
        add_call(pr, insn);
    else
        add_operands(pr, insn);
    for (uint32_t i = 0; i < ir_flag_count; i++)
        if (insn->flags & ir_flag_names[i].flag) {
            str_add_char(pr->out, ' ');
            str_add(pr->out, ir_flag_names[i].text);
        }
    add_site(pr->out, insn->site);
    str_add_char(pr->out, '\n');
}

static void add_param(const Printer *pr, IrParam param)
{
    if (param.kind == IR_PARAM_PART)
        str_printf(pr->out, " part %u of %u", param.offset, param.size);
    else if (param.kind != IR_PARAM_PLAIN)
        str_printf(pr->out, " %s %u align %u", param.kind == IR_PARAM_BYVAL ? "byval" : "sret", param.size,
                   param.align);
}

static void add_head(const Printer *pr)
{
    const IrFn *fn = pr->fn;
    str_add(pr->out, "fn ");
    ir_print_name('@', ir_text(pr->p, fn->name), pr->out);
    str_add_char(pr->out, '(');
    for (uint32_t i = 0; i < fn->nparams; i++) {
        add_separator(pr, i);
        add_reg_width(pr, i);
        add_param(pr, ir_param(fn, i));
    }
    if (fn->variadic) {
        add_separator(pr, fn->nparams);
        str_add(pr->out, "...");
    }
    str_add_char(pr->out, ')');
    for (uint32_t i = 0; i < fn->results.n; i++) {
        str_add(pr->out, i ? ", " : " -> ");
        add_number(pr->out, fn->results.v[i]);
    }
    str_add(pr->out, fn->local ? " local" : "");
    str_add(pr->out, fn->noreturn ? " noreturn" : "");
    str_add(pr->out, fn->runtime ? " runtime" : "");
    if (fn->native && !fn->defined)
        str_printf(pr->out, " native %s", ir_text(pr->p, fn->native));
    add_site(pr->out, fn->site);
}

void ir_fn_print(const IrProgram *p, const IrFn *fn, Str *out)
{
    Printer pr = {p, fn, out};
    add_head(&pr);
    if (!fn->defined) {
        str_add_char(out, '\n');
        return;
    }
    str_add(out, " {\n");
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        add_block(&pr, b);
        str_add(out, ":\n");
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++)
            add_insn(&pr, &fn->blocks.v[b].insns.v[i]);
    }
    str_add(out, "}\n");
}

/* ---- globals --------------------------------------------------------------------------------- */

enum { DATA_LINE = 32 }; /* bytes of initial contents on one line */

static bool is_zero(const uint8_t *bytes, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (bytes[i])
            return false;
    return true;
}

/* Lines of nothing but zeros are left out; text-like lines are shown as strings. */
static void add_data(const IrGlobal *g, Str *out)
{
    for (uint64_t at = 0; at < g->size; at += DATA_LINE) {
        uint64_t n = g->size - at < DATA_LINE ? g->size - at : DATA_LINE, printable = 0;
        if (is_zero(g->bytes + at, n))
            continue;
        for (uint64_t i = 0; i < n; i++)
            printable += g->bytes[at + i] >= ' ' && g->bytes[at + i] < 127;
        str_add(out, "    ");
        add_number(out, at);
        str_add_char(out, ' ');
        if (printable * 2 > n) {
            ir_print_quoted((const char *)g->bytes + at, n, out);
        } else {
            str_add(out, "hex \"");
            for (uint64_t i = 0; i < n; i++)
                add_byte(out, g->bytes[at + i]);
            str_add_char(out, '"');
        }
        str_add_char(out, '\n');
    }
}

static void add_global(const IrProgram *p, const IrGlobal *g, Str *out)
{
    str_add(out, "global ");
    ir_print_name('$', ir_text(p, g->name), out);
    str_add_char(out, ' ');
    add_number(out, g->size);
    str_add(out, " align ");
    add_number(out, g->align);
    str_add(out, g->defined ? "" : " extern");
    str_add(out, g->constant ? " constant" : "");
    str_add(out, g->local ? " local" : "");
    str_add(out, g->runtime ? " runtime" : "");
    add_site(out, g->site);
    uint32_t before = out->n;
    str_add(out, " {\n");
    uint32_t empty = out->n;
    if (g->bytes)
        add_data(g, out);
    for (uint32_t i = 0; i < g->relocs.n; i++) {
        str_add(out, "    ");
        add_number(out, g->relocs.v[i].offset);
        str_add_char(out, ' ');
        add_const(p, &g->relocs.v[i].value, 64, out);
        str_add_char(out, '\n');
    }
    if (out->n > empty)
        str_add_char(out, '}');
    else
        out->n = before;
    str_add_char(out, '\n');
}

static void add_fn_line(const IrProgram *p, const char *word, uint32_t fn, Str *out)
{
    str_add(out, word);
    add_fn(p, fn, out);
    str_add_char(out, '\n');
}

void ir_program_print(const IrProgram *p, Str *out)
{
    uint32_t start = out->n;
    for (uint32_t i = 0; i < p->globals.n; i++)
        add_global(p, &p->globals.v[i], out);
    for (uint32_t i = 0; i < p->fns.n; i++) {
        str_add(out, out->n > start ? "\n" : "");
        ir_fn_print(p, &p->fns.v[i], out);
    }
    str_add(out, out->n > start ? "\n" : "");
    if (p->init != IR_NONE)
        add_fn_line(p, "init ", p->init, out);
    for (uint32_t i = 0; i < p->constructors.n; i++)
        add_fn_line(p, "constructor ", p->constructors.v[i], out);
    for (uint32_t i = 0; i < p->destructors.n; i++)
        add_fn_line(p, "destructor ", p->destructors.v[i], out);
    for (uint32_t i = 0; i < p->sites.n; i++) {
        const IrSite *s = &p->sites.v[i];
        str_printf(out, "site !%u ", i);
        ir_print_quoted(ir_text(p, s->file), strlen(ir_text(p, s->file)), out);
        str_printf(out, " %u:%u ", s->line, s->column);
        ir_print_quoted(ir_text(p, s->fn), strlen(ir_text(p, s->fn)), out);
        str_add_char(out, '\n');
    }
}
