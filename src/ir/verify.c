/* verify.c - stands in until the verifier is written. */
#include "ir/ir.h"

bool ir_program_verify(const IrProgram *p, Arena *a, const char **error)
{
    (void)p, (void)a, (void)error;
    bug("ir_program_verify is not written yet");
}
