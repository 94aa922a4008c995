/* Messages for a GPU that is unavailable: it does not exist, is reserved, or is used by others. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "gpu/launch.h"

/* The number in "cuda:1" ("cuda" is 0). False with err: it is none. */
bool gpu_ordinal(const char *name, int *ordinal, Err *err);

/* All return false. */
bool gpu_not_there(int ordinal, int count, Err *err);

typedef enum { MODE_DEFAULT = 0, MODE_PROHIBITED = 2, MODE_EXCLUSIVE = 3 } ComputeMode; /* as cudart numbers them */
/* pids: processes that compute on it, as far as they are known. */
bool gpu_busy(int ordinal, ComputeMode mode, const uint32_t *pids, size_t npids, Err *err);

/* A launch asks for another heap of malloc than the one that a kernel has used. Returns false. */
bool gpu_heap_is_fixed(size_t have, size_t asked, LaunchOutcome *out);
