/* xml.c - Test-Comp test suites, format 1.1: metadata.xml and one file for each test.
 *
 * The n-th input is the value of the n-th call of a nondet function, so only objects made by calls are
 * written. One of several elements is as many inputs: __VERIFIER_nondet_memory is defined as a call for each
 * byte. */
#include "suite/suite_int.h"

#include <errno.h>
#include <time.h>

static void escape(const char *text, Str *out)
{
    size_t n = strlen(text);
    bool utf8 = suite_utf8(text, n);
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        switch (c) {
        case '<': str_add(out, "&lt;"); break;
        case '>': str_add(out, "&gt;"); break;
        case '&': str_add(out, "&amp;"); break;
        case '"': str_add(out, "&quot;"); break;
        default: str_add_char(out, c < 0x20 || c == 0x7f || (c > 0x7f && !utf8) ? '?' : (char)c);
        }
    }
}

static void head(const char *root, Str *out)
{
    vec_clear(out);
    str_printf(out,
               "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
               "<!DOCTYPE %s PUBLIC \"+//IDN sosy-lab.org//DTD test-format %s 1.1//EN\" "
               "\"https://sosy-lab.org/test-format/%s-1.1.dtd\">\n",
               root, root, root);
}

static void element(const char *name, const char *text, Str *out)
{
    str_printf(out, "  <%s>", name);
    escape(text, out);
    str_printf(out, "</%s>\n", name);
}

static void input(const SuiteObject *o, uint32_t index, Str *out)
{
    uint32_t n = suite_object_elements(o);
    SuiteType type = suite_object_type(o);
    const char *c_type = type.kind == SUITE_BYTES ? "unsigned char" : suite_type_name(type, o->size);
    str_add(out, "  <input variable=\"");
    escape(o->name, out);
    if (n > 1)
        str_printf(out, "[%u]", index);
    str_printf(out, "\" type=\"%s\">", c_type ? c_type : "unsigned char");
    suite_object_number(o, index, out);
    str_add(out, "</input>\n");
}

/* Did the run get to the error function? Where a program has one of its own, the fault is whatever that
 * does. */
static bool covers_error(const SuiteTest *t)
{
    if (t->covers_error)
        return true;
    return t->ending == SUITE_END_FAULT &&
           (!strcmp(t->fault, "reported") || !strcmp(t->function, "reach_error"));
}

void suite_xml_write(const SuiteTest *t, Str *out)
{
    head("testcase", out);
    str_printf(out, "<testcase coversError=\"%s\">\n", covers_error(t) ? "true" : "false");
    for (uint32_t i = 0; i < t->objects.n; i++) {
        const SuiteObject *o = &t->objects.v[i];
        bool called = o->origin == SUITE_FROM_CALL && !suite_object_is_environment(o);
        uint32_t n = called ? suite_object_elements(o) : 0;
        for (uint32_t k = 0; k < n; k++)
            input(o, k, out);
    }
    str_add(out, "</testcase>\n");
}

static bool has_flag(const SuiteProgram *p, const char *flag)
{
    for (uint32_t i = 0; i < p->flags.n; i++)
        if (!strcmp(p->flags.v[i], flag))
            return true;
    return false;
}

bool suite_xml_metadata(const SuiteProgram *p, int64_t when, Str *out, const char **error)
{
    char hash[65], stamp[32];
    Str file = {0};
    const char *first = p->inputs.n ? p->inputs.v[0] : "";
    if (!file_read(first, SUITE_FILE_LIMIT, &file)) {
        *error = strerror(errno);
        str_free(&file);
        return false;
    }
    suite_sha256(str_text(&file), file.n, hash);
    str_free(&file);
    struct tm utc;
    time_t seconds = (time_t)when;
    if (!gmtime_r(&seconds, &utc) || !strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", &utc)) {
        *error = "time out of range";
        return false;
    }
    head("test-metadata", out);
    str_add(out, "<test-metadata>\n");
    element("sourcecodelang", "C", out);
    element("producer", p->producer, out);
    element("specification",
            p->cover_error ? "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )"
                           : "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
            out);
    element("programfile", first, out);
    element("programhash", hash, out);
    element("entryfunction", p->entry, out);
    element("architecture", has_flag(p, "-m32") ? "32bit" : "64bit", out);
    element("creationtime", stamp, out);
    str_add(out, "</test-metadata>\n");
    return true;
}
