/* options.c - parsing by table; see options.h. */
#include "cli/options.h"

#include <stdlib.h>

#include "cli/options_int.h"

typedef struct Parser {
    const Option *const *tables;
    char *settings;
    char *const *argv;
    int argc, at; /* at: the next word                                                         */
    OptionArgs *args;
    Str *error;
} Parser;

static bool fail(const Parser *p, const char *fmt, ...) PRINTF_LIKE(2, 3);

static bool fail(const Parser *p, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    str_vprintf(p->error, fmt, args);
    va_end(args);
    return false;
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool uint_parse(const char *text, uint64_t *value)
{
    u128 wide;
    bool hex = text_starts_with(text, "0x") || text_starts_with(text, "0X");
    if (*text == '-' || !text_parse_u128(text, hex ? 0 : 10, &wide) || wide > UINT64_MAX)
        return false;
    *value = (uint64_t)wide;
    return true;
}

static bool int_set(const Option *o, void *field, const char *text)
{
    (void)o;
    uint64_t magnitude, negative = *text == '-';
    if (!uint_parse(text + negative, &magnitude) || magnitude > (uint64_t)INT64_MAX + negative)
        return false;
    *(int64_t *)field = (int64_t)(negative ? -magnitude : magnitude);
    return true;
}

static bool uint_set(const Option *o, void *field, const char *text)
{
    (void)o;
    return uint_parse(text, field);
}

static bool size_set(const Option *o, void *field, const char *text)
{
    (void)o;
    static const char units[] = "KkMmGg";
    char digits[32];
    size_t n = strlen(text);
    const char *unit = n ? strchr(units, text[n - 1]) : NULL;
    if (n >= sizeof digits)
        return false;
    memcpy(digits, text, n + 1);
    if (unit)
        digits[n - 1] = 0;
    unsigned shift = unit ? 10 * ((unsigned)(unit - units) / 2 + 1) : 0;
    uint64_t value;
    if (!uint_parse(digits, &value) || value > UINT64_MAX >> shift)
        return false;
    *(uint64_t *)field = value << shift;
    return true;
}

static bool seconds_set(const Option *o, void *field, const char *text)
{
    (void)o;
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}};
    size_t digits = strspn(text, "0123456789"), n = digits;
    if (text[n] == '.') {
        size_t behind = strspn(text + n + 1, "0123456789");
        digits += behind;
        n += 1 + behind;
    }
    for (unsigned i = 0; digits && n < 300 && i < COUNT_OF(units); i++)
        if (!strcmp(text + n, units[i].name)) {
            *(double *)field = strtod(text, NULL) * units[i].seconds;
            return true;
        }
    return false;
}

static bool string_set(const Option *o, void *field, const char *text)
{
    (void)o;
    *(const char **)field = text;
    return true;
}

static bool list_set(const Option *o, void *field, const char *text)
{
    (void)o;
    vec_push((StrVec *)field, text);
    return true;
}

/* The position of the word of n characters, or -1. */
static int word_find(const Option *o, const char *word, size_t n)
{
    for (int i = 0; o->words[i]; i++)
        if (!strncmp(o->words[i], word, n) && !o->words[i][n])
            return i;
    return -1;
}

static bool enum_set(const Option *o, void *field, const char *text)
{
    int i = word_find(o, text, strlen(text));
    if (i >= 0)
        *(unsigned *)field = (unsigned)i;
    return i >= 0;
}

static bool set_word(const Option *o, uint64_t *mask, const char *word, size_t n)
{
    bool is_all = n == 3 && !strncmp(word, "all", n), is_none = n == 4 && !strncmp(word, "none", n);
    int i = word_find(o, word, n);
    if (i >= 0) {
        *mask |= UINT64_C(1) << i;
    } else if (is_none) {
        *mask = 0;
    } else if (is_all) {
        for (i = 0; o->words[i]; i++)
            *mask |= UINT64_C(1) << i;
    } else if (n > 3 && !strncmp(word, "no-", 3) && (i = word_find(o, word + 3, n - 3)) >= 0) {
        *mask &= ~(UINT64_C(1) << i);
    } else {
        return false;
    }
    return true;
}

static bool set_set(const Option *o, void *field, const char *text)
{
    uint64_t mask = *(uint64_t *)field;
    for (const char *word = text;; word++) {
        size_t n = strcspn(word, ",");
        if (!set_word(o, &mask, word, n))
            return false;
        word += n;
        if (!*word)
            break;
    }
    *(uint64_t *)field = mask;
    return true;
}

/* The kinds that take one value: how it is taken in, and what it should have been. */
static const struct {
    bool (*set)(const Option *o, void *field, const char *text);
    const char *expected;
} kinds[] = {
    [OPTION_INT] = {int_set, "a whole number"},
    [OPTION_UINT] = {uint_set, "a whole number that is not negative"},
    [OPTION_SIZE] = {size_set, "a size such as 4096, 64K, 512M or 2G"},
    [OPTION_SECONDS] = {seconds_set, "a time such as 10, 1.5s, 200ms, 5m or 2h"},
    [OPTION_STRING] = {string_set, "a text"},
    [OPTION_LIST] = {list_set, "a text"},
    [OPTION_ENUM] = {enum_set, "one of"},
    [OPTION_SET] = {set_set, "a list with commas of"},
};

static bool value_refused(const Parser *p, const Option *o, const char *text)
{
    fail(p, "--%s: '%s' is not %s", o->name, text, kinds[o->kind].expected);
    for (unsigned i = 0; o->words && o->words[i]; i++)
        fail(p, "%s%s", i ? ", " : " ", o->words[i]);
    const char *nearest = o->words ? options_nearest(text, o->words) : NULL;
    return nearest ? fail(p, ": did you mean '%s'?", nearest) : false;
}

static bool value_set(const Parser *p, const Option *o, const char *text)
{
    return kinds[o->kind].set(o, p->settings + o->field, text) || value_refused(p, o, text);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const Option *long_find(const Option *const *tables, const char *name, size_t n)
{
    FOR_OPTIONS(o, tables)
    if (option_has_name(o) && !strncmp(o->name, name, n) && !o->name[n])
        return o;
    return NULL;
}

static const Option *brief_find(const Option *const *tables, char brief)
{
    FOR_OPTIONS(o, tables)
    if (option_has_name(o) && o->brief == brief)
        return o;
    return NULL;
}

static const Option *compiler_find(const Option *const *tables)
{
    FOR_OPTIONS(o, tables)
    if (o->kind == OPTION_COMPILER)
        return o;
    return NULL;
}

typedef enum CcFollows { NOTHING_FITS, VALUE, REST, ANY, ALONE } CcFollows;

/* What may follow the compiler flag that the word is; *behind is its rest. */
static CcFollows cc_flag(const char *word, const char **behind)
{
    static const struct {
        const char *flag;
        CcFollows follows;
    } flags[] = {
#define CC_FLAG(flag, follows) {flag, follows},
#include "cli/cc_flags.def"
#undef CC_FLAG
    };
    for (unsigned i = 0; i < COUNT_OF(flags); i++) {
        if (!text_starts_with(word, flags[i].flag))
            continue;
        *behind = word + strlen(flags[i].flag);
        if (flags[i].follows == VALUE || flags[i].follows == ANY || !**behind == (flags[i].follows == ALONE))
            return flags[i].follows;
    }
    return NOTHING_FITS;
}

static bool option_is_sound(const Option *const *tables, const Option *o)
{
    bool has_words = o->kind == OPTION_ENUM || o->kind == OPTION_SET;
    bool has_value = o->kind > OPTION_COUNT && o->kind < OPTION_CALL;
    if (!o->help || has_words != (o->words != NULL) || (o->kind == OPTION_CALL) != (o->call != NULL))
        return false;
    if (o->kind == OPTION_COMPILER)
        return compiler_find(tables) == o;
    if (!o->name || long_find(tables, o->name, strlen(o->name)) != o)
        return false;
    const char *behind, flag[] = {'-', o->brief, 0};
    if (o->brief && (brief_find(tables, o->brief) != o || (compiler_find(tables) && cc_flag(flag, &behind))))
        return false;
    if (o->preset && o->kind != OPTION_FLAG && !has_value)
        return false;
    if (o->optional && o->kind != OPTION_STRING && o->kind != OPTION_LIST)
        return false;
    return o->values <= OPTION_VALUES && (o->argument || has_words || !(has_value || o->values));
}

void options_preset(const Option *const *tables, void *settings)
{
    Str error = {0};
    Parser p = {.tables = tables, .settings = settings, .error = &error};
    FOR_OPTIONS(o, tables)
    {
        if (o->kind == OPTION_GROUP)
            continue;
        if (!option_is_sound(tables, o))
            bug("a slip in the table of options, at '%s'", o->name ? o->name : "(without a name)");
        if (!o->preset)
            continue;
        if (o->kind == OPTION_FLAG)
            *(bool *)(p.settings + o->field) = true;
        else if (!value_set(&p, o, o->preset))
            bug("a default that is none: %s", str_text(&error));
    }
}

void options_free(const Option *const *tables, void *settings)
{
    FOR_OPTIONS(o, tables)
    if (o->kind == OPTION_LIST || o->kind == OPTION_COMPILER)
        vec_free((StrVec *)((char *)settings + o->field));
}

void options_args_free(OptionArgs *args)
{
    vec_free(&args->plain);
    vec_free(&args->rest);
    vec_free(&args->given);
    for (uint32_t i = 0; i < args->values.n; i++)
        mem_free(args->values.v[i]);
    vec_free(&args->values);
}

/* Is it the last that counts, when an option is given twice? */
static bool last_counts(const Option *o)
{
    return o->kind != OPTION_LIST && o->kind != OPTION_CALL && o->kind != OPTION_SET &&
           o->kind != OPTION_COUNT;
}

static bool given_again(const OptionArgs *args, uint32_t i)
{
    for (uint32_t k = i + 1; k < args->given.n; k++)
        if (!strcmp(args->given.v[i], args->given.v[k]))
            return true;
    return false;
}

static bool is_among(const char *word, const char *const *words)
{
    while (*words && strcmp(*words, word))
        words++;
    return *words;
}

void options_canonical(const Option *const *tables, const OptionArgs *args, const char *const *without,
                       Str *out)
{
    FOR_OPTIONS(o, tables)
    for (uint32_t i = 0; o->name && i < args->given.n; i++) {
        const char *value = args->values.v[i];
        if (o->kind == OPTION_GROUP || strcmp(o->name, args->given.v[i]) || is_among(o->name, without) ||
            (last_counts(o) && given_again(args, i)) || (o->preset && !strcmp(o->preset, value)))
            continue;
        bool no = option_has_no(o) && !strcmp(value, "no");
        str_printf(out, "--%s%s%s%s\n", no ? "no-" : "", o->name, value[0] && !no ? " " : "",
                   no ? "" : value);
    }
}

bool options_given(const OptionArgs *args, const char *name)
{
    for (uint32_t i = 0; i < args->given.n; i++)
        if (!strcmp(args->given.v[i], name))
            return true;
    return false;
}

/* ---- suggestions ----------------------------------------------------------------------------- */

/* Keeps the better of *best and candidate: one that the word begins, else one that a few letters turn it
 * into. */
static void consider(const char *word, const char *candidate, const char **best, uint32_t *least)
{
    size_t n = strlen(word), m = strlen(candidate);
    if (!n || n > 100)
        return;
    uint32_t distance = n >= 3 && text_starts_with(candidate, word) ? 1 : text_distance(word, candidate);
    if (distance < *least && distance <= ((n > m ? n : m) + 2) / 3) {
        *least = distance;
        *best = candidate;
    }
}

const char *options_nearest(const char *word, const char *const *candidates)
{
    const char *best = NULL;
    uint32_t least = UINT32_MAX;
    for (; *candidates; candidates++)
        consider(word, *candidates, &best, &least);
    return best;
}

static bool unknown(const Parser *p, const char *word)
{
    fail(p, "unknown option '%.100s'", word);
    char name[101];
    const char *bare = word + strspn(word, "-");
    size_t n = strcspn(bare, "=");
    if (n >= sizeof name)
        return false;
    memcpy(name, bare, n);
    name[n] = 0;
    bool no = text_starts_with(name, "no-");
    const char *best = NULL, *best_no = NULL;
    uint32_t least = UINT32_MAX;
    FOR_OPTIONS(o, p->tables)
    {
        if (!option_has_name(o))
            continue;
        consider(name, o->name, &best, &least);
        if (no && option_has_no(o))
            consider(name + 3, o->name, &best_no, &least);
    }
    if (best_no)
        return fail(p, ": did you mean '--no-%s'?", best_no);
    return best ? fail(p, ": did you mean '--%s'?", best) : false;
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_long(const Parser *p, const char *name)
{
    size_t n = strcspn(name, "=");
    const Option *no = text_starts_with(name, "no-") ? long_find(p->tables, name + 3, n - 3) : NULL;
    return long_find(p->tables, name, n) || (no && option_has_no(no));
}

/* A word that is an option of ours is not the value of the one before it: that was forgotten. */
static bool is_option(const Parser *p, const char *word)
{
    if (word[0] != '-' || !word[1])
        return false;
    if (word[1] == '-')
        return !word[2] || is_long(p, word + 2);
    return !word[2] && brief_find(p->tables, word[1]);
}

/* NULL if there is none. */
static const char *value_next(Parser *p)
{
    return p->at < p->argc && !is_option(p, p->argv[p->at]) ? p->argv[p->at++] : NULL;
}

/* What stands in the place of the value that value_next did not find. */
static bool stands_instead(const Parser *p)
{
    const char *word = p->at < p->argc ? p->argv[p->at] : NULL;
    if (word)
        fail(p, "; '%.100s' %s", word, strcmp(word, "--") ? "is an option" : "ends the options");
    return false;
}

static bool lacks_value(const Parser *p, const Option *o)
{
    Str named = {0};
    option_argument(o, &named);
    fail(p, "--%s needs %s: %s", o->name, o->values > 1 ? "values" : "a value", str_text(&named));
    str_free(&named);
    return stands_instead(p);
}

static bool call_take(Parser *p, const Option *o, const char *value)
{
    const char *values[OPTION_VALUES] = {value};
    for (unsigned i = value ? 1 : 0; i < o->values; i++) {
        values[i] = value_next(p);
        if (!values[i])
            return lacks_value(p, o);
    }
    if (o->call(o, p->settings, values, p->error))
        return true;
    if (!p->error->n)
        fail(p, "--%s: '%s' can not be used", o->name, values[0] ? values[0] : "");
    return false;
}

/* Sets an option whose value, if the same word had one, is value. */
static bool option_set(Parser *p, const Option *o, const char *value)
{
    if (o->kind == OPTION_FLAG)
        *(bool *)(p->settings + o->field) = true;
    else if (o->kind == OPTION_COUNT)
        ++*(unsigned *)(p->settings + o->field);
    else if (o->kind == OPTION_CALL)
        return call_take(p, o, value);
    else if (value || o->optional)
        return value_set(p, o, value ? value : "");
    else
        return (value = value_next(p)) ? value_set(p, o, value) : lacks_value(p, o);
    return true;
}

static void note_given(Parser *p, const Option *o, const char *value)
{
    vec_push(&p->args->given, o->name);
    vec_push(&p->args->values, mem_strdup(value));
}

/* Takes in an option whose value, if the same word had one, is value. */
static bool option_take(Parser *p, const Option *o, const char *value)
{
    if (value && (option_has_no(o) || (o->kind == OPTION_CALL && !o->values)))
        return fail(p, "--%s takes no value", o->name);
    Str words = {0};
    int from = p->at;
    bool ok = option_set(p, o, value);
    str_add(&words, value ? value : "");
    for (int i = from; i < p->at; i++)
        str_printf(&words, "%s%s", words.n ? " " : "", p->argv[i]);
    note_given(p, o, str_text(&words));
    str_free(&words);
    return ok;
}

static bool long_take(Parser *p, const char *word)
{
    const char *name = word + 2;
    size_t n = strcspn(name, "=");
    const Option *o = long_find(p->tables, name, n);
    if (o)
        return option_take(p, o, name[n] ? name + n + 1 : NULL);
    if (text_starts_with(name, "no-"))
        o = long_find(p->tables, name + 3, n - 3);
    if (!o || !option_has_no(o))
        return unknown(p, word);
    if (name[n])
        return fail(p, "--no-%s takes no value", o->name);
    note_given(p, o, "no");
    if (o->kind == OPTION_FLAG)
        *(bool *)(p->settings + o->field) = false;
    else
        *(unsigned *)(p->settings + o->field) = 0;
    return true;
}

/* A word of one-letter options; the last may have its value behind it. */
static bool briefs_take(Parser *p, const char *word)
{
    for (const char *letter = word + 1; *letter; letter++) {
        const Option *o = brief_find(p->tables, *letter);
        if (!o)
            return unknown(p, word);
        bool alone = option_has_no(o) || (o->kind == OPTION_CALL && !o->values);
        if (!alone)
            return option_take(p, o, letter[1] ? letter + 1 : NULL);
        if (!option_take(p, o, NULL))
            return false;
    }
    return true;
}

static bool cc_flag_take(Parser *p, const Option *compiler, const char *word, CcFollows follows,
                         const char *behind)
{
    StrVec *flags = (StrVec *)(p->settings + compiler->field);
    bool apart = follows == VALUE && !*behind;
    const char *value = apart ? value_next(p) : NULL;
    if (apart && !value) {
        fail(p, "%s needs a value", word);
        return stands_instead(p);
    }
    vec_push(flags, word);
    if (apart)
        vec_push(flags, value);
    return true;
}

/* A word with a single dash. One of our long names with a dash too few must not reach the compiler. */
static bool dash_take(Parser *p, const char *word)
{
    const char *behind;
    const Option *compiler = compiler_find(p->tables);
    if (word[2] && long_find(p->tables, word + 1, strcspn(word + 1, "=")))
        return unknown(p, word);
    CcFollows follows = compiler ? cc_flag(word, &behind) : NOTHING_FITS;
    return follows ? cc_flag_take(p, compiler, word, follows, behind) : briefs_take(p, word);
}

bool options_parse(const Option *const *tables, void *settings, int argc, char *const *argv, OptionArgs *args,
                   Str *error)
{
    Parser p = {
        .tables = tables, .settings = settings, .argv = argv, .argc = argc, .args = args, .error = error};
    while (p.at < argc) {
        const char *word = argv[p.at++];
        if (args->ended)
            vec_push(&args->rest, word);
        else if (word[0] != '-' || !word[1])
            vec_push(&args->plain, word);
        else if (!strcmp(word, "--"))
            args->ended = true;
        else if (!(word[1] == '-' ? long_take(&p, word) : dash_take(&p, word)))
            return false;
    }
    return true;
}
