/* stored_faults.h - the faults and needs of a report in a store, so that they are there when a run goes on.
 */
#ifndef SHEAF_CLI_STORED_FAULTS_H
#define SHEAF_CLI_STORED_FAULTS_H

#include "report/report.h"
#include "store/store.h"

bool stored_faults_put(const Report *report, Store *store);
/* Adds them to the report of the same program. False: the store cannot be read, or says what cannot be. */
bool stored_faults_get(Report *report, const char *directory, Store *store);

#endif
