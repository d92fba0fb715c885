/* options_text.c - help and manual page from the table of options. */
#include "cli/options.h"

#include "cli/options_int.h"

/* How a rendering marks names and values. */
typedef struct Style {
    const char *bold, *italic, *plain;
    bool roff;
} Style;

static const Style style_text = {"", "", "", false};
static const Style style_roff = {"\\fB", "\\fI", "\\fR", true};

enum { NAMES_BEGIN = 2, HELP_BEGIN_MOST = 32, GAP = 2, WIDTH_LEAST = 60 };

void option_argument(const Option *o, Str *out)
{
    if (o->argument)
        str_add(out, o->argument);
    else
        for (unsigned i = 0; o->words && o->words[i]; i++)
            str_printf(out, "%s%s", i ? "|" : "", o->words[i]);
}

/* roff takes '-' for a hyphen, '\' for its own sign, and a line that begins with '.' or ''' for a request. */
static void escaped(const Style *style, const char *text, Str *out)
{
    if (style->roff && (*text == '.' || *text == '\''))
        str_add(out, "\\&");
    for (; *text; text++) {
        if (style->roff && *text == '\\')
            str_add(out, "\\e");
        else if (style->roff && *text == '-')
            str_add(out, "\\-");
        else
            str_add_char(out, *text);
    }
}

static void marked(const Style *style, const char *mark, const char *text, Str *out)
{
    str_add(out, mark);
    escaped(style, text, out);
    str_add(out, style->plain);
}

/* The beginnings of the flags that go to the compiler. */
static void compiler_names(const Style *style, Str *out)
{
    static const char *const flags[] = {
#define CC_FLAG(flag, follows) flag,
#include "cli/cc_flags.def"
#undef CC_FLAG
    };
    for (unsigned i = 0; i < COUNT_OF(flags); i++) {
        if (i)
            str_add(out, " ");
        marked(style, style->bold, flags[i], out);
    }
}

/* "-o, --output=DIR"; without a letter its place stays free in text, so that long names stand below each
 * other. */
static void names(const Style *style, const Option *o, Str *out)
{
    Str word = {0}, argument = {0};
    if (o->kind == OPTION_COMPILER) {
        compiler_names(style, out);
        return;
    }
    if (o->brief) {
        str_printf(&word, "-%c", o->brief);
        marked(style, style->bold, str_text(&word), out);
        str_add(out, ", ");
    } else if (!style->roff) {
        str_add(out, "    ");
    }
    vec_clear(&word);
    str_printf(&word, "--%s%s", o->kind == OPTION_FLAG && o->preset ? "no-" : "", o->name);
    marked(style, style->bold, str_text(&word), out);
    option_argument(o, &argument);
    if (argument.n) {
        str_add(out, o->optional ? "[=" : o->values > 1 ? " " : "=");
        marked(style, style->italic, str_text(&argument), out);
        str_add(out, o->optional ? "]" : "");
    }
    str_free(&word);
    str_free(&argument);
}

/* The help line with the words that names did not list, and the default. */
static void description(const Option *o, Str *out)
{
    str_add(out, o->help);
    if (o->words && o->argument)
        for (unsigned i = 0; o->words[i]; i++)
            str_printf(out, "%s%s",
                       i                       ? ", "
                       : o->kind == OPTION_SET ? "; any of "
                                               : "; one of ",
                       o->words[i]);
    if (o->preset && o->kind != OPTION_FLAG)
        str_printf(out, " (default: %s)", o->preset);
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Adds words in lines from begin on. The first is the current line, of which column is taken, if that leaves
 * a gap. */
static void wrapped(const char *text, uint32_t column, uint32_t begin, uint32_t width, Str *out)
{
    if (column && column + GAP > begin) {
        str_add_char(out, '\n');
        column = 0;
    }
    str_printf(out, "%*s", (int)(begin - column), "");
    column = begin;
    for (const char *word = text + strspn(text, " "); *word; word += strspn(word, " ")) {
        uint32_t n = (uint32_t)strcspn(word, " ");
        if (column > begin && column + 1 + n > width) {
            str_printf(out, "\n%*s", (int)begin, "");
            column = begin;
        } else if (column > begin) {
            str_add_char(out, ' ');
            column++;
        }
        str_add_n(out, word, n);
        column += n;
        word += n;
    }
    str_add_char(out, '\n');
}

/* Where help begins: behind the longest names that are not too long. */
static uint32_t help_column(const Option *const *tables)
{
    uint32_t column = 0;
    FOR_OPTIONS(o, tables)
    {
        Str text = {0};
        if (o->kind != OPTION_GROUP)
            names(&style_text, o, &text);
        uint32_t end = NAMES_BEGIN + text.n + GAP;
        if (end <= HELP_BEGIN_MOST && end > column)
            column = end;
        str_free(&text);
    }
    return column ? column : HELP_BEGIN_MOST;
}

void options_help(const Option *const *tables, uint32_t width, Str *out)
{
    uint32_t begin = help_column(tables), before = out->n;
    width = width < WIDTH_LEAST ? WIDTH_LEAST : width;
    FOR_OPTIONS(o, tables)
    {
        Str left = {0}, right = {0};
        if (o->kind == OPTION_GROUP) {
            str_printf(out, "%s%s:\n", out->n > before ? "\n" : "", o->name);
            continue;
        }
        names(&style_text, o, &left);
        description(o, &right);
        if (NAMES_BEGIN + left.n > width) {
            wrapped(str_text(&left), 0, NAMES_BEGIN, width, out);
            wrapped(str_text(&right), 0, begin, width, out);
        } else {
            str_printf(out, "%*s%s", NAMES_BEGIN, "", str_text(&left));
            wrapped(str_text(&right), NAMES_BEGIN + left.n, begin, width, out);
        }
        str_free(&left);
        str_free(&right);
    }
}

/* ---- roff ------------------------------------------------------------------------------------ */

void options_roff(const Option *const *tables, Str *out)
{
    FOR_OPTIONS(o, tables)
    {
        Str right = {0};
        if (o->kind == OPTION_GROUP) {
            str_add(out, ".SS ");
            escaped(&style_roff, o->name, out);
            str_add_char(out, '\n');
            continue;
        }
        str_add(out, ".TP\n");
        names(&style_roff, o, out);
        str_add_char(out, '\n');
        description(o, &right);
        escaped(&style_roff, str_text(&right), out);
        str_add_char(out, '\n');
        str_free(&right);
    }
}
