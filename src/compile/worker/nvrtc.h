/* NVRTC itself, as the compile worker uses it: one library a process. No other process loads it. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "compile/worker/calls.h"

/* Loads the library at this path, or with "" the one that the dynamic loader finds. The answer's text lasts as long as
 * the process. False with err (ERR_SETUP): it cannot be loaded, or is no NVRTC; another may be tried. */
bool nvrtc_load(const char *library, OpenAnswer *out, Err *err);

/* Takes the memory that precompiled headers lie in, always at the same place: right after loading. */
void nvrtc_reserve(size_t bytes);

/* False with err (ERR_SETUP) where NVRTC cannot be run at all. True: out is filled from the arena. */
bool nvrtc_run(const NvrtcInput *in, Arena *arena, NvrtcOutput *out, Err *err);

/* Makes in->headers. False: it cannot be made. */
bool nvrtc_prepare(const NvrtcInput *in, Arena *arena);
