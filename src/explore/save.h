/* save.h - private to explore: an exploration, or some of its tasks, as bytes.
 *
 * Expressions, paths and inputs that tasks share are written once: what is written refers to them by number.
 * A Saving collects them while its body grows, and they stand before it in the end; a Loading has read them
 * when the body is read. Nothing that is read is trusted: Loading.in is bad from the first thing on that
 * cannot be. */
#ifndef SHEAF_EXPLORE_SAVE_H
#define SHEAF_EXPLORE_SAVE_H

#include "explore/explore_int.h"

typedef struct Saving {
    Explore *x;
    Str body;
    ExprVec exprs;
    Map expr_place;
    Vec(const Path *) paths; /* each behind its parent */
    Map path_place;
    Vec(const Origin *) origins;
    Map origin_place;
} Saving;

void saving_begin(Saving *s, Explore *x);
void saving_end(Saving *s, Str *out); /* adds the bytes, and frees it */
void save_expr(Saving *s, Expr e);    /* EXPR_NONE as well */
void save_exprs(Saving *s, const ExprVec *list);
void save_path(Saving *s, const Path *path);
void save_origin(Saving *s, const Origin *origin); /* NULL as well */
void save_task(Saving *s, const Task *task);       /* without its snapshot */
void save_marks(Saving *s, const Marks *marks);
void save_map(Saving *s, const Map *map);

typedef struct Loading {
    Explore *x;
    Wire in; /* the body */
    U32Vec objects;
    ExprVec exprs;
    Vec(Path *) paths;
    Vec(Origin *) origins;
} Loading;

/* False: these are no bytes of a Saving, or not of this program. loading_end is called all the same. */
bool loading_begin(Loading *l, Explore *x, const void *bytes, size_t n);
bool loading_end(Loading *l); /* was all well, and all read? */
Expr load_expr(Loading *l);
Expr load_condition(Loading *l);                /* of one bit: anything else is bad */
void load_conditions(Loading *l, ExprVec *out); /* clears and fills */
Path *load_path(Loading *l);
Origin *load_origin(Loading *l);
bool load_task(Loading *l, Task *out); /* the caller owns it */
void load_marks(Loading *l, Marks *out);
void load_map(Loading *l, Map *out);

/* Facts of an explorer (Explorer.next_fact): all, or those behind a place. They are learnt from their runs.
 */
void facts_write(Explore *x, FactPlace *at, Str *out);
bool facts_read(Explore *x, Wire *in, const U32Vec *objects);
/* Between processes: those behind the place, with the objects that they name; false: there are none. */
bool facts_tell(Explore *x, FactPlace *told, Str *out);
bool facts_take(Explore *x, const Str *told); /* false: it is no such message */

/* Tasks of the frontier of x->lane by themselves. */
void tasks_write(Explore *x, Task *const *tasks, uint32_t n, Str *out);
bool tasks_read(Explore *x, const void *bytes, size_t n); /* files them, if all are well */

/* After a run: functions that it applied first are known by its input, for readers of expressions over
 * them. */
void explore_note_functions(Explore *x, const ExprInput *input);

#endif
