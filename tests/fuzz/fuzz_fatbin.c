/* Any bytes as a fat binary: its PTX ends with a zero, and whatever SASS it has is read as gpulab exec reads it. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "emu/count/sass.h"
#include "exec/runtime/fatbin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile size_t seen; /* so that what is returned is read */

/* In memory of just its size, whose end the sanitizer watches. */
static void read_sass(const char *cubin, size_t bytes) {
	SassAccesses accesses;
	char *copy = memcpy(xmalloc(bytes + !bytes), cubin, bytes);
	seen += sass_registers(copy, bytes, "k") + sass_accesses(copy, bytes, "k", &accesses);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	static const uint32_t gpus[] = {75, 80, 90};
	const char *why;
	for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++) {
		size_t bytes;
		char *ptx = fatbin_ptx(data, size, gpus[i], &why), *cubin = fatbin_cubin(data, size, gpus[i], &bytes);
		seen += strlen(ptx ? ptx : why);
		if (cubin) read_sass(cubin, bytes);
		free(cubin);
		free(ptx);
	}
	return 0;
}
