/* main.c - sheaf: finds the command, reads its options, runs it. */
#include "cli/command.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

static const Command *const commands[] = {
    &command_test,  &command_reach,  &command_prove,  &command_signature, &command_require, &command_diff,
    &command_blame, &command_replay, &command_export, &command_minimize,  &command_harness, &command_show,
    &command_run,   &command_dump,   &command_worker, &command_jobs,      &command_help,    NULL,
};

const Command *const *command_list(void) { return commands; }

const Command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (!strcmp(commands[i]->name, name))
            return commands[i];
    return NULL;
}

_Noreturn static void unknown_command(const char *name)
{
    const char *names[COUNT_OF(commands)] = {NULL};
    for (size_t i = 0; commands[i]; i++)
        names[i] = commands[i]->name;
    const char *nearest = options_nearest(name, names);
    if (nearest)
        die("unknown command '%s': did you mean '%s'?", name, nearest);
    die("unknown command '%s': 'sheaf help' lists them", name);
}

/* --help anywhere before "--" is a question, whatever else is on the line. */
static bool asks_for_help(int argc, char *const *argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--"); i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return true;
    return false;
}

static int run_command(const Command *command, int argc, char *const *argv)
{
    if (asks_for_help(argc, argv)) {
        command_help_print(command, stdout);
        return EXIT_CLEAN;
    }
    void *settings = mem_zalloc(command->settings_size + 1);
    OptionArgs args = {0};
    Str error = {0};
    options_preset(command->options, settings);
    if (!options_parse(command->options, settings, argc, argv, &args, &error))
        die("%s ('sheaf help %s' lists the options)", str_text(&error), command->name);
    int status = command->run(command, settings, &args);
    if (fflush(stdout) || ferror(stdout))
        die("the answer could not be written to standard output: %s", strerror(errno));
    options_free(command->options, settings);
    options_args_free(&args);
    mem_free(settings);
    return status;
}

int main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of a write, like a full disk */
    if (argc < 2) {
        command_help_print(NULL, stderr);
        return EXIT_USAGE;
    }
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
        printf("sheaf %s (LLVM %s)\n", SHEAF_VERSION, frontend_llvm_version());
        return EXIT_CLEAN;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        command_help_print(NULL, stdout);
        return EXIT_CLEAN;
    }
    if (argv[1][0] == '-')
        die("options follow the command: 'sheaf help' lists the commands, 'sheaf help COMMAND' its "
            "options");
    const Command *command = command_find(argv[1]);
    if (!command)
        unknown_command(argv[1]);
    return run_command(command, argc - 2, argv + 2);
}
