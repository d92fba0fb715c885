/* joint_compare.c - the verdict of a row: what two runs of one input show is the same expression, or proved
 * equal, or different for an input, or open. */
#include "versions/joint_compare.h"

const SignatureOutput *joint_output_find(const SignatureRow *shown, const char *name)
{
    for (uint32_t i = 0; i < shown->outputs.n; i++)
        if (!strcmp(shown->outputs.v[i].name, name))
            return &shown->outputs.v[i];
    return NULL;
}

Difference *joint_difference_add(Comparison *c, const char *name, Expr condition)
{
    c->surely |= expr_is_true(condition);
    vec_push(&c->differences,
             ((Difference){.output = name, .condition = condition, .word = {EXPR_NONE, EXPR_NONE}}));
    return &vec_last(&c->differences);
}

/* ---- what is shown --------------------------------------------------------------------------- */

static SignatureEnd ending(Joint *j, unsigned version, const VmResult *r)
{
    const IrProgram *program = j->versions->program[version];
    SignatureEnd end = {.ending = r->ending,
                        .fault = r->fault,
                        .site = r->site,
                        .fn = IR_NONE,
                        .message = arena_strdup(j->arena, r->message)};
    for (uint32_t i = 0; i < r->stack.n && end.fn == IR_NONE; i++)
        if (!program->fns.v[r->stack.v[i].fn].runtime)
            end.fn = r->stack.v[i].fn;
    return end;
}

/* What the row's condition says, put into what is shown: more of it is identical then, and less is asked. */
static void use_facts(ExprPool *p, const ExprVec *condition, SignatureRow shown[2])
{
    ExprSubst *s = expr_subst_new(p);
    for (uint32_t i = 0; i < condition->n; i++) {
        Expr c = condition->v[i];
        bool negated = expr_op(p, c) == EXPR_NOT;
        if (!expr_is_pointer_equality(p, c))
            expr_subst_add(s, negated ? expr_child(p, c, 0) : c, negated ? EXPR_FALSE : EXPR_TRUE);
    }
    for (unsigned v = 0; v < 2; v++)
        for (uint32_t i = 0; i < shown[v].outputs.n; i++) {
            SignatureOutput *o = &shown[v].outputs.v[i];
            for (uint32_t k = 0; k < o->parts.n; k++)
                if (!o->parts.v[k].text)
                    o->parts.v[k].value = expr_subst_apply(s, o->parts.v[k].value);
            for (uint32_t k = 0; k < o->fields.n; k++)
                o->fields.v[k].value = expr_subst_apply(s, o->fields.v[k].value);
        }
    expr_subst_free(s);
}

/* An entry that returned ends with its result as the status: that is compared already. */
static bool is_in_result(const Comparison *c, const char *name)
{
    return !strcmp(name, "status") && c->j->options.entry[VERSIONS_NEW] &&
           joint_output_find(&c->shown[VERSIONS_OLD], "return") &&
           joint_output_find(&c->shown[VERSIONS_NEW], "return");
}

static void compare_outputs(Comparison *c)
{
    for (unsigned v = 2; v-- > 0;)
        for (uint32_t i = 0; i < c->shown[v].outputs.n; i++) {
            const char *name = c->shown[v].outputs.v[i].name;
            const SignatureOutput *const o[2] = {joint_output_find(&c->shown[VERSIONS_OLD], name),
                                                 joint_output_find(&c->shown[VERSIONS_NEW], name)};
            bool compared = v == VERSIONS_OLD && o[VERSIONS_NEW];
            if (compared || is_in_result(c, name))
                continue;
            if (c->shown[v].outputs.v[i].kind == SIGNATURE_TEXT)
                joint_compare_text(c, name, o);
            else
                joint_compare_memory(c, name, o);
        }
}

/* ---- the solver's part ----------------------------------------------------------------------- */

static void query_of(const Comparison *c, const Expr *conditions, uint32_t n, ExprVec *out)
{
    for (uint32_t i = 0; i < c->row->condition.n; i++)
        vec_push(out, c->row->condition.v[i]);
    for (uint32_t i = 0; i < n; i++)
        vec_push(out, conditions[i]);
}

SolverStatus joint_row_ask(const Comparison *c, const Expr *conditions, uint32_t n, SolverAnswer *answer)
{
    ExprVec query = {0};
    query_of(c, conditions, n, &query);
    SolverStatus status = joint_ask(c->j, &query, &c->row->input, answer);
    vec_free(&query);
    return status;
}

Expr joint_some_differs(const Comparison *c)
{
    Expr some = c->differences.n ? EXPR_FALSE : EXPR_TRUE;
    for (uint32_t i = 0; i < c->differences.n; i++)
        some = expr_or(c->j->pool, some, c->differences.v[i].condition);
    return some;
}

/* Text may come out the same though its pieces differ: "1" "12" and "11" "2". */
static bool really_differs(const Comparison *c)
{
    ExprEval *ev = expr_eval_new(c->j->pool);
    expr_eval_input(ev, &c->row->input);
    bool found = false;
    for (uint32_t i = 0; i < c->differences.n && !found; i++) {
        const char *name = c->differences.v[i].output;
        const SignatureOutput *const o[2] = {joint_output_find(&c->shown[VERSIONS_OLD], name),
                                             joint_output_find(&c->shown[VERSIONS_NEW], name)};
        bool text = o[0] && o[1] && o[0]->kind == SIGNATURE_TEXT;
        found = expr_eval_true(ev, c->differences.v[i].condition) && (!text || joint_text_differs(ev, o));
    }
    expr_eval_free(ev);
    return found;
}

/* A variable of libc's that no native run shows: all but errno, which is an input. */
static bool is_hidden(const Comparison *c, const char *name)
{
    for (unsigned v = 0; v < 2; v++) {
        const IrProgram *p = c->j->versions->program[v];
        const SignatureOutput *o = joint_output_find(&c->shown[v], name);
        uint32_t global = o && o->entry ? ir_global_find(p, name) : IR_NONE;
        if (global != IR_NONE && p->globals.v[global].runtime && strcmp(name, "errno"))
            return true;
    }
    return false;
}

/* Takes differences in such variables out of the list; what is left decides by itself, and has an input that
 * can be run. */
static void set_hidden_aside(Comparison *c)
{
    uint32_t kept = 0;
    c->surely = false;
    for (uint32_t i = 0; i < c->differences.n; i++) {
        Difference d = c->differences.v[i];
        if (is_hidden(c, d.output)) {
            c->hidden = expr_or(c->j->pool, c->hidden, d.condition);
            c->hidden_in = d.output;
        } else {
            c->differences.v[kept++] = d;
            c->surely |= expr_is_true(d.condition);
        }
    }
    c->differences.n = kept;
}

/* All that natively can be seen is the same: may what cannot be seen differ? */
static void judge_hidden(Comparison *c)
{
    SolverAnswer answer = {0};
    if (c->row->verdict >= JOINT_DIFFERENT || !c->hidden_in)
        return;
    c->row->verdict = joint_row_ask(c, &c->hidden, 1, &answer) == SOLVER_UNSAT ? JOINT_PROVED : JOINT_OPEN;
    if (c->row->verdict == JOINT_OPEN)
        c->row->why = arena_printf(c->j->arena, "what libc keeps in %s differs, which no native run shows",
                                   c->hidden_in);
    solver_answer_free(&answer);
}

static JointVerdict decide(Comparison *c)
{
    Expr some = joint_some_differs(c);
    SolverAnswer answer = {0};
    SolverStatus status = joint_row_ask(c, &some, 1, &answer);
    if (status == SOLVER_SAT) {
        expr_input_copy(&c->row->input, &answer.model);
        c->row->where = some;
    }
    if (status == SOLVER_UNKNOWN)
        c->row->why = solver_reason_text(answer.reason);
    solver_answer_free(&answer);
    if (status == SOLVER_SAT && !really_differs(c)) {
        c->row->why = "text that is put together in different ways came out the same for what was tried";
        return JOINT_OPEN;
    }
    return status == SOLVER_SAT ? JOINT_DIFFERENT : status == SOLVER_UNSAT ? JOINT_PROVED : JOINT_OPEN;
}

/* An input for which they differ must be one that can be run natively: all that it applies was evaluated. */
static void settle(Comparison *c)
{
    ExprVec query = {0};
    Expr some = joint_some_differs(c);
    query_of(c, &some, 1, &query);
    if (c->row->verdict == JOINT_DIFFERENT && !joint_abstract_settle(c->j, &query, &c->row->input)) {
        c->row->verdict = JOINT_OPEN;
        c->row->why = "a call that was not entered takes too many steps to evaluate";
    }
    vec_free(&query);
}

/* ---- a row ----------------------------------------------------------------------------------- */

static bool ends_differently(JointRow *row)
{
    const SignatureEnd *old = &row->end[VERSIONS_OLD], *new = &row->end[VERSIONS_NEW];
    bool failed = old->ending == VM_END_FAULT, fails = new->ending == VM_END_FAULT;
    row->fault_new = fails && (!failed || old->fault != new->fault);
    row->fault_gone = failed && (!fails || old->fault != new->fault);
    return row->fault_new || row->fault_gone || old->ending != new->ending;
}

/* Of a long text a part has left its buffer, and the rest is lost: how long it was is not known for all
 * inputs. */
static bool is_lost_in_part(const VmTrace *t)
{
    bool waits = false;
    for (uint32_t i = 0; i < t->outputs.n; i++)
        waits |= t->outputs.v[i].waits != 0;
    return t->spilled && waits && t->result.ending != VM_END_RETURN;
}

static void judge_outputs(Comparison *c)
{
    JointRow *row = c->row;
    row->verdict = JOINT_IDENTICAL;
    use_facts(c->j->pool, &row->condition, c->shown);
    compare_outputs(c);
    set_hidden_aside(c);
    if (is_lost_in_part(c->trace[0]) || is_lost_in_part(c->trace[1]))
        c->open = "how much of the output has left its buffer when the run ends depends on its length";
    if (c->surely)
        row->verdict = JOINT_DIFFERENT;
    else if (c->differences.n)
        row->verdict = decide(c);
    judge_hidden(c);
    settle(c);
    if (row->verdict == JOINT_DIFFERENT && !c->surely)
        row->class = joint_classify(c);
    if (row->verdict == JOINT_DIFFERENT)
        joint_describe(c);
    else if (c->open) {
        row->verdict = JOINT_OPEN;
        row->why = c->open;
    }
}

void joint_compare(Joint *j, JointRow *row, const VmTrace *const trace[2])
{
    Comparison c = {.j = j, .row = row, .trace = trace, .hidden = EXPR_FALSE};
    for (unsigned v = 0; v < 2; v++)
        row->end[v] = ending(j, v, &trace[v]->result);
    if (ends_differently(row)) {
        row->verdict = JOINT_DIFFERENT;
        settle(&c);
        joint_describe_ending(&c);
        return;
    }
    for (unsigned v = 0; v < 2; v++)
        explore_shown(j->pool, j->arena, j->versions->program[v], j->options.entry[v],
                      &j->options.explore.criteria, trace[v], &c.shown[v]);
    judge_outputs(&c);
    for (unsigned v = 0; v < 2; v++)
        explore_shown_free(&c.shown[v]);
    vec_free(&c.differences);
}
