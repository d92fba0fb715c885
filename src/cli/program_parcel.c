/* program_parcel.c - see program_parcel.h. The program travels in Sheaf's own form with its models of libc: a
 * worker needs neither sources nor a compiler, and all have the same program. */
#include "cli/program_parcel.h"

void program_parcel_write(const IrProgram *program, const VmEnvironment *environment, const VmInputs *inputs,
                          Str *out)
{
    Str text = {0}, extra = {0};
    ir_program_print(program, &text);
    ir_extra_write(program, &extra);
    wire_bytes(out, str_text(&text), text.n);
    wire_bytes(out, str_text(&extra), extra.n);
    wire_text(out, inputs->entry ? inputs->entry : "");
    wire_uint(out, inputs->alike);
    wire_uint(out, environment->files.n);
    for (uint32_t i = 0; i < environment->files.n; i++) {
        const VmFile *f = &environment->files.v[i];
        wire_text(out, f->name);
        wire_bytes(out, f->data, f->size);
    }
    str_free(&text);
    str_free(&extra);
}

static IrProgram *read_program(Wire *in, Arena *arena, const char **error)
{
    uint32_t n, extras;
    const uint8_t *text = wire_get_bytes(in, &n), *extra = wire_get_bytes(in, &extras);
    *error = "the program is cut off";
    if (in->bad)
        return NULL;
    IrProgram *p = ir_program_parse((const char *)text, n, arena, error);
    if (!p)
        return NULL;
    Wire rest = wire_of(extra, extras);
    const char *broken = "its types cannot be read";
    if (ir_extra_read(p, &rest) && wire_ended(&rest) && ir_program_verify(p, arena, &broken)) {
        ir_program_index(p);
        return p;
    }
    *error = broken;
    ir_program_free(p);
    return NULL;
}

IrProgram *program_parcel_read(const void *bytes, size_t n, Arena *arena, VmEnvironment *environment,
                               VmInputs *inputs, const char **error)
{
    Wire in = wire_of(bytes, n);
    IrProgram *program = read_program(&in, arena, error);
    const char *entry = wire_get_text(&in, arena);
    inputs->entry = entry[0] ? entry : NULL;
    inputs->alike = wire_get_below(&in, 2);
    for (uint32_t files = wire_get_count(&in); files && !in.bad; files--) {
        uint32_t size;
        VmFile file = {.name = wire_get_text(&in, arena), .writable = true};
        file.data = wire_get_bytes(&in, &size);
        file.size = size;
        vec_push(&environment->files, file);
    }
    bool whole = wire_ended(&in) && (!inputs->entry || !program || ir_fn_find(program, entry) != IR_NONE);
    if (!program || whole)
        return program;
    *error = "its files cannot be read, or its entry is missing";
    ir_program_free(program);
    return NULL;
}
