/* step_labels.c - the step loop for runs in which registers may carry shadows, and labels among them. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym.h"

#include <emmintrin.h>

#define STEP_NAME   vm_step_labels
#define STEP_SHADOW 1
#define STEP_LABELS 1
#include "vm/core/step.inc"
