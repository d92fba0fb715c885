/* string.c - strings behind pointers of the entry: their length is a term, strlen(p, M), instead of a case
 * for each length.
 *
 * For `require` only. strlen(p, M) is the number of bytes before the first NUL from p on. What questions to
 * the solver get what is known about it: bytes before it are no NUL, the one there is (query.c). A pointer of
 * the entry of which such a term speaks is taken for one that leads to a string: the NUL lies in its room.
 * The answer says so ("needs a string behind s"). */
#include "backward/eval.h"

static u128 no_value(void *context, const u128 *arguments, uint32_t n)
{
    (void)context, (void)arguments, (void)n;
    return 0;
}

bool bw_is_strlen(const Backward *bw, Expr e)
{
    return expr_op(bw->pool, e) == EXPR_APPLY &&
           !strcmp(expr_fn_name(bw->pool, expr_apply_fn(bw->pool, e)), "strlen");
}

Expr bw_strlen(Backward *bw, Expr address)
{
    BwRoot r;
    if (bw_root(bw, address, &r))
        bw_note_string(bw, r.root);
    return expr_apply(bw->pool, expr_fn(bw->pool, "strlen", 64, no_value, NULL), (Expr[]){address, bw->m}, 2);
}

/* ---- models ---------------------------------------------------------------------------------- */

/* A pointer of the entry whose string nothing has written since: its length. EXPR_NONE: the body of the
 * function tells more. */
static Expr length_of(Eval *ev, State s, Expr address)
{
    Backward *bw = ev->bw;
    BwRoot r;
    if (!bw_root(bw, address, &r) ||
        (r.pointee && r.pointee < bw->program->ctypes.n && bw->program->ctypes.v[r.pointee].size > 1))
        return EXPR_NONE;
    return bw_mem_strlen(bw, s.mem, address);
}

static State check_null(Eval *ev, const Call *c, State s, Expr address)
{
    Backward *bw = ev->bw;
    return bw_fault_check(ev, c->f, c->block, c->insn, s, bw_mem_null(bw, s.mem, address, bw_const(bw, 1)),
                          VM_FAULT_NULL_DEREF);
}

/* The string with its NUL goes there. */
static State copy(Eval *ev, const Call *c, State s, Expr to, Expr from, Expr length)
{
    Backward *bw = ev->bw;
    Expr bytes = expr_add(bw->pool, length, bw_const(bw, 1));
    s = bw_access_check(ev, c->f, c->block, c->insn, s, to, bytes, true);
    if (!is_dead(s))
        s.mem = bw_mem_block(ev, s.mem, BW_MEM_COPY, to, from, bytes, s.mem);
    return s;
}

bool bw_run_string(Eval *ev, const Call *c, State *s)
{
    static const char *const names[] = {"strlen", "strcpy", "strcat"};
    Backward *bw = ev->bw;
    size_t which = 0;
    while (which < COUNT_OF(names) && strcmp(c->name, names[which]))
        which++;
    if (!bw->require || which == COUNT_OF(names) || c->list.nargs != (which ? 2 : 1))
        return false;
    Expr to = bw_argument(ev, c, 0, 64), from = bw_argument(ev, c, which ? 1 : 0, 64);
    Expr length = length_of(ev, *s, from), before = which == 2 ? length_of(ev, *s, to) : bw_const(bw, 0);
    if (expr_is_none(length) || expr_is_none(before))
        return false;
    if (which == 2)
        *s = check_null(ev, c, *s, to);
    *s = check_null(ev, c, *s, from);
    if (which && !is_dead(*s))
        *s = copy(ev, c, *s, expr_add(bw->pool, to, before), from, length);
    bw_set_result(ev, c, which ? to : length);
    return true;
}
