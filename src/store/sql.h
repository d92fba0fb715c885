/* sql.h - private to store: the little of SQL that a store needs, the same for every database.
 *
 * Statements have their parameters as $1, $2, ... in the order in which they first appear. The first failure
 * of a connection stays: its text is kept, and nothing works from then on, so that a caller may ask once,
 * after several steps. */
#ifndef SHEAF_STORE_SQL_H
#define SHEAF_STORE_SQL_H

#include "base/base.h"

typedef struct Sql Sql;
typedef struct SqlStatement SqlStatement;

typedef enum SqlMode { SQL_CREATE, SQL_WRITE, SQL_READ } SqlMode;

/* A database: a file of SQLite that must not be there yet (SQL_CREATE) or must be, or one of PostgreSQL,
 * which is there ("postgresql://..."). NULL with one line in error. */
Sql *sql_open(const char *address, SqlMode mode, Str *error);
bool sql_is_server(const char *address); /* of PostgreSQL? */
void sql_close(Sql *sql);                /* and its statements; NULL is allowed */
/* One line; NULL: nothing failed. */
const char *sql_failure(const Sql *sql);
void sql_fail(Sql *sql, const char *why); /* what is in the database makes no sense */
bool sql_is_lost(const Sql *sql);         /* failed, since the server is gone: another connection may work */

/* Statements without parameters and without rows, parted by ';'. */
bool sql_run(Sql *sql, const char *text);
/* How many rows the last sql_do changed. */
uint64_t sql_changed(const Sql *sql);
bool sql_begin(Sql *sql);  /* a transaction; there is none */
bool sql_commit(Sql *sql); /* durable when it returns true */
/* What was not committed is gone, and so is the failure. */
void sql_roll_back(Sql *sql);

/* Lives until the connection is closed. NULL after a failure, which all below take. */
SqlStatement *sql_prepare(Sql *sql, const char *text);
/* Parameters, from 1, are cleared by sql_reset; bytes must last until then. NULL bytes are NULL. */
void sql_bind_int(SqlStatement *s, int i, int64_t value);
void sql_bind_text(SqlStatement *s, int i, const char *text);
void sql_bind_bytes(SqlStatement *s, int i, const void *bytes, size_t n);
bool sql_step(SqlStatement *s); /* is there a (further) row? */
/* Runs a statement that has no rows, and resets it. */
bool sql_do(SqlStatement *s);
void sql_reset(SqlStatement *s);
/* Of a server, after LISTEN: until it notifies, or so many seconds have passed. */
void sql_wait(Sql *sql, double seconds);
/* Columns of the row, from 0. Short-lived: until the next step. */
int64_t sql_int(SqlStatement *s, int column);
const char *sql_text(SqlStatement *s, int column); /* never NULL */
const void *sql_bytes(SqlStatement *s, int column, size_t *n);

#endif
