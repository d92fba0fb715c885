/* drive.c - the handles of a test's entry on the native program: C that makes them as the driver does
 * (ir/drive.h), with arguments from the test. */
#include "suite/suite_int.h"

const FrontendFunction *suite_drive_function(const SuiteProgram *p, const char *name)
{
    for (uint32_t i = 0; i < p->makers.n; i++)
        if (!strcmp(p->maker_names.v[i], name))
            return &p->makers.v[i];
    return NULL;
}

static bool find_makers(SuiteProgram *p, const IrMakerVec *makers, const FrontendOptions *options, Arena *a)
{
    bool ok = true;
    for (uint32_t i = 0; i < makers->n && ok; i++) {
        FrontendFunction f;
        if (suite_drive_function(p, makers->v[i].name))
            continue;
        ok = frontend_find_function(options, makers->v[i].name, a, &f);
        vec_push(&p->makers, f);
        vec_push(&p->maker_names, makers->v[i].name);
    }
    return ok;
}

bool suite_program_drive(SuiteProgram *p, const StrVec *made, const FrontendOptions *options, Arena *a)
{
    bool ok = true;
    for (uint32_t i = 0; i < made->n && ok; i++)
        ok = ir_drive_parse(&p->drive, made->v[i], a);
    for (uint32_t i = 0; i < p->drive.handles.n && ok; i++)
        ok = find_makers(p, &p->drive.handles.v[i].constructors, options, a) &&
             find_makers(p, &p->drive.handles.v[i].mutators, options, a);
    return ok;
}

void suite_program_free(SuiteProgram *p)
{
    vec_free(&p->types);
    vec_free(&p->names);
    vec_free(&p->entry_flags);
    vec_free(&p->own_flags);
    for (uint32_t i = 0; i < p->makers.n; i++)
        frontend_function_free(&p->makers.v[i]);
    vec_free(&p->makers);
    vec_free(&p->maker_names);
    ir_drive_free(&p->drive);
}

uint32_t suite_drive_handle(const SuiteProgram *p, const char *parameter)
{
    for (uint32_t i = 0; i < p->drive.handles.n; i++)
        if (!strcmp(p->drive.handles.v[i].name, parameter))
            return i;
    return UINT32_MAX;
}

/* ---- C --------------------------------------------------------------------------------------- */

void suite_c_makers(const SuiteProgram *p, Str *out)
{
    for (uint32_t i = 0; i < p->makers.n; i++) {
        const char *header = p->makers.v[i].header;
        if (!header || (p->source && p->makers.v[i].source && !strcmp(p->makers.v[i].source, p->source)))
            continue;
        str_add(out, "#include \"");
        suite_c_escape(header, strlen(header), out);
        str_add(out, "\"\n");
    }
}

static void maker_call(const SuiteProgram *p, const IrMaker *m, uint32_t handle, uint32_t slot, Str *out)
{
    const FrontendFunction *f = suite_drive_function(p, m->name);
    Arena *a = arena_new();
    if (m->kind == IR_MAKER_RETURNS || m->kind == IR_MAKER_MOVES)
        str_printf(out, "sheaf_handle%u = ", handle);
    else if (m->kind == IR_MAKER_INIT && slot == IR_NONE)
        str_printf(out, "sheaf_handle%u = sheaf_room%u; ", handle, handle);
    else if (m->kind == IR_MAKER_OUT)
        str_printf(out, "sheaf_handle%u = 0; ", handle);
    str_printf(out, "%s(", m->name);
    for (uint32_t i = 0; f && i < f->types.n; i++) {
        bool placed = i == m->place && m->kind != IR_MAKER_RETURNS;
        str_add(out, i ? ", " : "");
        if (placed)
            str_printf(out, "%ssheaf_handle%u", m->kind == IR_MAKER_OUT ? "(void *)&" : "", handle);
        else
            str_printf(out, "*(__typeof__(%s) *)sheaf_replay_parameter(\"%s\", sizeof(__typeof__(%s)))",
                       f->types.v[i], ir_drive_argument(&p->drive, m, handle, slot, f->names.v[i], a),
                       f->types.v[i]);
    }
    str_add(out, ");");
    arena_free(a);
}

static void choice(const IrHandle *h, uint32_t slot, const char *indent, Str *out)
{
    Arena *a = arena_new();
    str_printf(out, "%sswitch (*(int *)sheaf_replay_parameter(\"%s\", sizeof(int))) {\n", indent,
               ir_drive_choice(h, slot, a));
    arena_free(a);
}

static void make_handle(const SuiteProgram *p, uint32_t i, Str *out)
{
    const IrHandle *h = &p->drive.handles.v[i];
    str_printf(out, "    void *sheaf_handle%u = *(void **)sheaf_replay_parameter(\"%s\", sizeof(void *));\n",
               i, h->name);
    str_printf(out, "    if (sheaf_handle%u) {\n", i);
    for (uint32_t k = 0; k < h->constructors.n; k++)
        if (h->constructors.v[k].kind == IR_MAKER_INIT) {
            str_printf(
                out,
                "        static char sheaf_room%u[sizeof(*(SheafHandle%u)0)] __attribute__((aligned(16)));\n",
                i, i);
            break;
        }
    if (h->constructors.n > 1)
        choice(h, IR_NONE, "        ", out);
    for (uint32_t k = h->constructors.n; k-- > 0;) { /* the first is for all other values */
        if (h->constructors.n > 1)
            str_printf(out, k ? "        case %u: " : "        default: ", k);
        else
            str_add(out, "        ");
        maker_call(p, &h->constructors.v[k], i, IR_NONE, out);
        str_add(out, h->constructors.n > 1 ? " break;\n" : "\n");
    }
    str_add(out, h->constructors.n > 1 ? "        }\n" : "");
    str_printf(out, "        if (!sheaf_handle%u)\n            exit(0);\n", i);
    for (uint32_t slot = 0; h->mutators.n && slot < p->drive.calls; slot++) {
        choice(h, slot, "        ", out);
        for (uint32_t k = 0; k < h->mutators.n; k++) {
            str_printf(out, "        case %u: ", k + 1);
            maker_call(p, &h->mutators.v[k], i, slot, out);
            str_add(out, " break;\n");
        }
        str_printf(out, "        default: goto sheaf_made%u;\n        }\n", i);
    }
    str_printf(out, "    sheaf_made%u:;\n    }\n", i);
}

void suite_c_drive(const SuiteProgram *p, Str *out)
{
    for (uint32_t i = 0; i < p->drive.handles.n; i++) {
        for (uint32_t k = 0; k < p->names.n; k++)
            if (!strcmp(p->names.v[k], p->drive.handles.v[i].name))
                str_printf(out, "    typedef __typeof__(%s) SheafHandle%u;\n", p->types.v[k], i);
        make_handle(p, i, out);
    }
}
