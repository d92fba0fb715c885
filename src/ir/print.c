/* print.c - stands in until the printer is written. */
#include "ir/ir.h"

void ir_program_print(const IrProgram *p, Str *out) { (void)p, (void)out; bug("ir_program_print is not written yet"); }
void ir_fn_print(const IrProgram *p, const IrFn *fn, Str *out)
{
    (void)p, (void)fn, (void)out;
    bug("ir_fn_print is not written yet");
}
