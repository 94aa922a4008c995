/* What the device tests share: the kernels, devices by name, and a worker that is this program itself. */
#pragma once

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/proc.h"
#include "base/str.h"
#include "device/device.h"

/* A device's worker is this program, started again as `--worker NAME`: begin main with this. A name that begins with
 * "fake" is served by the fake GPU of fake.c, any other by the program's own worker. Returns the exit status, or -1
 * where this is no worker. */
int maybe_worker(int argc, char **argv);

const char *kernels_ptx(void); /* of kernels.cu, for the older GPUs; without NVRTC the test is skipped */

Device *open_device(const char *name);
DeviceModule *load_kernels(Device *device);
DeviceKernel *kernel_of(Device *device, DeviceModule *module, const char *name);
Buffer make_buffer(Device *device, ElemType type, size_t count, const char *name, Define define);

int element(Device *device, Buffer buffer, size_t i); /* of i32 */

Arg arg_buffer(Buffer buffer);
Arg arg_int(int value);
Arg arg_float(float value);

/* Launches blocks × threads and returns what came of it; the call itself must succeed. */
LaunchOutcome launch(Device *device, DeviceKernel *kernel, uint32_t blocks, uint32_t threads, const Arg *args,
					 uint32_t nargs);
/* The call itself must fail. */
Err launch_refused(Device *device, DeviceKernel *kernel, uint32_t blocks, uint32_t threads, const Arg *args,
				   uint32_t nargs);

/* The questions of device_submit that tests ask most; false with err as it says. outcome may be NULL. */
bool run_list(Device *device, const LaunchList *list, LaunchOutcome *outcome, Err *err);
bool run_launch(Device *device, const Launch *launch, LaunchOutcome *outcome, Err *err);
bool take_samples(Device *device, const LaunchList *list, const SampleConfig *config, Sample *samples,
				  LaunchOutcome *outcome, Err *err);
/* MODE_COUNT by the rules of the default GPU; the caller frees the answer. */
bool count_list(Device *device, const LaunchList *list, Answer *answer, Err *err);
/* The same, where only the end is of interest; from_definitions may be NULL. */
bool emulate(Device *device, const Launch *launch, LaunchOutcome *outcome, bool *from_definitions, Err *err);

/* Processes whose parent is this one. */
size_t children(pid_t *out, size_t most);
pid_t worker_of(const char *service);  /* the only one that runs `--worker SERVICE` */
void kill_worker(const char *service); /* and has seen it dead: the next operation finds it so */
pthread_t kill_worker_in(const char *service, double seconds); /* the caller joins; one at a time */
size_t open_descriptors(void);

uint64_t next_random(uint64_t *state); /* a reproducible stream of numbers (xorshift) */

#define assert_text(text, part)                                                                                        \
	do {                                                                                                               \
		if (!strstr((text), (part))) fail_msg("\"%s\" is not in: %s", (part), (text));                                 \
	} while (0)

#define assert_done(call, err)                                                                                         \
	do {                                                                                                               \
		if (!(call)) fail_msg("%s: %s", #call, (err).what);                                                            \
	} while (0)
