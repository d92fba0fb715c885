/* coverage.c - lines and branches by file, from what llvm-cov exports as lcov. */
#include "suite/suite_int.h"

#include <stdlib.h>

static void take_line(SuiteFileCoverage *f, const char *text)
{
    char *end;
    unsigned long line = strtoul(text, &end, 10), count = *end == ',' ? strtoul(end + 1, NULL, 10) : 0;
    f->lines++;
    f->lines_covered += count > 0;
    vec_push(count ? &f->hit : &f->missed, (uint32_t)line);
}

/* "line,block,branch,count"; a count of "-" is of a decision that never ran. */
static void take_branch(SuiteFileCoverage *f, const char *text)
{
    const char *count = text;
    for (int i = 0; i < 3 && count; i++) {
        count = strchr(count, ',');
        count += count != NULL;
    }
    f->branches++;
    f->branches_covered += count && *count >= '1' && *count <= '9';
}

static void add_up(SuiteCoverage *c)
{
    for (uint32_t i = 0; i < c->files.n; i++) {
        c->lines += c->files.v[i].lines;
        c->lines_covered += c->files.v[i].lines_covered;
        c->branches += c->files.v[i].branches;
        c->branches_covered += c->files.v[i].branches_covered;
    }
}

void coverage_read(const char *lcov, const char *skip, SuiteCoverage *out)
{
    bool counted = false;
    *out = (SuiteCoverage){.arena = arena_new()};
    for (const char *line = lcov; *line;) {
        size_t n = strcspn(line, "\n");
        if (text_starts_with(line, "SF:")) {
            char *path = arena_strndup(out->arena, line + 3, n - 3);
            counted = !(skip && text_starts_with(path, skip));
            if (counted)
                vec_push(&out->files, (SuiteFileCoverage){.path = suite_path_here(path)});
        } else if (counted && text_starts_with(line, "DA:")) {
            take_line(&vec_last(&out->files), line + 3);
        } else if (counted && text_starts_with(line, "BRDA:")) {
            take_branch(&vec_last(&out->files), line + 5);
        }
        line += n + (line[n] == '\n');
    }
    add_up(out);
}

void suite_coverage_free(SuiteCoverage *c)
{
    for (uint32_t i = 0; i < c->files.n; i++) {
        vec_free(&c->files.v[i].missed);
        vec_free(&c->files.v[i].hit);
    }
    vec_free(&c->files);
    arena_free(c->arena);
    *c = (SuiteCoverage){0};
}
