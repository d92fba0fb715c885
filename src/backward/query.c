/* query.c - questions to the solver: loads become symbols, equal where their addresses are. */
#include "backward/backward_int.h"

enum { PAIRS_MOST = 2000 }; /* of loads whose addresses are compared */

void bw_reason(Backward *bw, uint32_t site, const char *fmt, ...)
{
    Str text = {0};
    va_list args;
    va_start(args, fmt);
    str_vprintf(&text, fmt, args);
    va_end(args);
    for (uint32_t i = 0; i < bw->reasons.n; i++)
        if (bw->reasons.v[i].site == site && !strcmp(bw->reasons.v[i].text, str_text(&text))) {
            str_free(&text);
            return;
        }
    if (bw->reasons.n < 1000)
        vec_push(&bw->reasons, (BwReason){site, arena_strdup(bw->arena, str_text(&text))});
    str_free(&text);
}

bool bw_out_of_time(Backward *bw)
{
    return (bw->options.stop && *bw->options.stop) || (bw->deadline > 0 && clock_seconds() > bw->deadline) ||
           expr_pool_count(bw->pool) > bw->options.max_nodes;
}

/* ---- loads as symbols ------------------------------------------------------------------------ */

/* Or another term: of a room, which has no memory, or of the length of a string. */
enum { ROOM = 100, STRING = 101 }; /* in place of bytes */
typedef struct Load {
    Expr address, memory, symbol;
    unsigned bytes;
} Load;
typedef struct Loads {
    Backward *bw;
    Vec(Load) v;
} Loads;

static Expr load_hook(void *context, Expr old, const Expr *children, Expr e)
{
    Loads *l = context;
    Backward *bw = l->bw;
    unsigned bytes;
    bool aligned;
    char key[32];
    (void)old, (void)children;
    bool room = bw_is_room(bw, e), string = bw_is_strlen(bw, e);
    if (!bw_is_pending(bw, e) && !room)
        return e;
    snprintf(key, sizeof key, "=%u", e.id);
    Expr s = expr_object_symbol(bw->pool, expr_object_scalar(bw->pool, key, key, expr_width(bw->pool, e),
                                                             (ExprCType){EXPR_C_INT, 0}));
    if (!room && !string && !bw_is_load(bw, e, &bytes, &aligned))
        return s;
    for (uint32_t i = 0; i < l->v.n; i++)
        if (expr_same(l->v.v[i].symbol, s))
            return s;
    vec_push(&l->v, (Load){expr_child(bw->pool, e, 0), room ? EXPR_NONE : expr_child(bw->pool, e, 1), s,
                           room     ? ROOM
                           : string ? STRING
                                    : bytes});
    return s;
}

/* Objects are not so large that a distance in one overflows, and have room for one element of what is pointed
 * to. */
static void say_of_room(Loads *l, const Load *room, ExprVec *out)
{
    ExprPool *p = l->bw->pool;
    BwRoot r;
    vec_push(out, expr_ult(p, room->symbol, bw_const(l->bw, UINT64_C(1) << 56)));
    if (bw_root(l->bw, room->address, &r))
        vec_push(out, expr_or(p, expr_eq(p, room->address, bw_const(l->bw, 0)),
                              expr_ule(p, bw_const(l->bw, bw_least_room(l->bw, r.pointee)), room->symbol)));
}

/* Its bytes are not NUL, the one behind it is; it lies in its object, and its length is an int. */
static void say_of_string(Loads *l, const Load *string, ExprVec *out)
{
    Backward *bw = l->bw;
    ExprPool *p = bw->pool;
    BwRoot r;
    vec_push(out, expr_ult(p, string->symbol, bw_const(bw, INT32_MAX)));
    for (uint32_t i = 0; i < l->v.n; i++) {
        const Load *a = &l->v.v[i];
        if (a->bytes != 1 || !expr_same(a->memory, string->memory))
            continue;
        Expr distance = expr_sub(p, a->address, string->address),
             nul = expr_eq(p, a->symbol, expr_const(p, 8, 0));
        vec_push(out, expr_implies(p, expr_ult(p, distance, string->symbol), expr_not(p, nul)));
        vec_push(out, expr_implies(p, expr_eq(p, distance, string->symbol), nul));
    }
    if (bw_root(bw, string->address, &r)) {
        Expr room = load_hook(l, EXPR_NONE, NULL, bw_room(bw, &r)),
             null = expr_eq(p, r.root, bw_const(bw, 0));
        vec_push(out, expr_or(p, null, expr_ult(p, expr_add(p, r.offset, string->symbol), room)));
    }
}

static void axioms(Loads *l, ExprVec *out)
{
    for (uint32_t i = 0; i < l->v.n; i++) { /* more may be added on the way */
        Load a = l->v.v[i];
        if (a.bytes == STRING)
            say_of_string(l, &a, out);
        else if (a.bytes == ROOM)
            say_of_room(l, &a, out);
    }
}

/* Two loads of the same memory at equal addresses give the same; said of pairs that may be equal. */
static void congruence(Loads *l, ExprVec *out)
{
    ExprPool *p = l->bw->pool;
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < l->v.n; i++)
        for (uint32_t k = 0; k < i && pairs < PAIRS_MOST; k++) {
            const Load *a = &l->v.v[i], *b = &l->v.v[k];
            if (a->bytes != b->bytes || a->memory.id != b->memory.id)
                continue;
            Expr equal = expr_eq(p, a->address, b->address);
            if (expr_is_false(equal))
                continue;
            pairs++;
            vec_push(out, expr_implies(p, equal, expr_eq(p, a->symbol, b->symbol)));
        }
}

SolverStatus bw_check(Backward *bw, const Expr *conditions, uint32_t n, SolverAnswer *answer)
{
    Loads loads = {.bw = bw};
    ExprVec all = {0};
    SolverStatus status = SOLVER_UNKNOWN;
    SolverAnswer own = {0};
    bool decided = false;
    for (uint32_t i = 0; i < n && !decided; i++) {
        Expr e = bw_rewrite(bw, conditions[i], load_hook, &loads);
        decided = expr_is_false(e);
        expr_split(bw->pool, e, &all);
    }
    if (decided) {
        status = SOLVER_UNSAT;
    } else if (!bw_out_of_time(bw)) {
        axioms(&loads, &all);
        congruence(&loads, &all);
        double seconds = bw->options.query_seconds;
        if (bw->deadline > 0 && bw->deadline - clock_seconds() < seconds)
            seconds = bw->deadline - clock_seconds();
        status = solver_check(bw->solver,
                              &(SolverQuery){.constraints = all.v,
                                             .n = all.n,
                                             .hint = bw->hint,
                                             .seconds = seconds > 0.01 ? seconds : 0.01,
                                             .until = bw->deadline,
                                             .stop = bw->options.stop},
                              answer ? answer : &own);
        bw->queries++;
    }
    solver_answer_free(&own);
    vec_free(&loads.v);
    vec_free(&all);
    return status;
}

bool bw_unsat(Backward *bw, Expr a, Expr b, Expr c)
{
    Expr all[3] = {a, b, c};
    return bw_check(bw, all, 3, NULL) == SOLVER_UNSAT;
}

Expr bw_plain(Backward *bw, Expr e)
{
    Loads loads = {.bw = bw};
    Expr plain = bw_rewrite(bw, e, load_hook, &loads);
    vec_free(&loads.v);
    return plain;
}

/* A condition under a model of bw_check. */
u128 bw_value(Backward *bw, const ExprInput *model, Expr e)
{
    return expr_eval_once(bw->pool, model, bw_plain(bw, e));
}
