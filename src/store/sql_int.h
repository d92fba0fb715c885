/* sql_int.h - private to store: what a database must be able to do for sql.h. */
#ifndef SHEAF_STORE_SQL_INT_H
#define SHEAF_STORE_SQL_INT_H

#include "store/sql.h"

/* As the functions of sql.h of these names, none of which is called after a failure but close, roll_back and
 * reset. What fails calls sql_fail. */
typedef struct SqlBackend {
    Sql *(*open)(const char *address, SqlMode mode); /* sql_init, then whatever may fail */
    void (*close)(Sql *sql);                         /* without its statements and what sql_init made */
    bool (*run)(Sql *sql, const char *text);
    bool (*begin)(Sql *sql);
    void (*roll_back)(Sql *sql);
    SqlStatement *(*prepare)(Sql *sql, const char *text); /* NULL after a failure */
    void (*finalize)(SqlStatement *s);                    /* and frees it */
    void (*bind_int)(SqlStatement *s, int i, int64_t value);
    void (*bind_text)(SqlStatement *s, int i, const char *text);
    void (*bind_bytes)(SqlStatement *s, int i, const void *bytes, size_t n);
    bool (*step)(SqlStatement *s);
    void (*reset)(SqlStatement *s);
    void (*wait)(Sql *sql, double seconds); /* of a server */
    bool (*lost)(const Sql *sql);           /* of a server: sql_is_lost */
    uint64_t (*changed)(const Sql *sql);
    int64_t (*integer)(SqlStatement *s, int column);
    const char *(*text)(SqlStatement *s, int column); /* may be NULL */
    const void *(*bytes)(SqlStatement *s, int column, size_t *n);
} SqlBackend;

extern const SqlBackend sql_sqlite;
extern const SqlBackend sql_postgres;

/* The first member of each back end's own. */
struct Sql {
    const SqlBackend *is;
    char *name; /* of the database, for messages */
    Str failure;
    Vec(SqlStatement *) statements;
};
struct SqlStatement {
    Sql *sql;
};

void sql_init(Sql *sql, const SqlBackend *is, const char *name);

#endif
