/* intrinsics_int.h - handlers of intrinsics.def, and what they share. Private to intrinsics*.c. */
#ifndef SHEAF_FRONTEND_INTRINSICS_INT_H
#define SHEAF_FRONTEND_INTRINSICS_INT_H

#include "frontend/frontend_int.h"

typedef void IntrinsicHandler(Trans *t, LLVMValueRef call, const Intrinsic *what);

struct Intrinsic {
    const char *name;
    IntrinsicHandler *handler;
    uint32_t with;
};

#define INTRINSIC(name, handler, with) IntrinsicHandler intrinsic_##handler;
#define LIBM(name)
#include "frontend/intrinsics.def"
#undef INTRINSIC
#undef LIBM
IntrinsicHandler intrinsic_libm;

/* Registers of an argument. */
static inline Regs arg_regs(Trans *t, LLVMValueRef call, unsigned i)
{
    return regs_of(t, LLVMGetArgOperand(call, i));
}
/* True, with t->problem set, if the operands are floats that we do not compute with. */
bool intrinsic_odd_float(Trans *t, LLVMValueRef call);

#endif
