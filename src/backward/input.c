/* input.c - calls that read inputs: those that name one, and those that read standard input.
 *
 * Standard input is an object that only these models know, with a cursor; its contents are inputs as the
 * machine names them. */
#include "backward/eval.h"

enum {
    INPUT_MOST = 512,
    LINE_MOST = 64
}; /* bytes of an input; of a line, beyond which its reading is stepped over */

State bw_run_symbolic(Eval *ev, const Call *c, State s)
{
    Backward *bw = ev->bw;
    ExprPool *p = bw->pool;
    Expr to = bw_argument(ev, c, 0, 64), size = bw_argument(ev, c, 1, 64);
    s = bw_fault_check(ev, c->f, c->block, c->insn, s, bw_mem_bad(bw, s.mem, to, size, true),
                       VM_FAULT_OOB_WRITE);
    if (is_dead(s))
        return s;
    if (!expr_is_const(p, size) || expr_const_value(p, size) > INPUT_MOST) {
        bw_reason(bw, c->site, "an input of a size that is not constant, or large");
        s.mem = bw_mem_havoc(ev, s.mem, bw_written(ev, c));
        return s;
    }
    uint32_t n = (uint32_t)expr_const_value(p, size);
    const IrGlobal *name = bw_text_of(ev, c, 2);
    for (uint32_t i = 0;
         i < n;) { /* one symbol for a scalar; more for an array, which are one input all the same */
        uint32_t bytes = n <= 16 ? n : n - i >= 8 ? 8 : 1;
        Expr value = bw_fresh(bw, 8 * bytes, name ? (const char *)name->bytes : "input");
        vec_push(&bw->segments.v[ev->segment].inputs,
                 (BwInput){
                     .guard = bw_guard_all(ev, s.guard), .value = value, .bytes = bytes, .continues = i > 0});
        s.mem = bw_mem_store(ev, s.mem, expr_add(p, to, bw_const(bw, i)), value, false);
        i += bytes;
    }
    return s;
}

/* ---- standard input -------------------------------------------------------------------------- */

typedef struct Stdin {
    Expr base, size, cell, cursor;
} Stdin;

static Stdin stdin_at(Backward *bw, uint32_t mem)
{
    uint32_t in = bw_object(bw, BW_STDIN, 0, 0), cell = bw_object(bw, BW_CURSOR, 0, 0);
    return (Stdin){bw_base(bw, in), bw_object_size(bw, in), bw_base(bw, cell),
                   bw_mem_read(bw, mem, bw_base(bw, cell), 8, true)};
}

/* The next byte of standard input, or EOF. */
State bw_run_getchar(Eval *ev, const Call *c, State s)
{
    Backward *bw = ev->bw;
    ExprPool *p = bw->pool;
    Stdin in = stdin_at(bw, s.mem);
    Expr more = expr_ult(p, in.cursor, in.size),
         byte = bw_mem_read(bw, s.mem, expr_add(p, in.base, in.cursor), 1, true);
    s.mem = bw_mem_store(ev, s.mem, in.cell,
                         expr_ite(p, more, expr_add(p, in.cursor, bw_const(bw, 1)), in.cursor), true);
    bw_set_result(ev, c, expr_ite(p, more, expr_zext(p, byte, 32), expr_const(p, 32, bits_mask(32))));
    return s;
}

/* Is the stream the one that the program began with as standard input? */
static bool is_stdin(Eval *ev, const Call *c, uint32_t argument)
{
    Backward *bw = ev->bw;
    uint32_t global = ir_global_find(bw->program, "stdin");
    if (global == IR_NONE)
        return false;
    Expr at_start = bw_global_read(bw, global, bw_const(bw, 0), 8);
    return !expr_is_none(at_start) && expr_same(at_start, bw_argument(ev, c, argument, 64));
}

State bw_run_getc(Eval *ev, const Call *c, State s)
{
    return is_stdin(ev, c, 0) ? bw_run_getchar(ev, c, s)
                              : bw_step_over(ev, c, s, "reads a file, which is not modelled");
}

/* A line: bytes up to the end of the line, of the room or of the input. */
State bw_run_fgets(Eval *ev, const Call *c, State s)
{
    Backward *bw = ev->bw;
    ExprPool *p = bw->pool;
    Stdin in = stdin_at(bw, s.mem);
    Expr to = bw_argument(ev, c, 0, 64), room = bw_argument(ev, c, 1, 32);
    const VmInputs *inputs = bw->options.inputs;
    uint32_t most = inputs && inputs->stdin_symbolic ? inputs->stdin_size : 0;
    if (!is_stdin(ev, c, 2) || !expr_is_const(p, room) || bits_signed(expr_const_value(p, room), 32) < 2 ||
        most > LINE_MOST)
        return bw_step_over(ev, c, s, "reads a file, or a long line, which is not modelled");
    if (most > (uint32_t)expr_const_value(p, room) - 1)
        most = (uint32_t)expr_const_value(p, room) - 1;
    Expr going = EXPR_TRUE, n = bw_const(bw, 0);
    for (uint32_t i = 0; i < most; i++) {
        Expr at = expr_add(p, in.cursor, bw_const(bw, i)), address = expr_add(p, to, bw_const(bw, i));
        going = expr_and(p, going, expr_ult(p, at, in.size));
        Expr byte = bw_mem_read(bw, s.mem, expr_add(p, in.base, at), 1, true);
        s = bw_fault_check(ev, c->f, c->block, c->insn, s,
                           expr_and(p, going, bw_mem_bad(bw, s.mem, address, bw_const(bw, 1), true)),
                           VM_FAULT_OOB_WRITE);
        s.mem = bw_mem_join(bw, going, bw_mem_store(ev, s.mem, address, byte, true), s.mem);
        n = expr_ite(p, going, bw_const(bw, i + 1), n);
        going = expr_and(p, going, expr_ne(p, byte, expr_const(p, 8, '\n')));
    }
    Expr some = expr_ne(p, n, bw_const(bw, 0)), last = expr_add(p, to, n);
    s = bw_fault_check(ev, c->f, c->block, c->insn, s,
                       expr_and(p, some, bw_mem_bad(bw, s.mem, last, bw_const(bw, 1), true)),
                       VM_FAULT_OOB_WRITE);
    if (is_dead(s))
        return s;
    s.mem = bw_mem_join(bw, some, bw_mem_store(ev, s.mem, last, expr_const(p, 8, 0), true), s.mem);
    s.mem = bw_mem_store(ev, s.mem, in.cell, expr_add(p, in.cursor, n), true);
    bw_set_result(ev, c, expr_ite(p, some, to, bw_const(bw, 0)));
    return s;
}
