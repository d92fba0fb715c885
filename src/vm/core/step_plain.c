/* step_plain.c - the step loop for runs without shadows: it never reads or writes one. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym.h"

#include <emmintrin.h>

#define STEP_NAME   vm_step_plain
#define STEP_SHADOW 0
#define STEP_LABELS 0
#include "vm/core/step.inc"
