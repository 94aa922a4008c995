/* A GPU that is none, for the tests of everything around one: its memory is the worker's own, its kernels are C
 * functions with the names and the behaviour of those in kernels.cu. Like a GPU it does not notice writes near a
 * buffer, a fault ends it for good, and a kernel that loops can only be killed with its process. */
#pragma once

#include "device/backend/backend.h"

/* "fake"; "fake:bare" has no cuBLAS; "fake:no" cannot be opened; "fake:emu" is no GPU but an emulator that shares no
 * memory with the other side. "fake:mad:KIND:CALL", "fake:emu:mad:KIND:CALL" answer CALL (a name of messages.h) with
 * nonsense of that kind: "noise" that is no frame, a "sequence" that is not the call's, an answer of random "bytes", an
 * error that is none ("ok"), a "type" that answers nothing, a "length" that no frame has. CALL "size" answers submit
 * with "more" or "fewer" samples and predictions than were asked for, or too few "rows". */
Backend *fake_backend(const char *name);
/* What `--worker emu` is while the environment has TEST_MAD_EMULATOR=KIND:CALL. */
Backend *mad_emulator(const char *what);
