/* Which of its parameters a kernel reads and writes through, found in its PTX: decides what a launch changes, which
 * contents a replay needs, and whether a buffer whose content was lost may be passed. */
#pragma once

#include "ptx/module.h"

enum { USE_READ = 1, USE_WRITE = 2 };

/* uses[i] of parameter i: a set of USE_*. Errs on the side of use: what cannot be followed (a pointer stored to memory,
 * passed to a function, or picked from a parameter by a computed offset) counts as read and written. */
void kernel_uses(const PtxFunction *kernel, uint8_t *uses);
