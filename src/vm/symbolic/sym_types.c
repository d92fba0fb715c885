/* sym_types.c - what C calls the inputs and the places in them, where debug information tells. For people
 * only: no run depends on it. */
#include "vm/symbolic/sym_int.h"

ExprCKind vm_c_kind(IrCKind kind)
{
    switch (kind) {
    case IR_C_UINT: return EXPR_C_UINT;
    case IR_C_CHAR: return EXPR_C_CHAR;
    case IR_C_UCHAR: return EXPR_C_UCHAR;
    case IR_C_BOOL: return EXPR_C_BOOL;
    case IR_C_FLOAT: return EXPR_C_FLOAT;
    case IR_C_POINTER: return EXPR_C_POINTER;
    default: return EXPR_C_INT;
    }
}

ExprField vm_field(const IrProgram *program, const IrCField *f)
{
    uint64_t unit = f->kind == IR_C_POINTER && f->of ? program->ctypes.v[f->of].size : 0;
    return (ExprField){.low = f->low,
                       .bits = f->bits,
                       .kind = vm_c_kind(f->kind),
                       .unit = unit <= UINT32_MAX ? (uint32_t)unit : 0,
                       .text = f->text};
}

/* `size`: as much of the object as is of the type; `address`: of an object behind the pointer `text`, else
 * 0. */
static void describe(Vm *vm, ExprObject object, uint32_t type, const char *text, uint64_t size,
                     uint64_t address)
{
    Arena *a = arena_new();
    IrCFieldVec fields = {0};
    Vec(ExprField) out = {0};
    ir_ctype_fields(vm->program, type, text, address != 0, size, a, &fields);
    for (uint32_t i = 0; i < fields.n; i++) {
        const IrCField *f = &fields.v[i];
        vec_push(&out, vm_field(vm->program, f));
    }
    expr_object_describe(vm->sym->pool, object, out.v, out.n, address ? text : NULL, address);
    map_put(&vm->sym->ctypes, object.id, type);
    vec_free(&out);
    vec_free(&fields);
    arena_free(a);
}

void sym_describe(Vm *vm, ExprObject object, uint32_t type)
{
    const ExprObjectInfo *info = expr_object_info(vm->sym->pool, object);
    if (type && !info->nfields)
        describe(vm, object, type, info->text, info->size, 0);
    map_put(&vm->sym->ctypes, object.id, type); /* the pool may know from another machine */
}

uint32_t vm_input_ctype(const Vm *vm, ExprObject object)
{
    return (uint32_t)map_get_or(&vm->sym->ctypes, object.id, 0);
}

void sym_type_fields(Vm *vm, ExprObject object, Arena *a, IrCFieldVec *out)
{
    const ExprObjectInfo *info = expr_object_info(vm->sym->pool, object);
    uint64_t type = 0;
    if (map_get(&vm->sym->ctypes, object.id, &type))
        ir_ctype_fields(vm->program, (uint32_t)type, info->pointer ? info->pointer : info->text,
                        info->address != 0, info->size, a, out);
}

bool sym_type_is_number(Vm *vm, ExprObject object, uint32_t offset)
{
    uint64_t key = (uint64_t)object.id << 32 | offset, known = 0;
    if (map_get(&vm->sym->numbers, key, &known))
        return known;
    Arena *a = arena_new();
    IrCFieldVec fields = {0};
    sym_type_fields(vm, object, a, &fields);
    for (uint32_t i = 0; i < fields.n; i++)
        if (fields.v[i].low == 8ull * offset)
            known = fields.v[i].kind != IR_C_POINTER;
    map_put(&vm->sym->numbers, key, known);
    vec_free(&fields);
    arena_free(a);
    return known;
}

/* The pointer at `offset` of an object: what C calls it, in the arena, and the type of what it leads to. */
static const char *pointer_text(Vm *vm, ExprObject object, uint32_t offset, Arena *a, uint32_t *of)
{
    IrCFieldVec fields = {0};
    const char *text = NULL;
    sym_type_fields(vm, object, a, &fields);
    for (uint32_t i = 0; i < fields.n && !text; i++)
        if (fields.v[i].low == 8ull * offset && fields.v[i].kind == IR_C_POINTER) {
            text = fields.v[i].text;
            *of = fields.v[i].of;
        }
    vec_free(&fields);
    return text;
}

void sym_describe_pointee(Vm *vm, ExprObject object, ExprObject parent, uint32_t offset, uint64_t address)
{
    uint64_t unit = 0;
    uint32_t type = 0;
    Arena *a = arena_new();
    const char *text = pointer_text(vm, parent, offset, a, &type);
    if (expr_object_info(vm->sym->pool, object)
            ->pointer) { /* the pool knows from another machine; this one may not */
        map_put(&vm->sym->ctypes, object.id, type);
        arena_free(a);
        return;
    }
    if (!text) /* without types: the name of the way to it, which begins with a star */
        text = arena_strdup(a, expr_object_info(vm->sym->pool, object)->name + 1);
    map_get(&vm->sym->units, object.id, &unit);
    bool one = type && unit == vm->program->ctypes.v[type].size;
    describe(vm, object, type, text, one ? unit : expr_object_info(vm->sym->pool, object)->size, address);
    arena_free(a);
}
