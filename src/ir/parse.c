/* parse.c - stands in until the parser is written. */
#include "ir/ir.h"

IrProgram *ir_program_parse(const char *text, size_t size, Arena *a, const char **error)
{
    (void)text, (void)size, (void)a, (void)error;
    bug("ir_program_parse is not written yet");
}
