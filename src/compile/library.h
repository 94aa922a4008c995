/* Which NVRTC serves: found by toolkit.h, chosen by its version. The prompt never loads it: a version that is not
 * remembered from an earlier run is asked of the compile worker. */
#pragma once

#include "base/err.h"
#include "compile/toolkit.h"

/* NULL with err (ERR_SETUP): there is none, or none new enough. Owned by this file; valid until the choice changes, so
 * copy what must last. Callers hold compile.c's lock. */
const NvrtcLibrary *library_choose(Err *err);

/* "13.0" of the library last chosen. */
const char *library_version(void);

/* Where that library is newer than all that gpulab was verified with: the newest of those; else NULL. */
const char *library_verified(void);
