/* found.h - the faults and needs of a report in a store, so that they are there when a run goes on. */
#ifndef SHEAF_CLI_FOUND_H
#define SHEAF_CLI_FOUND_H

#include "report/report.h"
#include "store/store.h"

bool found_put(const Report *report, Store *store);
/* Adds them to the report of the same program. False: the store cannot be read, or says what cannot be. */
bool found_get(Report *report, const char *directory, Store *store);

#endif
