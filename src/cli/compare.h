/* compare.h - private to cli: one explorer beside another. */
#ifndef SHEAF_CLI_COMPARE_H
#define SHEAF_CLI_COMPARE_H

#include "cli/exploring.h"
#include "explore/explore.h"

enum { COMPARE_LINES = 13 };

/* A place where runs of an explorer failed. */
typedef struct CompareFault {
    VmFaultKind kind;
    uint32_t site;
} CompareFault;
typedef Vec(CompareFault) CompareFaults;

typedef struct Comparison {
    const char *names[2];
    double values[COMPARE_LINES][2];
    CompareFaults only[2];         /* found by one and not by the other */
    bool labelled;                 /* the first explorer keeps labels: */
    double labelled_seconds;       /* what the second takes with labels */
    uint64_t behaviours, covered;  /* of the second, as the first sees them; that the first shows too */
    bool has_rows;                 /* it is `output`: */
    uint64_t paths, rows_covered;  /* of the second; whose relevant slice condition is a row of the first */
    bool complete;                 /* no ledger has an entry */
    bool begun;                    /* there was a run before an interrupt */
    bool whole[2], labelled_whole; /* that of each of them; of the second with labels */
} Comparison;

/* Explores with options->explorer and with `second`, without writing anything. */
void compare_explorers(const IrProgram *program, const VmEnvironment *environment,
                       const ExploreOptions *options, const char *second, Comparison *out);
void compare_text(const Comparison *c, const IrProgram *program, Str *out);
void compare_json(const Comparison *c, const IrProgram *program, JsonOut *json); /* a member "compare" */
void compare_free(Comparison *c);

/* ---- curves.c: distinct behaviours over time ------------------------------------------------- */

typedef struct CurvePoint {
    double seconds; /* since the exploration began, static analysis included */
    uint64_t runs, behaviours;
} CurvePoint;

typedef struct Curve {
    const char *explorer, *search;
    Vec(CurvePoint) points; /* where the number of behaviours grew; the last: the end */
} Curve;

enum { CURVES_MOST = 6 };
typedef struct Curves {
    Curve curves[CURVES_MOST]; /* each explorer depth first, breadth first, in random order */
    uint32_t n;
} Curves;

/* Explores with both explorers in each order, labels on in all. */
void curves_make(const IrProgram *program, const VmEnvironment *environment, const ExploreOptions *options,
                 const char *second, Curves *out);
void curves_csv(const Curves *c, Str *out);
void curves_svg(const Curves *c, const char *title, Str *out);
void curves_free(Curves *c);
/* Dies if one of the files (NULL: none) cannot be written, or must not be. */
void curves_check(const ExploringSettings *s, const OptionArgs *args, const IrProgram *program,
                  const char *second, const char *csv_path, const char *plot_path);
/* All of it, for the files that are named (NULL: none). False, with a warning, if one could not be written.
 */
bool curves_write(const IrProgram *program, const VmEnvironment *environment, const ExploreOptions *options,
                  const char *second, const char *csv_path, const char *plot_path);

#endif
