/* What the device tests share: the kernels, devices by name, and a worker that is this program itself. */
#ifndef TESTS_UNIT_DEVICE_TEST_H
#define TESTS_UNIT_DEVICE_TEST_H

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

/* "worker:NAME" starts this program again as `--worker NAME`: begin main with this. A name that begins with "fake" is served by
 * the fake GPU of fake.c, any other by the program's own worker. Returns the exit status, or -1 where this is no worker. */
int maybe_worker(int argc, char **argv);

Device *open_device(const char *name);
DeviceModule *load_kernels(Device *device);
DeviceKernel *kernel_of(Device *device, DeviceModule *module, const char *name);
Buffer make_buffer(Device *device, ElemType type, size_t count, const char *name, Define define);

Arg arg_buffer(Buffer buffer);
Arg arg_int(int value);
Arg arg_float(float value);

/* Launches blocks × threads and returns what came of it; the call itself must succeed. */
LaunchOutcome launch(Device *device, DeviceKernel *kernel, uint32_t blocks, uint32_t threads, const Arg *args,
					 uint32_t nargs);
/* The call itself must fail. */
Err launch_refused(Device *device, DeviceKernel *kernel, uint32_t blocks, uint32_t threads, const Arg *args,
				   uint32_t nargs);

/* Processes whose parent is this one. */
size_t children(pid_t *out, size_t most);
size_t open_descriptors(void);

uint64_t next_random(uint64_t *state); /* a reproducible stream of numbers (xorshift) */

/* What crosses the wire, by kind from 0 on, as a test writes and reads it. */
typedef struct {
	int kinds;
	void (*put)(Str *s, int kind);
	bool (*get)(const uint8_t *data, size_t len, int kind); /* true: all was read and makes sense */
} Payloads;

/* Each payload is read; with any of its end missing, or with a byte more, it is refused. */
void every_truncation_is_refused(const Payloads *payloads);
/* Each payload again and again with a few bytes changed: reading does no harm, and refuses many of them. */
void changed_bytes_do_no_harm(const Payloads *payloads);

#define assert_text(text, part)                                                                                        \
	do {                                                                                                               \
		if (!strstr((text), (part))) fail_msg("\"%s\" is not in: %s", (part), (text));                                 \
	} while (0)

#define assert_done(call, err)                                                                                         \
	do {                                                                                                               \
		if (!(call)) fail_msg("%s: %s", #call, (err).what);                                                            \
	} while (0)

#endif
