/* makers.h - which functions of a program make and change the objects behind an entry's handles.
 *
 * Found from what functions do with their pointers, and from C's types. That a maker is missed or too many
 * are taken makes an answer about other calls, which it says; it makes none wrong. */
#ifndef SHEAF_FLOW_MAKERS_H
#define SHEAF_FLOW_MAKERS_H

/* What a function does with what a parameter points to, its callees included as far as they are seen. */
typedef struct FlowPointerUse {
    bool writes;   /* there, or behind pointers that stand there */
    bool frees;    /* the object itself may be freed, or moved by realloc */
    bool negative; /* it looks at what stands before */
    bool fills;    /* the first use, in the order of the code, writes there */
} FlowPointerUse;
typedef struct FlowMakers FlowMakers;
FlowMakers *flow_makers_new(const IrProgram *program);
void flow_makers_free(FlowMakers *m);
FlowPointerUse flow_pointer_use(FlowMakers *m, uint32_t fn, uint32_t reg);

/* The handle that C's parameter `number` of the function would be, with all functions that make one and all
 * that change one. False: nothing makes such an object. Texts live as long as the program; the vectors are
 * the caller's. */
bool flow_makers_find(FlowMakers *m, uint32_t fn, uint32_t number, IrHandle *out);
/* Is the function one that can make, or change, what the parameter points to, as the user says? Gives it. */
bool flow_maker_named(FlowMakers *m, uint32_t fn, uint32_t number, const char *name, bool mutates,
                      IrMaker *out);
/* The register of C's parameter; IR_NONE: it has none of its own (a structure). */
uint32_t flow_parameter_register(const IrFn *fn, uint32_t number);

#endif
