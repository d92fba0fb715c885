/* A command line is parsed, after Apache CLI: WORDS words of four bytes. Options are mostly independent of
 * each other: each sets a field of its own and checks its own value; the words are looked up in a table.
 * One check is off by one. */
#include <sheaf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef WORDS
#define WORDS 2
#endif

enum { WORD = 4 };

typedef struct Settings {
    int verbose, jobs, width, help;
    char mode;
    int levels[4];
} Settings;

typedef struct Rule {
    char letter;
    int takes_value;
    int (*set)(Settings *s, int value);
} Rule;

static int set_verbose(Settings *s, int value)
{
    (void)value;
    s->verbose++;
    return 1;
}

static int set_help(Settings *s, int value)
{
    (void)value;
    s->help = 1;
    return 1;
}

static int set_jobs(Settings *s, int value)
{
    if (value == 0)
        return 0;
    s->jobs = 64 / value;
    return 1;
}

static int set_width(Settings *s, int value)
{
    if (value > 80)
        return 0;
    s->width = value;
    return 1;
}

static int set_level(Settings *s, int value)
{
    if (value > 4)
        return 0;
    s->levels[value] = 1;
    return 1;
}

static const Rule rules[] = {
    {'v', 0, set_verbose}, {'h', 0, set_help}, {'j', 1, set_jobs}, {'w', 1, set_width}, {'l', 1, set_level}};

/* Two digits, or -1. */
static int number(const char *s)
{
    int value = 0;
    for (int i = 0; i < 2 && s[i]; i++) {
        if (s[i] < '0' || s[i] > '9')
            return -1;
        value = 10 * value + s[i] - '0';
    }
    return value;
}

static int take_word(Settings *s, const char *word)
{
    if (word[0] != '-')
        return word[0] == '+' ? (s->mode = word[1], 1) : 0;
    for (unsigned i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (word[1] != rules[i].letter)
            continue;
        int value = rules[i].takes_value ? number(word + 2) : 0;
        return value >= 0 && rules[i].set(s, value);
    }
    return 0;
}

int main(void)
{
    char words[WORDS][WORD + 1];
    Settings settings = {.jobs = 1, .width = 40};
    int bad = 0;
    for (int i = 0; i < WORDS; i++) {
        sheaf_symbolic(words[i], WORD, "word");
        words[i][WORD] = '\0';
        bad += !take_word(&settings, words[i]);
    }
    printf("%d bad, jobs %d, width %d, verbose %d\n", bad, settings.jobs, settings.width, settings.verbose);
    return settings.help;
}
