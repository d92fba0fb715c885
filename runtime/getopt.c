/* getopt.c - getopt, getopt_long and getopt_long_only as GNU has them: arguments are permuted so that
 * operands come last, unless the option string begins with '+' (stop at the first) or '-' (operands are
 * options with the code 1). */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

typedef enum Order { PERMUTE, STOP, RETURN } Order;

/* Between calls: the rest of an argument with several short options, and where the skipped operands lie. */
static struct {
    bool started;
    Order order;
    char *rest;
    int first_operand, last_operand;
} place;

/* The arguments of one call. */
typedef struct Call {
    int argc;
    char **argv;
    const char *letters;
    const struct option *longs;
    int *index;
    bool long_only, loud;
} Call;

/* Moves the skipped operands behind the options that followed them. */
static void permute(char **argv)
{
    int from = place.first_operand, middle = place.last_operand, to = optind;
    int operands = middle - from, options = to - middle;
    for (int i = 0; i < options; i++) {
        char *option = argv[middle + i];
        for (int k = middle + i; k > from + i; k--)
            argv[k] = argv[k - 1];
        argv[from + i] = option;
    }
    place.first_operand = from + options;
    place.last_operand = place.first_operand + operands;
}

static bool is_operand(const char *argument) { return argument[0] != '-' || argument[1] == '\0'; }

static const char *start(const char *letters)
{
    bool ordered = *letters == '-' || *letters == '+';
    if (!place.started || optind == 0) {
        optind = optind == 0 ? 1 : optind;
        place.first_operand = place.last_operand = optind;
        place.rest = NULL;
        place.order = *letters == '-'                                ? RETURN
                      : *letters == '+' || getenv("POSIXLY_CORRECT") ? STOP
                                                                     : PERMUTE;
        place.started = true;
    }
    return letters + ordered;
}

static int missing_argument(const Call *call) { return call->letters[0] == ':' ? ':' : '?'; }

static bool same_effect(const struct option *a, const struct option *b)
{
    return a->has_arg == b->has_arg && a->flag == b->flag && a->val == b->val;
}

static void list_possibilities(const Call *call, const char *prefix, size_t length,
                               const struct option *found)
{
    fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", call->argv[0], prefix, place.rest);
    for (const struct option *o = call->longs; o->name; o++)
        if (strncmp(o->name, place.rest, length) == 0 &&
            (o == found || call->long_only || !same_effect(o, found)))
            fprintf(stderr, " '%s%s'", prefix, o->name);
    fprintf(stderr, "\n");
}

/* The option that place.rest names in full or by an unambiguous beginning. */
static const struct option *find_long(const Call *call, size_t length, bool *ambiguous)
{
    const struct option *found = NULL;
    *ambiguous = false;
    for (const struct option *o = call->longs; o->name; o++)
        if (strncmp(o->name, place.rest, length) == 0 && strlen(o->name) == length)
            return o;
    for (const struct option *o = call->longs; o->name; o++) {
        if (strncmp(o->name, place.rest, length) != 0)
            continue;
        if (!found)
            found = o;
        else if (call->long_only || !same_effect(o, found))
            *ambiguous = true;
    }
    return found;
}

/* Takes the argument of a long option that was found; `value` is what follows its '=' or NULL. */
static int accept_long(const Call *call, const struct option *found, const char *prefix, char *value)
{
    optind++;
    place.rest = NULL;
    if (value && found->has_arg == no_argument) {
        if (call->loud)
            fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", call->argv[0], prefix,
                    found->name);
        optopt = found->val;
        return '?';
    }
    if (value) {
        optarg = value;
    } else if (found->has_arg == required_argument) {
        if (optind >= call->argc) {
            if (call->loud)
                fprintf(stderr, "%s: option '%s%s' requires an argument\n", call->argv[0], prefix,
                        found->name);
            optopt = found->val;
            return missing_argument(call);
        }
        optarg = call->argv[optind++];
    }
    if (call->index)
        *call->index = (int)(found - call->longs);
    if (!found->flag)
        return found->val;
    *found->flag = found->val;
    return 0;
}

/* The code of the long option at place.rest, or -1 if it can only be short ones. */
static int take_long(const Call *call, const char *prefix)
{
    size_t length = strcspn(place.rest, "=");
    bool ambiguous;
    const struct option *found = find_long(call, length, &ambiguous);
    if (ambiguous) {
        if (call->loud)
            list_possibilities(call, prefix, length, found);
        place.rest += strlen(place.rest);
        optind++;
        optopt = 0;
        return '?';
    }
    if (found)
        return accept_long(call, found, prefix, place.rest[length] ? place.rest + length + 1 : NULL);
    if (call->long_only && call->argv[optind][1] != '-' && strchr(call->letters, *place.rest))
        return -1;
    if (call->loud)
        fprintf(stderr, "%s: unrecognized option '%s%s'\n", call->argv[0], prefix, place.rest);
    place.rest = NULL;
    optind++;
    optopt = 0;
    return '?';
}

static int no_argument_left(const Call *call, char letter)
{
    if (call->loud)
        fprintf(stderr, "%s: option requires an argument -- '%c'\n", call->argv[0], letter);
    optopt = letter;
    return missing_argument(call);
}

static int take_letter(const Call *call)
{
    char letter = *place.rest++;
    const char *known = strchr(call->letters, letter);
    if (!*place.rest) {
        decided();
        optind++;
    }
    if (!known || letter == ':' || letter == ';') {
        if (call->loud)
            fprintf(stderr, "%s: invalid option -- '%c'\n", call->argv[0], letter);
        optopt = letter;
        return '?';
    }
    if (letter == 'W' && known[1] == ';' && call->longs) {
        if (!*place.rest && optind == call->argc)
            return no_argument_left(call, letter);
        Call named = *call;
        named.long_only = false;
        place.rest = *place.rest ? place.rest : call->argv[optind];
        return take_long(&named, "-W ");
    }
    if (known[1] != ':')
        return letter;
    int code = letter;
    if (*place.rest) {
        optarg = place.rest;
        optind++;
    } else if (known[2] != ':') {
        if (optind == call->argc)
            code = no_argument_left(call, letter);
        else
            optarg = call->argv[optind++];
    }
    place.rest = NULL;
    return code;
}

/* Goes to the next argument. True if place.rest or an operand is to be looked at; else the answer is in
 * *code. */
static bool next_argument(const Call *call, int *code)
{
    char **argv = call->argv;
    place.last_operand = place.last_operand > optind ? optind : place.last_operand;
    place.first_operand = place.first_operand > optind ? optind : place.first_operand;
    if (place.order == PERMUTE) {
        if (place.first_operand != place.last_operand && place.last_operand != optind)
            permute(argv);
        else if (place.last_operand != optind)
            place.first_operand = optind;
        while (optind < call->argc && is_operand(argv[optind]))
            optind++;
        place.last_operand = optind;
    }
    if (optind != call->argc && strcmp(argv[optind], "--") == 0) {
        optind++;
        if (place.first_operand != place.last_operand && place.last_operand != optind)
            permute(argv);
        else if (place.first_operand == place.last_operand)
            place.first_operand = optind;
        place.last_operand = optind = call->argc;
    }
    *code = -1;
    if (optind == call->argc) {
        if (place.first_operand != place.last_operand)
            optind = place.first_operand;
        return false;
    }
    if (!is_operand(argv[optind]))
        return true;
    if (place.order == RETURN) {
        optarg = argv[optind++];
        *code = 1;
    }
    return false;
}

static int scan(Call call)
{
    if (call.argc < 1)
        return -1;
    optarg = NULL;
    call.letters = start(call.letters);
    call.loud = opterr && call.letters[0] != ':';
    if (!place.rest || !*place.rest) {
        int code;
        if (!next_argument(&call, &code))
            return code;
        char *argument = call.argv[optind];
        if (call.longs && argument[1] == '-') {
            place.rest = argument + 2;
            return take_long(&call, "--");
        }
        place.rest = argument + 1;
        if (call.longs && call.long_only && (argument[2] || !strchr(call.letters, argument[1]))) {
            code = take_long(&call, "-");
            if (code != -1)
                return code;
        }
    }
    return take_letter(&call);
}

int getopt(int argc, char *const *argv, const char *letters)
{
    return scan((Call){.argc = argc, .argv = (char **)argv, .letters = letters});
}

int __posix_getopt(int argc, char *const *argv, const char *letters)
{
    return scan((Call){.argc = argc, .argv = (char **)argv, .letters = letters});
}

int getopt_long(int argc, char *const *argv, const char *letters, const struct option *longs, int *index)
{
    return scan(
        (Call){.argc = argc, .argv = (char **)argv, .letters = letters, .longs = longs, .index = index});
}

int getopt_long_only(int argc, char *const *argv, const char *letters, const struct option *longs, int *index)
{
    return scan((Call){.argc = argc,
                       .argv = (char **)argv,
                       .letters = letters,
                       .longs = longs,
                       .index = index,
                       .long_only = true});
}

/* "name", "name=value" from a list with commas; the index of the name in tokens, or -1. */
int getsubopt(char **restrict list, char *const *restrict tokens, char **restrict value)
{
    *value = NULL;
    if (!**list)
        return -1;
    char *start_of = *list, *end = start_of + strcspn(start_of, ",");
    char *equals = memchr(start_of, '=', (size_t)(end - start_of));
    size_t length = (size_t)((equals ? equals : end) - start_of);
    *list = end;
    if (*end) {
        *end = '\0';
        *list = end + 1;
    }
    for (int i = 0; tokens[i]; i++)
        if (strncmp(tokens[i], start_of, length) == 0 && tokens[i][length] == '\0') {
            *value = equals ? equals + 1 : NULL;
            return i;
        }
    *value = start_of;
    return -1;
}
