/* parse_fn.c - the textual IR, a function: head, labels, instructions.
 *
 * While a body is read, registers have provisional numbers in the order in which they are met, since a use
 * may precede its definition. At its end they get their own: numbers in the text hold (%x.17 is register 17),
 * all others (names without a number, constants) fill what is free, in the order in which they were met. */
#include "ir/parse_int.h"

typedef struct RegNote {
    uint32_t number; /* the text's, IR_NONE if it has none */
    uint32_t line;   /* where it was met first */
    bool defined;
} RegNote;

/* A comparison states its operands' width, known only at the end: register `reg` must have it. */
typedef struct WidthNote {
    uint32_t reg, line;
    uint8_t width;
} WidthNote;

typedef struct FnParser {
    Parser *ps;
    Lexer *lex;
    IrFn *fn;
    Vec(RegNote) notes; /* by provisional number, beside fn->regs */
    Vec(WidthNote) widths;
    Map by_number;          /* number in the text to provisional number */
    StrMap by_name, labels; /* names without a number: to provisional number, to block */
    U32Vec list;            /* a list under construction */
} FnParser;

/* ---- registers ------------------------------------------------------------------------------- */

static void note_constants(FnParser *f)
{
    while (f->notes.n < f->fn->regs.n)
        vec_push(&f->notes, (RegNote){.number = IR_NONE, .line = f->lex->line, .defined = true});
}

/* The register of the name at the current token, made if new; goes behind it. */
static uint32_t parse_reg(FnParser *f)
{
    Lexer *l = f->lex;
    uint64_t reg;
    if (!lex_is_name(l, '%')) {
        lex_fail(l, "expected a register");
        return 0;
    }
    if (l->numbered ? map_get(&f->by_number, (uint64_t)l->number, &reg)
                    : strmap_get(&f->by_name, l->word.v, &reg)) {
        if (strcmp(ir_text(f->ps->p, f->fn->regs.v[reg].name), l->word.v) != 0)
            lex_fail(l, "register %u has another name elsewhere", (unsigned)l->number);
        lex_next(l);
        return (uint32_t)reg;
    }
    reg = f->fn->regs.n;
    vec_push(&f->fn->regs, (IrReg){.kind = IR_REG_RESULT, .name = ir_string(f->ps->p, l->word.v)});
    vec_push(&f->notes, (RegNote){.number = l->numbered ? (uint32_t)l->number : IR_NONE, .line = l->line});
    if (l->numbered)
        map_put(&f->by_number, (uint64_t)l->number, reg);
    else
        strmap_put(&f->by_name, l->word.v, reg);
    lex_next(l);
    return (uint32_t)reg;
}

static void define(FnParser *f, uint32_t reg, unsigned width)
{
    if (f->lex->error)
        return;
    if (f->notes.v[reg].defined)
        lex_fail(f->lex, "register defined a second time");
    f->notes.v[reg].defined = true;
    f->fn->regs.v[reg].width = (uint8_t)width;
}

static bool at_operand(const Lexer *l)
{
    return l->kind == LEX_NUMBER || (l->kind == LEX_NAME && l->mark != '!') || lex_is_word(l, "undef");
}

static u128 int_bits(FnParser *f, char sign, u128 number, unsigned width)
{
    u128 most = sign == '-' ? (u128)1 << (width - 1) : bits_mask(width);
    if (number > most)
        lex_fail(f->lex, "the number does not fit %u bits", width);
    return (sign == '-' ? -number : number) & bits_mask(width);
}

/* A register or a constant in its place. `expected` is the width of a constant that shows none, 0 if it
 * must. */
static uint32_t parse_operand(FnParser *f, unsigned expected)
{
    Lexer *l = f->lex;
    if (lex_is_name(l, '%'))
        return parse_reg(f);
    char sign = l->mark;
    u128 number = l->number;
    IrConst c = {.kind = l->kind == LEX_NUMBER ? IR_CONST_INT : IR_CONST_UNDEF};
    if (!at_operand(l) || lex_is_name(l, '^')) {
        lex_fail(l, "expected a register or a constant");
        return 0;
    } else if (l->kind == LEX_NAME) {
        c = parse_address(f->ps);
        expected = 64;
    } else {
        lex_next(l);
    }
    unsigned width = parse_try_mark(f->ps, ':') ? parse_width(f->ps) : expected;
    if (width == 0)
        lex_fail(l, "this constant needs its width, as in 5:32");
    if (l->error)
        return 0;
    if (c.kind == IR_CONST_INT)
        c.bits = int_bits(f, sign, number, width);
    uint32_t reg = ir_reg_const(f->ps->p, f->fn, (uint8_t)width, c);
    note_constants(f);
    return reg;
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* At the '{' of a body: makes its blocks ahead of reading it. */
static void declare_labels(FnParser *f)
{
    Lexer *l = f->lex;
    const size_t at = l->at;
    const uint32_t line = l->line;
    while (lex_skip_line(l) && l->text[l->at] != '}') {
        if (l->text[l->at] != '^')
            continue;
        lex_next(l);
        if (l->error)
            return;
        uint32_t block = ir_block_add(f->ps->p, f->fn, l->word.v);
        if (l->numbered && l->number != block)
            lex_fail(l, "block %u is labelled %u", block, (unsigned)l->number);
        else if (!l->numbered && strmap_get(&f->labels, l->word.v, NULL))
            lex_fail(l, "label '^%s' occurs a second time", l->word.v);
        else if (!l->numbered)
            strmap_put(&f->labels, l->word.v, block);
    }
    l->at = at;
    l->line = line;
    l->kind = l->error ? LEX_END : LEX_MARK;
    l->mark = '{';
}

static uint32_t parse_block(FnParser *f)
{
    Lexer *l = f->lex;
    uint64_t block = l->numbered ? (uint64_t)l->number : IR_NONE;
    if (!lex_is_name(l, '^')) {
        lex_fail(l, "expected a block");
        return 0;
    }
    if (!l->numbered && !strmap_get(&f->labels, l->word.v, &block))
        block = IR_NONE;
    if (block >= f->fn->blocks.n || strcmp(ir_text(f->ps->p, f->fn->blocks.v[block].name), l->word.v) != 0) {
        lex_fail(l, "unknown block '^%s'", l->word.v);
        return 0;
    }
    lex_next(l);
    return (uint32_t)block;
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* "add.32" or "jmp": opcode and width, checked against each other. */
static void parse_opcode(FnParser *f, IrInsn *insn)
{
    Lexer *l = f->lex;
    uint64_t op;
    if (l->kind != LEX_WORD) {
        lex_fail(l, "expected an opcode");
        return;
    }
    char *dot = strrchr(l->word.v, '.');
    if (dot)
        *dot = '\0';
    if (!strmap_get(&f->ps->opcodes, l->word.v, &op)) {
        lex_fail(l, "unknown opcode '%s'", l->word.v);
        return;
    }
    insn->op = (uint16_t)op;
    if (dot && !ir_op_has_flag((IrOp)op, 'W')) {
        lex_fail(l, "'%s' takes no width", l->word.v);
    } else if (dot) {
        u128 width;
        if (!text_parse_u128(dot + 1, 10, &width) || width < 1 || width > IR_WIDTH_MAX || dot[1] == '0')
            lex_fail(l, "bad width '%s'", dot + 1);
        else
            insn->width = (uint8_t)width;
    } else if (ir_op_has_flag((IrOp)op, 'W')) {
        lex_fail(l, "'%s' needs a width, as in %s.32", l->word.v, l->word.v);
    } else {
        insn->width = (uint8_t)ir_op_width((IrOp)op);
    }
    lex_next(l);
}

/* The elements of a phi, switch, goto or ret up to the end of the list; the count goes first. */
static uint32_t parse_list(FnParser *f, const IrInsn *insn)
{
    const char *layout = ir_op_list((IrOp)insn->op);
    unsigned expected = insn->op == IR_RET ? 0 : insn->width;
    vec_clear(&f->list);
    vec_push(&f->list, 0);
    if (at_operand(f->lex)) {
        do {
            for (const char *k = layout; *k; k++) {
                if (k != layout)
                    parse_mark(f->ps, *layout == 'b' ? ':' : '>');
                uint32_t value = *k == 'r' ? parse_operand(f, expected) : parse_block(f);
                vec_push(&f->list, value);
            }
            f->list.v[0]++;
        } while (parse_try_mark(f->ps, ','));
    }
    return ir_extra_add(f->fn, f->list.v, f->list.n);
}

static uint32_t parse_immediate(FnParser *f, const char *word)
{
    if (!lex_is_word(f->lex, word)) {
        lex_fail(f->lex, "expected '%s'", word);
        return 0;
    }
    lex_next(f->lex);
    return (uint32_t)parse_number(f->ps, UINT32_MAX, "an immediate");
}

static uint32_t parse_text(FnParser *f)
{
    Lexer *l = f->lex;
    if (l->kind != LEX_STRING || strlen(l->word.v) != l->word.n) {
        lex_fail(l, "expected a string without NULs");
        return 0;
    }
    uint32_t string = ir_string(f->ps->p, l->word.v);
    lex_next(l);
    return string;
}

static void parse_operands(FnParser *f, IrInsn *insn)
{
    const char *form = ir_op_form((IrOp)insn->op), *operands = ir_op_operands((IrOp)insn->op);
    uint32_t *const fields[] = {&insn->a, &insn->b, &insn->c};
    uint32_t line = f->lex->line;
    form += *form == 'd';
    for (uint32_t i = 0; form[i] && !f->lex->error; i++) {
        if (i)
            parse_mark(f->ps, ',');
        switch (form[i]) {
        case 'r':
            *fields[i] = parse_operand(f, ir_operand_width(operands[i], insn->width, insn->width));
            break;
        case 'b': *fields[i] = parse_block(f); break;
        case 's': *fields[i] = parse_text(f); break;
        case 'i': *fields[i] = parse_immediate(f, operands[i] == 'a' ? "align" : "scale"); break;
        case 'e':
            if (form[1])
                parse_mark(f->ps, '[');
            *fields[i] = parse_list(f, insn);
            if (form[1])
                parse_mark(f->ps, ']');
            break;
        }
    }
    if (operands[0] == 'o') {
        vec_push(&f->widths, (WidthNote){insn->a, line, insn->width});
        insn->width = 1;
    }
}

/* The arguments behind '('; f->list holds the results' part already. */
static void parse_arguments(FnParser *f)
{
    Lexer *l = f->lex;
    uint32_t count = f->list.n;
    bool variable = false, more = !parse_try_mark(f->ps, ')');
    vec_push(&f->list, 0);
    while (more && !l->error) {
        if (!variable && parse_try_mark(f->ps, '.')) {
            variable = true;
            count = f->list.n;
            vec_push(&f->list, 0);
        } else {
            uint32_t arg = parse_operand(f, 0);
            vec_push(&f->list, arg);
            f->list.v[count]++;
            if (variable) {
                uint32_t size = lex_is_word(l, "byval") ? parse_immediate(f, "byval") : 0;
                uint32_t align = lex_is_word(l, "align") ? parse_immediate(f, "align") : 0;
                vec_push(&f->list, size);
                vec_push(&f->list, align);
            }
        }
        more = parse_try_mark(f->ps, ',');
        if (!more)
            parse_mark(f->ps, ')');
    }
    if (!variable)
        vec_push(&f->list, 0);
}

static void parse_call(FnParser *f, IrInsn *insn, const U32Vec *results)
{
    insn->a = insn->op == IR_CALL ? parse_fn_name(f->ps) : parse_operand(f, 64);
    vec_clear(&f->list);
    vec_push(&f->list, results->n);
    for (uint32_t i = 0; i < results->n; i++)
        vec_push(&f->list, results->v[i]);
    parse_mark(f->ps, '(');
    parse_arguments(f);
    insn->b = ir_extra_add(f->fn, f->list.v, f->list.n);
}

static void parse_flags(FnParser *f, IrInsn *insn)
{
    Lexer *l = f->lex;
    for (; l->kind == LEX_WORD; lex_next(l)) {
        uint32_t i = 0;
        while (i < ir_flag_count && strcmp(ir_flag_names[i].text, l->word.v) != 0)
            i++;
        if (i == ir_flag_count)
            lex_fail(l, "unknown flag '%s'", l->word.v);
        else
            insn->flags |= ir_flag_names[i].flag;
    }
}

/* Results left of '=': a call's show their widths, others have the instruction's (0 here). */
static void parse_results(FnParser *f, U32Vec *regs, U32Vec *widths)
{
    do {
        vec_push(regs, parse_reg(f));
        vec_push(widths, parse_try_mark(f->ps, ':') ? parse_width(f->ps) : 0);
    } while (parse_try_mark(f->ps, ','));
    parse_mark(f->ps, '=');
}

static void define_results(FnParser *f, IrInsn *insn, const U32Vec *regs, const U32Vec *widths)
{
    bool is_call = insn->op == IR_CALL || insn->op == IR_CALLPTR;
    uint32_t wanted = ir_op_form((IrOp)insn->op)[0] == 'd';
    if (!is_call && regs->n != wanted)
        lex_fail(f->lex, "'%s' has %s result", ir_op_text((IrOp)insn->op), wanted ? "one" : "no");
    for (uint32_t i = 0; i < regs->n && !f->lex->error; i++) {
        if (is_call != (widths->v[i] != 0))
            lex_fail(f->lex, is_call ? "a call's result needs its width, as in %%x:32"
                                     : "the opcode has the width, not the result");
        define(f, regs->v[i], is_call ? widths->v[i] : insn->width);
    }
    if (!is_call && wanted)
        insn->dst = regs->n ? regs->v[0] : IR_NONE;
}

static void parse_insn(FnParser *f, uint32_t block)
{
    Lexer *l = f->lex;
    IrInsn insn = {.dst = IR_NONE};
    U32Vec regs = {0}, widths = {0};
    if (lex_is_name(l, '%'))
        parse_results(f, &regs, &widths);
    parse_opcode(f, &insn);
    if (!l->error) {
        if (insn.op == IR_CALL || insn.op == IR_CALLPTR)
            parse_call(f, &insn, &regs);
        else
            parse_operands(f, &insn);
        define_results(f, &insn, &regs, &widths);
        parse_flags(f, &insn);
        insn.site = parse_site(f->ps);
        parse_line_end(f->ps);
        ir_emit(f->fn, block, insn);
    }
    vec_free(&regs);
    vec_free(&widths);
}

/* ---- the end of a function ------------------------------------------------------------------- */

/* Provisional to final numbers, in final[]; the count of final registers, or 0 after an error. */
static uint32_t choose_numbers(FnParser *f, uint32_t *final)
{
    uint32_t n = f->notes.n, total = n;
    for (uint32_t i = 0; i < n; i++) {
        const RegNote *note = &f->notes.v[i];
        if (note->number != IR_NONE && note->number >= total)
            total = note->number + 1;
        if (!note->defined) {
            const char *name = ir_text(f->ps->p, f->fn->regs.v[i].name);
            if (note->number == IR_NONE)
                lex_fail_at(f->lex, note->line, "register '%%%s' is never defined", name);
            else
                lex_fail_at(f->lex, note->line, "register %u is never defined", note->number);
            return 0;
        }
    }
    if (total - n > f->ps->holes_left) {
        lex_fail(f->lex, "register numbers leave out too many");
        return 0;
    }
    f->ps->holes_left -= total - n;
    bool *taken = mem_zalloc(total + 1);
    for (uint32_t i = 0; i < n; i++)
        if (f->notes.v[i].number != IR_NONE)
            taken[final[i] = f->notes.v[i].number] = true;
    for (uint32_t i = 0, next = 0; i < n; i++)
        if (f->notes.v[i].number == IR_NONE) {
            while (taken[next])
                next++;
            final[i] = next++;
        }
    mem_free(taken);
    return total;
}

/* Numbers that no register has become results that nothing defines: they keep the numbers of the others. */
static void renumber(FnParser *f, const uint32_t *final, uint32_t total)
{
    IrFn *fn = f->fn;
    IrReg *regs = mem_alloc((total + 1) * sizeof *regs);
    for (uint32_t i = 0; i < total; i++)
        regs[i] = (IrReg){.kind = IR_REG_RESULT, .width = 1};
    for (uint32_t i = 0; i < fn->regs.n; i++)
        regs[final[i]] = fn->regs.v[i];
    vec_free(&fn->regs);
    fn->regs.v = regs;
    fn->regs.n = total;
    fn->regs.cap = total + 1;
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++)
            for (IrSlots s = ir_slots(fn, &fn->blocks.v[b].insns.v[i]); ir_slots_next(&s);)
                if (s.kind == 'd' || s.kind == 'r')
                    *(uint32_t *)s.slot = final[*s.slot];
    Map consts = {0};
    uint32_t cursor = 0;
    for (uint64_t key, reg; map_next(&fn->const_regs, &cursor, &key, &reg);)
        map_put(&consts, key, final[reg]);
    map_free(&fn->const_regs);
    fn->const_regs = consts;
}

static void finish(FnParser *f)
{
    for (uint32_t i = 0; i < f->widths.n && !f->lex->error; i++) {
        const WidthNote *note = &f->widths.v[i];
        if (f->notes.v[note->reg].defined && f->fn->regs.v[note->reg].width != note->width)
            lex_fail_at(f->lex, note->line, "the operand has %u bits, the opcode says %u",
                        f->fn->regs.v[note->reg].width, note->width);
    }
    if (f->lex->error)
        return;
    uint32_t *final = mem_alloc((f->notes.n + 1) * sizeof *final);
    uint32_t total = choose_numbers(f, final);
    if (!f->lex->error)
        renumber(f, final, total);
    mem_free(final);
}

/* ---- functions ------------------------------------------------------------------------------- */

static void parse_param(FnParser *f)
{
    Lexer *l = f->lex;
    uint32_t position = f->fn->nparams, reg = parse_reg(f);
    parse_mark(f->ps, ':');
    uint8_t width = parse_width(f->ps);
    define(f, reg, width);
    if (l->error)
        return;
    RegNote *note = &f->notes.v[reg];
    if (note->number != IR_NONE && note->number != position)
        lex_fail(l, "parameter %u is numbered %u", position, note->number);
    note->number = position;
    map_put(&f->by_number, position, reg);
    f->fn->regs.v[reg].kind = IR_REG_PARAM;
    f->fn->nparams++;
    IrParam what = {.kind = IR_PARAM_PLAIN};
    if (lex_is_word(l, "part")) {
        what.kind = IR_PARAM_PART;
        what.offset = parse_immediate(f, "part");
        what.size = parse_immediate(f, "of");
    } else if (lex_is_word(l, "byval") || lex_is_word(l, "sret")) {
        what.kind = lex_is_word(l, "byval") ? IR_PARAM_BYVAL : IR_PARAM_SRET;
        what.size = parse_immediate(f, what.kind == IR_PARAM_BYVAL ? "byval" : "sret");
        what.align = parse_immediate(f, "align");
    }
    if (what.kind != IR_PARAM_PLAIN)
        ir_param_set(f->fn, position, what);
}

static void parse_native(FnParser *f)
{
    Lexer *l = f->lex;
    lex_next(l);
    if (l->kind == LEX_WORD && strspn(l->word.v, "vcChHiLfdlpx") == strlen(l->word.v))
        f->fn->native = ir_string(f->ps->p, l->word.v);
    else
        lex_fail(l, "expected letters after 'native'");
}

static void parse_head(FnParser *f)
{
    Parser *ps = f->ps;
    Lexer *l = f->lex;
    IrFn *fn = f->fn;
    parse_mark(ps, '(');
    bool more = !parse_try_mark(ps, ')');
    while (more && !l->error) {
        if (parse_try_mark(ps, '.'))
            fn->variadic = true;
        else
            parse_param(f);
        more = !fn->variadic && parse_try_mark(ps, ',');
        if (!more)
            parse_mark(ps, ')');
    }
    if (parse_try_mark(ps, '>'))
        do
            vec_push(&fn->results, parse_width(ps));
        while (parse_try_mark(ps, ','));
    for (; l->kind == LEX_WORD; lex_next(l)) {
        if (lex_is_word(l, "local"))
            fn->local = true;
        else if (lex_is_word(l, "noreturn"))
            fn->noreturn = true;
        else if (lex_is_word(l, "runtime"))
            fn->runtime = true;
        else if (lex_is_word(l, "native"))
            parse_native(f);
        else
            lex_fail(l, "unknown property '%s' of a function", l->word.v);
    }
    fn->site = parse_site(ps);
}

static void parse_body(FnParser *f)
{
    Lexer *l = f->lex;
    uint32_t blocks = 0;
    declare_labels(f);
    parse_mark(f->ps, '{');
    parse_line_end(f->ps);
    while (!lex_is_mark(l, '}') && !l->error) {
        if (l->kind == LEX_LINE) {
            lex_next(l);
        } else if (lex_is_name(l, '^')) {
            blocks++; /* declare_labels met them in the same order */
            lex_next(l);
            parse_mark(f->ps, ':');
            parse_line_end(f->ps);
        } else if (l->kind == LEX_END) {
            lex_fail(l, "a function without its '}'");
        } else if (blocks == 0) {
            lex_fail(l, "an instruction before the first label");
        } else {
            parse_insn(f, blocks - 1);
        }
    }
    parse_mark(f->ps, '}');
}

void parse_fn(Parser *ps, IrFn *fn)
{
    FnParser f = {.ps = ps, .lex = &ps->lex, .fn = fn};
    parse_head(&f);
    if (lex_is_mark(&ps->lex, '{')) {
        fn->defined = true;
        parse_body(&f);
    }
    finish(&f);
    parse_line_end(ps);
    vec_free(&f.notes);
    vec_free(&f.widths);
    vec_free(&f.list);
    map_free(&f.by_number);
    strmap_free(&f.by_name);
    strmap_free(&f.labels);
}
