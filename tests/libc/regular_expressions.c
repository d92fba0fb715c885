/* regcomp and regexec: syntax, errors, matches and groups. */
#define _GNU_SOURCE
#include <regex.h>
#include <stdio.h>
#include <string.h>

static const char *const patterns[] = {
    "",
    "a",
    "abc",
    "a*",
    "a+",
    "a?",
    ".",
    ".*",
    "^a",
    "a$",
    "^$",
    "^",
    "$",
    "a|b",
    "ab|cd",
    "(ab)*",
    "(a|b)*c",
    "(a)(b)?",
    "[abc]",
    "[^abc]",
    "[a-c]+",
    "[]a]",
    "[^]a]",
    "[a-]",
    "[z-a]",
    "[[:alpha:]]",
    "[[:foo:]]",
    "[[:digit:]]+",
    "[",
    "[a",
    "[]",
    "a{2}",
    "a{1,2}",
    "a{,2}",
    "a{2,}",
    "a{",
    "a{x}",
    "a{2,1}",
    "{1}",
    "*a",
    "a**",
    "a|*b",
    "(*a)",
    "()",
    "a||b",
    "|a",
    "a|",
    "(",
    "(a",
    ")",
    "a)",
    "\\",
    "a\\",
    "\\1",
    "(a)\\1",
    "(a)\\2",
    "^*",
    "a^b",
    "a$b",
    "(^a)",
    "($)",
    "[[.a.]]",
    "[[=a=]]",
    "[--a]",
    "+a",
    "?",
    "a+?",
    "a{0}",
    "a{1}{2}",
    "\\.",
    "\\*",
    "\\w+",
    "\\bfoo\\b",
    "\\<f",
    "o\\>",
    "\\Bo",
    "\\W",
    "\\s\\S",
    "a\\{1,2\\}",
    "\\(a\\)",
    "\\(ab\\)*\\1",
    "a\\|b",
    "a\\+",
    "a\\?",
    "\\(^a\\)",
    "a\\{",
    "\\)",
    "^[0-9]+(\\.[0-9]+)?$",
    "([a-z]+)@([a-z]+)\\.(com|org)",
    "(a*)(ab)*(b*)",
    "(foo|foobar)(bar)?",
    "x*",
    "(x|xy)(z|yz)",
    "((a)|(b))*",
    "[[:upper:]][[:lower:]]*",
    "^\\(.*\\)\\1$",
    "(a|ab)(c|bcd)(d*)",
    "[\\]]",
    "a.c",
    "\\`a",
    "c\\'",
    "(a{2}){2}",
    "([^,]*),([^,]*)",
    "^ *([^ ]+) *= *(.*)$",
};
static const char *const texts[] = {"",
                                    "a",
                                    "b",
                                    "aa",
                                    "aaa",
                                    "ab",
                                    "abc",
                                    "abab",
                                    "ababab",
                                    "xabcx",
                                    "aab",
                                    "abb",
                                    "foo",
                                    "foo bar",
                                    "foobar",
                                    "barfoo",
                                    "a{",
                                    "*a",
                                    "12",
                                    "12.5",
                                    "me@home.org",
                                    "A1 b2",
                                    "a\nb",
                                    "a,b,c",
                                    "key = some value",
                                    "xyz",
                                    "abcd",
                                    "aaaa",
                                    ")",
                                    "\\",
                                    "]",
                                    "a|b",
                                    "a^b",
                                    "a$b",
                                    "Hello World"};

static void run(const char *pattern, int flags, int exec_flags)
{
    regex_t r;
    int error = regcomp(&r, pattern, flags);
    printf("%d %s:", flags, pattern);
    if (error) {
        char text[64];
        size_t n = regerror(error, &r, text, sizeof text);
        printf(" error %d %zu %s\n", error, n, text);
        return;
    }
    printf(" %zu", r.re_nsub);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        regmatch_t m[5];
        if (regexec(&r, texts[i], 5, m, exec_flags) != 0)
            continue;
        printf(" [%zu", i);
        for (int k = 0; k < 5 && (k == 0 || k <= (int)r.re_nsub); k++)
            printf(" %d-%d", m[k].rm_so, m[k].rm_eo);
        printf("]");
    }
    regfree(&r);
    printf("\n");
}

int main(void)
{
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        run(patterns[i], 0, 0);
        run(patterns[i], REG_EXTENDED, 0);
        run(patterns[i], REG_EXTENDED | REG_ICASE, 0);
        run(patterns[i], REG_EXTENDED | REG_NEWLINE, REG_NOTBOL | REG_NOTEOL);
    }
    regex_t r;
    regmatch_t part = {2, 5};
    regcomp(&r, "[a-z]+", REG_EXTENDED);
    printf("%d", regexec(&r, "abcdefg", 1, &part, REG_STARTEND));
    printf(" %d-%d", part.rm_so, part.rm_eo);
    regfree(&r);
    regcomp(&r, "b", REG_NOSUB);
    part.rm_so = 77;
    printf(" %d %d %d\n", regexec(&r, "abc", 1, &part, 0), regexec(&r, "xyz", 0, NULL, 0), part.rm_so);
    regfree(&r);
    return 0;
}
