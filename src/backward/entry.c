/* entry.c - where a run begins: arguments of the entry, and what runs before it. */
#include "backward/eval.h"

/* The argument as the machine names its input, so that a model is an input of the machine's. */
static Expr parameter(Eval *ev, const IrFn *fn, uint32_t first, uint32_t reg, uint32_t number)
{
    Backward *bw = ev->bw;
    char name[128], key[160];
    IrParam param = ir_param(fn, first);
    bool part = param.kind == IR_PARAM_PART;
    unsigned bytes = (fn->regs.v[reg].width + 7u) / 8;
    if (fn->regs.v[first].name)
        snprintf(name, sizeof name, "%.100s", ir_text(bw->program, fn->regs.v[first].name));
    else
        snprintf(name, sizeof name, "arg%u", number);
    snprintf(key, sizeof key, "param:%u:%s", first, name);
    ExprObject input = expr_object(bw->pool, key, name, part ? param.size : bytes,
                                   (ExprCType){part ? EXPR_C_CHAR : EXPR_C_INT, part ? 1 : 0});
    Expr word = expr_object_word(bw->pool, input, part ? ir_param(fn, reg).offset : 0, bytes);
    map_add(&bw->entry_types, word.id, number + 1 < fn->ctypes.n && !part ? fn->ctypes.v[number + 1] : 0);
    bw->entry_symbols = expr_set_union(bw->pool, bw->entry_symbols, expr_symbols(bw->pool, word));
    if (bw->require && bytes == 8) /* what it may lead to */
        map_add(&bw->load_regs, word.id, (uint64_t)bw->entry << 32 | reg);
    return expr_trunc(bw->pool, word, fn->regs.v[reg].width);
}

/* The parameters of a function that is called with symbolic arguments. */
static void symbolic_arguments(Eval *ev, Frame *f, State *s)
{
    Backward *bw = ev->bw;
    for (uint32_t i = 0, n, number = 0; i < f->fn->nparams; i += n, number++) {
        IrParam param = ir_param(f->fn, i);
        n = ir_param_parts(f->fn, i);
        if (param.kind == IR_PARAM_BYVAL || param.kind == IR_PARAM_SRET) {
            uint32_t id = bw_object_make(ev, &s->mem, BW_OTHER, FLOW_OBJECT_ANY, IR_NONE,
                                         bw_const(bw, param.size), false, "a structure");
            f->regs[i] = bw->objects.v[id].base;
            continue;
        }
        for (uint32_t k = i; k < i + n; k++)
            f->regs[k] = parameter(ev, f->fn, i, k, number);
    }
}

/* A word of the command line whose bytes are inputs, as the machine names them, with its NUL. */
static Expr symbolic_word(Eval *ev, State *s, uint32_t i, uint32_t group, uint32_t length)
{
    Backward *bw = ev->bw;
    ExprPool *p = bw->pool;
    char name[16], key[32];
    vm_argument_name(i, group, name, key);
    uint32_t word = bw_object_make(ev, &s->mem, BW_OTHER, flow_object_of_args(bw->flow), IR_NONE,
                                   bw_const(bw, length + 1), true, "an argument");
    Expr base = bw_base(bw, word);
    for (uint32_t k = 0; k < length; k++)
        s->mem = bw_mem_store(
            ev, s->mem, expr_add(p, base, bw_const(bw, k)),
            expr_object_byte(p, expr_object(p, key, name, length, (ExprCType){EXPR_C_CHAR, 1}), k), true);
    return base;
}

/* The group that the i-th symbolic word is of; IR_NONE: that depends on how many words the groups before
 * have. */
static uint32_t group_of(const VmInputs *in, uint32_t i)
{
    for (uint32_t g = 0; g < in->args.n; i -= in->args.v[g++].max) {
        if (i < in->args.v[g].max && (i < in->args.v[g].min || g + 1 == in->args.n))
            return g;
        if (in->args.v[g].min != in->args.v[g].max)
            return IR_NONE;
    }
    return IR_NONE;
}

/* argc and argv. */
static void command_line(Eval *ev, Frame *f, State *s)
{
    Backward *bw = ev->bw;
    ExprPool *p = bw->pool;
    const VmEnvironment *env = bw->options.environment;
    const VmInputs *in = bw->options.inputs;
    uint32_t given = env && env->argc > 0 ? (uint32_t)env->argc : 0, least = 0, most = 0;
    for (uint32_t g = 0; in && g < in->args.n; g++) {
        least += in->args.v[g].min;
        most += in->args.v[g].max;
    }
    uint32_t vector = bw_object_make(ev, &s->mem, BW_OTHER, flow_object_of_args(bw->flow), IR_NONE,
                                     bw_const(bw, 8ull * (given + most + 1)), true, "argv");
    Expr base = bw->objects.v[vector].base;
    for (uint32_t i = 0; i < given && i < 64; i++) {
        size_t n = strlen(env->argv[i]) + 1;
        uint32_t word = bw_object_make(ev, &s->mem, BW_OTHER, flow_object_of_args(bw->flow), IR_NONE,
                                       bw_const(bw, n), false, "an argument");
        for (size_t k = 0; k < n && k < 4096; k++)
            s->mem = bw_mem_store(ev, s->mem, expr_add(p, bw->objects.v[word].base, bw_const(bw, k)),
                                  expr_const(p, 8, (uint8_t)env->argv[i][k]), true);
        s->mem =
            bw_mem_store(ev, s->mem, expr_add(p, base, bw_const(bw, 8 * i)), bw->objects.v[word].base, true);
    }
    Expr argc = expr_const(p, 32, given + least);
    for (uint32_t g = 0; in && g < in->args.n; g++) {
        const VmSymbolicArgs *a = &in->args.v[g];
        Expr n = vm_args_number(p, g);
        Expr in_range =
            expr_and(p, expr_ult(p, expr_const(p, 32, a->min), n), expr_ule(p, n, expr_const(p, 32, a->max)));
        Expr more = expr_ite(p, in_range, expr_sub(p, n, expr_const(p, 32, a->min)), expr_const(p, 32, 0));
        argc = a->max > a->min ? expr_add(p, argc, more) : argc;
    }
    for (uint32_t i = 0; i < most; i++) {
        uint32_t group = group_of(in, i);
        bool known = group != IR_NONE && in->args.v[group].length;
        if (!known)
            bw_reason(bw, IR_NONE,
                      "symbolic arguments: which of several groups a word is of is not modelled");
        Expr there = expr_ult(p, expr_const(p, 32, given + i), argc);
        Expr word = known ? symbolic_word(ev, s, i, group, in->args.v[group].length)
                          : bw_fresh(bw, 64, "an argument");
        s->mem = bw_mem_store(ev, s->mem, expr_add(p, base, bw_const(bw, 8ull * (given + i))),
                              expr_ite(p, there, word, bw_const(bw, 0)), true);
    }
    Expr values[3] = {argc, base, bw_fresh(bw, 64, "envp")};
    for (uint32_t i = 0; i < f->fn->nparams && i < 3; i++)
        f->regs[i] = expr_trunc(p, values[i],
                                f->fn->regs.v[i].width < expr_width(p, values[i]) ? f->fn->regs.v[i].width
                                                                                  : expr_width(p, values[i]));
}

void bw_entry_state(Eval *ev, Frame *f, State *s)
{
    Backward *bw = ev->bw;
    if (bw->program->init != IR_NONE || bw->program->constructors.n) {
        s->mem = bw_mem_havoc(ev, s->mem, everything());
        bw_reason(bw, IR_NONE, "what runs before main is not modelled");
    }
    if (!strcmp(ir_text(bw->program, f->fn->name), "main"))
        command_line(ev, f, s);
    else
        symbolic_arguments(ev, f, s);
}
