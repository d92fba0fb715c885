/* require.c - what `backward_require` says of random functions, against native runs at many points.
 *
 * usage: require --clang CLANG --runtime FILE [--programs N] [--seed S] [--milliseconds N] [--off RULES]
 * [--least PERCENT] [--show]
 *                [--expect-failures]
 *
 * Each function (require_grammar.c) is called natively at POINTS points: parameters, a global, a table,
 * pointers that are null, equal or not, a structure. Checked at each of them:
 *   - where "at least when" holds the function fails, and where it fails "at most when" holds;
 *   - if the answer is exact both hold where it fails and nowhere else;
 *   - both as C functions, compiled with the program, give what the conditions give.
 * With --least: so many percent of the answers are exact. --off leaves rules out, to see that all this can
 * fail. --source SEED prints a function. */
#include "arguments.h"
#include "backward/backward.h"
#include "corpus.h"
#include "frontend/frontend.h"
#include "require_grammar.h"
#include "report/report.h"
#include "require_point.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { BATCH = 20 };
enum { RETURNED, FAILED, NOT_KNOWN };
enum { NOT_EVALUATED = 255 };

/* Where pointers of a point lead to. */
static const uint64_t AT_X = 0x10000, AT_Y = 0x20000, AT_R = 0x30000;

typedef struct Check {
    const char *clang, *runtime;
    uint64_t programs, seed, milliseconds, least, source;
    unsigned off;
    bool show, expect_failures;
    /* of a batch */
    const IrProgram *program;
    const uint8_t *native; /* a byte for each point of each function */
    Str emitted;           /* C functions of the answers */
    Vec(uint8_t) expected; /* what these give: bit 0 at most, bit 1 at least */
    BitSet cut;            /* functions whose conditions were too long: theirs may give more, or less */
    const Ledger *ledger;
    /* of all */
    uint64_t exact, failures, points;
} Check;

/* ---- conditions at a point ------------------------------------------------------------------- */

static uint64_t pointer(int which) { return which == 1 ? AT_X : which == 2 ? AT_Y : 0; }

static void set_object(ExprPool *pool, ExprInput *input, const ExprObjectInfo *info, const Point *o,
                       uint32_t number)
{
    char global[24], table[24];
    snprintf(global, sizeof global, "global:g_%u", number);
    snprintf(table, sizeof table, "global:t_%u", number);
    uint64_t value = 0;
    (void)pool;
    if (!strcmp(info->key, table)) {
        for (uint32_t i = 0; i < info->size; i++)
            expr_input_set_byte(input, info->at + i, (uint8_t)(o->table[i / 4] >> 8 * (i % 4)));
        return;
    }
    if (!strcmp(info->key, global))
        value = (uint64_t)o->g;
    else if (!text_starts_with(info->key, "param:"))
        return;
    else
        value = !strcmp(info->name, "a")   ? (uint64_t)o->a
                : !strcmp(info->name, "b") ? (uint64_t)o->b
                : !strcmp(info->name, "p") ? pointer(o->p)
                : !strcmp(info->name, "q") ? pointer(o->q)
                : o->r                     ? AT_R
                                           : 0;
    for (uint32_t i = 0; i < info->size; i++)
        expr_input_set_byte(input, info->at + i, (uint8_t)(value >> 8 * i));
}

/* A byte of memory behind a pointer; what is nowhere is zero. */
static uint8_t memory(const Point *o, uint64_t at)
{
    if (at >= AT_X && at < AT_X + sizeof o->x)
        return (uint8_t)(o->x[(at - AT_X) / 4] >> 8 * (at % 4));
    if (at >= AT_Y && at < AT_Y + sizeof o->y)
        return (uint8_t)(o->y[(at - AT_Y) / 4] >> 8 * (at % 4));
    if (at >= AT_R && at < AT_R + 4)
        return (uint8_t)(o->n >> 8 * (at % 4));
    if (at >= AT_R + 8 && at < AT_R + 16)
        return (uint8_t)(pointer(o->v) >> 8 * (at % 8));
    return 0;
}

static u128 term_value(const Point *o, const char *name, uint64_t first, unsigned bytes)
{
    u128 value = 0;
    if (!strcmp(name, "room"))
        return first == AT_X ? sizeof o->x : first == AT_Y ? sizeof o->y : first == AT_R ? 16 : 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (u128)memory(o, first + i) << 8 * i;
    return value;
}

/* Terms from the inside out, then the rest. */
static bool holds(Backward *bw, Expr condition, const Point *o, uint32_t number)
{
    ExprPool *p = backward_pool(bw);
    ExprInput input = {0};
    ExprSubst *s = expr_subst_new(p);
    U32Vec cone = {0};
    for (uint32_t i = 0; i < expr_object_count(p); i++)
        set_object(p, &input, expr_object_info(p, (ExprObject){i}), o, number);
    expr_cone(p, &condition, 1, &cone);
    for (uint32_t i = 0; i < cone.n; i++) {
        Expr e = {cone.v[i]};
        if (expr_op(p, e) != EXPR_APPLY)
            continue;
        uint64_t first = (uint64_t)expr_eval_once(p, &input, expr_subst_apply(s, expr_child(p, e, 0)));
        u128 value = term_value(o, expr_fn_name(p, expr_apply_fn(p, e)), first, expr_width(p, e) / 8);
        expr_subst_add(s, e, expr_const(p, expr_width(p, e), value));
    }
    bool yes = expr_eval_once(p, &input, expr_subst_apply(s, condition)) != 0;
    expr_subst_free(s);
    expr_input_free(&input);
    vec_free(&cone);
    return yes;
}

/* ---- one function ---------------------------------------------------------------------------- */

static const char *wrong_at(Check *c, Backward *bw, const BackwardRequirement *r, uint32_t number,
                            uint32_t point)
{
    uint8_t native = c->native[number * POINTS + point];
    if (native == NOT_KNOWN)
        return NULL;
    Point o = point_make(c->seed + number, point);
    bool least = holds(bw, r->least, &o, number), most = holds(bw, r->most, &o, number);
    c->expected.v[number * POINTS + point] = (uint8_t)(most | least << 1);
    c->points++;
    if (least && native != FAILED)
        return "at least when, and it does not fail";
    if (!most && native == FAILED)
        return "at most when, and it fails elsewhere";
    if (r->exact && least != most)
        return "exact, and the two conditions differ";
    return NULL;
}

static void show(Backward *bw, const BackwardRequirement *r)
{
    Str text = {0};
    str_add(&text, "  least: ");
    backward_condition_text(bw, r->least, 2000, &text);
    str_add(&text, "\n  most:  ");
    backward_condition_text(bw, r->most, 2000, &text);
    printf("%s\n", str_text(&text));
    for (uint32_t i = 0; i < backward_reasons(bw); i++) {
        uint32_t site;
        printf("  because: %s\n", backward_reason(bw, i, &site));
    }
    str_free(&text);
}

/* Two C functions, f_N_fails and sure_f_N_fails. */
static void emit(Check *c, Backward *bw, const BackwardRequirement *r, const char *entry, uint32_t number)
{
    char sure[40];
    size_t begin = c->emitted.n;
    snprintf(sure, sizeof sure, "sure_%s", entry);
    RequireReport report = {.program = c->program,
                            .backward = bw,
                            .result = r,
                            .entry = entry,
                            .fn = ir_fn_find(c->program, entry),
                            .ledger = c->ledger};
    static const char parameters[] = "signed char a, signed char b, int *p, int *q, struct rec *r";
    report_require_c(&report, parameters, false, &c->emitted);
    report.entry = sure;
    report_require_c(&report, parameters, true, &c->emitted);
    if (strstr(str_text(&c->emitted) + begin, REPORT_REQUIRE_CUT))
        bitset_add(&c->cut, number);
}

static void check_function(Check *c, uint32_t number)
{
    char entry[24];
    snprintf(entry, sizeof entry, "f_%u", number);
    VmInputs inputs = {.entry = entry, .all_globals = true};
    BackwardOptions options = {.inputs = &inputs,
                               .max_seconds = (double)c->milliseconds / 1000,
                               .query_seconds = (double)c->milliseconds / 1000,
                               .rules_off = c->off};
    Backward *bw = backward_new(c->program, &options);
    BackwardRequirement r;
    backward_require(bw, &r);
    const char *wrong = NULL;
    for (uint32_t i = 0; i < POINTS && !wrong; i++) {
        wrong = wrong_at(c, bw, &r, number, i);
        if (wrong) {
            Point o = point_make(c->seed + number, i);
            printf("FAIL seed %llu, point %u: %s\n  a=%d b=%d g=%d p=%d q=%d r=%d n=%d v=%d x={%d} "
                   "y={%d,%d,%d} t={%d,%d,%d,%d}\n",
                   (unsigned long long)c->seed + number, i, wrong, o.a, o.b, o.g, o.p, o.q, o.r, o.n, o.v,
                   o.x[0], o.y[0], o.y[1], o.y[2], o.table[0], o.table[1], o.table[2], o.table[3]);
        }
    }
    emit(c, bw, &r, entry, number);
    c->exact += r.exact;
    c->failures += wrong != NULL;
    if (wrong || (c->show && !r.exact)) {
        printf("seed %llu: %.2f s\n", (unsigned long long)c->seed + number, r.seconds);
        show(bw, &r);
    }
    fflush(stdout);
    backward_requirement_free(&r);
    backward_free(bw);
}

/* ---- batches --------------------------------------------------------------------------------- */

static void run_natively(Check *c, const char *directory, const char *source, const char *include,
                         Arena *arena, uint32_t count)
{
    const char *binary = arena_printf(arena, "%s/native", directory),
               *data = arena_printf(arena, "%s/native.out", directory);
    Str text = {0};
    corpus_run_tool((const char *const[]){c->clang, "-w", "-O0", "-fwrapv", "-DNATIVE", include, source, "-o",
                                          binary, NULL},
                    NULL);
    corpus_run_tool((const char *const[]){binary, NULL}, data);
    if (!file_read(data, 1 << 24, &text) || text.n != (size_t)count * POINTS)
        die("require: the native runs printed something else than expected");
    uint8_t *bytes = arena_alloc(arena, text.n + 1);
    memcpy(bytes, text.v, text.n);
    c->native = bytes;
    str_free(&text);
    unlink(binary);
    unlink(data);
}

static bool as_expected(const Check *c, uint32_t at, uint8_t got)
{
    uint8_t expected = c->expected.v[at];
    if (expected == NOT_EVALUATED || expected == got)
        return true;
    return bitset_has(&c->cut, at / POINTS) && (got & 1) >= (expected & 1) && got >> 1 <= expected >> 1;
}

/* The functions that were emitted, called at the points at which the conditions were evaluated. */
static void check_emitted(Check *c, const char *directory, const char *source, const char *include,
                          Arena *arena, uint32_t count)
{
    const char *path = arena_printf(arena, "%s/emitted.c", directory),
               *binary = arena_printf(arena, "%s/emitted", directory),
               *data = arena_printf(arena, "%s/emitted.out", directory);
    Str text = {0}, got = {0};
    str_printf(&text, "#define main unused\n#include \"%s\"\n#undef main\n", source);
    str_add(&text, "static long room_of(const void *p) { return p == object_x ? sizeof object_x : p == "
                   "object_y ? sizeof object_y : p == &object_r ? 16 : 0; }\n"
                   "#define room(p) room_of(p)\n");
    str_add(&text, str_text(&c->emitted));
    str_add(&text, "int main(void)\n{\n");
    for (uint32_t i = 0; i < count; i++) {
        require_setup(c->seed + i, i, &text);
        str_printf(&text,
                   "        putchar(f_%u_fails(ARGUMENTS) | sure_f_%u_fails(ARGUMENTS) << 1);\n    }\n", i,
                   i);
    }
    str_add(&text, "    return 0;\n}\n");
    if (!file_write_atomic(path, text.v, text.n))
        die("require: %s: %s", path, strerror(errno));
    corpus_run_tool((const char *const[]){c->clang, "-w", "-O1", "-fwrapv", "-DNATIVE", include, path, "-o",
                                          binary, NULL},
                    NULL);
    corpus_run_tool((const char *const[]){binary, NULL}, data);
    if (!file_read(data, 1 << 24, &got) || got.n != (size_t)count * POINTS)
        die("require: the emitted functions reported something else than expected");
    for (uint32_t i = 0; i < count * POINTS; i++)
        if (!as_expected(c, i, (uint8_t)got.v[i])) {
            printf("FAIL seed %llu, point %u: the emitted functions give %d, the conditions %d\n",
                   (unsigned long long)c->seed + i / POINTS, i % POINTS, got.v[i], c->expected.v[i]);
            c->failures++;
            i += POINTS - i % POINTS - 1; /* once for each function */
        }
    unlink(path);
    unlink(binary);
    unlink(data);
    str_free(&text);
    str_free(&got);
}

static void check_batch(Check *c, uint32_t count)
{
    char directory[] = "/tmp/sheaf-require-XXXXXX";
    Arena *arena = arena_new();
    Str text = {0};
    const char *root = getenv("SHEAF_SOURCE"),
               *include = arena_printf(arena, "-I%s/tests/oracle", root ? root : ".");
    if (!mkdtemp(directory))
        die("require: no temporary directory: %s", strerror(errno));
    const char *source = arena_printf(arena, "%s/batch.c", directory);
    require_batch(c->seed, count, &text);
    if (!file_write_atomic(source, text.v, text.n))
        die("require: %s: %s", source, strerror(errno));
    run_natively(c, directory, source, include, arena, count);
    FrontendOptions options = {
        .runtime = c->runtime, .entry = "f_0", .all_functions = true, .clang = c->clang};
    vec_push(&options.inputs, source);
    vec_push(&options.cflags, "-w");
    vec_push(&options.cflags, include);
    IrProgram *program = frontend_load(&options);
    c->program = program;
    vec_clear(&c->emitted);
    vec_clear(&c->expected);
    vec_clear(&c->cut);
    for (uint32_t i = 0; i < count * POINTS; i++)
        vec_push(&c->expected, NOT_EVALUATED);
    for (uint32_t i = 0; i < count; i++)
        check_function(c, i);
    if (!c->off)
        check_emitted(c, directory, source, include, arena, count);
    unlink(source);
    rmdir(directory);
    vec_free(&options.inputs);
    vec_free(&options.cflags);
    str_free(&text);
    ir_program_free(program);
    arena_free(arena);
}

static void read_arguments(Check *c, int argc, char **argv)
{
    const Argument table[] = {
        ARGUMENTS_OF_ALL(c),
        {.name = "--milliseconds", .help = "for one function", .number = &c->milliseconds},
        {.name = "--off", .help = "rules left out, as bits", .choice = &c->off},
        {.name = "--least", .help = "percent of the answers, to be exact", .number = &c->least},
        {.name = "--show", .help = "print each answer that is not exact", .set = &c->show},
        {.name = "--source", .help = "print the function of this seed, and no more", .number = &c->source},
        {.name = "--expect-failures", .help = "fail if no function does", .set = &c->expect_failures},
        {0},
    };
    arguments_read("require", "When random functions fail, against native runs.", table, argc, argv);
}

int main(int argc, char **argv)
{
    Ledger *ledger = ledger_new();
    Check c = {.programs = 100, .seed = 1, .milliseconds = 2000, .ledger = ledger};
    read_arguments(&c, argc, argv);
    if (c.source) {
        Str text = {0};
        require_function(c.source, 0, &text);
        fputs(str_text(&text), stdout);
        str_free(&text);
        return 0;
    }
    uint64_t left = c.programs;
    for (uint32_t n; (n = corpus_batch(&left, BATCH)); c.seed += n)
        check_batch(&c, n);
    str_free(&c.emitted);
    bitset_free(&c.cut);
    vec_free(&c.expected);
    ledger_free(ledger);
    unsigned percent = c.programs ? (unsigned)(100 * c.exact / c.programs) : 100;
    printf("%llu functions at %llu points: %llu exact (%u %%)\n", (unsigned long long)c.programs,
           (unsigned long long)c.points, (unsigned long long)c.exact, percent);
    printf("%llu passed, %llu failed\n", (unsigned long long)(c.programs - c.failures),
           (unsigned long long)c.failures);
    if (percent < c.least) {
        printf("FAIL: too few are exact\n");
        return 1;
    }
    return (c.failures != 0) != c.expect_failures;
}
