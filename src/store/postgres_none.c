/* postgres_none.c - in place of postgres.c where libpq was not there when Sheaf was built. */
#include "store/sql_int.h"

static Sql *refuse(const char *address, SqlMode mode)
{
    (void)mode;
    (void)address; /* may hold a password */
    Sql *sql = mem_zalloc(sizeof *sql);
    sql_init(sql, &sql_postgres, "postgresql");
    sql_fail(sql, "this Sheaf was built without PostgreSQL: install libpq-dev, and build it again");
    return sql;
}

static void close_nothing(Sql *sql) { (void)sql; }

const SqlBackend sql_postgres = {.open = refuse, .close = close_nothing};
