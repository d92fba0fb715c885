/* fuzz_ir - feeds the parser of the textual IR any bytes. What it accepts must be printable, and the print
 * must be a fixpoint; the verifier must answer; and what the verifier accepts must be readable by everything
 * that reads the IR.
 *
 *     fuzz_ir CORPUS tests/ir        (CORPUS: a directory for new inputs) */
#include "ir/ir.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print_and_compare(const IrProgram *p, Arena *a)
{
    Str once = {0}, twice = {0};
    const char *error;
    ir_program_print(p, &once);
    IrProgram *q = ir_program_parse(str_text(&once), once.n, a, &error);
    if (!q)
        bug("printed text is refused: %s", error);
    ir_program_print(q, &twice);
    if (strcmp(str_text(&once), str_text(&twice)) != 0)
        bug("printed, read and printed again it differs");
    const char *other;
    if (ir_program_verify(p, a, &error) != ir_program_verify(q, a, &other))
        bug("the verifier changes its mind: %s", error ? error : other);
    ir_program_free(q);
    str_free(&once);
    str_free(&twice);
}

static void analyse(IrProgram *p)
{
    Str out = {0};
    for (uint32_t i = 0; i < p->fns.n; i++) {
        ir_fn_index(&p->fns.v[i]);
        vec_clear(&out);
        ir_fn_print_cfg(p, &p->fns.v[i], i % 2, &out);
    }
    ir_program_print_callgraph(p, false, &out);
    str_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *a = arena_new();
    const char *error;
    IrProgram *p = ir_program_parse((const char *)data, size, a, &error);
    if (!p != (error != NULL))
        bug("neither a program nor an error");
    if (p) {
        print_and_compare(p, a);
        if (ir_program_verify(p, a, &error))
            analyse(p);
    }
    ir_program_free(p);
    arena_free(a);
    return 0;
}
