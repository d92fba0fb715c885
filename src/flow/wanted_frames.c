/* wanted_frames.c - which bytes of locals and globals a run may read again, from where its frames stand.
 *
 * A frame goes on until it returns, then the frame that called it does, until main returns; what exit reads
 * comes last. So, from the outermost frame inwards:
 *
 *     wanted <- what exit reads
 *     wanted <- what the frame may read, and what was wanted so far that the frame does not write
 *
 * Which object a parameter of a frame leads to is known from the call in the frame that called it, if that
 * handed over the address of a local, a global or what a parameter of its own leads to. Frames of runtime/
 * are part of the call in the user's code that they are below. */
#include "flow/wanted.h"

/* A local of a frame, as a root. */
typedef struct Local {
    uint32_t frame, reg;
} Local;

typedef struct Walk {
    Flow *flow;
    const FlowSite *frames;
    uint32_t n;
    Vec(Local) locals; /* numbered as they are met */
    Spans wanted;
    uint32_t any;  /* the innermost frame that may read all memory; IR_NONE: none */
    bool any_ends; /* exit may, or it is not known how the run ends */
} Walk;

static bool is_users(const Walk *w, uint32_t i) { return !flow_fn(w->flow, w->frames[i].fn)->runtime; }

static uint32_t local_root(Walk *w, uint32_t frame, uint32_t reg)
{
    for (uint32_t i = 0; i < w->locals.n; i++)
        if (w->locals.v[i].frame == frame && w->locals.v[i].reg == reg)
            return ROOT_LOCAL | i;
    vec_push(&w->locals, (Local){frame, reg});
    return ROOT_LOCAL | (w->locals.n - 1);
}

/* Where the parameter of the frame leads, in terms of locals of frames and globals. */
static Base resolved(Walk *w, uint32_t frame, uint32_t param)
{
    Base base = {BASE_AT, ROOT_PARAM | param, 0};
    while ((base.root & ROOT_KIND) == ROOT_PARAM) {
        int64_t offset = base.offset;
        bool within = base.kind == BASE_WITHIN;
        const IrFn *callee = flow_fn(w->flow, w->frames[frame].fn);
        if (++frame >= w->n || !is_users(w, frame))
            return (Base){.kind = BASE_UNKNOWN};
        FlowSite at = w->frames[frame];
        const IrInsn *insn = flow_insn(w->flow, at);
        if (insn->op != IR_CALL || &w->flow->program->fns.v[insn->a] != callee)
            return (Base){.kind = BASE_UNKNOWN};
        IrCall call = ir_call_read(flow_fn(w->flow, at.fn), insn);
        if (base.root >= call.nargs)
            return (Base){.kind = BASE_UNKNOWN};
        base = wanted_fn(w->flow, at.fn)->bases[call.args[base.root]];
        if (base.kind == BASE_NONE || base.kind == BASE_UNKNOWN)
            return base;
        base = within || base.kind == BASE_WITHIN ? (Base){BASE_WITHIN, base.root, 0}
                                                  : (Base){BASE_AT, base.root, base.offset + offset};
    }
    if ((base.root & ROOT_KIND) == ROOT_LOCAL)
        base.root = local_root(w, frame, base.root & ~(uint32_t)ROOT_KIND);
    return base;
}

static void add_read(Walk *w, uint32_t frame, Span x, Spans *out)
{
    uint32_t kind = x.root & ROOT_KIND;
    if (x.root == ROOT_ANY) {
        w->any = frame;
    } else if (kind == ROOT_LOCAL) {
        spans_add(out, span_moved(x, local_root(w, frame, x.root & ~(uint32_t)ROOT_KIND), 0));
    } else if (kind != ROOT_PARAM) {
        spans_add(out, x);
    } else {
        Base base = resolved(w, frame, x.root);
        if (base.kind == BASE_AT)
            spans_add(out, span_moved(x, base.root, base.offset));
        else if (base.kind == BASE_WITHIN)
            spans_add(out, span_whole(base.root));
        else if (base.kind == BASE_UNKNOWN)
            want_behind(w->flow, w->frames[frame].fn, x.root, x, out);
        if (spans_have_root(out, ROOT_ANY))
            w->any = frame;
    }
}

static void add_written(Walk *w, uint32_t frame, Span x, Spans *out)
{
    uint32_t kind = x.root & ROOT_KIND;
    if (kind == ROOT_LOCAL) {
        spans_add(out, span_moved(x, local_root(w, frame, x.root & ~(uint32_t)ROOT_KIND), 0));
    } else if (kind == ROOT_GLOBAL) {
        spans_add(out, x);
    } else if (kind == ROOT_PARAM) {
        Base base = resolved(w, frame, x.root);
        if (base.kind == BASE_AT)
            spans_add(out, span_moved(x, base.root, base.offset));
    }
}

/* What frames further out may read of locals of this function is of later activations, if it is not
 * recursive. */
static void forget_class(Walk *w, uint32_t index)
{
    const IrFn *fn = flow_fn(w->flow, index);
    Spans own = {0};
    for (uint32_t b = 0; b < fn->blocks.n && !flow_is_recursive(w->flow, index); b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++)
            if (fn->blocks.v[b].insns.v[i].op == IR_ALLOCA) {
                uint32_t object = flow_object_of_alloca(w->flow, (FlowSite){index, b, i});
                if (object != FLOW_OBJECT_ANY)
                    spans_add(&own, span_whole(ROOT_CLASS | object));
            }
    spans_remove(&w->wanted, &own);
    vec_free(&own);
}

/* The call under way is of another function than the frame above is: something of ours stands in between. */
static bool is_torn(const Walk *w, uint32_t frame)
{
    const IrInsn *insn = flow_insn(w->flow, w->frames[frame]);
    return frame && (insn->op == IR_CALL ? insn->a != w->frames[frame - 1].fn : insn->op != IR_CALLPTR);
}

/* A load and what follows may be one step of the machine: it may be about to read. */
static FlowSite begun(const Walk *w, uint32_t frame)
{
    FlowSite at = w->frames[frame];
    if (!frame && at.insn && flow_fn(w->flow, at.fn)->blocks.v[at.block].insns.v[at.insn - 1].op == IR_LOAD)
        at.insn--;
    return at;
}

static void add_frame(Walk *w, uint32_t frame)
{
    Want here;
    Spans reads = {0}, written = {0};
    want_at(w->flow, begun(w, frame), frame && is_users(w, frame - 1), &here);
    forget_class(w, w->frames[frame].fn);
    if (here.never) {
        vec_clear(&w->wanted);
        w->any = IR_NONE;
        w->any_ends = false;
    }
    for (uint32_t i = 0; i < here.written.n; i++)
        add_written(w, frame, here.written.v[i], &written);
    for (uint32_t i = 0; i < here.reads.n; i++)
        add_read(w, frame, here.reads.v[i], &reads);
    if (is_torn(w, frame))
        w->any = frame;
    spans_remove(&w->wanted, &written);
    spans_unite(&w->wanted, &reads);
    vec_free(&reads);
    vec_free(&written);
    want_free(&here);
}

/* Behind main, as runtime/ calls it, comes exit. */
static void add_end(Walk *w)
{
    const IrProgram *program = w->flow->program;
    uint32_t start = ir_fn_find(program, "__sheaf_start"), exit = ir_fn_find(program, "exit");
    bool known = w->n >= 2 && w->frames[w->n - 1].fn == start && exit != IR_NONE &&
                 w->frames[w->n - 2].fn == ir_fn_find(program, "main");
    if (known)
        want_places(w->flow, flow_fn_reads(w->flow, exit), &w->wanted);
    w->any_ends = !known || spans_have_root(&w->wanted, ROOT_ANY);
}

/* ---- the answer -------------------------------------------------------------------------------- */

static void add_bytes(const Spans *s, uint32_t root, uint64_t size, Spans *out)
{
    for (uint32_t i = 0; i < s->n; i++) {
        Span x = s->v[i];
        x.first = x.first < 0 ? 0 : x.first;
        x.end = x.end > (int64_t)size ? (int64_t)size : x.end;
        x.root = 0;
        if (s->v[i].root == root)
            spans_add(out, x);
    }
}

static void answer(Walk *w, FlowWanted one, uint64_t size, const Spans *bytes, WantedVec *out)
{
    if (!size || (bytes->n == 1 && !bytes->v[0].first && bytes->v[0].end == (int64_t)size))
        return;
    FlowBytes *v = arena_alloc(w->flow->arena, (bytes->n + 1) * sizeof *v);
    for (uint32_t i = 0; i < bytes->n; i++)
        v[i] = (FlowBytes){(uint64_t)bytes->v[i].first, (uint64_t)bytes->v[i].end};
    one.v = v;
    one.n = bytes->n;
    vec_push(out, one);
}

static void answer_locals(Walk *w, uint32_t frame, WantedVec *out)
{
    uint32_t index = w->frames[frame].fn;
    const IrFn *fn = flow_fn(w->flow, index);
    for (uint32_t i = 0; i < fn->blocks.v[0].insns.n; i++) {
        const IrInsn *insn = &fn->blocks.v[0].insns.v[i];
        if (insn->op != IR_ALLOCA || !(insn->flags & IR_FIXED))
            continue;
        const IrConst *size = ir_reg_const_of(fn, insn->a);
        uint32_t object = flow_object_of_alloca(w->flow, (FlowSite){index, 0, i});
        if (!size || size->bits > INT32_MAX || object == FLOW_OBJECT_ANY)
            continue;
        Spans bytes = {0};
        add_bytes(&w->wanted, local_root(w, frame, insn->dst), (uint64_t)size->bits, &bytes);
        add_bytes(&w->wanted, ROOT_CLASS | object, (uint64_t)size->bits, &bytes);
        answer(w, (FlowWanted){.frame = frame, .index = insn->dst}, (uint64_t)size->bits, &bytes, out);
        vec_free(&bytes);
    }
}

static void answer_globals(Walk *w, WantedVec *out)
{
    for (uint32_t g = 0; g < w->flow->program->globals.n; g++) {
        const IrGlobal *global = &w->flow->program->globals.v[g];
        if (global->runtime || global->constant || !global->defined || global->size > INT32_MAX)
            continue;
        Spans bytes = {0};
        add_bytes(&w->wanted, ROOT_GLOBAL | g, global->size, &bytes);
        answer(w, (FlowWanted){.frame = IR_NONE, .index = g}, global->size, &bytes, out);
        vec_free(&bytes);
    }
}

FlowWantedList flow_wanted(Flow *flow, const FlowSite *frames, uint32_t n)
{
    Walk w = {.flow = flow, .frames = frames, .n = n, .any = IR_NONE};
    WantedVec out = {0};
    add_end(&w);
    for (uint32_t i = n; i-- > 0;)
        if (is_users(&w, i))
            add_frame(&w, i);
    for (uint32_t i = 0; i < n && i < w.any; i++)
        if (is_users(&w, i))
            answer_locals(&w, i, &out);
    if (w.any == IR_NONE && !w.any_ends)
        answer_globals(&w, &out);
    FlowWanted *kept = arena_alloc(flow->arena, (out.n + 1) * sizeof *kept);
    if (out.n)
        memcpy(kept, out.v, out.n * sizeof *kept);
    FlowWantedList list = {kept, out.n};
    vec_free(&out);
    vec_free(&w.locals);
    vec_free(&w.wanted);
    return list;
}
