/* FIELDS fields of a record are checked one by one before it is stored: kinds with limits of their own, a
 * table of days, a list on the heap of what is wrong. What is wrong with one field says nothing about
 * another. */
#include <sheaf.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef FIELDS
#define FIELDS 3
#endif

enum { AGE, MONTH, DAY, GRADE, KINDS };

typedef struct Complaint {
    int field;
    const char *text;
    struct Complaint *next;
} Complaint;

static const unsigned char days[12] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
static Complaint *complaints;

static void complain(int field, const char *text)
{
    Complaint *c = malloc(sizeof *c);
    if (!c)
        exit(2);
    c->field = field;
    c->text = text;
    c->next = complaints;
    complaints = c;
}

static int check_age(unsigned char value) { return value >= 18 && value <= 120; }

/* Month in the high bits, day in the low five. */
static int check_day(unsigned char value)
{
    int month = value >> 5, day = value & 31;
    return day >= 1 && day <= days[month];
}

static int check_grade(unsigned char value)
{
    switch (value) {
    case 'A': case 'B': case 'C': return 1;
    case 'F': return 1;
    default: return 0;
    }
}

static void check_field(int i, unsigned char value)
{
    switch (i % KINDS) {
    case AGE:
        if (!check_age(value))
            complain(i, "age");
        break;
    case MONTH:
        if (value < 1 || value > 12)
            complain(i, "month");
        else if (days[value - 1] < 30)
            complain(i, "short month");
        break;
    case DAY:
        if (!check_day(value))
            complain(i, "day");
        break;
    default:
        if (!check_grade(value))
            complain(i, "grade");
        break;
    }
}

int main(void)
{
    unsigned char fields[FIELDS];
    int n = 0;
    sheaf_symbolic(fields, sizeof fields, "fields");
    for (int i = 0; i < FIELDS; i++)
        check_field(i, fields[i]);
    while (complaints) {
        Complaint *c = complaints;
        complaints = c->next;
        printf("field %d: %s\n", c->field, c->text);
        free(c);
        n++;
    }
    return n > 0;
}
