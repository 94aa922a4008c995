/* CPU references of the clean kernels that a formula cannot tell. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct {
	size_t count;
	void *data;       /* what it held before; the reference makes of it what it must hold afterwards */
	double tolerance; /* relative, from 1 up absolute; floats */
	bool ignore;      /* scratch memory: anything may be in it */
} ReferenceBuffer;

/* buffers in the order of their @buffer lines. False: there is no such reference. */
bool reference_run(const char *name, ReferenceBuffer *buffers);
