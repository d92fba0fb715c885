/* flow_dump.h - private to flow: what the dumps share. */
#ifndef SHEAF_FLOW_DUMP_H
#define SHEAF_FLOW_DUMP_H

#include "flow/flow_int.h"
#include "flow/slice_int.h"

typedef struct DumpFile {
    Str text;
    U32Vec lines; /* where each begins */
} DumpFile;
typedef struct DumpSource {
    StrMap by_path;
    Vec(DumpFile) files;
} DumpSource;

const IrSite *dump_site(const IrProgram *p, FlowSite at); /* NULL if it has none */
bool dump_is_at(const IrProgram *p, FlowSite at, const char *file, uint32_t line);
void dump_place(const IrProgram *p, FlowSite at, Str *out); /* "file.c:12" */
/* The text of a line of a source file, without what it is indented by; NULL if there is no such line. */
const char *dump_source(DumpSource *s, const char *path, uint32_t line, size_t *size);
void dump_source_free(DumpSource *s);
void dump_quoted(Str *out, const char *text, size_t n); /* for a string of Graphviz */

#endif
