/* A launch that is stepped: on an emulator of its own with a copy of what its kernel is given, so that nothing that the
 * device does is in the way (stepping_open), or on a backend itself (stepping_on). Either way the buffers are
 * afterwards as they were. emu/step/step.h has what it can do. Ownership: stepping_close frees it; the device that it
 * was made from may be closed before, the backend may not. */
#pragma once

#include "device/backend/backend.h"
#include "device/device.h"
#include "emu/step/step.h"

typedef struct Stepping Stepping;

/* The buffers are filled with what the device's hold now. A launch that the GPU does not allow is ERR_FAULT. */
bool stepping_open(Device *device, const Launch *launch, Stepping **out, Err *err);
/* The backend is an emulator of the GPU, with the launch's module loaded to keep registers; until stepping_close it is
 * used for nothing else. */
bool stepping_on(Backend *backend, const BackendLaunch *launch, const Gpu *gpu, Stepping **out, Err *err);
void stepping_close(Stepping *stepping); /* NULL is allowed */
const char *stepping_gpu(const Stepping *stepping);
const StepPlace *stepping_places(const Stepping *stepping, uint32_t *count);
/* Lists of the answers live until the next call. A worker that died is ERR_FAULT: what was stepped is lost. */
bool stepping_go(Stepping *stepping, const StepGo *go, StepMoment *out, Err *err);
bool stepping_read(Stepping *stepping, const char *const *expressions, uint32_t n, const StepValue **out, Err *err);
