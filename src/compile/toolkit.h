/* Where NVRTC and CUDA's own headers are. Only looks at files: nothing is loaded here. */
#ifndef GPULAB_COMPILE_TOOLKIT_H
#define GPULAB_COMPILE_TOOLKIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TOOLKIT_INCLUDES = 3 };

typedef struct {
	char *path;                       /* of the library, links resolved */
	char *includes[TOOLKIT_INCLUDES]; /* CUDA's headers that go with it; unused ones NULL */
	uint64_t bytes;                   /* with mtime: which library this is, without loading it */
	int64_t mtime_ns;
} NvrtcLibrary;

/* Every NVRTC there is, the preferred one first. GPULAB_NVRTC names the only one when it is set. The caller frees. */
size_t toolkit_find(NvrtcLibrary **out);
void toolkit_free(NvrtcLibrary *libraries, size_t n);

/* One library known by its path. False: it is no file. */
bool toolkit_describe(const char *path, NvrtcLibrary *out);
void toolkit_forget(NvrtcLibrary *library);

#endif
