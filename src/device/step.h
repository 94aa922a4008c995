/* A launch that is stepped, on an emulator of its own: a copy of what its kernel is given, so that the device's buffers
 * stay as they are, and nothing that the device does is in the way. emu/step/step.h has what it can do. Ownership:
 * stepping_close frees it; the device it was made from may be closed before. */
#ifndef GPULAB_DEVICE_STEP_H
#define GPULAB_DEVICE_STEP_H

#include "device/device.h"
#include "emu/step/step.h"

typedef struct Stepping Stepping;

/* The buffers are filled with what the device's hold now. A launch that the GPU does not allow is ERR_FAULT. */
bool stepping_open(Device *device, const Launch *launch, Stepping **out, Err *err);
void stepping_close(Stepping *stepping); /* NULL is allowed */
const Device *stepping_device(const Stepping *stepping);
const StepPlace *stepping_places(const Stepping *stepping, uint32_t *count);
/* Lists of the answers live until the next call. A worker that died is ERR_FAULT: what was stepped is lost. */
bool stepping_go(Stepping *stepping, const StepGo *go, StepMoment *out, Err *err);
bool stepping_read(Stepping *stepping, const char *const *expressions, uint32_t n, const StepValue **out, Err *err);

#endif
