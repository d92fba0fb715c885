/* store.c - see store.h. */
#include "store/store.h"

#include "store/sql.h"

struct Store {
    Sql *sql;
    Arena *arena; /* of the job's texts */
    StoreJob job;
    bool finished, open; /* open: a transaction has begun */
    SuiteTest *base;     /* tests are packed against it; NULL: there is none yet */
    uint64_t tests, bytes;
    uint32_t last;
    Marks paths;  /* by hash: tests of STORE_PATH that are there */
    Map numbered; /* by hash: number and role of the others */
    Str packed, covers;
    SqlStatement *add, *base_set, *role_set, *one, *settle, *fault_put, *value_put, *work_put, *work_remove;
};

/* There is one job in a file; a database of many machines has more. */
enum { JOB = 1 };

static const char schema[] =
    "CREATE TABLE store (version BIGINT NOT NULL);"
    "CREATE TABLE job (id BIGINT PRIMARY KEY, program TEXT NOT NULL, command TEXT NOT NULL,"
    " options TEXT NOT NULL, version TEXT NOT NULL, finished BIGINT NOT NULL, base BLOB) WITHOUT ROWID;"
    "CREATE TABLE test (job BIGINT NOT NULL, id BIGINT NOT NULL, number BIGINT NOT NULL, rank BIGINT NOT "
    "NULL, role BIGINT NOT NULL,"
    " ending TEXT NOT NULL, fault TEXT NOT NULL, site TEXT NOT NULL, input BLOB NOT NULL, covers BLOB,"
    " PRIMARY KEY (job, id)) WITHOUT ROWID;"
    "CREATE TABLE fault (job BIGINT NOT NULL, kind TEXT NOT NULL, place BIGINT NOT NULL,"
    " function TEXT NOT NULL, need TEXT NOT NULL, site TEXT NOT NULL, maker TEXT NOT NULL,"
    " message TEXT NOT NULL, test TEXT NOT NULL, input TEXT NOT NULL, witness TEXT NOT NULL,"
    " verdict BIGINT NOT NULL, replays BIGINT NOT NULL, count BIGINT NOT NULL, stack BLOB,"
    " seen BIGINT NOT NULL, PRIMARY KEY (job, kind, place, function, need)) WITHOUT ROWID;"
    "CREATE TABLE value (job BIGINT NOT NULL, name TEXT NOT NULL, bytes BLOB NOT NULL,"
    " PRIMARY KEY (job, name)) WITHOUT ROWID;"
    "CREATE TABLE work (job BIGINT NOT NULL, id BIGINT NOT NULL, bytes BLOB NOT NULL,"
    " PRIMARY KEY (job, id)) WITHOUT ROWID";

/* ---- opening --------------------------------------------------------------------------------- */

static char *path_of(const char *directory)
{
    Str path = {0};
    str_printf(&path, "%s/" SUITE_STORE, directory);
    return str_take(&path);
}

bool store_exists(const char *directory)
{
    char *path = path_of(directory);
    bool there = file_exists(path);
    mem_free(path);
    return there;
}

static Store *open_store(const char *directory, SqlMode mode, Str *error)
{
    char *path = path_of(directory);
    Sql *sql = sql_open(path, mode, error);
    mem_free(path);
    if (!sql)
        return NULL;
    Store *s = mem_zalloc(sizeof *s);
    s->sql = sql;
    s->arena = arena_new();
    return s;
}

/* Gives the store up if something has failed. */
static Store *opened(Store *s, Str *error)
{
    if (!sql_failure(s->sql))
        return s;
    str_add(error, sql_failure(s->sql));
    store_close(s);
    return NULL;
}

#define TEST_COLUMNS "number, role, input, covers, rank" /* read_test */

static void prepare(Store *s)
{
    s->add =
        sql_prepare(s->sql, "INSERT INTO test (job, id, number, role, ending, fault, site, input, covers,"
                            " rank) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)");
    s->base_set = sql_prepare(s->sql, "UPDATE job SET base = $1 WHERE id = $2");
    s->role_set = sql_prepare(s->sql, "UPDATE test SET role = $1 WHERE job = $2 AND number = $3");
    s->one = sql_prepare(s->sql, "SELECT " TEST_COLUMNS " FROM test WHERE job = $1 AND id = $2");
    s->settle =
        sql_prepare(s->sql, "UPDATE test SET number = $1, role = $2, rank = -rank, covers = CASE WHEN $2 "
                            "= $3 THEN NULL ELSE covers END WHERE job = $4 AND id = $5");
    s->fault_put = sql_prepare(
        s->sql,
        "INSERT INTO fault (job, kind, place, function, need, site, maker, message, test, input, witness,"
        " verdict, replays, count, stack, seen) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,"
        " $13, $14, $15, (SELECT count(*) FROM fault)) ON CONFLICT (job, kind, place, function, need) DO "
        "UPDATE"
        " SET message = excluded.message, maker = excluded.maker, stack = excluded.stack,"
        " test = excluded.test, input = excluded.input, witness = excluded.witness,"
        " verdict = excluded.verdict, replays = excluded.replays, count = excluded.count");
    s->value_put = sql_prepare(s->sql, "INSERT INTO value (job, name, bytes) VALUES ($1, $2, $3)"
                                       " ON CONFLICT (job, name) DO UPDATE SET bytes = excluded.bytes");
    s->work_put = sql_prepare(s->sql, "INSERT INTO work (job, id, bytes) VALUES ($1, $2, $3)"
                                      " ON CONFLICT (job, id) DO UPDATE SET bytes = excluded.bytes");
    s->work_remove = sql_prepare(s->sql, "DELETE FROM work WHERE job = $1 AND id = $2");
}

static void add_job(Store *s, const StoreJob *job)
{
    sql_begin(s->sql);
    sql_run(s->sql, schema);
    SqlStatement *version = sql_prepare(s->sql, "INSERT INTO store (version) VALUES ($1)");
    sql_bind_int(version, 1, STORE_VERSION);
    sql_do(version);
    SqlStatement *add =
        sql_prepare(s->sql, "INSERT INTO job (id, program, command, options, version, finished)"
                            " VALUES ($1, $2, $3, $4, $5, 0)");
    sql_bind_int(add, 1, JOB);
    sql_bind_text(add, 2, job->program);
    sql_bind_text(add, 3, job->command);
    sql_bind_text(add, 4, job->options);
    sql_bind_text(add, 5, job->version);
    sql_do(add);
    sql_commit(s->sql);
}

static void check_version(Store *s)
{
    SqlStatement *version = sql_prepare(s->sql, "SELECT version FROM store");
    int64_t is = sql_step(version) ? sql_int(version, 0) : 0;
    sql_reset(version);
    Str why = {0};
    str_printf(&why, "a store of version %lld, and this is Sheaf " SHEAF_VERSION ", which has version %d",
               (long long)is, STORE_VERSION);
    if (is != STORE_VERSION)
        sql_fail(s->sql, str_text(&why));
    str_free(&why);
}

static void read_job(Store *s)
{
    size_t n;
    SqlStatement *job = sql_prepare(
        s->sql, "SELECT program, command, options, version, finished, base FROM job WHERE id = $1");
    sql_bind_int(job, 1, JOB);
    if (sql_step(job)) {
        s->job.program = arena_strdup(s->arena, sql_text(job, 0));
        s->job.command = arena_strdup(s->arena, sql_text(job, 1));
        s->job.options = arena_strdup(s->arena, sql_text(job, 2));
        s->job.version = arena_strdup(s->arena, sql_text(job, 3));
        s->finished = sql_int(job, 4);
        const void *base = sql_bytes(job, 5, &n);
        s->base = n ? suite_test_unpack(base, n, NULL) : NULL;
        if (n && !s->base)
            sql_fail(s->sql, "it is damaged");
    } else {
        sql_fail(s->sql, "it is damaged: there is no job in it");
    }
    sql_reset(job);
}

Store *store_create(const char *directory, const StoreJob *job, Str *error)
{
    Store *s = open_store(directory, SQL_CREATE, error);
    if (!s)
        return NULL;
    add_job(s, job);
    read_job(s);
    prepare(s);
    return opened(s, error);
}

/* One that is there, with its job; NULL: it could not even be opened. */
static Store *open_job(const char *directory, SqlMode mode, Str *error)
{
    Store *s = open_store(directory, mode, error);
    if (!s)
        return NULL;
    check_version(s);
    if (!sql_failure(s->sql))
        read_job(s);
    return s;
}

Store *store_read(const char *directory, Str *error)
{
    Store *s = open_job(directory, SQL_READ, error);
    return s ? opened(s, error) : NULL;
}

/* A test with a rank that is not settled (then it is negative) is another one than that without: it has no
 * number yet that could be the other's. */
static uint64_t key_of(const void *packed, size_t n, uint64_t rank)
{
    uint64_t key = hash_bytes(packed, n);
    return rank ? hash_mix(key, rank) : key;
}

/* What is there already is not added again. */
static void read_keys(Store *s)
{
    SqlStatement *all =
        sql_prepare(s->sql, "SELECT number, role, input, rank FROM test WHERE job = $1 ORDER BY id");
    sql_bind_int(all, 1, JOB);
    while (sql_step(all)) {
        size_t n;
        const void *packed = sql_bytes(all, 2, &n);
        uint32_t number = (uint32_t)sql_int(all, 0);
        int64_t rank = sql_int(all, 3);
        uint64_t key = key_of(packed, n, rank > 0 ? (uint64_t)rank : 0);
        s->tests++;
        s->bytes += n;
        s->last = number > s->last ? number : s->last;
        if (number)
            map_put(&s->numbered, key, (uint64_t)number << 8 | (uint64_t)sql_int(all, 1));
        else
            marks_set(&s->paths, key, 1, 1);
    }
    sql_reset(all);
}

Store *store_resume(const char *directory, const StoreJob *job, Str *error)
{
    Str differ = {0};
    Store *s = open_job(directory, SQL_WRITE, error);
    if (!s)
        return NULL;
    if (!sql_failure(s->sql) && store_jobs_differ(&s->job, job, &differ))
        sql_fail(s->sql, str_text(&differ));
    str_free(&differ);
    if (!sql_failure(s->sql)) {
        read_keys(s);
        prepare(s);
    }
    return opened(s, error);
}

void store_close(Store *s)
{
    if (!s)
        return;
    if (s->open)
        sql_roll_back(s->sql);
    sql_close(s->sql);
    suite_test_free(s->base);
    marks_free(&s->paths);
    map_free(&s->numbered);
    str_free(&s->packed);
    str_free(&s->covers);
    arena_free(s->arena);
    mem_free(s);
}

const char *store_failure(const Store *s) { return sql_failure(s->sql); }
bool store_finished(const Store *s) { return s->finished; }
const StoreJob *store_job(const Store *s) { return &s->job; }
uint64_t store_test_bytes(const Store *s) { return s->bytes; }
uint32_t store_test_last(const Store *s) { return s->last; }

/* ---- jobs ------------------------------------------------------------------------------------ */

/* The first line that one has and the other has not: what one option says in both. */
static bool line_missing(const char *lines, const char *in, Str *out)
{
    for (const char *line = lines; *line;) {
        size_t n = strcspn(line, "\n");
        bool found = false;
        for (const char *other = in; *other && !found;) {
            size_t m = strcspn(other, "\n");
            found = m == n && !memcmp(line, other, n);
            other += m + (other[m] == '\n');
        }
        if (!found) {
            str_add_n(out, line, n);
            return true;
        }
        line += n + (line[n] == '\n');
    }
    return false;
}

bool store_jobs_differ(const StoreJob *stored, const StoreJob *asked, Str *out)
{
    Str then = {0}, now = {0};
    bool differ = true;
    bool was = line_missing(stored->options, asked->options, &then);
    bool is = line_missing(asked->options, stored->options, &now);
    if (strcmp(stored->version, asked->version))
        str_printf(out, "it is of Sheaf %s, and this is %s", stored->version, asked->version);
    else if (strcmp(stored->command, asked->command))
        str_printf(out, "it is of 'sheaf %s'", stored->command);
    else if (was && is)
        str_printf(out, "it was begun with '%s', not with '%s'", str_text(&then), str_text(&now));
    else if (was || is)
        str_printf(out, "it was begun %s '%s'", was ? "with" : "without", str_text(was ? &then : &now));
    else if (strcmp(stored->program, asked->program))
        str_add(out, "the program is another one, or was changed");
    else
        differ = false;
    str_free(&then);
    str_free(&now);
    return differ;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* In a transaction, which begins with what is first added. */
static bool begin(Store *s)
{
    if (!s->open && !sql_failure(s->sql))
        s->open = sql_begin(s->sql);
    return s->open && !sql_failure(s->sql);
}

bool store_commit(Store *s)
{
    if (!s->open)
        return !sql_failure(s->sql);
    if (sql_failure(s->sql) || !sql_commit(s->sql))
        return false;
    s->open = false;
    return true;
}

bool store_finish(Store *s)
{
    SqlStatement *finish = begin(s) ? sql_prepare(s->sql, "UPDATE job SET finished = 1 WHERE id = $1") : NULL;
    sql_bind_int(finish, 1, JOB);
    s->finished = sql_do(finish) && store_commit(s);
    return s->finished;
}

/* The first test is the base, whole. */
static bool have_base(Store *s, const SuiteTest *t)
{
    if (s->base)
        return true;
    suite_test_pack(t, NULL, &s->packed);
    s->base = suite_test_unpack(str_text(&s->packed), s->packed.n, NULL);
    if (!s->base)
        bug("a test is not what was packed");
    sql_bind_bytes(s->base_set, 1, str_text(&s->packed), s->packed.n);
    sql_bind_int(s->base_set, 2, JOB);
    bool ok = sql_do(s->base_set);
    vec_clear(&s->packed);
    return ok;
}

static void pack_cells(const BitSet *covers, Str *out)
{
    uint32_t last = 0;
    for (uint32_t i = bitset_next(covers, 0); i != UINT32_MAX; i = bitset_next(covers, i + 1)) {
        wire_uint(out, i - last);
        last = i;
    }
}

static bool insert(Store *s, const SuiteTest *t, uint64_t rank, StoreRole role, const BitSet *covers)
{
    if (covers) {
        vec_clear(&s->covers);
        pack_cells(covers, &s->covers);
    }
    sql_bind_int(s->add, 1, JOB);
    sql_bind_int(s->add, 2, (int64_t)++s->tests);
    sql_bind_int(s->add, 3, t->number);
    sql_bind_int(s->add, 4, role);
    sql_bind_text(s->add, 5, suite_ending_word(t->ending));
    sql_bind_text(s->add, 6, t->fault);
    sql_bind_text(s->add, 7, t->site);
    sql_bind_bytes(s->add, 8, str_text(&s->packed), s->packed.n);
    sql_bind_bytes(s->add, 9, covers ? str_text(&s->covers) : NULL, s->covers.n);
    sql_bind_int(s->add, 10, (int64_t)rank);
    return sql_do(s->add);
}

static bool add_test(Store *s, SuiteTest *t, uint64_t rank, StoreRole *role, const BitSet *covers)
{
    vec_clear(&s->packed);
    if (!begin(s) || !have_base(s, t))
        return false;
    suite_test_pack(t, s->base, &s->packed);
    uint64_t key = key_of(str_text(&s->packed), s->packed.n, rank), known;
    if (map_get(&s->numbered, key, &known)) {
        t->number = (uint32_t)(known >> 8);
        if ((known & 0xff) > *role)
            *role = (StoreRole)(known & 0xff);
        else if (*role > (StoreRole)(known & 0xff))
            return store_test_is_file(s, t);
        return true;
    }
    if (!t->number && marks_get(&s->paths, key))
        return true;
    if (!insert(s, t, rank, *role, covers))
        return false;
    s->bytes += s->packed.n;
    s->last = t->number > s->last ? t->number : s->last;
    if (t->number)
        map_put(&s->numbered, key, (uint64_t)t->number << 8 | *role);
    else
        marks_set(&s->paths, key, 1, 1);
    return true;
}

bool store_test_add(Store *s, SuiteTest *t, StoreRole *role, const BitSet *covers)
{
    return add_test(s, t, 0, role, covers);
}

bool store_test_pack(const Store *s, const SuiteTest *t, Str *out)
{
    if (s->base)
        suite_test_pack(t, s->base, out);
    return s->base != NULL;
}

bool store_packed_add(Store *s, const void *packed, size_t n)
{
    StoreRole role = STORE_PATH;
    SuiteTest *t = s->base ? suite_test_unpack(packed, n, s->base) : NULL;
    bool ok = t && add_test(s, t, 0, &role, NULL);
    suite_test_free(t);
    return ok;
}

bool store_ranked_add(Store *s, SuiteTest *t, uint64_t rank, StoreRole role, const BitSet *covers)
{
    t->number = s->last + 1;
    return add_test(s, t, rank, &role, covers);
}

bool store_ranked_settle(Store *s, const StoreRanked *of, const SuiteTest *t, StoreRole role)
{
    if (!begin(s))
        return false;
    sql_bind_int(s->settle, 1, role == STORE_PATH ? 0 : t->number);
    sql_bind_int(s->settle, 2, role);
    sql_bind_int(s->settle, 3, STORE_FILE);
    sql_bind_int(s->settle, 4, JOB);
    sql_bind_int(s->settle, 5, (int64_t)of->id);
    vec_clear(&s->packed);
    suite_test_pack(t, s->base, &s->packed);
    uint64_t key = key_of(str_text(&s->packed), s->packed.n, 0);
    if (role == STORE_PATH)
        marks_set(&s->paths, key, 1, 1);
    else
        map_put(&s->numbered, key, (uint64_t)t->number << 8 | role);
    return sql_do(s->settle);
}

bool store_test_is_file(Store *s, const SuiteTest *t)
{
    if (!begin(s))
        return false;
    sql_bind_int(s->role_set, 1, STORE_FILE);
    sql_bind_int(s->role_set, 2, JOB);
    sql_bind_int(s->role_set, 3, t->number);
    return sql_do(s->role_set);
}

bool store_fault_put(Store *s, const StoreFault *f)
{
    if (!begin(s))
        return false;
    SqlStatement *p = s->fault_put;
    sql_bind_int(p, 1, JOB);
    sql_bind_text(p, 2, f->kind);
    sql_bind_int(p, 3, f->place);
    sql_bind_text(p, 4, f->function);
    sql_bind_text(p, 5, f->need);
    sql_bind_text(p, 6, f->site);
    sql_bind_text(p, 7, f->maker);
    sql_bind_text(p, 8, f->message);
    sql_bind_text(p, 9, f->test);
    sql_bind_text(p, 10, f->input);
    sql_bind_text(p, 11, f->witness);
    sql_bind_int(p, 12, f->verdict);
    sql_bind_int(p, 13, f->replays);
    sql_bind_int(p, 14, (int64_t)f->count);
    sql_bind_bytes(p, 15, f->stack, f->stack_size);
    return sql_do(p);
}

bool store_put(Store *s, const char *name, const void *bytes, size_t n)
{
    if (!begin(s))
        return false;
    sql_bind_int(s->value_put, 1, JOB);
    sql_bind_text(s->value_put, 2, name);
    sql_bind_bytes(s->value_put, 3, n ? bytes : "", n);
    return sql_do(s->value_put);
}

bool store_work_put(Store *s, uint64_t id, const void *bytes, size_t n)
{
    if (!begin(s))
        return false;
    sql_bind_int(s->work_put, 1, JOB);
    sql_bind_int(s->work_put, 2, (int64_t)id);
    sql_bind_bytes(s->work_put, 3, n ? bytes : "", n);
    return sql_do(s->work_put);
}

bool store_work_remove(Store *s, uint64_t id)
{
    if (!begin(s))
        return false;
    sql_bind_int(s->work_remove, 1, JOB);
    sql_bind_int(s->work_remove, 2, (int64_t)id);
    return sql_do(s->work_remove);
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool unpack_cells(const void *bytes, size_t n, BitSet *out)
{
    Wire in = wire_of(bytes, n);
    for (uint64_t at = 0; in.left && !in.bad;) {
        at += wire_get_u32(&in);
        if (at > SUITE_FILE_LIMIT)
            return false;
        bitset_add(out, (uint32_t)at);
    }
    return !in.bad;
}

/* Of a row of TEST_COLUMNS. False: it is damaged. */
static bool read_test(Store *s, SqlStatement *row, StoreTest *t)
{
    size_t n, cells;
    const void *packed = sql_bytes(row, 2, &n);
    *t = (StoreTest){.test = s->base ? suite_test_unpack(packed, n, s->base) : NULL,
                     .role = (StoreRole)sql_int(row, 1),
                     .ranked = sql_int(row, 4) > 0};
    const void *covers = sql_bytes(row, 3, &cells);
    t->known = cells > 0;
    bool ok = t->test && t->role <= STORE_FILE && unpack_cells(covers, cells, &t->covers);
    if (ok)
        t->test->number = (uint32_t)sql_int(row, 0);
    else
        sql_fail(s->sql, "it is damaged: a test in it cannot be read");
    return ok;
}

bool store_tests(Store *s, StoreRole least, void (*each)(void *context, StoreTest *test), void *context)
{
    SqlStatement *all = sql_prepare(s->sql, "SELECT " TEST_COLUMNS " FROM test WHERE job = $1 AND role >= $2"
                                            " ORDER BY CASE WHEN $2 > 0 THEN number ELSE id END");
    sql_bind_int(all, 1, JOB);
    sql_bind_int(all, 2, least);
    while (sql_step(all)) {
        StoreTest t;
        if (read_test(s, all, &t))
            each(context, &t);
        suite_test_free(t.test);
        bitset_free(&t.covers);
    }
    sql_reset(all);
    return !sql_failure(s->sql);
}

bool store_ranked(Store *s, StoreRankedVec *out)
{
    SqlStatement *all =
        sql_prepare(s->sql, "SELECT rank, id FROM test WHERE job = $1 AND rank > 0 ORDER BY rank, id");
    sql_bind_int(all, 1, JOB);
    while (sql_step(all))
        vec_push(out, (StoreRanked){(uint64_t)sql_int(all, 0), (uint64_t)sql_int(all, 1)});
    sql_reset(all);
    return !sql_failure(s->sql);
}

SuiteTest *store_ranked_test(Store *s, const StoreRanked *of)
{
    StoreTest t = {0};
    sql_bind_int(s->one, 1, JOB);
    sql_bind_int(s->one, 2, (int64_t)of->id);
    if (sql_step(s->one))
        read_test(s, s->one, &t);
    sql_reset(s->one);
    bitset_free(&t.covers);
    return t.test;
}

uint32_t store_settled_last(Store *s)
{
    SqlStatement *last = sql_prepare(s->sql, "SELECT max(number) FROM test WHERE job = $1 AND rank <= 0");
    sql_bind_int(last, 1, JOB);
    uint32_t number = sql_step(last) ? (uint32_t)sql_int(last, 0) : 0;
    sql_reset(last);
    return number;
}

bool store_faults(Store *s, void (*each)(void *context, const StoreFault *fault), void *context)
{
    SqlStatement *all =
        sql_prepare(s->sql, "SELECT kind, need, site, function, maker, message, test, input, witness, place,"
                            " verdict, replays, count, stack FROM fault WHERE job = $1 ORDER BY seen");
    sql_bind_int(all, 1, JOB);
    while (sql_step(all)) {
        StoreFault f = {.kind = sql_text(all, 0),
                        .need = sql_text(all, 1),
                        .site = sql_text(all, 2),
                        .function = sql_text(all, 3),
                        .maker = sql_text(all, 4),
                        .message = sql_text(all, 5),
                        .test = sql_text(all, 6),
                        .input = sql_text(all, 7),
                        .witness = sql_text(all, 8),
                        .place = (uint32_t)sql_int(all, 9),
                        .verdict = (uint32_t)sql_int(all, 10),
                        .replays = (uint32_t)sql_int(all, 11),
                        .count = (uint64_t)sql_int(all, 12)};
        f.stack = sql_bytes(all, 13, &f.stack_size);
        each(context, &f);
    }
    sql_reset(all);
    return !sql_failure(s->sql);
}

/* The bytes of the one row that the statement gives. */
static bool get_bytes(SqlStatement *get, Str *out)
{
    size_t n;
    bool there = sql_step(get);
    const char *bytes = there ? sql_bytes(get, 0, &n) : NULL;
    vec_clear(out);
    if (there)
        str_add_n(out, bytes, n);
    sql_reset(get);
    return there;
}

bool store_get(Store *s, const char *name, Str *out)
{
    SqlStatement *get = sql_prepare(s->sql, "SELECT bytes FROM value WHERE job = $1 AND name = $2");
    sql_bind_int(get, 1, JOB);
    sql_bind_text(get, 2, name);
    return get_bytes(get, out);
}

bool store_work_get(Store *s, uint64_t id, Str *out)
{
    SqlStatement *get = sql_prepare(s->sql, "SELECT bytes FROM work WHERE job = $1 AND id = $2");
    sql_bind_int(get, 1, JOB);
    sql_bind_int(get, 2, (int64_t)id);
    return get_bytes(get, out);
}
