/* Where NVRTC and CUDA's own headers are. Only looks at files: nothing is loaded here. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum { TOOLKIT_INCLUDES = 3 };

typedef struct {
	Arena *arena;                           /* holds the texts */
	const char *path;                       /* of the library, links resolved */
	const char *includes[TOOLKIT_INCLUDES]; /* CUDA's headers that go with it */
	size_t nincludes;
	uint64_t bytes; /* with mtime: which library this is, without loading it */
	int64_t mtime_ns;
} NvrtcLibrary;

/* Offers every NVRTC there is, each once, the preferred one first, until one is taken: take returns true and then owns
 * it. With GPULAB_NVRTC set that one alone is offered. False: none was taken. */
bool toolkit_search(bool (*take)(NvrtcLibrary *library, void *context), void *context);

/* One library known by its path. False: it is no file. */
bool toolkit_describe(const char *path, NvrtcLibrary *out);
void toolkit_forget(NvrtcLibrary *library);
