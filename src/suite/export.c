/* export.c - tests as files of one form, in a directory. */
#include "suite/suite_int.h"

#include <errno.h>
#include <time.h>

const char *const suite_form_words[] = {
#define SUITE_FORM(NAME, word) word,
#include "suite/suite.def"
    NULL};

static bool write_text(const char *directory, const char *name, const Str *text, Str *error)
{
    Str path = {0};
    str_printf(&path, "%s/%s", directory, name);
    bool ok = file_write_atomic(str_text(&path), str_text(text), text->n);
    if (!ok)
        str_printf(error, "%s: %s", str_text(&path), strerror(errno));
    str_free(&path);
    return ok;
}

/* The one stream of bytes that is the test's input; NULL: it has none, or more to it. */
static const SuiteObject *stream_of(const SuiteTest *t)
{
    const SuiteObject *found = NULL;
    for (uint32_t i = 0; i < t->objects.n; i++) {
        const SuiteObject *o = &t->objects.v[i];
        if (found || (o->origin != SUITE_FROM_STDIN && o->origin != SUITE_FROM_FUZZ))
            return NULL;
        found = o;
    }
    return found;
}

static bool write_stream(const SuiteTest *t, Str *out, Str *error)
{
    const SuiteObject *o = stream_of(t);
    if (o)
        str_add_n(out, (const char *)o->data, o->size);
    else
        str_add(error, "corpus: a test has other inputs than standard input or the data of a fuzz target");
    return o;
}

static bool write_one(const SuiteTest *t, SuiteForm form, const char *directory, Str *error)
{
    char name[32];
    Str text = {0};
    bool ok = true;
    snprintf(name, sizeof name, "%04u%s%s", t->number, form == SUITE_AS_CORPUS ? "" : ".",
             form == SUITE_AS_CORPUS     ? ""
             : form == SUITE_AS_TESTCOMP ? "xml"
                                         : suite_form_words[form]);
    switch (form) {
    case SUITE_AS_KTEST: suite_ktest_write(t, &text); break;
    case SUITE_AS_JSON: suite_json_write(t, &text); break;
    case SUITE_AS_TESTCOMP: suite_xml_write(t, &text); break;
    case SUITE_AS_CORPUS: ok = write_stream(t, &text, error); break;
    case SUITE_AS_C: break;
    }
    ok = ok && write_text(directory, name, &text, error);
    str_free(&text);
    return ok;
}

static bool write_metadata(const SuiteProgram *program, const char *directory, Str *error)
{
    Str text = {0};
    const char *why = "";
    bool ok = suite_xml_metadata(program, (int64_t)time(NULL), &text, &why);
    if (!ok)
        str_printf(error, "%s: %s", program->inputs.n ? program->inputs.v[0] : "program", why);
    ok = ok && write_text(directory, "metadata.xml", &text, error);
    str_free(&text);
    return ok;
}

bool suite_export(const SuiteProgram *program, const SuiteTestVec *tests, SuiteForm form,
                  const char *directory, const char *library, Str *error)
{
    bool ok = true;
    Str text = {0};
    if (form == SUITE_AS_C) {
        suite_c_tests(program, tests->v, tests->n, library, NULL, &text);
        ok = write_text(directory, "tests.c", &text, error);
    }
    if (form == SUITE_AS_TESTCOMP)
        ok = write_metadata(program, directory, error);
    for (uint32_t i = 0; i < tests->n && form != SUITE_AS_C && ok; i++)
        ok = write_one(tests->v[i], form, directory, error);
    str_free(&text);
    return ok;
}
