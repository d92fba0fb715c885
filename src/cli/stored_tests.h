/* stored_tests.h - tests that the user names, from files and from stores. */
#ifndef SHEAF_CLI_STORED_TESTS_H
#define SHEAF_CLI_STORED_TESTS_H

#include "suite/suite.h"

/* As suite_read. Of a directory with a store those are read as well that are, or would be, files but are not
 * there: the run was killed, or wrote none; each is named by its place in the store. */
bool stored_tests_read(const char *path, SuiteTestVec *out, Str *error);

#endif
