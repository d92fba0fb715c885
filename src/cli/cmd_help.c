/* cmd_help.c - `sheaf help`: the list of commands, one command's page, and the manual page, all from the
 * tables. */
#include "cli/command.h"

typedef struct HelpSettings {
    bool man;
} HelpSettings;

static const Option help_options[] = {
    {OPT_GROUP("Output")},
    {OPT_FLAG(HelpSettings, man), "man", .help = "print the manual page sheaf(1) in roff"},
    {OPT_END},
};
static const Option *const help_tables[] = {help_options, NULL};

static const char exit_status[] = "  0   clean and complete\n"
                                  "  1   found something: a fault, a difference\n"
                                  "  2   wrong usage, or input that cannot be used\n"
                                  "  3   found nothing, but incomplete\n"
                                  "  70  a bug in Sheaf\n"
                                  "'sheaf run' exits with the status of the program that it ran.";

static void help_of_sheaf(Str *out)
{
    str_add(
        out,
        "usage: sheaf COMMAND [OPTIONS] PROGRAM... [-- ARGUMENTS]\n\n"
        "Finds inputs that make C programs fail, writes tests, and answers questions about all inputs.\n");
    for (const Command *const *c = command_list(); *c; c++) {
        if ((*c)->group)
            str_printf(out, "\n%s:\n", (*c)->group);
        str_printf(out, "  %-10s %s\n", (*c)->name, (*c)->summary);
    }
    str_printf(out,
               "\n'sheaf help COMMAND' explains a command; 'sheaf --version' prints the version.\n\nExit "
               "status:\n%s\n",
               exit_status);
}

static void help_of_command(const Command *c, Str *out)
{
    str_printf(out, "usage: sheaf %s %s\n\n%s\n", c->name, c->synopsis, c->description);
    if (c->example)
        str_printf(out, "\nExample:\n%s", c->example);
    str_add_char(out, '\n');
    options_help(c->options, 100, out);
}

void command_help_print(const Command *command, FILE *to)
{
    Str text = {0};
    if (command)
        help_of_command(command, &text);
    else
        help_of_sheaf(&text);
    fputs(str_text(&text), to);
    str_free(&text);
}

/* A line of text in roff: dashes and backslashes escaped, no line that looks like a request. */
static void roff_text(Str *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        bool starts = p == text || p[-1] == '\n';
        if (starts && (*p == '.' || *p == '\''))
            str_add(out, "\\&");
        if (*p == '\n' && p[1] == '\n') {
            str_add(out, "\n.PP");
            continue;
        }
        if (*p == '\\')
            str_add(out, "\\e");
        else if (*p == '-')
            str_add(out, "\\-");
        else
            str_add_char(out, *p);
    }
    str_add_char(out, '\n');
}

void command_manual(Str *out)
{
    str_printf(out,
               ".TH SHEAF 1 \"\" \"sheaf %s\" \"User Commands\"\n.SH NAME\nsheaf \\- find inputs that make C "
               "programs fail, "
               "and write tests\n",
               SHEAF_VERSION);
    str_add(out, ".SH SYNOPSIS\n.B sheaf\n.I COMMAND\n[\\fIOPTIONS\\fR] \\fIPROGRAM\\fR... [\\-\\- "
                 "\\fIARGUMENTS\\fR]\n.SH COMMANDS\n");
    for (const Command *const *c = command_list(); *c; c++) {
        str_printf(out, ".SS sheaf %s ", (*c)->name);
        roff_text(out, (*c)->synopsis);
        roff_text(out, (*c)->description);
        if ((*c)->example) {
            str_add(out, ".PP\n.nf\n");
            roff_text(out, (*c)->example);
            str_add(out, ".fi\n");
        }
        options_roff((*c)->options, out);
    }
    str_add(out, ".SH EXIT STATUS\n.nf\n");
    roff_text(out, exit_status);
    str_add(out, ".fi\n");
}

static int help_run(const Command *command, void *settings, const OptionArgs *args)
{
    const HelpSettings *s = settings;
    (void)command;
    if (s->man) {
        Str text = {0};
        command_manual(&text);
        fputs(str_text(&text), stdout);
        str_free(&text);
        return EXIT_CLEAN;
    }
    if (args->plain.n > 1)
        die("help takes one command");
    const Command *wanted = args->plain.n ? command_find(args->plain.v[0]) : NULL;
    if (args->plain.n && !wanted)
        die("unknown command '%s': 'sheaf help' lists them", args->plain.v[0]);
    command_help_print(wanted, stdout);
    return EXIT_CLEAN;
}

const Command command_help = {
    .name = "help",
    .synopsis = "[COMMAND]",
    .summary = "list the commands, or explain one",
    .description = "Lists the commands, or explains one.",
    .options = help_tables,
    .settings_size = sizeof(HelpSettings),
    .run = help_run,
};
