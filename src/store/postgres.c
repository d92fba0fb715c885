/* postgres.c - sql.h on PostgreSQL, by libpq.
 *
 * Values travel in binary form: columns are BIGINT, TEXT or BYTEA. Schemas are written for both databases:
 * what SQLite calls BLOB is BYTEA here. */
#include "store/sql_int.h"

#include <endian.h>
#include <errno.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdlib.h>

enum { PARAMETERS = 16 };

typedef struct Pg {
    Sql sql;
    PGconn *connection;
    uint32_t prepared; /* names statements */
    uint64_t changed;
    bool lost;
} Pg;
typedef struct PgStatement {
    SqlStatement sql;
    char name[16];
    PGresult *result; /* of the execution under way; NULL: none */
    int row, n;
    const char *values[PARAMETERS];
    int lengths[PARAMETERS], binary[PARAMETERS];
    int64_t integers[PARAMETERS]; /* in the order of the network */
} PgStatement;

static PGconn *connection_of(const Sql *sql) { return ((const Pg *)sql)->connection; }

/* The first line of what the server says. */
static void fail(Sql *sql)
{
    const char *said = PQerrorMessage(connection_of(sql));
    Str line = {0};
    str_add_n(&line, said, strcspn(said, "\n"));
    sql_fail(sql, line.n ? str_text(&line) : "the server does not answer");
    str_free(&line);
}

static bool check(Sql *sql, PGresult *result)
{
    ExecStatusType is = PQresultStatus(result);
    bool ok = is == PGRES_COMMAND_OK || is == PGRES_TUPLES_OK;
    if (ok)
        return true;
    /* What the server itself says has a code; 08 and 57P: the connection, or the server, comes to its end. */
    const char *code = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    ((Pg *)sql)->lost |= !code || text_starts_with(code, "08") || text_starts_with(code, "57P");
    fail(sql);
    return false;
}

/* The address without what may be a password. */
static char *shown(const char *address)
{
    Str out = {0};
    size_t n = strcspn(address, "?");
    const char *host = strstr(address, "://") + 3, *at = memchr(host, '@', n - (size_t)(host - address));
    str_add_n(&out, address, (size_t)(host - address));
    str_add_n(&out, at ? at + 1 : host, (size_t)(address + n - (at ? at + 1 : host)));
    return str_take(&out);
}

static void ignore_notice(void *context, const char *message)
{
    (void)context;
    (void)message;
}

/* A machine that does not answer at all would cost minutes, in which no signal ends us. */
static PGconn *connect_to(const char *address)
{
    const char *const keywords[] = {"connect_timeout", "dbname", NULL};
    const char *const values[] = {"10", address,
                                  NULL}; /* what the address says itself comes later, and wins */
    return PQconnectdbParams(keywords, values, 1);
}

static Sql *pg_open(const char *address, SqlMode mode)
{
    (void)mode; /* the server knows who may do what */
    Pg *pg = mem_zalloc(sizeof *pg);
    char *name = shown(address);
    sql_init(&pg->sql, &sql_postgres, name);
    mem_free(name);
    pg->connection = connect_to(address);
    if (PQstatus(pg->connection) != CONNECTION_OK)
        fail(&pg->sql);
    else
        PQsetNoticeProcessor(pg->connection, ignore_notice, NULL);
    return &pg->sql;
}

static void pg_close(Sql *sql) { PQfinish(connection_of(sql)); }

/* `from` in the text becomes `to`. */
static void replace(Str *text, const char *from, const char *to)
{
    Str out = {0};
    const char *at = str_text(text);
    for (const char *found; (found = strstr(at, from)); at = found + strlen(from)) {
        str_add_n(&out, at, (size_t)(found - at));
        str_add(&out, to);
    }
    str_add(&out, at);
    str_free(text);
    *text = out;
}

static bool pg_run(Sql *sql, const char *text)
{
    Str own = {0};
    str_add(&own, text);
    replace(&own, " BLOB", " BYTEA");
    replace(&own, " WITHOUT ROWID", "");
    PGresult *result = PQexec(connection_of(sql), str_text(&own));
    bool ok = check(sql, result);
    PQclear(result);
    str_free(&own);
    return ok;
}

static bool pg_begin(Sql *sql) { return pg_run(sql, "BEGIN"); }

static void pg_roll_back(Sql *sql)
{
    if (PQtransactionStatus(connection_of(sql)) != PQTRANS_IDLE)
        PQclear(PQexec(connection_of(sql), "ROLLBACK"));
}

static SqlStatement *pg_prepare(Sql *sql, const char *text)
{
    PgStatement *s = mem_zalloc(sizeof *s);
    snprintf(s->name, sizeof s->name, "s%u", ((Pg *)sql)->prepared++);
    PGresult *result = PQprepare(connection_of(sql), s->name, text, 0, NULL);
    bool ok = check(sql, result);
    PQclear(result);
    if (ok)
        return &s->sql;
    mem_free(s);
    return NULL;
}

static void pg_reset(SqlStatement *statement)
{
    PgStatement *s = (PgStatement *)statement;
    PQclear(s->result);
    s->result = NULL;
    s->n = 0;
    memset(s->values, 0, sizeof s->values);
}

static void pg_finalize(SqlStatement *s)
{
    pg_reset(s);
    mem_free(s);
}

static void bind(PgStatement *s, int i, const void *value, size_t n, bool binary)
{
    if (i < 1 || i > PARAMETERS || n > INT32_MAX)
        bug("parameter %d of a statement", i);
    s->values[i - 1] = value;
    s->lengths[i - 1] = (int)n;
    s->binary[i - 1] = binary;
    s->n = s->n > i ? s->n : i;
}

static void pg_bind_int(SqlStatement *statement, int i, int64_t value)
{
    PgStatement *s = (PgStatement *)statement;
    s->integers[i - 1] = (int64_t)htobe64((uint64_t)value);
    bind(s, i, &s->integers[i - 1], sizeof value, true);
}

static void pg_bind_text(SqlStatement *s, int i, const char *text)
{
    bind((PgStatement *)s, i, text, 0, false);
}

static void pg_bind_bytes(SqlStatement *s, int i, const void *bytes, size_t n)
{
    bind((PgStatement *)s, i, bytes, n, true);
}

static bool pg_step(SqlStatement *statement)
{
    PgStatement *s = (PgStatement *)statement;
    Sql *sql = statement->sql;
    if (s->result)
        return ++s->row < PQntuples(s->result);
    s->result = PQexecPrepared(connection_of(sql), s->name, s->n, s->values, s->lengths, s->binary, 1);
    s->row = 0;
    if (!check(sql, s->result))
        return false;
    ((Pg *)sql)->changed = strtoull(PQcmdTuples(s->result), NULL, 10);
    return PQntuples(s->result) > 0;
}

static bool take_notices(PGconn *connection)
{
    bool any = false;
    for (PGnotify *n; (n = PQnotifies(connection)); any = true)
        PQfreemem(n);
    return any;
}

static void pg_wait(Sql *sql, double seconds)
{
    PGconn *connection = connection_of(sql);
    double end = clock_seconds() + seconds;
    while (!take_notices(connection) && clock_seconds() < end) {
        struct pollfd p = {.fd = PQsocket(connection), .events = POLLIN};
        int ready = poll(&p, 1, (int)((end - clock_seconds()) * 1000) + 1);
        if (ready < 0 && errno == EINTR)
            return;
        if (ready > 0 && !PQconsumeInput(connection)) {
            ((Pg *)sql)->lost = true;
            fail(sql);
            return;
        }
    }
}

static bool pg_lost(const Sql *sql)
{
    return ((const Pg *)sql)->lost || PQstatus(connection_of(sql)) != CONNECTION_OK;
}

static uint64_t pg_changed(const Sql *sql) { return ((const Pg *)sql)->changed; }

static int64_t pg_int(SqlStatement *statement, int column)
{
    const PgStatement *s = (const PgStatement *)statement;
    uint64_t value = 0;
    if (PQgetlength(s->result, s->row, column) != sizeof value)
        return 0; /* NULL */
    memcpy(&value, PQgetvalue(s->result, s->row, column), sizeof value);
    return (int64_t)be64toh(value);
}

static const char *pg_text(SqlStatement *statement, int column)
{
    const PgStatement *s = (const PgStatement *)statement;
    return PQgetvalue(s->result, s->row, column);
}

static const void *pg_bytes(SqlStatement *statement, int column, size_t *n)
{
    const PgStatement *s = (const PgStatement *)statement;
    *n = (size_t)PQgetlength(s->result, s->row, column);
    return PQgetvalue(s->result, s->row, column);
}

const SqlBackend sql_postgres = {.open = pg_open,
                                 .close = pg_close,
                                 .run = pg_run,
                                 .begin = pg_begin,
                                 .roll_back = pg_roll_back,
                                 .prepare = pg_prepare,
                                 .finalize = pg_finalize,
                                 .bind_int = pg_bind_int,
                                 .bind_text = pg_bind_text,
                                 .bind_bytes = pg_bind_bytes,
                                 .step = pg_step,
                                 .reset = pg_reset,
                                 .wait = pg_wait,
                                 .lost = pg_lost,
                                 .changed = pg_changed,
                                 .integer = pg_int,
                                 .text = pg_text,
                                 .bytes = pg_bytes};
