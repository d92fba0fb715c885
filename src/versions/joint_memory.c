/* joint_memory.c - memory and results that two runs leave behind, compared word by word. */
#include "versions/joint_compare.h"

enum { WORD = 8 };

void joint_output_bytes(ExprPool *p, const SignatureOutput *o, ExprVec *out)
{
    for (uint32_t i = 0; i < o->parts.n; i++) {
        const SignaturePart *part = &o->parts.v[i];
        for (uint32_t k = 0; k < part->size; k++)
            vec_push(out, part->text ? expr_const(p, 8, (uint8_t)part->text[k])
                                     : expr_extract(p, part->value, 8 * k, 8));
    }
}

/* What an output that one version may write holds at first: the other leaves it as it is. False: not
 * known. */
static bool at_first(const Comparison *c, unsigned version, const char *name, uint32_t n, ExprVec *out)
{
    const IrProgram *program = c->j->versions->program[version];
    ExprPool *p = c->j->pool;
    for (unsigned v = 0; v < 2; v++)
        for (uint32_t i = 0; i < c->trace[v]->inputs.n; i++) {
            const VmInputUse *use = &c->trace[v]->inputs.v[i];
            const ExprObjectInfo *info = expr_object_info(p, use->object);
            if ((use->origin != VM_INPUT_POINTEE && use->origin != VM_INPUT_GLOBAL) ||
                strcmp(info->name, name) || info->size < n)
                continue;
            for (uint32_t k = 0; k < n; k++)
                vec_push(out, expr_object_byte(p, use->object, k));
            return true;
        }
    uint32_t global = ir_global_find(program, name);
    bool own = global != IR_NONE;
    if (!own) { /* a variable of libc's that this version has no use for? */
        program = c->j->versions->program[!version];
        global = ir_global_find(program, name);
    }
    const IrGlobal *g = global == IR_NONE ? NULL : &program->globals.v[global];
    if (!g || (!own && !g->runtime) || g->relocs.n || g->size < n)
        return false;
    for (uint32_t k = 0; k < n; k++)
        vec_push(out, expr_const(p, 8, g->bytes ? g->bytes[k] : 0));
    return true;
}

/* Addresses of objects that each version has made, whose contents are compared under the pointer's name. */
static bool both_made(const Comparison *c, Expr old, Expr new, const char *name, uint32_t offset)
{
    char below[256];
    if (!expr_is_address(c->j->pool, old) || !expr_is_address(c->j->pool, new))
        return false;
    vm_reached_name(name, offset, below, sizeof below);
    return joint_output_find(&c->shown[VERSIONS_OLD], below) &&
           joint_output_find(&c->shown[VERSIONS_NEW], below);
}

/* Of a word one half of which is the same, only the other is asked about: conditions are printed for
 * people. */
static void compare_word(Comparison *c, const char *name, const ExprVec bytes[2], uint32_t at, uint32_t size)
{
    ExprPool *p = c->j->pool;
    Expr whole[2], half[2][2]; /* by version; by half and version */
    for (unsigned v = 0; v < 2; v++)
        whole[v] = expr_concat_bytes(p, bytes[v].v + at, size);
    if (expr_same(whole[0], whole[1]) || (size == WORD && both_made(c, whole[0], whole[1], name, at)))
        return;
    for (unsigned h = 0; size > 1 && !(size & 1) && h < 2; h++)
        for (unsigned v = 0; v < 2; v++)
            half[h][v] = expr_concat_bytes(p, bytes[v].v + at + h * size / 2, size / 2);
    for (unsigned h = 0; size > 1 && !(size & 1) && h < 2; h++)
        if (expr_same(half[!h][0], half[!h][1])) {
            compare_word(c, name, bytes, at + h * size / 2, size / 2);
            return;
        }
    Difference *d = joint_difference_add(c, name, expr_not(p, expr_eq(p, whole[0], whole[1])));
    for (unsigned v = 0; v < 2; v++)
        d->word[v] = whole[v];
}

static void compare_bytes(Comparison *c, const char *name, const ExprVec bytes[2])
{
    for (uint32_t i = 0; i < bytes[0].n; i += WORD)
        compare_word(c, name, bytes, i, bytes[0].n - i < WORD ? bytes[0].n - i : WORD);
}

/* Padding that differs is noted in the row, and not compared. */
static void leave_padding(Comparison *c, const char *name, ExprVec bytes[2])
{
    for (uint32_t i = 0; i < bytes[0].n; i++)
        if (!expr_same(bytes[0].v[i], bytes[1].v[i]) && joint_is_padding(c->j, c->trace, name, i)) {
            bytes[1].v[i] = bytes[0].v[i];
            c->row->padding = true;
        }
}

void joint_compare_memory(Comparison *c, const char *name, const SignatureOutput *const o[2])
{
    ExprVec bytes[2] = {{0}};
    bool known = true;
    for (unsigned v = 0; v < 2; v++)
        if (!o[v] && o[!v]->entry && o[!v]->unchanged)
            return; /* neither writes it */
    for (unsigned v = 0; v < 2; v++)
        if (o[v])
            joint_output_bytes(c->j->pool, o[v], &bytes[v]);
    for (unsigned v = 0; v < 2; v++)
        if (!o[v])
            known = o[!v]->entry && at_first(c, v, name, bytes[!v].n, &bytes[v]);
    if (!known && text_starts_with(name, VM_OUTPUT_FREED))
        joint_difference_add(c, name, EXPR_TRUE);
    else if (!known && o[0] != o[1] && !(o[0] && o[0]->entry) && !(o[1] && o[1]->entry))
        joint_difference_add(c, name, EXPR_TRUE); /* one of them did not show it at all */
    else if (!known)
        c->open = arena_printf(
            c->j->arena,
            "what one version writes to %s cannot be compared with what the other leaves as it is", name);
    else if (bytes[0].n != bytes[1].n && name[0] != '*')
        joint_difference_add(c, name, EXPR_TRUE);
    else if (bytes[0].n != bytes[1].n)
        c->open = "an object that both make has another size";
    else {
        leave_padding(c, name, bytes);
        compare_bytes(c, name, bytes);
    }
    for (unsigned v = 0; v < 2; v++) {
        if (o[v] && o[v]->cut)
            c->open = "an output is longer than what is kept of it";
        vec_free(&bytes[v]);
    }
}
