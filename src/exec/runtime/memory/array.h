/* CUDA arrays, textures and surfaces. An array's texels are a plain device allocation, row after row. The emulator's
 * textures hold copies of their own: they are brought up to date before each launch, and what surfaces changed goes
 * back to the array after it. */
#pragma once

#include "exec/runtime/runtime.h"

typedef struct {
	struct cudaChannelFormatDesc format;
	size_t width, height, depth; /* as given: 0 where there is no such dimension */
	size_t texel_bytes;
	unsigned flags;
	void *texels;
	uint64_t version; /* of the contents */
} Array;

/* The texture may be of an array or of memory. False where no GPU has such texels. */
bool format_elements(const struct cudaChannelFormatDesc *format, ElemType *type, uint32_t *channels);
Array *array_of(cudaArray_const_t array); /* NULL: it was freed, or is none */
void array_changed(Array *array);
void array_free(Array *array);
