/* emit_seen.c - what generated C expects of a test: how it ends, what it writes, and, where the file cannot
 * name the objects of the call as C (emit_entry.c does), what can be seen of them afterwards, as tables.
 *
 * All of it comes from two native runs of the test, which found other bytes in memory from malloc: what
 * differs between them is not expected. */
#include "suite/suite_int.h"

enum { STREAM_MOST = 1 << 16, SEEN_MOST = 4096 };

const char suite_seen_types[] =
    "/* What was written to a stream: its size, and the beginning of it; no text: it is not looked at. */\n"
    "typedef struct SheafStream {\n"
    "    const char *text;\n"
    "    __SIZE_TYPE__ known, size;\n"
    "} SheafStream;\n"
    "/* what is checked: nothing but a normal end, the exit status, an abnormal end, such an end if\n"
    " * AddressSanitizer looks, a report if UndefinedBehaviorSanitizer does, that it ends, that it does not "
    "*/\n"
    "enum { ANY, STATUS, FAULT, SANITIZER, UNDEFINED, OPEN, LATE };\n";

const char suite_seen_tables[] =
    "/* An object as it is after the call: the test's, the result (-1), or (-2) what the pointer at `offset` "
    "of\n"
    " * another leads to, at byte `delta` of it. */\n"
    "typedef struct SheafSeen {\n"
    "    int object;\n"
    "    unsigned from, offset;\n"
    "    long delta;\n"
    "} SheafSeen;\n"
    "typedef struct SheafSeenBytes {\n"
    "    unsigned seen, offset;\n"
    "    const char *bytes;\n"
    "    unsigned n;\n"
    "} SheafSeenBytes;\n"
    "typedef struct SheafSeenPointer {\n"
    "    unsigned seen, offset, target;\n"
    "    long delta;\n"
    "} SheafSeenPointer;\n";

const char suite_stream_text[] =
    "/* What sanitizers say of a run that goes on. */\n"
    "static int sheaf_is_report(const char *line, size_t n)\n"
    "{\n"
    "    return memmem(line, n, \": runtime error: \", 17) ||\n"
    "           memmem(line, n, \"SUMMARY: UndefinedBehaviorSanitizer\", 35) ||\n"
    "           memmem(line, n, \"WARNING: AddressSanitizer failed to allocate\", 44);\n"
    "}\n"
    "\n"
    "/* All that is in the file. */\n"
    "static char *sheaf_read(FILE *file, size_t *n)\n"
    "{\n"
    "    size_t room = 1 << 16, got = 0;\n"
    "    char *text = malloc(room);\n"
    "    rewind(file);\n"
    "    for (size_t more = 1; text && more; got += more) {\n"
    "        if (room - got < 2)\n"
    "            text = realloc(text, room *= 2);\n"
    "        more = text ? fread(text + got, 1, room - got - 1, file) : 0;\n"
    "    }\n"
    "    if (!text)\n"
    "        abort();\n"
    "    *n = got;\n"
    "    return text;\n"
    "}\n"
    "\n"
    "/* What the program wrote: without reports. */\n"
    "static char *sheaf_written(FILE *file, size_t *n)\n"
    "{\n"
    "    size_t got, end;\n"
    "    char *text = sheaf_read(file, &got);\n"
    "    *n = 0;\n"
    "    for (size_t at = 0; at < got; at = end) {\n"
    "        for (end = at; end < got && text[end++] != '\\n';)\n"
    "            ;\n"
    "        if (sheaf_is_report(text + at, end - at))\n"
    "            continue;\n"
    "        memmove(text + *n, text + at, end - at);\n"
    "        *n += end - at;\n"
    "    }\n"
    "    return text;\n"
    "}\n"
    "\n"
    "static int sheaf_wrote(FILE *file, const char *name, const SheafStream *expected)\n"
    "{\n"
    "    size_t n;\n"
    "    char *text = sheaf_written(file, &n);\n"
    "    int same = !expected->text ||\n"
    "               (n == expected->size && !memcmp(text, expected->text, expected->known));\n"
    "    if (!same)\n"
    "        printf(\"  not so: %s is \\\"%.*s\\\"\\n\", name, (int)expected->known, expected->text);\n"
    "    free(text);\n"
    "    return same;\n"
    "}\n"
    "\n"
    "/* Is there a report of UndefinedBehaviorSanitizer? Compiled without -fno-sanitize-recover, the run "
    "goes\n"
    " * on and ends as if nothing had been wrong. */\n"
    "static int sheaf_is_undefined(FILE *file)\n"
    "{\n"
    "    size_t n;\n"
    "    char *text = sheaf_read(file, &n);\n"
    "    int found = memmem(text, n, \": runtime error: \", 17) != NULL;\n"
    "    free(text);\n"
    "    return found;\n"
    "}\n"
    "\n"
    "static void sheaf_show(FILE *file)\n"
    "{\n"
    "    size_t n;\n"
    "    char *text = sheaf_read(file, &n);\n"
    "    fwrite(text, 1, n, stderr);\n"
    "    free(text);\n"
    "}\n"
    "\n"
    "/* Does UndefinedBehaviorSanitizer look? No macro of gcc tells: a shift by too many bits does. */\n"
    "static int sheaf_looks(void)\n"
    "{\n"
    "    volatile int by = 40, shifted;\n"
    "    FILE *file = tmpfile();\n"
    "    int status = 0;\n"
    "    fflush(stdout);\n"
    "    pid_t child = file ? fork() : -1;\n"
    "    if (!child) {\n"
    "        dup2(fileno(file), 2);\n"
    "        shifted = 1 << by;\n"
    "        (void)shifted;\n"
    "        _exit(0);\n"
    "    }\n"
    "    if (child < 0 || waitpid(child, &status, 0) != child)\n"
    "        return 0;\n"
    "    int looks = status != 0 || sheaf_is_undefined(file);\n"
    "    fclose(file);\n"
    "    return looks;\n"
    "}\n"
    "\n"
    "/* Can the fault that is expected be seen? */\n"
    "static int sheaf_is_seen(int check)\n"
    "{\n"
    "    return check == SANITIZER ? SHEAF_SANITIZED : check == UNDEFINED ? sheaf_looks() : 1;\n"
    "}\n"
    "\n";

const char suite_look_text[] =
    "enum { SHEAF_STATUS_DIFFERENT = 95 };\n"
    "static void sheaf_tests_differ(const char *what, unsigned seen, unsigned offset)\n"
    "{\n"
    "    fflush(NULL);\n"
    "    if (seen)\n"
    "        dprintf(2, \"  not so: %s at byte %u of object %u\\n\", what, offset, seen);\n"
    "    else\n"
    "        dprintf(2, \"  not so: %s at byte %u of the result\\n\", what, offset);\n"
    "    _exit(SHEAF_STATUS_DIFFERENT);\n"
    "}\n"
    "\n"
    "/* After the call: are result and objects as expected? */\n"
    "static void sheaf_tests_look(const SheafTest *t, const void *result)\n"
    "{\n"
    "    const char **at = calloc(t->nseen + 1, sizeof *at);\n"
    "    for (unsigned i = 0; at && i < t->nseen; i++) {\n"
    "        const SheafSeen *s = &t->seen[i];\n"
    "        if (s->object >= 0)\n"
    "            at[i] = sheaf_replay.memory ? sheaf_replay.memory[s->object] : 0;\n"
    "        else if (s->object == -1)\n"
    "            at[i] = result;\n"
    "        else if (at[s->from])\n"
    "            memcpy(&at[i], at[s->from] + s->offset, sizeof *at);\n"
    "        at[i] = at[i] ? at[i] - s->delta : 0;\n"
    "    }\n"
    "    for (unsigned i = 0; at && i < t->nbytes; i++) {\n"
    "        const SheafSeenBytes *b = &t->bytes[i];\n"
    "        if (!at[b->seen] || memcmp(at[b->seen] + b->offset, b->bytes, b->n))\n"
    "            sheaf_tests_differ(\"the bytes\", b->seen, b->offset);\n"
    "    }\n"
    "    for (unsigned i = 0; at && i < t->npointers; i++) {\n"
    "        const SheafSeenPointer *p = &t->pointers[i];\n"
    "        const char *to = 0;\n"
    "        if (at[p->seen])\n"
    "            memcpy(&to, at[p->seen] + p->offset, sizeof to);\n"
    "        if (!to || to != at[p->target] + p->delta)\n"
    "            sheaf_tests_differ(\"the pointer\", p->seen, p->offset);\n"
    "    }\n"
    "    free(at);\n"
    "}\n"
    "\n";

void suite_c_sanitizer_options(const SuiteProgram *p, Str *out)
{
    bool kept = !suite_entry_is_plain(p->entry); /* by callers, who are not there */
    const char *name = "__asan_default_options";
    uint32_t fn = p->ir ? ir_fn_find(p->ir, name) : IR_NONE;
    if (fn != IR_NONE && p->ir->fns.v[fn].defined)
        return;
    str_printf(out,
               "/* Memory that is not there is NULL, as without a sanitizer%s. */\nconst char "
               "*%s(void);\nconst char *%s(void) { return \"allocator_may_return_null=1%s\"; }\n\n",
               kept ? "; what a function keeps is no leak" : "", name, name, kept ? ":detect_leaks=0" : "");
}

/* ---- what two runs agree on ------------------------------------------------------------------ */

bool suite_observed_ended(const SuiteObserved *o)
{
    for (int i = 0; o && i < 2; i++) {
        const SuiteShown *s = &o->shown[i];
        if (!s->ran || s->timed_out || s->status >= 128 || s->fault[0] || s->stopped[0] || s->cut)
            return false;
    }
    return o && o->shown[0].status == o->shown[1].status;
}

static const SuiteSeenLink *link_at(const SuiteShown *s, uint32_t object, uint32_t offset)
{
    for (uint32_t i = 0; i < s->links.n; i++)
        if (s->links.v[i].object == object && offset - s->links.v[i].offset < 8)
            return &s->links.v[i];
    return NULL;
}

bool suite_observed_stable(const SuiteObserved *o, uint32_t object, uint32_t at)
{
    const SuiteShown *a = &o->shown[0], *b = &o->shown[1];
    const SuiteSeen *x = &a->seen.v[object], *y = object < b->seen.n ? &b->seen.v[object] : NULL;
    if (!y || strcmp(x->name, y->name) || x->size != y->size || x->freed || y->freed)
        return false;
    const SuiteSeenLink *l = link_at(a, object, at), *m = link_at(b, object, at);
    if (!l != !m)
        return false;
    return l ? l->target == m->target && l->delta == m->delta : x->data[at] == y->data[at];
}

/* Of a function the machine cannot tell a return from an exit. */
static bool is_normal_end(const SuiteTest *t)
{
    return t->ending == SUITE_END_RETURN || t->ending == SUITE_END_EXIT;
}

bool suite_observed_returned(const SuiteTest *t, const SuiteObserved *o)
{
    return suite_observed_ended(o) && is_normal_end(t) && !o->shown[0].status;
}

/* ---- how it ends ----------------------------------------------------------------------------- */

static void expect(Str *out, const char *check, int status, const char *text)
{
    str_printf(out, "%s, %d, \"", check, status);
    suite_c_escape(text, strlen(text), out);
    str_add_char(out, '"');
}

static void expect_fault(const char *fault, const char *site, Str *out)
{
    Str text = {0};
    str_printf(&text, "%s%s%s", fault, site[0] ? " at " : "", site);
    expect(out,
           suite_fault_is_always_seen(fault)     ? "FAULT"
           : words_have("overflow shift", fault) ? "UNDEFINED"
                                                 : "SANITIZER",
           0, str_text(&text));
    str_free(&text);
}

static void expect_status(int status, const char *normal, Str *out)
{
    Str text = {0};
    str_printf(&text, "status %d", status);
    expect(out, "STATUS", status, status || !normal ? str_text(&text) : normal);
    str_free(&text);
}

void suite_expectation(const SuiteTest *t, const char *entry, const SuiteObserved *o, Str *out)
{
    const SuiteShown *s = o ? &o->shown[0] : NULL;
    bool ran = s && s->ran, main = suite_entry_is_plain(entry);
    if (ran && s->timed_out && o->shown[1].timed_out)
        expect(out, "LATE", 0, "no end");
    else if (t->ending == SUITE_END_FAULT && (!ran || s->fault[0])) /* what does not show is not expected */
        expect_fault(t->fault, t->site, out);
    else if (ran && s->fault[0])
        expect_fault(s->fault, s->site, out);
    else if (is_normal_end(t) && suite_observed_ended(o))
        expect_status(s->status, main ? NULL : "a normal end", out);
    else if (suite_test_has_status(t, entry))
        expect_status(t->status & 0xff, NULL, out);
    else if (main ? suite_test_is_cut_short(t) : !is_normal_end(t))
        expect(out, "OPEN", 0, "an end");
    else
        expect(out, "ANY", 0, "a normal end");
}

/* ---- what it writes -------------------------------------------------------------------------- */

static void expect_text(const Str *text, const Str *again, Str *out)
{
    if (text->n != again->n || (text->n && memcmp(text->v, again->v, text->n))) {
        str_add(out, ", {0, 0, 0}");
        return;
    }
    uint32_t known = text->n < STREAM_MOST ? text->n : STREAM_MOST;
    str_add(out, ", {");
    suite_c_literal(str_text(text), known, out);
    str_printf(out, ", %u, %u}", known, text->n);
}

/* What sheaf_output wrote, as the library does. */
static void outputs_text(const SuiteShown *s, Str *out)
{
    for (uint32_t i = 0; i < s->seen.n; i++) {
        if (!text_starts_with(s->seen.v[i].name, "output "))
            continue;
        str_printf(out, "%s ", s->seen.v[i].name + 7);
        for (uint32_t k = 0; k < s->seen.v[i].size; k++)
            str_printf(out, "%02x", s->seen.v[i].data[k]);
        str_add_char(out, '\n');
    }
}

void suite_expect_streams(const SuiteObserved *o, bool outputs, Str *out)
{
    Str named[2] = {{0}, {0}};
    if (!suite_observed_ended(o)) {
        str_add(out, outputs ? ", {0, 0, 0}, {0, 0, 0}, {0, 0, 0}" : ", {0, 0, 0}, {0, 0, 0}");
        return;
    }
    expect_text(&o->shown[0].out, &o->shown[1].out, out);
    expect_text(&o->shown[0].err, &o->shown[1].err, out);
    for (int i = 0; outputs && i < 2; i++)
        outputs_text(&o->shown[i], &named[i]);
    if (outputs)
        expect_text(&named[0], &named[1], out);
    str_free(&named[0]);
    str_free(&named[1]);
}

/* ---- objects, as tables ---------------------------------------------------------------------- */

typedef struct Tables {
    const SuiteProgram *p;
    const SuiteTest *test;
    const SuiteObserved *observed;
    bool *placed; /* of each seen object: its address is known after the call */
    uint32_t n, bytes, pointers;
    Str seen_rows, byte_rows, pointer_rows;
} Tables;

static int object_named(const SuiteTest *t, const char *name)
{
    for (uint32_t i = 0; i < t->objects.n; i++)
        if (!strcmp(t->objects.v[i].name, name) &&
            (t->objects.v[i].origin == SUITE_FROM_POINTEE || t->objects.v[i].origin == SUITE_FROM_GLOBAL))
            return (int)i;
    return -2;
}

/* Where it is after the call: by the first pointer to it that both runs left, if it is not the test's. */
static void place_object(Tables *w, uint32_t i)
{
    const SuiteShown *s = &w->observed->shown[0];
    int object = !strcmp(s->seen.v[i].name, "result") ? -1 : object_named(w->test, s->seen.v[i].name);
    SuiteSeenLink way = {0};
    w->placed[i] = object > -2;
    for (uint32_t k = 0; !w->placed[i] && k < s->links.n; k++) {
        way = s->links.v[k];
        w->placed[i] = way.target == i && way.object < i && w->placed[way.object] &&
                       suite_observed_stable(w->observed, way.object, way.offset);
    }
    str_printf(&w->seen_rows, "{%d, %u, %u, %lld}, ", object, object == -2 ? way.object : 0,
               object == -2 ? way.offset : 0, (long long)(object == -2 ? way.delta : 0));
}

/* Bytes of the result that belong to a value, not to padding. */
static void mark_values(const Tables *w, uint32_t i, uint8_t *part, uint32_t size)
{
    uint32_t fn = ir_fn_find(w->p->ir, w->p->entry);
    const IrFn *f = fn == IR_NONE ? NULL : &w->p->ir->fns.v[fn];
    uint32_t type = f && f->ctypes.n ? f->ctypes.v[0] : 0;
    IrCFieldVec fields = {0};
    Arena *arena = arena_new();
    if (type && !strcmp(w->observed->shown[0].seen.v[i].name, "result"))
        ir_ctype_fields(w->p->ir, type, "result", false, size, arena, &fields);
    memset(part, !fields.n, size);
    for (uint32_t k = 0; k < fields.n; k++)
        for (uint64_t at = fields.v[k].low / 8; at < (fields.v[k].low + fields.v[k].bits + 7) / 8; at++)
            if (at < size)
                part[at] = 1;
    vec_free(&fields);
    arena_free(arena);
}

static void expect_object(Tables *w, uint32_t i)
{
    const SuiteShown *s = &w->observed->shown[0];
    const SuiteSeen *seen = &s->seen.v[i];
    if (!w->placed[i] || seen->freed || !seen->size || text_starts_with(seen->name, "output "))
        return;
    uint8_t *part = mem_zalloc(seen->size);
    mark_values(w, i, part, seen->size);
    for (uint32_t at = 0, n; at < seen->size; at += n ? n : 1) {
        for (n = 0; at + n < seen->size && part[at + n] && !link_at(s, i, at + n) &&
                    suite_observed_stable(w->observed, i, at + n);)
            n++;
        const SuiteSeenLink *l = n ? NULL : link_at(s, i, at);
        if (n) {
            str_printf(&w->byte_rows, "{%u, %u, ", i, at);
            suite_c_literal(seen->data + at, n, &w->byte_rows);
            str_printf(&w->byte_rows, ", %u}, ", n);
            w->bytes++;
        } else if (l && l->offset == at && l->target < w->n && w->placed[l->target] &&
                   suite_observed_stable(w->observed, i, at)) {
            str_printf(&w->pointer_rows, "{%u, %u, %u, %lld}, ", i, at, l->target, (long long)l->delta);
            w->pointers++;
        }
    }
    mem_free(part);
}

void suite_expect_objects(const SuiteProgram *p, const SuiteTest *t, const SuiteObserved *o, uint32_t number,
                          Str *tables, Str *row)
{
    if (!p->ir || !p->source || !suite_observed_returned(t, o)) {
        str_add(row, ", 0, 0, 0, 0, 0, 0");
        return;
    }
    Tables w = {.p = p, .test = t, .observed = o};
    w.n = o->shown[0].seen.n < SEEN_MOST ? o->shown[0].seen.n : SEEN_MOST;
    w.placed = mem_zalloc((w.n + 1) * sizeof *w.placed);
    for (uint32_t i = 0; i < w.n; i++)
        place_object(&w, i);
    for (uint32_t i = 0; i < w.n; i++)
        expect_object(&w, i);
    const struct {
        const char *type, *name;
        uint32_t n;
        Str *rows;
    } all[] = {{"SheafSeen", "seen", w.n, &w.seen_rows},
               {"SheafSeenBytes", "bytes", w.bytes, &w.byte_rows},
               {"SheafSeenPointer", "pointers", w.pointers, &w.pointer_rows}};
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        if (all[i].n) {
            str_printf(tables, "static const %s sheaf_%s%u[] = {%s};\n", all[i].type, all[i].name, number,
                       str_text(all[i].rows));
            str_printf(row, ", sheaf_%s%u, %u", all[i].name, number, all[i].n);
        } else {
            str_add(row, ", 0, 0");
        }
        str_free(all[i].rows);
    }
    mem_free(w.placed);
}
