/* graph.c - stands in until the graphs are written. */
#include "ir/ir.h"

void ir_fn_print_cfg(const IrProgram *p, const IrFn *fn, bool dot, Str *out)
{
    (void)p, (void)fn, (void)dot, (void)out;
    bug("ir_fn_print_cfg is not written yet");
}
void ir_program_print_callgraph(const IrProgram *p, bool dot, Str *out)
{
    (void)p, (void)dot, (void)out;
    bug("ir_program_print_callgraph is not written yet");
}
