/* witness.c - witnesses in YAML: metadata, invariants of loops, waypoints of a failing run. */
#include "cli/witness.h"

#include <ctype.h>
#include <stdlib.h>
#include <time.h>

/* ---- metadata -------------------------------------------------------------------------------- */

static void quoted(const char *text, Str *out)
{
    str_add_char(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            str_add_char(out, '\\');
        str_add_char(out, *text);
    }
    str_add_char(out, '"');
}

static void member(const char *indent, const char *key, const char *value, Str *out)
{
    str_printf(out, "%s%s: ", indent, key);
    quoted(value, out);
    str_add_char(out, '\n');
}

static bool is_memory_fault(VmFaultKind kind) { return kind <= VM_FAULT_OVERLAP; }

/* The property of SV-COMP that the answer is about. */
static const char *specification(const Proving *p)
{
    bool failed = p->report.faults.n > 0, overflow = false;
    for (uint32_t i = 0; i < p->check_words.n; i++)
        overflow |= !strcmp(p->check_words.v[i], "overflow");
    if (failed ? p->report.faults.v[0].kind == VM_FAULT_OVERFLOW : overflow)
        return "CHECK( init(main()), LTL(G ! overflow) )";
    bool calls = ir_fn_find(p->program, "reach_error") != IR_NONE;
    if (failed ? is_memory_fault(p->report.faults.v[0].kind) : !calls)
        return "CHECK( init(main()), LTL(G valid-deref) )";
    return "CHECK( init(main()), LTL(G ! call(reach_error())) )";
}

static void file_hash(const char *path, char hex[65])
{
    Str text = {0};
    file_read(path, SUITE_FILE_LIMIT, &text);
    suite_sha256(str_text(&text), text.n, hex);
    str_free(&text);
}

static void metadata(const Proving *p, const StrVec *files, int64_t when, Str *out)
{
    char stamp[32] = "1970-01-01T00:00:00Z", hex[65];
    struct tm utc;
    time_t seconds = (time_t)when;
    Str seed = {0};
    if (gmtime_r(&seconds, &utc))
        strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", &utc);
    str_printf(&seed, "%s %s", stamp, files->n ? files->v[0] : "");
    suite_sha256(str_text(&seed), seed.n, hex);
    str_add(out, "  metadata:\n    format_version: \"2.0\"\n");
    str_printf(out, "    uuid: \"%.8s-%.4s-4%.3s-8%.3s-%.12s\"\n", hex, hex + 8, hex + 12, hex + 15,
               hex + 18);
    member("    ", "creation_time", stamp, out);
    str_add(out, "    producer:\n      name: \"Sheaf\"\n      version: \"" SHEAF_VERSION "\"\n");
    str_add(out, "    task:\n      input_files:\n");
    for (uint32_t i = 0; i < files->n; i++) {
        str_add(out, "      - ");
        quoted(files->v[i], out);
        str_add_char(out, '\n');
    }
    str_add(out, "      input_file_hashes:\n");
    for (uint32_t i = 0; i < files->n; i++) {
        file_hash(files->v[i], hex);
        str_add(out, "        ");
        quoted(files->v[i], out);
        str_printf(out, ": \"%s\"\n", hex);
    }
    member("      ", "specification", specification(p), out);
    str_add(out, "      data_model: \"LP64\"\n      language: \"C\"\n");
    str_free(&seed);
}

/* The column is left out where it is not known to be the one that the format asks for. */
static void location(const Proving *p, uint32_t site, bool column, const char *indent, Str *out)
{
    const IrSite *s = &p->program->sites.v[site];
    str_printf(out, "%slocation:\n%s  file_name: ", indent, indent);
    quoted(ir_text(p->program, s->file), out);
    str_printf(out, "\n%s  line: %u\n", indent, s->line);
    if (column && s->column)
        str_printf(out, "%s  column: %u\n", indent, s->column);
    str_printf(out, "%s  function: ", indent);
    quoted(ir_text(p->program, s->fn), out);
    str_add_char(out, '\n');
}

/* ---- invariants ------------------------------------------------------------------------------ */

static bool is_register(const IrProgram *p, const IrFn *fn, const char *word, size_t n)
{
    for (uint32_t i = 0; i < fn->regs.n; i++)
        if (fn->regs.v[i].name && strlen(ir_text(p, fn->regs.v[i].name)) == n &&
            !strncmp(ir_text(p, fn->regs.v[i].name), word, n))
            return true;
    return false;
}

/* Is the word a variable of the function, a global, or a word of C's own types? */
static bool is_in_scope(const IrProgram *p, const IrFn *fn, const char *word, size_t n)
{
    static const char *const types[] = {"int", "unsigned", "long", "short", "char", "signed"};
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (strlen(types[i]) == n && !strncmp(types[i], word, n))
            return true;
    size_t plain = n; /* a second `i` is called i3 by the compiler: then it is not clear which is meant */
    while (plain && isdigit((unsigned char)word[plain - 1]))
        plain--;
    if (is_register(p, fn, word, n))
        return plain == n || !is_register(p, fn, word, plain);
    for (uint32_t i = 0; i < p->globals.n; i++)
        if (!p->globals.v[i].runtime && strlen(ir_text(p, p->globals.v[i].name)) == n &&
            !strncmp(ir_text(p, p->globals.v[i].name), word, n))
            return true;
    return false;
}

/* C over names in scope, without what is only ours. */
static bool is_expression(const IrProgram *p, const IrFn *fn, const char *text, size_t n)
{
    for (size_t i = 0; i < n;) {
        if (strchr("#?@$.\"[", text[i]))
            return false;
        size_t k = 0;
        while (i + k < n && (isalnum((unsigned char)text[i + k]) || text[i + k] == '_'))
            k++;
        if (k && !isdigit((unsigned char)text[i]) && !is_in_scope(p, fn, text + i, k))
            return false;
        i += k ? k : 1;
    }
    return n > 0;
}

/* Where the next conjunct at the top begins; the end if there is none; *either: there is a disjunction at the
 * top. */
static const char *next_conjunct(const char *text, bool *either)
{
    int depth = 0;
    for (; *text; text++) {
        depth += (*text == '(') - (*text == ')');
        if (!depth && text_starts_with(text, " || "))
            *either = true;
        if (!depth && text_starts_with(text, " && "))
            return text;
    }
    return text;
}

/* The conjuncts that are C over names in scope. */
static void conjuncts(const IrProgram *p, const IrFn *fn, const char *text, Str *out)
{
    bool either = false;
    for (const char *end; *text; text = *end ? end + 4 : end) {
        end = next_conjunct(text, &either);
        size_t n = (size_t)(end - text);
        if (either || !is_expression(p, fn, text, n))
            continue;
        str_add(out, out->n ? " && " : "");
        str_add_n(out, text, n);
    }
    if (either)
        vec_clear(out);
}

/* Where the loop's statement begins: the jump back to its head is there. */
static uint32_t loop_site(const IrFn *fn, const BackwardInvariant *at)
{
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        const IrInsn *last = fn->blocks.v[b].insns.n ? &vec_last(&fn->blocks.v[b].insns) : NULL;
        if (last && last->op == IR_JMP && last->a == at->block && last->site != IR_NONE &&
            ir_edge_is_back(fn, b, at->block))
            return last->site;
    }
    return at->site;
}

static void invariant(const Proving *p, const BackwardInvariant *i, Str *out)
{
    Str text = {0};
    const IrFn *fn = &p->program->fns.v[i->fn];
    uint32_t site = loop_site(fn, i);
    conjuncts(p->program, fn, i->text, &text);
    if (text.n && site != IR_NONE) {
        str_add(out, "  - invariant:\n      type: \"loop_invariant\"\n");
        location(p, site, true, "      ", out);
        member("      ", "value", str_text(&text), out);
        str_add(out, "      format: \"c_expression\"\n");
    }
    str_free(&text);
}

/* ---- a run that fails ------------------------------------------------------------------------ */

static void waypoint(const char *type, Str *out)
{
    str_printf(out, "  - segment:\n    - waypoint:\n        type: \"%s\"\n        action: \"follow\"\n",
               type);
}

static void input_waypoint(const Proving *p, const ProveInput *i, Str *out)
{
    if (i->site == IR_NONE || !i->value)
        return;
    waypoint("function_return", out);
    location(p, i->site, false, "        ", out);
    str_add(out, "        constraint:\n          value: ");
    quoted(arena_printf(p->arena, "\\result == %s", i->value), out);
    str_add(out, "\n          format: \"acsl_expression\"\n");
}

void witness_text(const Proving *p, const StrVec *files, int64_t when, Str *out)
{
    bool proved = p->status == PROVE_PROVED;
    Str content = {0};
    str_printf(out, "- entry_type: \"%s\"\n", proved ? "invariant_set" : "violation_sequence");
    metadata(p, files, when, out);
    for (uint32_t i = 0; proved && i < p->ninvariants; i++)
        invariant(p, &p->invariants[i], &content);
    for (uint32_t i = 0; !proved && i < p->inputs.n; i++)
        input_waypoint(p, &p->inputs.v[i], &content);
    if (!proved && p->report.faults.v[0].site != IR_NONE) {
        waypoint("target", &content);
        location(p, p->report.faults.v[0].site, true, "        ", &content);
    }
    str_printf(out, "  content:%s\n%s", content.n ? "" : " []", str_text(&content));
    str_free(&content);
}
