/* edits.h - random edits of generated programs: OLD is the program of a seed, NEW the same with one edit.
 *
 * An edit is a function of its seed and of the program's text alone. It knows whether it is a refactoring by
 * construction, so that no difference can be seen; any other may or may not make one, which native runs on
 * all inputs tell. Of the grammars, those of seeds below 2,000,000 and from 3,000,000 to 4,000,000 can be
 * edited. */
#ifndef SHEAF_TESTS_EDITS_H
#define SHEAF_TESTS_EDITS_H

#include "base/base.h"

typedef enum EditKind {
#define EDIT(NAME, word, refactoring) EDIT_##NAME,
#include "edits.def"
#undef EDIT
    EDIT_KINDS
} EditKind;

typedef struct Edit {
    EditKind kind;
    bool refactoring;
    uint32_t statement; /* the first that the edit touches; 0: the whole program */
} Edit;

const char *edit_word(EditKind kind);

/* Each program of a batch prints its variables at its end, so that an edit is more likely to show. Before
 * edits are applied. */
void edits_print_more(Str *batch);
/* Casts to signed char become calls of functions that all programs share and no edit touches, with loops or
 * recursion and without effects; some assignments call one with effects, or one that reads what it keeps.
 * After edits_print_more, before edits are applied. */
void edits_call_helpers(Str *batch);
/* Edits each program of a batch as generate_batch wrote it, `first` being the seed of its first; edits has a
 * place for each. */
void edits_apply(Str *batch, uint64_t first, uint32_t count, uint64_t seed, Edit *edits);

#endif
