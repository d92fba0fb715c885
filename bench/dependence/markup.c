/* A parser of a small markup language, after NanoXML: elements, attributes, text, on LENGTH bytes. Open
 * elements are kept on a heap stack whose nodes are freed when they close. It trusts that what is closed
 * was opened. */
#include <sheaf.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef LENGTH
#define LENGTH 5
#endif

typedef struct Element {
    char name;
    int attributes;
    struct Element *outer;
} Element;

static char text[LENGTH + 1];
static int at, elements, characters, errors, deepest, depth;
static Element *open_one;

static char next(void) { return at < LENGTH ? text[at++] : '\0'; }
static char look(void) { return at < LENGTH ? text[at] : '\0'; }
static int is_name(char c) { return c >= 'a' && c <= 'z'; }

static void open_element(char name)
{
    Element *e = malloc(sizeof *e);
    if (!e)
        exit(2);
    e->name = name;
    e->attributes = 0;
    e->outer = open_one;
    open_one = e;
    elements++;
    if (++depth > deepest)
        deepest = depth;
}

static void close_element(void)
{
    Element *e = open_one;
    open_one = e->outer;
    depth--;
    free(e);
}

/* Behind '<': a name, attributes as single letters, '/' closes at once. */
static void parse_tag(void)
{
    char c = next();
    if (c == '/') {
        c = next();
        if (open_one->name != c)
            errors++;
        else
            close_element();
    } else if (is_name(c)) {
        open_element(c);
        while (look() == ' ') {
            next();
            if (is_name(next()))
                open_one->attributes++;
            else
                errors++;
        }
        if (look() == '/') {
            next();
            close_element();
        }
    } else {
        errors++;
        return;
    }
    if (next() != '>')
        errors++;
}

int main(void)
{
    char c;
    sheaf_symbolic(text, LENGTH, "text");
    while ((c = next()) != '\0')
        if (c == '<')
            parse_tag();
        else
            characters++;
    while (open_one) {
        errors++;
        close_element();
    }
    printf("%d elements, %d deep, %d characters, %d errors\n", elements, deepest, characters, errors);
    return errors != 0;
}
