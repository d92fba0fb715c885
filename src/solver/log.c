/* log.c - each back-end query as a file of SMT-LIB, with its answer and time. */
#include "solver/solver_int.h"

#include <errno.h>
#include <sys/stat.h>

struct QueryLog {
    char *dir;
    uint64_t n;
};

QueryLog *log_new(const char *dir)
{
    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        die("cannot make the directory %s for logged queries: %s", dir, strerror(errno));
    QueryLog *l = mem_zalloc(sizeof *l);
    l->dir = mem_strdup(dir);
    return l;
}

void log_free(QueryLog *l)
{
    if (!l)
        return;
    mem_free(l->dir);
    mem_free(l);
}

void log_query(Solver *s, const char *backend, const Group *g, const ExprVec *lemmas, const GroupAnswer *a,
               double seconds)
{
    static const char *const status[] = {"unknown", "sat", "unsat"};
    QueryLog *l = s->log;
    if (!l)
        return;
    ExprVec all = {0};
    for (uint32_t i = 0; i < g->n; i++)
        vec_push(&all, g->c[i]);
    for (uint32_t i = 0; i < lemmas->n; i++)
        vec_push(&all, lemmas->v[i]);
    Str comment = {0}, text = {0}, path = {0};
    str_printf(&comment, "%s: %s in %.6f s", backend, status[a->status], seconds);
    if (a->status == SOLVER_UNKNOWN)
        str_printf(&comment, " (%s)", solver_reason_text(a->reason));
    expr_print_smt_query(s->pool, all.v, all.n, str_text(&comment), &text);
    str_printf(&path, "%s/%06llu.smt2", l->dir, (unsigned long long)++l->n);
    if (!file_write_atomic(str_text(&path), str_text(&text), text.n))
        die("cannot write the query log %s: %s", str_text(&path), strerror(errno));
    str_free(&comment);
    str_free(&text);
    str_free(&path);
    vec_free(&all);
}
