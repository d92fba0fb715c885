/* sql.c - see sql.h: the first failure of a connection ends it, whichever database it is to. */
#include "store/sql_int.h"

bool sql_is_server(const char *address)
{
    return text_starts_with(address, "postgresql://") || text_starts_with(address, "postgres://");
}

void sql_init(Sql *sql, const SqlBackend *is, const char *name)
{
    sql->is = is;
    sql->name = mem_strdup(name);
}

Sql *sql_open(const char *address, SqlMode mode, Str *error)
{
    Sql *sql = (sql_is_server(address) ? &sql_postgres : &sql_sqlite)->open(address, mode);
    if (!sql->failure.n)
        return sql;
    str_add(error, str_text(&sql->failure));
    sql_close(sql);
    return NULL;
}

void sql_close(Sql *sql)
{
    if (!sql)
        return;
    for (uint32_t i = 0; i < sql->statements.n; i++)
        sql->is->finalize(sql->statements.v[i]);
    vec_free(&sql->statements);
    sql->is->close(sql);
    str_free(&sql->failure);
    mem_free(sql->name);
    mem_free(sql);
}

const char *sql_failure(const Sql *sql) { return sql->failure.n ? str_text(&sql->failure) : NULL; }

void sql_fail(Sql *sql, const char *why)
{
    if (!sql->failure.n)
        str_printf(&sql->failure, "%s: %s", sql->name, why);
}

bool sql_is_lost(const Sql *sql) { return sql->failure.n && sql->is->lost && sql->is->lost(sql); }

bool sql_run(Sql *sql, const char *text) { return !sql->failure.n && sql->is->run(sql, text); }
bool sql_begin(Sql *sql) { return !sql->failure.n && sql->is->begin(sql); }
bool sql_commit(Sql *sql) { return sql_run(sql, "COMMIT"); }

void sql_roll_back(Sql *sql)
{
    str_free(&sql->failure);
    sql->is->roll_back(sql);
}

SqlStatement *sql_prepare(Sql *sql, const char *text)
{
    SqlStatement *s = sql->failure.n ? NULL : sql->is->prepare(sql, text);
    if (!s)
        return NULL;
    s->sql = sql;
    vec_push(&sql->statements, s);
    return s;
}

static bool works(const SqlStatement *s) { return s && !s->sql->failure.n; }

void sql_bind_int(SqlStatement *s, int i, int64_t value)
{
    if (works(s))
        s->sql->is->bind_int(s, i, value);
}

void sql_bind_text(SqlStatement *s, int i, const char *text)
{
    if (works(s))
        s->sql->is->bind_text(s, i, text);
}

void sql_bind_bytes(SqlStatement *s, int i, const void *bytes, size_t n)
{
    if (works(s))
        s->sql->is->bind_bytes(s, i, bytes, n);
}

bool sql_step(SqlStatement *s) { return works(s) && s->sql->is->step(s); }

void sql_reset(SqlStatement *s)
{
    if (s)
        s->sql->is->reset(s);
}

bool sql_do(SqlStatement *s)
{
    sql_step(s);
    sql_reset(s);
    return works(s);
}

void sql_wait(Sql *sql, double seconds)
{
    if (!sql->failure.n)
        sql->is->wait(sql, seconds);
}

uint64_t sql_changed(const Sql *sql) { return sql->is->changed(sql); }

int64_t sql_int(SqlStatement *s, int column) { return works(s) ? s->sql->is->integer(s, column) : 0; }

const char *sql_text(SqlStatement *s, int column)
{
    const char *text = works(s) ? s->sql->is->text(s, column) : NULL;
    return text ? text : "";
}

const void *sql_bytes(SqlStatement *s, int column, size_t *n)
{
    *n = 0;
    const void *bytes = works(s) ? s->sql->is->bytes(s, column, n) : NULL;
    return bytes ? bytes : "";
}
