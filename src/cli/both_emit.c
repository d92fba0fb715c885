/* both_emit.c - the tests of differences as C that pins what one of the versions does.
 *
 * One file for each function: it declares that function alone, by a header, a prototype or its source, so
 * that it compiles with either version. What it expects is what the pinned version shows natively. */
#include "cli/both.h"

/* A revision is laid out in a directory that goes away: its files are named from there. */
static void without_roots(const Both *b, Str *text)
{
    for (unsigned v = 0; v < 2; v++) {
        const char *root = b->version[v]->is_copy ? b->version[v]->root : NULL;
        Str out = {0};
        if (!root)
            continue;
        const char *at = str_text(text);
        for (const char *found; (found = strstr(at, root)); at = found + strlen(root)) {
            str_add_n(&out, at, (size_t)(found - at));
            if (found[strlen(root)] == '/')
                found++;
            else
                str_add_char(&out, '.');
        }
        str_add(&out, at);
        str_free(text);
        *text = out;
    }
}

/* False: no C source of the version declares the entry. */
static bool describe(Both *b, unsigned v, const char *entry, SuiteProgram *p)
{
    *p = (SuiteProgram){.inputs = b->version[v]->program.inputs,
                        .flags = b->settings->program.cflags,
                        .producer = "sheaf " SHEAF_VERSION,
                        .entry = entry,
                        .pinned = v == VERSIONS_NEW ? "new" : "old",
                        .declares = true,
                        .ir = b->maker[v].program,
                        .frontend = &b->version[v]->program};
    return !strcmp(entry, "main") || suite_program_entry(p, p->frontend, b->arena);
}

static void emit_function(Both *b, const BothPin *first, const SuiteTestVec *tests, const char *library,
                          StrVec *out)
{
    SuiteProgram p[2];
    Str text = {0}, name = {0};
    bool declared = true;
    for (unsigned v = 0; v < 2; v++)
        declared &= describe(b, v, first->entry[v], &p[v]);
    str_printf(&name, "tests-%s.c", first->entry[VERSIONS_NEW]);
    SuiteProgram *pinned = &p[b->pinned];
    pinned->other = &p[!b->pinned];
    pinned->file = str_text(&name);
    if (declared) {
        suite_c_tests(pinned, tests->v, tests->n, library, both_replay(b, b->pinned), &text);
        without_roots(b, &text);
        if (results_file(testcase_results(&b->maker[VERSIONS_NEW]), str_text(&name), &text))
            vec_push(out, arena_printf(b->arena, "%s/%s", b->settings->directory, str_text(&name)));
    } else {
        warn("--emit c: no C source declares '%s'", first->entry[VERSIONS_NEW]);
    }
    for (unsigned v = 0; v < 2; v++) {
        vec_free(&p[v].types);
        vec_free(&p[v].names);
        vec_free(&p[v].entry_flags);
        vec_free(&p[v].own_flags);
    }
    str_free(&text);
    str_free(&name);
}

static bool is_of(const BothPin *p, const BothPin *first)
{
    return !strcmp(p->entry[VERSIONS_NEW], first->entry[VERSIONS_NEW]);
}

void both_emit(Both *b, StrVec *out)
{
    Str library = {0};
    char *path = program_own_file("native/replay.c");
    if (path)
        file_read(path, 1 << 20, &library);
    for (uint32_t i = 0; i < b->pins.n; i++) {
        const BothPin *first = &b->pins.v[i];
        SuiteTestVec tests = {0};
        bool done = false;
        for (uint32_t k = 0; k < b->pins.n; k++) {
            done |= k < i && is_of(&b->pins.v[k], first);
            if (is_of(&b->pins.v[k], first))
                vec_push(&tests, b->pins.v[k].test);
        }
        if (!done)
            emit_function(b, first, &tests, str_text(&library), out);
        vec_free(&tests);
    }
    mem_free(path);
    str_free(&library);
}
