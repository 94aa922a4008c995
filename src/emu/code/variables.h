/* Variables of shared memory by address. */
#pragma once

#include "emu/observer.h"

/* The one that begins last at or before addr in a block's shared memory, where it begins, and its bytes: of an extern
 * array, which has 0 itself, all there are. NULL: none does. */
const PtxVar *shared_variable(const LaunchInfo *info, uint64_t addr, uint64_t *begin, size_t *bytes);
