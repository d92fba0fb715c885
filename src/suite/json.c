/* json.c - tests as JSON: everything that is known of one, bytes as hex with a readable copy beside it.
 *
 *     { "sheaf_test": 1,
 *       "program": { "inputs": [...], "flags": [...], "checks": [...], "entry": "main", "hash": "..." },
 *       "argv": [ "prog", { "hex": "ff" } ],
 *       "objects": [ { "name": "x", "origin": "call", "of": "klee_int", "type": "int", "element": 4, "size":
 * 4, "hex": "05000000", "value": "5" } ],
 *       "fields" of an object: [ [ "item->type", first bit, bits, "int" ] ]; "links": [ [object, offset,
 * target, delta] ], "ending": { "how": "fault", "kind": "oob-write", "site": "a.c:8:3", "function": "f",
 * "status": 0, "message":
 * "..." } }
 *
 * A text that is not UTF-8 is an object with its bytes in hex. "value" and "text" are for people: readers
 * ignore them. */
#include "suite/suite_int.h"

enum { SHOWN_ELEMENTS = 64, SHOWN_TEXT = 4096 };

/* ---- writing --------------------------------------------------------------------------------- */

static void write_text(JsonOut *j, const char *key, const char *text)
{
    size_t n = strlen(text);
    if (suite_utf8(text, n)) {
        json_string(j, key, text);
        return;
    }
    json_object_begin(j, key);
    json_hex(j, "hex", text, n);
    json_object_end(j);
}

static void write_texts(JsonOut *j, const char *key, const StrVec *texts)
{
    json_array_begin(j, key);
    for (uint32_t i = 0; i < texts->n; i++)
        write_text(j, NULL, texts->v[i]);
    json_array_end(j);
}

/* A copy for people: numbers of a scalar or a short array; text where it is some. */
static void write_readable(JsonOut *j, const SuiteObject *o)
{
    Str text = {0};
    uint32_t n = suite_object_elements(o);
    SuiteKind kind = suite_object_type(o).kind;
    bool numbers = kind != SUITE_BYTES && kind != SUITE_CHAR && kind != SUITE_POINTER;
    if (numbers && n <= SHOWN_ELEMENTS) {
        for (uint32_t i = 0; i < n; i++) {
            str_add(&text, i ? ", " : "");
            suite_object_value(o, i, &text);
        }
        json_string(j, "value", str_text(&text));
    } else if (kind != SUITE_POINTER && o->size <= SHOWN_TEXT && suite_utf8((const char *)o->data, o->size)) {
        json_string_n(j, "text", (const char *)o->data, o->size);
    }
    str_free(&text);
}

static void write_fields(JsonOut *j, const SuiteObject *o)
{
    json_array_begin(j, "fields");
    for (uint32_t i = 0; i < o->nfields; i++) {
        json_array_begin(j, NULL);
        write_text(j, NULL, o->fields[i].text);
        json_uint(j, NULL, o->fields[i].low);
        json_uint(j, NULL, o->fields[i].bits);
        json_string(j, NULL, suite_kind_word(o->fields[i].kind));
        json_array_end(j);
    }
    json_array_end(j);
}

static void write_object(JsonOut *j, const SuiteObject *o)
{
    json_object_begin(j, NULL);
    write_text(j, "name", o->name);
    json_string(j, "origin", suite_origin_word(o->origin));
    if (o->of[0])
        write_text(j, "of", o->of);
    json_string(j, "type", suite_kind_word(o->type.kind));
    json_uint(j, "element", o->type.element);
    json_uint(j, "size", o->size);
    json_hex(j, "hex", o->data, o->size);
    write_readable(j, o);
    if (o->nfields)
        write_fields(j, o);
    json_object_end(j);
}

static void write_links(JsonOut *j, const SuiteTest *t)
{
    json_array_begin(j, "links");
    for (uint32_t i = 0; i < t->links.n; i++) {
        json_array_begin(j, NULL);
        json_uint(j, NULL, t->links.v[i].object);
        json_uint(j, NULL, t->links.v[i].offset);
        json_uint(j, NULL, t->links.v[i].target);
        json_uint(j, NULL, t->links.v[i].delta);
        json_array_end(j);
    }
    json_array_end(j);
}

static void write_ending(JsonOut *j, const SuiteTest *t)
{
    json_object_begin(j, "ending");
    json_string(j, "how", suite_ending_word(t->ending));
    json_string(j, "kind", t->fault);
    write_text(j, "site", t->site);
    write_text(j, "function", t->function);
    json_int(j, "status", t->status);
    write_text(j, "message", t->message);
    json_object_end(j);
}

void suite_json_write(const SuiteTest *t, Str *out)
{
    JsonOut j = {0};
    json_object_begin(&j, NULL);
    json_uint(&j, "sheaf_test", 1);
    json_object_begin(&j, "program");
    write_texts(&j, "inputs", &t->inputs);
    write_texts(&j, "flags", &t->flags);
    write_texts(&j, "checks", &t->checks);
    write_text(&j, "entry", t->entry);
    if (t->made.n)
        write_texts(&j, "made", &t->made);
    if (t->program[0])
        write_text(&j, "hash", t->program);
    json_object_end(&j);
    write_texts(&j, "argv", &t->argv);
    json_array_begin(&j, "objects");
    for (uint32_t i = 0; i < t->objects.n; i++)
        write_object(&j, &t->objects.v[i]);
    json_array_end(&j);
    if (t->links.n)
        write_links(&j, t);
    write_ending(&j, t);
    json_object_end(&j);
    vec_clear(out);
    str_add(out, str_text(&j.text));
    str_add_char(out, '\n');
    str_free(&j.text);
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct Reader {
    SuiteTest *t;
    const char *error; /* the first */
} Reader;

static bool fail(Reader *r, const char *what)
{
    if (!r->error)
        r->error = what;
    return false;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The bytes of a hex string, a NUL behind them. NULL with an error. */
static const uint8_t *read_hex(Reader *r, const Json *value, uint32_t *size)
{
    if (!value || value->kind != JSON_STRING || value->string_size % 2 ||
        value->string_size / 2 > SUITE_FILE_LIMIT) {
        fail(r, "\"hex\" must be a string of pairs of hexadecimal digits");
        return NULL;
    }
    *size = (uint32_t)(value->string_size / 2);
    uint8_t *bytes = arena_alloc(r->t->arena, *size + (size_t)1);
    for (uint32_t i = 0; i < *size; i++) {
        int high = hex_digit(value->string[2 * i]), low = hex_digit(value->string[2 * i + 1]);
        if (high < 0 || low < 0) {
            fail(r, "\"hex\" must be a string of pairs of hexadecimal digits");
            return NULL;
        }
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return bytes;
}

/* A string, or { "hex": ... }; `otherwise` if absent. Without NULs. */
static const char *read_text(Reader *r, const Json *value, const char *otherwise)
{
    const char *text = NULL;
    uint32_t size = 0;
    if (!value || value->kind == JSON_NULL)
        return otherwise;
    if (value->kind == JSON_STRING) {
        size = (uint32_t)value->string_size;
        text = arena_strndup(r->t->arena, value->string, size);
    } else if (value->kind == JSON_OBJECT) {
        text = (const char *)read_hex(r, json_member(value, "hex"), &size);
    } else {
        fail(r, "a text must be a string, or an object with \"hex\"");
    }
    if (text && strlen(text) != size)
        fail(r, "a text has a NUL in it");
    return text ? text : otherwise;
}

static bool read_texts(Reader *r, const Json *array, StrVec *out)
{
    if (!array)
        return true;
    if (array->kind != JSON_ARRAY || array->count > SUITE_OBJECT_LIMIT)
        return fail(r, "\"argv\", \"inputs\", \"flags\" and \"checks\" must be arrays");
    for (const Json *v = array->first; v; v = v->next)
        vec_push(out, read_text(r, v, ""));
    return !r->error;
}

static bool read_number(Reader *r, const Json *value, uint32_t limit, uint32_t *out)
{
    if (!value || value->kind != JSON_NUMBER || !value->is_integer || value->integer < 0 ||
        value->integer > limit)
        return fail(r, "a number is missing or out of range");
    *out = (uint32_t)value->integer;
    return true;
}

static bool read_field(Reader *r, const Json *value, uint32_t size, SuiteField *out)
{
    const Json *low = value->kind == JSON_ARRAY && value->count == 4 ? value->first->next : NULL;
    if (!low)
        return fail(r, "a field must be an array: its name, first bit, bits and type");
    out->text = read_text(r, value->first, "");
    if (!read_number(r, low, UINT32_MAX, &out->low) || !read_number(r, low->next, 128, &out->bits))
        return false;
    if (!suite_kind_by_word(json_text(low->next->next, ""), &out->kind))
        return fail(r, "a field with a type that is not known");
    return !r->error &&
           ((uint64_t)out->low + out->bits <= 8ull * size || fail(r, "a field leaves its object"));
}

static bool read_fields(Reader *r, const Json *array, SuiteObject *o)
{
    if (!array)
        return true;
    if (array->kind != JSON_ARRAY || array->count > SUITE_FIELD_LIMIT)
        return fail(r, "\"fields\" must be an array");
    SuiteField *fields = arena_alloc(r->t->arena, (array->count + 1) * sizeof *fields);
    for (const Json *v = array->first; v; v = v->next)
        if (!read_field(r, v, o->size, &fields[o->nfields++]))
            return false;
    o->fields = fields;
    return true;
}

static bool read_object(Reader *r, const Json *value)
{
    SuiteObject o = {.name = read_text(r, json_member(value, "name"), ""),
                     .of = read_text(r, json_member(value, "of"), "")};
    uint32_t size, element = 0;
    if (value->kind != JSON_OBJECT || !o.name[0])
        return fail(r, "an object must have a \"name\"");
    if (!suite_origin_by_word(json_text(json_member(value, "origin"), "call"), &o.origin))
        return fail(r, "an \"origin\" that is not known");
    if (o.origin == SUITE_FROM_FILE && !o.of[0])
        return fail(r, "an object from a file must say \"of\" which");
    if (!suite_kind_by_word(json_text(json_member(value, "type"), "bytes"), &o.type.kind))
        return fail(r, "a \"type\" that is not known");
    if (json_member(value, "element") && !read_number(r, json_member(value, "element"), 255, &element))
        return false;
    o.type.element = (uint8_t)element;
    o.data = read_hex(r, json_member(value, "hex"), &o.size);
    if (!o.data)
        return false;
    if (json_member(value, "size") &&
        (!read_number(r, json_member(value, "size"), UINT32_MAX, &size) || size != o.size))
        return fail(r, "\"size\" and \"hex\" of an object do not agree");
    if (!read_fields(r, json_member(value, "fields"), &o))
        return false;
    vec_push(&r->t->objects, o);
    return true;
}

static bool read_objects(Reader *r, const Json *array)
{
    if (!array || array->kind != JSON_ARRAY || array->count > SUITE_OBJECT_LIMIT)
        return fail(r, "\"objects\" must be an array");
    for (const Json *v = array->first; v; v = v->next)
        if (!read_object(r, v))
            return false;
    return true;
}

static bool read_links(Reader *r, const Json *array)
{
    if (!array)
        return true;
    if (array->kind != JSON_ARRAY || array->count > SUITE_OBJECT_LIMIT)
        return fail(r, "\"links\" must be an array");
    for (const Json *v = array->first; v; v = v->next) {
        uint32_t numbers[4], n = 0;
        if (v->kind != JSON_ARRAY || v->count != 4)
            return fail(r, "a link must be an array of four numbers");
        for (const Json *x = v->first; x; x = x->next)
            if (!read_number(r, x, UINT32_MAX, &numbers[n++]))
                return false;
        vec_push(&r->t->links, (SuiteLink){numbers[0], numbers[1], numbers[2], numbers[3]});
    }
    uint32_t said = r->t->links.n;
    suite_test_check_links(r->t);
    return r->t->links.n == said || fail(r, "a link leaves its object");
}

static bool read_ending(Reader *r, const Json *ending)
{
    SuiteTest *t = r->t;
    if (!ending)
        return true;
    if (ending->kind != JSON_OBJECT ||
        !suite_ending_by_word(json_text(json_member(ending, "how"), ""), &t->ending))
        return fail(r, "\"ending\" must say \"how\" in a word that is known");
    t->fault = read_text(r, json_member(ending, "kind"), "");
    if (t->ending == SUITE_END_FAULT && !suite_fault_known(t->fault))
        return fail(r, "\"ending\" names a \"kind\" of fault that is not known");
    if (!suite_fault_known(t->fault))
        t->fault = "";
    t->site = read_text(r, json_member(ending, "site"), "");
    t->function = read_text(r, json_member(ending, "function"), "");
    t->message = read_text(r, json_member(ending, "message"), "");
    int64_t status = json_integer(json_member(ending, "status"), 0);
    if (status < INT32_MIN || status > INT32_MAX)
        return fail(r, "\"status\" is out of range");
    t->status = (int)status;
    return !r->error;
}

static bool read_test(Reader *r, const Json *root)
{
    const Json *program = json_member(root, "program");
    if (json_integer(json_member(root, "sheaf_test"), 0) != 1)
        return fail(r, "a version of this format that is not known");
    r->t->entry = read_text(r, json_member(program, "entry"), "main");
    r->t->program = read_text(r, json_member(program, "hash"), "");
    return read_texts(r, json_member(program, "inputs"), &r->t->inputs) &&
           read_texts(r, json_member(program, "flags"), &r->t->flags) &&
           read_texts(r, json_member(program, "checks"), &r->t->checks) &&
           read_texts(r, json_member(program, "made"), &r->t->made) &&
           read_texts(r, json_member(root, "argv"), &r->t->argv) &&
           read_objects(r, json_member(root, "objects")) && read_links(r, json_member(root, "links")) &&
           read_ending(r, json_member(root, "ending")) && !r->error;
}

bool suite_json_is(const Json *value) { return json_member(value, "sheaf_test") != NULL; }

SuiteTest *suite_json_read(Arena *a, const void *data, size_t size, const char **error)
{
    Json *root = json_parse(a, data, size, error);
    if (!root)
        return NULL;
    if (!suite_json_is(root)) {
        *error = "no test of Sheaf's";
        return NULL;
    }
    Reader r = {.t = suite_test_new()};
    if (read_test(&r, root)) {
        *error = NULL;
        return r.t;
    }
    *error = r.error;
    suite_test_free(r.t);
    return NULL;
}
