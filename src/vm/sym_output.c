/* sym_output.c - what a run printed. */
#include "vm/sym.h"
#include "vm/files.h"

void vm_output_text(Vm *vm, int fd, Str *out)
{
    const VmStream *stream = vm_files_output(vm->files, fd);
    str_add_n(out, str_text(&stream->text), stream->text.n);
}
