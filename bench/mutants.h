/* mutants.h - small changes of a program, one instruction each: what mutation testing plants. */
#ifndef SHEAF_BENCH_MUTANTS_H
#define SHEAF_BENCH_MUTANTS_H

#include "ir/ir.h"

typedef enum MutantKind {
#define MUTANT(NAME, word, help) MUTANT_##NAME,
#include "mutants.def"
#undef MUTANT
    MUTANT_KIND_COUNT
} MutantKind;

typedef struct Mutant {
    MutantKind kind;
    uint32_t fn, block, insn;
    IrInsn becomes;        /* unless a list's entry changes: */
    uint32_t extra, value; /* that entry of the lists, or IR_NONE; and what it becomes */
} Mutant;
typedef Vec(Mutant) MutantVec;

const char *mutant_kind_word(MutantKind kind);
/* Every mutant of the user's functions, in the order of the program. Adds registers to the functions,
 * which change nothing. */
void mutants_list(IrProgram *program, MutantVec *out);
/* Plants a mutant, or takes it out again: the second call undoes the first. Keeps what stood there in the
 * mutant. */
void mutant_swap(IrProgram *program, Mutant *mutant);
/* "file.c:12:5: arithmetic sub -> add", of a mutant that is not planted. What differs has another text. */
void mutant_text(const IrProgram *program, const Mutant *mutant, Str *out);

#endif
