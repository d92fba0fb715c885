/* stored_tests.h - tests that the user names, from files and from stores. */
#ifndef SHEAF_CLI_STORED_TESTS_H
#define SHEAF_CLI_STORED_TESTS_H

#include "store/store.h"

/* As suite_read. Of a directory with a store those are read as well that are, or would be, files but are not
 * there: the run was killed, or wrote none; each is named by its place in the store, DIR/store.db:NNNN. The
 * path may be such a name, too. */
bool stored_tests_read(const char *path, SuiteTestVec *out, Str *error);
bool stored_tests_is_name(const char *path); /* of a place in a store? */
/* As store_read. If there are files of tests, the error says where. */
Store *stored_tests_open(const char *directory, Str *error);

#endif
