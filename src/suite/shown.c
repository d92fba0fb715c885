/* shown.c - what a native run showed to an observer outside, and whether two runs showed the same.
 *
 * The library (runtime/native/replay.c) writes objects as text: `object INDEX SIZE FREED NAME`, and below it
 * bytes in hexadecimal digits with ` >INDEX+DELTA>` or ` >->` in the place of pointers. That text comes from
 * a program that is not trusted: what cannot be read ends the list. */
#include "suite/replay_int.h"
#include "suite/suite_int.h"

#include <ctype.h>
#include <stdlib.h>

enum { OBJECTS_MOST = 1 << 16, QUOTED = 40 };

/* ---- reading --------------------------------------------------------------------------------- */

static int digit(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_file(const SuiteReplay *r, const char *name, Str *out)
{
    Str path = {0};
    str_printf(&path, "%s/%s", r->out_dir, name);
    bool ok = file_read(str_text(&path), (size_t)r->options.max_file + 1, out);
    str_free(&path);
    return ok;
}

/* Bytes and pointers of one line, up to its end. */
static const char *read_bytes(SuiteShown *s, const char *p, uint8_t *data, uint32_t size)
{
    uint32_t at = 0;
    while (*p && *p != '\n' && at < size) {
        if (*p == ' ') {
            SuiteSeenLink link = {s->seen.n, at, UINT32_MAX, 0};
            char *end = NULL;
            if (text_starts_with(p, " >->")) {
                p += 4;
            } else {
                link.target = p[1] == '>' ? (uint32_t)strtoul(p + 2, &end, 10) : 0;
                link.delta = end && *end == '+' ? strtoll(end + 1, &end, 10) : 0;
                if (!end || *end != '>')
                    return NULL;
                p = end + 1;
            }
            vec_push(&s->links, link);
            at += 8;
        } else {
            int high = digit(p[0]), low = high < 0 ? -1 : digit(p[1]);
            if (low < 0)
                return NULL;
            data[at++] = (uint8_t)(high << 4 | low);
            p += 2;
        }
    }
    return p + strcspn(p, "\n");
}

static void read_objects(SuiteShown *s, const char *p)
{
    while (s->seen.n < OBJECTS_MOST) {
        unsigned index, freed;
        unsigned long size;
        int n = 0;
        if (sscanf(p, "object %9u %18lu %1u %n", &index, &size, &freed, &n) != 3 || !n ||
            index != s->seen.n || size > UINT32_MAX / 2)
            return;
        p += n;
        size_t length = strcspn(p, "\n");
        SuiteSeen seen = {.name = arena_strndup(s->arena, p, length), .size = (uint32_t)size, .freed = freed};
        p += length + (p[length] == '\n');
        if (!freed) {
            size_t room =
                strcspn(p, "\n") * 8 + 16; /* what stands there, however long the object says that it is */
            uint32_t held = room < size ? (uint32_t)room : (uint32_t)size;
            uint8_t *data = arena_alloc(s->arena, held + 16);
            seen.data = data;
            s->cut |= held < size;
            seen.size = held;
            p = read_bytes(s, p, data, held);
            if (!p)
                return;
            p += *p == '\n';
        }
        vec_push(&s->seen, seen);
    }
    s->cut = true;
}

/* "NAME HEX" lines of sheaf_output. */
static void read_outputs(SuiteShown *s, const char *p)
{
    for (; *p && s->seen.n < OBJECTS_MOST; p += strcspn(p, "\n"), p += *p == '\n') {
        size_t line = strcspn(p, "\n"), name = line;
        while (name && p[name - 1] != ' ')
            name--;
        uint32_t size = (uint32_t)(line - name) / 2;
        uint8_t *data = arena_alloc(s->arena, size + 1);
        for (uint32_t i = 0; i < size; i++) {
            int high = digit(p[name + 2 * i]), low = digit(p[name + 2 * i + 1]);
            data[i] = high < 0 || low < 0 ? 0 : (uint8_t)(high << 4 | low);
        }
        vec_push(&s->seen,
                 (SuiteSeen){.name = arena_printf(s->arena, "output %.*s", name ? (int)name - 1 : 0, p),
                             .data = data,
                             .size = size});
    }
}

void suite_replay_show(SuiteReplay *r, const SuiteTest *t, SuiteShown *out)
{
    SuiteOutcome outcome = {.verdict = SUITE_NOT_RUN};
    ReplayRun run = {0};
    Str text = {0};
    *out = (SuiteShown){.arena = arena_new(), .message = "", .stopped = ""};
    if (r->problem) {
        out->message = arena_strdup(out->arena, r->problem);
        return;
    }
    ReplayBuild build = *replay_build_for(r, t, false);
    if (replay_run_once(r, t, &build, true, &run, &outcome)) {
        replay_judge(r, t, &build, &run, &outcome);
        out->ran = run.sandbox.ran && (outcome.verdict != SUITE_NOT_RUN);
        out->timed_out = outcome.verdict == SUITE_TIMED_OUT;
    }
    out->message = arena_strdup(out->arena, outcome.message);
    if (out->ran) {
        static const char *const endings[] = {"mismatch ", "more ", "assumption "};
        for (size_t i = 0; i < COUNT_OF(endings); i++)
            if (text_starts_with(run.event, endings[i]))
                out->stopped = arena_strdup(out->arena, run.event);
        out->status = outcome.status;
        snprintf(out->fault, sizeof out->fault, "%s", outcome.fault);
        snprintf(out->site, sizeof out->site, "%s", outcome.site);
        read_file(r, "stdout", &out->out);
        read_file(r, "stderr", &out->err);
        out->cut = out->out.n >= r->options.max_file || out->err.n >= r->options.max_file;
        if (read_file(r, "shown", &text))
            read_objects(out, str_text(&text));
        if (read_file(r, "outputs", &text))
            read_outputs(out, str_text(&text));
    }
    str_free(&run.report);
    str_free(&text);
}

void suite_shown_free(SuiteShown *s)
{
    str_free(&s->out);
    str_free(&s->err);
    vec_free(&s->seen);
    vec_free(&s->links);
    arena_free(s->arena);
    *s = (SuiteShown){0};
}

void suite_replay_observe(SuiteReplay *r, const SuiteTest *t, SuiteObserved *out)
{
    static const uint8_t fills[2] = {0xbe, 0x41};
    for (int i = 0; i < 2; i++) {
        r->fill = fills[i];
        suite_replay_show(r, t, &out->shown[i]);
    }
    r->fill = 0;
}

void suite_observed_free(SuiteObserved *o)
{
    for (int i = 0; i < 2; i++)
        suite_shown_free(&o->shown[i]);
}

/* ---- comparing ------------------------------------------------------------------------------- */

static const SuiteSeen *seen_find(const SuiteShown *s, const char *name, uint32_t nth)
{
    for (uint32_t i = 0; i < s->seen.n; i++)
        if (!strcmp(s->seen.v[i].name, name) && !nth--)
            return &s->seen.v[i];
    return NULL;
}

/* As a number where it is as long as one, else the bytes from `at` on. */
static void add_value(const SuiteSeen *o, uint32_t at, Str *out)
{
    if (o->size <= 8 && (o->size & (o->size - 1)) == 0 && o->size) {
        uint64_t bits = 0;
        memcpy(&bits, o->data, o->size);
        unsigned unused = 64 - 8 * o->size;
        str_printf(out, "%lld", (long long)((int64_t)(bits << unused) >> unused));
        return;
    }
    for (uint32_t i = at; i < o->size && i < at + 8; i++)
        str_printf(out, "%s%02x", i > at ? " " : "", o->data[i]);
}

void suite_shown_ending(const SuiteShown *s, Str *out)
{
    const SuiteSeen *result = seen_find(s, "result", 0);
    if (!s->ran)
        str_printf(out, "not run: %s", s->message);
    else if (s->timed_out)
        str_add(out, "does not end in time");
    else if (s->fault[0])
        str_printf(out, "%s%s%s", s->fault, s->site[0] ? " at " : "", s->site);
    else if (s->stopped[0])
        str_printf(out, "ends: %s", s->stopped + strcspn(s->stopped, " ") + 1);
    else if (s->status > 128)
        str_printf(out, "signal %d", s->status - 128);
    else if (s->status)
        str_printf(out, "exit status %d", s->status);
    else if (result && !result->freed) {
        str_add(out, "returns ");
        if (s->links.n && !s->links.v[0].object)
            str_add(out, "a pointer");
        else
            add_value(result, 0, out);
    } else
        str_add(out, "returns");
}

/* Up to QUOTED bytes from `at` on, as C would write them. */
static void add_quoted(const Str *text, uint32_t at, Str *out)
{
    uint32_t from = at > QUOTED / 2 ? at - QUOTED / 2 : 0,
             n = text->n - from < QUOTED ? text->n - from : QUOTED;
    str_add(out, from ? "...\"" : "\"");
    suite_c_escape(str_text(text) + from, n, out);
    str_add(out, from + n < text->n ? "\"..." : "\"");
}

/* What assert() prints without its line: ": Assertion `" is behind "program: file:line: function". */
static void mask_assertions(const Str *text, Str *out)
{
    for (uint32_t i = 0; i < text->n;) {
        const char *line = text->v + i;
        size_t n = strcspn(line, "\n");
        const char *mark = memmem(line, n, ": Assertion `", 13);
        for (size_t k = 0; k < n; k++) {
            bool number = mark && line + k < mark && line[k] == ':' && isdigit((unsigned char)line[k + 1]);
            str_add_char(out, line[k]);
            if (number) {
                str_add_char(out, 'N');
                while (isdigit((unsigned char)line[k + 1]))
                    k++;
            }
        }
        if (i + n < text->n)
            str_add_char(out, line[n]);
        i += (uint32_t)n + 1;
    }
}

static bool streams_differ(const char *name, const Str *old, const Str *new, Str *difference)
{
    Str a = {0}, b = {0};
    mask_assertions(old, &a);
    mask_assertions(new, &b);
    uint32_t i = 0;
    while (i < a.n && i < b.n && a.v[i] == b.v[i])
        i++;
    bool differ = i < a.n || i < b.n;
    if (differ) {
        str_printf(difference, "writes ");
        add_quoted(&a, i, difference);
        str_printf(difference, " to %s, and ", name);
        add_quoted(&b, i, difference);
    }
    str_free(&a);
    str_free(&b);
    return differ;
}

static const SuiteSeenLink *link_at(const SuiteShown *s, uint32_t object, uint32_t offset)
{
    for (uint32_t i = 0; i < s->links.n; i++)
        if (s->links.v[i].object == object && offset - s->links.v[i].offset < 8)
            return &s->links.v[i];
    return NULL;
}

/* Pointers to the same place: of objects by name, since indices may differ. */
static bool same_target(const SuiteShown *old, const SuiteSeenLink *a, const SuiteShown *new,
                        const SuiteSeenLink *b)
{
    bool known_a = a->target < old->seen.n, known_b = b->target < new->seen.n;
    return known_a == known_b && (!known_a || (a->delta == b->delta && !strcmp(old->seen.v[a->target].name,
                                                                               new->seen.v[b->target].name)));
}

static bool objects_differ(const SuiteShown *old, uint32_t i, const SuiteShown *new, uint32_t k,
                           SuiteIgnores *ignores, void *context, Str *difference)
{
    const SuiteSeen *a = &old->seen.v[i], *b = &new->seen.v[k];
    if (a->freed != b->freed || a->size != b->size) {
        if (a->freed != b->freed)
            str_printf(difference, "%s: %s, and %s", a->name, a->freed ? "freed" : "not freed",
                       b->freed ? "freed" : "not freed");
        else
            str_printf(difference, "%s has %u bytes, and %u", a->name, a->size, b->size);
        return true;
    }
    for (uint32_t at = 0; at < a->size && !a->freed; at++) {
        const SuiteSeenLink *x = link_at(old, i, at), *y = link_at(new, k, at);
        if (ignores && ignores(context, b, at))
            continue;
        if (x || y) {
            if (!x || !y || !same_target(old, x, new, y)) {
                str_printf(difference, "%s: at byte %u other pointers", a->name, at);
                return true;
            }
            continue;
        }
        if (a->data[at] == b->data[at])
            continue;
        if (!strcmp(a->name, "result"))
            str_add(difference, "returns ");
        else
            str_printf(difference, "%s%s", a->name, a->size > 8 ? " at byte " : " is ");
        if (a->size > 8 && strcmp(a->name, "result"))
            str_printf(difference, "%u: ", at);
        add_value(a, at, difference);
        str_add(difference, ", and ");
        add_value(b, at, difference);
        return true;
    }
    return false;
}

static bool seen_differ(const SuiteShown *old, const SuiteShown *new, SuiteIgnores *ignores, void *context,
                        Str *difference)
{
    for (uint32_t i = 0; i < old->seen.n; i++) {
        const SuiteSeen *a = &old->seen.v[i];
        uint32_t nth = 0;
        for (uint32_t k = 0; k < i; k++)
            nth += !strcmp(old->seen.v[k].name, a->name);
        const SuiteSeen *b = seen_find(new, a->name, nth);
        if (!b) {
            str_printf(difference, "%s is there, and is not", a->name);
            return true;
        }
        if (objects_differ(old, i, new, (uint32_t)(b - new->seen.v), ignores, context, difference))
            return true;
    }
    if (old->seen.n == new->seen.n)
        return false;
    str_printf(difference, "%u object%s can be seen, and %u", old->seen.n, old->seen.n == 1 ? "" : "s",
               new->seen.n);
    return true;
}

/* Two faults of one kind are the same ending, wherever the line stands now. */
static bool endings_differ(const SuiteShown *a, const SuiteShown *b)
{
    return a->ran != b->ran || a->timed_out != b->timed_out || a->status != b->status ||
           strcmp(a->fault, b->fault) || strcmp(a->stopped, b->stopped);
}

bool suite_shown_differ(const SuiteShown *old, const SuiteShown *new, SuiteIgnores *ignores, void *context,
                        Str *difference)
{
    if (endings_differ(old, new)) {
        suite_shown_ending(old, difference);
        str_add(difference, ", and ");
        suite_shown_ending(new, difference);
        return true;
    }
    return seen_differ(old, new, ignores, context, difference) ||
           streams_differ("standard output", &old->out, &new->out, difference) ||
           streams_differ("standard error", &old->err, &new->err, difference);
}
