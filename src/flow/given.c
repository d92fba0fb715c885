/* given.c - whether a function of the library may fail by its arguments.
 *
 * Most calls show a text, and nothing that is decided elsewhere can make them fail: they are no sinks. A text
 * is safe for functions that read it up to its end, not for those that get a length; and a pointer
 * may be bad that points, as far as is known, to nothing. */
#include "flow/places.h"

/* A constant array of bytes with a zero in it. */
static bool is_text(const IrProgram *program, const IrConst *c)
{
    if (!c || c->kind != IR_CONST_GLOBAL)
        return false;
    const IrGlobal *g = &program->globals.v[c->index];
    uint64_t at = (uint64_t)c->bits;
    if (!g->constant || !g->defined || g->relocs.n || at >= g->size)
        return false;
    return !g->bytes || memchr(g->bytes + at, 0, g->size - at);
}

/* Is what argument i points to touched? */
static bool goes_behind(const Effects *effects, uint32_t i)
{
    for (uint32_t k = 0; effects && k < effects->n; k++) {
        EffectKind kind = effects->v[k].kind;
        bool touches = kind == EFFECT_READ || kind == EFFECT_READ_ALL || kind == EFFECT_WRITE ||
                       kind == EFFECT_WRITE_ALL || kind == EFFECT_FREE;
        if (touches && effects->v[k].a == i)
            return true;
    }
    return false;
}

static bool may_be_pointer(const IrFn *fn, uint32_t reg) { return fn->regs.v[reg].width == 64; }

/* Numbers that are shown are no pointers. */
static bool shows_numbers(const Flow *flow, const IrFn *fn, const IrCall *call, const Effects *effects)
{
    for (uint32_t k = 0; k < effects->n; k++)
        if (effects->v[k].kind == EFFECT_FORMAT)
            return !flow_format_takes(flow->program, fn, call_argument(call, effects->v[k].a), "sSn");
    return false;
}

static bool variable_fails(Flow *flow, uint32_t f, const IrCall *call, const Effects *effects)
{
    const IrFn *fn = flow_fn(flow, f);
    bool behind = goes_behind(effects, EFFECT_VARIABLE) && !shows_numbers(flow, fn, call, effects);
    for (uint32_t i = 0; i < call->nvar; i++) {
        uint32_t reg = call->var[3 * i];
        const IrConst *c = ir_reg_const_of(fn, reg);
        if (is_text(flow->program, c) || (c && c->kind == IR_CONST_INT))
            continue;
        if (flow_points_to(flow, f, reg).n || (behind && may_be_pointer(fn, reg)))
            return true;
    }
    return false;
}

bool flow_given_fails(Flow *flow, uint32_t f, const IrCall *call, const Effects *effects)
{
    const IrFn *fn = flow_fn(flow, f);
    bool texts = false, sizes = false;
    for (uint32_t i = 0; i < call->nargs; i++) {
        const IrConst *c = ir_reg_const_of(fn, call->args[i]);
        bool text = is_text(flow->program, c), number = c && c->kind == IR_CONST_INT;
        bool behind = goes_behind(effects, i);
        if (!text && !number && (behind || flow_points_to(flow, f, call->args[i]).n))
            return true;
        texts |= text || (behind && number);
        sizes |= !c && may_be_pointer(fn, call->args[i]); /* as wide as a size */
    }
    return (texts && sizes) || variable_fails(flow, f, call, effects);
}
