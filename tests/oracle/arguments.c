/* arguments.c - the command line of an oracle. */
#include "arguments.h"
#include "flow/flow.h"

#include <stdlib.h>

const ArgumentWord argument_policies[] = {
    {"none", 0}, {"exits", FLOW_TIE_EXITS}, {"faults", FLOW_TIE_FAULTS | FLOW_TIE_EXITS}, {0}};

static bool is_flag(const Argument *a) { return a->set || a->clear; }

static void print_help(const char *oracle, const char *about, const Argument *table)
{
    printf("usage: %s --clang PROGRAM --runtime FILE [OPTIONS]\n%s\n\n", oracle, about);
    for (const Argument *a = table; a->name; a++) {
        Str name = {0};
        str_add(&name, a->name);
        for (const ArgumentWord *w = a->words; w && w->word; w++)
            str_printf(&name, "%s%s", w == a->words ? " " : "|", w->word);
        if (!a->words && !is_flag(a))
            str_add(&name, a->text ? " TEXT" : " N");
        printf("  %-28s %s\n", str_text(&name), a->help);
        str_free(&name);
    }
}

static void take_number(const char *oracle, const Argument *a, const char *value)
{
    u128 number;
    if (!text_parse_u128(value, 10, &number) || number > (a->number ? UINT64_MAX : UINT32_MAX))
        die("%s: %s '%s': expected a number", oracle, a->name, value);
    if (a->number)
        *a->number = (uint64_t)number;
    else
        *a->choice = (unsigned)number;
}

static void take(const char *oracle, const Argument *a, const char *value)
{
    if (a->text) {
        *a->text = value;
        return;
    }
    for (const ArgumentWord *w = a->words; w && w->word; w++)
        if (!strcmp(w->word, value)) {
            *a->choice = w->value;
            return;
        }
    if (a->words)
        die("%s: %s '%s': no such word", oracle, a->name, value);
    take_number(oracle, a, value);
}

static const Argument *find(const char *oracle, const Argument *table, const char *name)
{
    for (const Argument *a = table; a->name; a++)
        if (!strcmp(a->name, name))
            return a;
    die("%s: unknown argument '%s' (--help lists them)", oracle, name);
}

void arguments_read(const char *oracle, const char *about, const Argument *table, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) {
            print_help(oracle, about, table);
            exit(0);
        }
        const Argument *a = find(oracle, table, argv[i]);
        if (a->set)
            *a->set = true;
        else if (a->clear)
            *a->clear = false;
        else if (i + 1 == argc)
            die("%s: %s needs a value", oracle, a->name);
        else
            take(oracle, a, argv[++i]);
    }
    for (const Argument *a = table; a->name; a++) {
        if (a->text && !*a->text)
            die("%s: %s is needed", oracle, a->name);
        if (!strcmp(a->name, "--programs") && !*a->number)
            die("%s: --programs 0 would show nothing", oracle);
    }
}
