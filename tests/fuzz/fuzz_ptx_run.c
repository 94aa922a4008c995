/* Fuzzing beyond the parser: whatever parses is loaded, and every kernel of it is launched on a few small shapes with a
 * short time limit. Nothing a module says may crash the emulator, leave its memory, or run past the limit. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "emu/count/counters.h"
#include "emu/machine.h"

enum { PARAM_LIMIT = 4096, KERNEL_LIMIT = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void launch(Machine *m, const EmuKernel *kernel, uint32_t threads, uint64_t buffer) {
	const size_t bytes = emu_kernel_function(kernel)->param_bytes;
	if (bytes > PARAM_LIMIT) return;
	_Alignas(16) uint8_t params[PARAM_LIMIT + 16] = {0};
	/* Every aligned eight bytes point into the buffer: pointers work, and counts are large. */
	for (size_t at = 0; at + 8 <= bytes; at += 8) memcpy(params + at, &buffer, 8);
	Counters *counters = counters_new(machine_gpu(m));
	Observer *observers[] = {&counters->base};
	EmuLaunch job = {.config = {.grid = {2, 1, 1}, .block = {threads, 1, 1}, .shared_bytes = 256, .timeout_ms = 20},
					 .params = params,
					 .param_bytes = bytes,
					 .observers = observers,
					 .nobservers = 1};
	LaunchOutcome outcome;
	Err err = ERR_INIT;
	machine_launch(m, kernel, &job, &outcome, &err);
	counters_free(counters);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	Err err = ERR_INIT;
	PtxModule *ptx = ptx_parse((const char *)data, size, &err);
	if (!ptx) return 0;
	size_t variables = 0;
	for (uint32_t i = 0; i < ptx->nglobals; i++)
		variables += ptx->globals[i]->bytes < 1 << 24 ? ptx->globals[i]->bytes : 1 << 24;
	Machine *m = machine_open(gpu_default(), 1);
	EmuModule *module;
	uint64_t buffer;
	if (variables < 1 << 24 && machine_alloc(m, 1 << 14, "buffer", &buffer, &err) &&
		machine_load(m, ptx, &module, &err)) {
		uint32_t launched = 0;
		for (uint32_t i = 0; i < ptx->nfunctions && launched < KERNEL_LIMIT; i++) {
			const EmuKernel *kernel = emu_kernel(module, ptx->functions[i]->name);
			if (!kernel) continue;
			launch(m, kernel, 32, buffer);
			launch(m, kernel, 45, buffer);
			launched++;
		}
	}
	machine_close(m);
	ptx_free(ptx);
	return 0;
}
