/* signature.h - the part of explore.h for what the explorer `output` finds out; explore.h includes it at its
 * end.
 *
 * A signature is a table: when CONDITION, output VALUES. Rows are disjoint, and every input that does not
 * fail satisfies one, if the exploration is complete. Failures met on the way stand beside the rows as
 * classes of inputs. */
#ifndef SHEAF_EXPLORE_SIGNATURE_H
#define SHEAF_EXPLORE_SIGNATURE_H

/* A piece of an output: bytes as they are, or one value. */
typedef struct SignaturePart {
    const char *text; /* literal bytes; NULL: a value */
    uint32_t size;    /* of the text, or bytes of the value */
    Expr value;
    VmFormat format; /* of a printed value */
} SignaturePart;

/* The same by the places that C's types name, for people. */
typedef struct SignatureField {
    const char *name; /* "b->len" of what an entry may write; else ".len", "[2]", "" of a whole */
    Expr value;
    ExprCKind kind;
    bool unchanged;  /* as it was at first */
    bool in_address; /* part of a word that holds an address */
} SignatureField;

typedef enum SignatureKind {
    SIGNATURE_TEXT, /* what was written to a stream: literal text and printed values */
    SIGNATURE_DATA  /* bytes of memory, or a word: one value or several, one after another */
} SignatureKind;

typedef struct SignatureOutput {
    const char *name; /* "stdout", "stderr", "status", "return", or the program's own */
    SignatureKind kind;
    Vec(SignaturePart) parts;
    Vec(SignatureField) fields; /* none if the type is not known */
    bool cut;                   /* there was more than is kept */
    bool entry, unchanged; /* the result of the entry function, or something that it may write; and has not */
} SignatureOutput;

/* How a run ended. */
typedef struct SignatureEnd {
    VmEnding ending;
    VmFaultKind fault;
    uint32_t site, fn; /* where; the user's function there, or IR_NONE */
    const char *message;
    const char *need; /* of a fault: what a caller must pass to avoid it (VmResult.need); "": it is its own */
    const char *maker; /* explore_maker: not the entry failed but what made an argument for it; else NULL */
} SignatureEnd;

typedef struct SignatureRow {
    ExprVec condition;            /* the conjuncts, in the order of the exploration; none: always */
    Vec(SignatureOutput) outputs; /* one that is not there was not reached; none if the run failed */
    SignatureEnd end;             /* a fault only where failing is an output like any other */
    ExprInput input;              /* of the run that showed it */
    uint64_t run;                 /* its number */
    bool probed;                  /* found by the check of completeness only */
} SignatureRow;

/* A class of inputs whose runs end without an output: by a fault, a violated assumption, a limit, ... */
typedef struct SignatureFailure {
    ExprVec condition;
    SignatureEnd end;
    ExprInput input;
    uint64_t run;
} SignatureFailure;

typedef struct Signature {
    Arena *arena; /* of the texts */
    Vec(SignatureRow) rows;
    Vec(SignatureFailure) failures;
    ExprVec given; /* assumptions that every run makes */
    bool graph; /* rows are those of a graph of states: conditions are disjunctions that share their parts */
    bool certified; /* the solver found no input outside all rows and failures */
} Signature;

/* ---- criteria -------------------------------------------------------------------------------- */

enum {                     /* what is observed */
       EXPLORE_STDOUT = 1, /* bytes written to standard output */
       EXPLORE_STDERR = 2,
       EXPLORE_STATUS = 4,  /* exit status */
       EXPLORE_NAMED = 8,   /* what sheaf_output names */
       EXPLORE_ENTRY = 16,  /* what the entry function returns, and what of its caller's it may write */
       EXPLORE_WRITTEN = 32 /* standard output as it has left its buffer, also before a failure */
};
typedef struct ExploreCriteria {
    unsigned what;   /* EXPLORE_...; 0: explore_observed */
    StrVec names;    /* of EXPLORE_NAMED only these; none: all */
    bool tie_faults; /* failing is an output like any other */
} ExploreCriteria;

/* ---- conditions that people read ------------------------------------------------------------- */

typedef struct ExplorePatience {
    double seconds;  /* for one query, 0: none */
    double deadline; /* moment of clock_seconds from which on there are no solver calls; 0: none */
    size_t bytes;
    const volatile bool *stop;
} ExplorePatience;

/* A conjunction equivalent to `condition` for all inputs that satisfy `given` (may be NULL), with fewer
 * conjuncts: bounds of one term are merged, the lower one first, and what the others imply is dropped.
 * Bounded; clears and fills out. */
void explore_simplify(Solver *s, ExprPool *p, const ExprVec *condition, const ExprVec *given,
                      const ExplorePatience *patience, ExprVec *out);

/* The same for disjunctions of conjunctions, each simplified before: unite.c. What is given, solver and pool
 * must outlive it. */
typedef struct ExploreUniter ExploreUniter;
enum { EXPLORE_SAMPLES = 512 };
ExploreUniter *explore_uniter_new(Solver *s, ExprPool *p, const ExprVec *given,
                                  const ExplorePatience *patience);
void explore_uniter_free(ExploreUniter *u);
/* An input that some of the conditions hold for: the more it knows, the fewer queries. Beyond EXPLORE_SAMPLES
 * none is kept, nor one that does not satisfy what is given. */
void explore_uniter_sample(ExploreUniter *u, const ExprInput *input);
/* A conjunction equivalent to the disjunction of these, for all inputs that satisfy what is given. The solver
 * has shown that, or it is the disjunction itself. Clears and fills out. */
void explore_unite(ExploreUniter *u, const ExprVec *const *alternatives, uint32_t n, ExprVec *out);

typedef Vec(ExprVec) ExploreAlternatives; /* conjunctions */
/* A condition as the disjunction of at most so many conjunctions, or as one if there are more. Appends; the
 * caller frees each. */
void explore_alternatives(ExprPool *p, Expr condition, uint32_t most, ExploreAlternatives *out);

/* ---- rows with the same output ---------------------------------------------------------------- */

/* Rows that show the same: what the row `shown` shows is true of all of them. */
typedef struct SignatureGroup {
    uint32_t shown;
    U32Vec rows; /* ascending */
} SignatureGroup;
typedef Vec(SignatureGroup) SignatureGroups;

/* Groups of the rows, by their first. Outputs are the same if their expressions are, or if the solver shows,
 * within the patience, that one has the other's value wherever its own condition holds: output_groups.c. */
void explore_groups(Solver *s, ExprPool *p, const Signature *signature, const ExplorePatience *patience,
                    SignatureGroups *out);
void explore_groups_free(SignatureGroups *groups);

#endif
