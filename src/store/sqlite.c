/* sqlite.c - sql.h on SQLite.
 *
 * The log is written ahead (WAL), so that others read while one process writes, and each commit is synced to
 * the disk: what was committed survives a kill and a power failure. */
#include "store/sql_int.h"

#include <sqlite3.h>
#include <unistd.h>

typedef struct Lite {
    Sql sql;
    sqlite3 *db;
    bool writes;
} Lite;
typedef struct LiteStatement {
    SqlStatement sql;
    sqlite3_stmt *statement;
} LiteStatement;

enum {
    APPLICATION = 0x53686561, /* "Shea", in the file's header: it is a store of ours */
    WAIT = 2000               /* milliseconds for another process's lock: readers hold theirs briefly */
};

/* ---- connections ----------------------------------------------------------------------------- */

static const char *explain(int code, const char *otherwise)
{
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return "another process is writing there";
    case SQLITE_FULL: return "the disk is full";
    case SQLITE_READONLY: return "it cannot be written: a read-only directory or file";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return "it is damaged, or no store of Sheaf";
    default: return otherwise;
    }
}

static sqlite3 *db_of(const Sql *sql) { return ((const Lite *)sql)->db; }
static sqlite3_stmt *of(SqlStatement *s) { return ((LiteStatement *)s)->statement; }

/* Keeps what the library says. */
static bool check(Sql *sql, int code)
{
    bool ok = code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE;
    if (!ok)
        sql_fail(sql, explain(code, db_of(sql) ? sqlite3_errmsg(db_of(sql)) : sqlite3_errstr(code)));
    return ok;
}

static bool lite_run(Sql *sql, const char *text)
{
    return check(sql, sqlite3_exec(db_of(sql), text, NULL, NULL, NULL));
}

/* One number that a pragma gives. */
static int64_t pragma(Sql *sql, const char *text)
{
    SqlStatement *s = sql_prepare(sql, text);
    int64_t value = sql_step(s) ? sql_int(s, 0) : 0;
    sql_reset(s);
    return value;
}

static bool file_is_there(const char *path, const char *ending)
{
    Str full = {0};
    str_printf(&full, "%s%s", path, ending);
    bool there = file_exists(str_text(&full));
    str_free(&full);
    return there;
}

/* A name that must not be read as parts of an address. */
static void add_escaped(Str *out, const char *path)
{
    for (; *path; path++)
        if (*path == '%' || *path == '?' || *path == '#')
            str_printf(out, "%%%02x", (unsigned char)*path);
        else
            str_add_char(out, *path);
}

static int connect(Lite *l, int flags, const char *how)
{
    Str address = {0};
    str_add(&address, "file:");
    add_escaped(&address, l->sql.name);
    str_add(&address, how);
    sqlite3_close(l->db);
    l->db = NULL;
    int code = sqlite3_open_v2(str_text(&address), &l->db,
                               flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_exec(l->db, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
    str_free(&address);
    return code;
}

/* What a kill left half done is undone by the next that opens the file, who must be able to write it. In a
 * directory that cannot be written there is no place for what readers share; without a log or a journal
 * nothing is needed. */
static void open_reading(Lite *l)
{
    int code = connect(l, SQLITE_OPEN_READONLY, "");
    if (code == SQLITE_READONLY_ROLLBACK || code == SQLITE_READONLY_RECOVERY)
        code = connect(l, SQLITE_OPEN_READWRITE, "");
    if (code != SQLITE_OK && !file_is_there(l->sql.name, "-wal") && !file_is_there(l->sql.name, "-journal"))
        code = connect(l, SQLITE_OPEN_READONLY, "?immutable=1");
    check(&l->sql, code);
}

/* Our mark goes into the file itself, before there is a log: it says whose file it is, whenever we are
 * killed. */
static void open_writing(Lite *l, SqlMode mode)
{
    Sql *sql = &l->sql;
    Str mark = {0};
    str_printf(&mark, "PRAGMA application_id = %d", APPLICATION);
    if (mode == SQL_WRITE && access(sql->name, W_OK))
        sql_fail(sql, explain(SQLITE_READONLY, ""));
    else if (check(sql,
                   connect(l, SQLITE_OPEN_READWRITE | (mode == SQL_CREATE ? SQLITE_OPEN_CREATE : 0), "")) &&
             (mode == SQL_WRITE || sql_run(sql, str_text(&mark))))
        sql_run(
            sql,
            "PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL"); /* where WAL cannot be, the old way */
    str_free(&mark);
}

static void recognise(Sql *sql)
{
    if (pragma(sql, "PRAGMA application_id") != APPLICATION)
        sql_fail(sql, explain(SQLITE_NOTADB, ""));
}

static Sql *lite_open(const char *path, SqlMode mode)
{
    Lite *l = mem_zalloc(sizeof *l);
    sql_init(&l->sql, &sql_sqlite, path);
    l->writes = mode != SQL_READ;
    if (mode == SQL_CREATE && file_exists(path))
        sql_fail(&l->sql, "the file exists");
    else if (mode != SQL_CREATE && !file_exists(path))
        sql_fail(&l->sql, "there is no such file");
    else if (mode == SQL_READ)
        open_reading(l);
    else
        open_writing(l, mode);
    if (!l->sql.failure.n)
        sqlite3_busy_timeout(l->db, WAIT);
    if (!l->sql.failure.n)
        recognise(&l->sql);
    return &l->sql;
}

static void lite_close(Sql *sql)
{
    if (((const Lite *)sql)->writes) /* readers of a file with a log leave files beside it: without a writer
                                        no log is needed */
        sqlite3_exec(db_of(sql), "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    sqlite3_close(db_of(sql));
}

/* ---- statements ------------------------------------------------------------------------------ */

static bool lite_begin(Sql *sql) { return lite_run(sql, "BEGIN IMMEDIATE"); }

static void lite_roll_back(Sql *sql)
{
    if (!sqlite3_get_autocommit(db_of(sql)))
        sqlite3_exec(db_of(sql), "ROLLBACK", NULL, NULL, NULL);
}

static SqlStatement *lite_prepare(Sql *sql, const char *text)
{
    sqlite3_stmt *statement;
    if (!check(sql, sqlite3_prepare_v3(db_of(sql), text, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL)))
        return NULL;
    LiteStatement *s = mem_zalloc(sizeof *s);
    s->statement = statement;
    return &s->sql;
}

static void lite_finalize(SqlStatement *s)
{
    sqlite3_finalize(of(s));
    mem_free(s);
}

static void lite_bind_int(SqlStatement *s, int i, int64_t value)
{
    check(s->sql, sqlite3_bind_int64(of(s), i, value));
}

static void lite_bind_text(SqlStatement *s, int i, const char *text)
{
    check(s->sql, sqlite3_bind_text(of(s), i, text, -1, SQLITE_STATIC));
}

static void lite_bind_bytes(SqlStatement *s, int i, const void *bytes, size_t n)
{
    check(s->sql,
          bytes ? sqlite3_bind_blob64(of(s), i, bytes, n, SQLITE_STATIC) : sqlite3_bind_null(of(s), i));
}

static bool lite_step(SqlStatement *s)
{
    int code = sqlite3_step(of(s));
    return check(s->sql, code) && code == SQLITE_ROW;
}

static void lite_reset(SqlStatement *s)
{
    sqlite3_reset(of(s)); /* says again what the step said */
    sqlite3_clear_bindings(of(s));
}

static uint64_t lite_changed(const Sql *sql) { return (uint64_t)sqlite3_changes64(db_of(sql)); }
static int64_t lite_int(SqlStatement *s, int column) { return sqlite3_column_int64(of(s), column); }

static const char *lite_text(SqlStatement *s, int column)
{
    return (const char *)sqlite3_column_text(of(s), column);
}

static const void *lite_bytes(SqlStatement *s, int column, size_t *n)
{
    const void *bytes = sqlite3_column_blob(of(s), column);
    *n = bytes ? (size_t)sqlite3_column_bytes(of(s), column) : 0;
    return bytes;
}

const SqlBackend sql_sqlite = {.open = lite_open,
                               .close = lite_close,
                               .run = lite_run,
                               .begin = lite_begin,
                               .roll_back = lite_roll_back,
                               .prepare = lite_prepare,
                               .finalize = lite_finalize,
                               .bind_int = lite_bind_int,
                               .bind_text = lite_bind_text,
                               .bind_bytes = lite_bind_bytes,
                               .step = lite_step,
                               .reset = lite_reset,
                               .changed = lite_changed,
                               .integer = lite_int,
                               .text = lite_text,
                               .bytes = lite_bytes};
