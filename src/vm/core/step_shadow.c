/* step_shadow.c - the step loop for runs in which registers may carry shadows. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym.h"

#include <emmintrin.h>

#define STEP_NAME   vm_step_shadow
#define STEP_SHADOW 1
#define STEP_LABELS 0
#include "vm/core/step.inc"
