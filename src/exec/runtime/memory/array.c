/* array.h: arrays, and copies from and to them. */
#include "exec/runtime/memory/array.h"

#include <stdlib.h>

#include "base/arena.h"

/* --- formats ------------------------------------------------------------------------------------------------------ */

static bool element(int bits, enum cudaChannelFormatKind kind, ElemType *out) {
	const int size = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : -1;
	static const ElemType is_signed[] = {ELEM_I8, ELEM_I16, ELEM_I32}, is_unsigned[] = {ELEM_U8, ELEM_U16, ELEM_U32};
	if (size < 0 || (kind == cudaChannelFormatKindFloat && size == 0)) return false;
	switch (kind) {
	case cudaChannelFormatKindSigned: *out = is_signed[size]; return true;
	case cudaChannelFormatKindUnsigned: *out = is_unsigned[size]; return true;
	case cudaChannelFormatKindFloat: *out = size == 2 ? ELEM_F32 : ELEM_F16; return true;
	default: return false;
	}
}

bool format_elements(const struct cudaChannelFormatDesc *format, ElemType *type, uint32_t *channels) {
	*channels = 1 + (format->y > 0) + (format->z > 0) + (format->w > 0);
	return *channels != 3 && element(format->x, format->f, type);
}

API struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind kind) {
	called();
	return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

/* --- arrays ------------------------------------------------------------------------------------------------------- */

static size_t lines(const Array *a) {
	return (a->height ? a->height : 1) * (a->depth ? a->depth : 1);
}

static bool is_cube(struct cudaExtent e, unsigned flags) {
	return e.width == e.height && e.depth &&
		   (flags & cudaArrayLayered ? e.depth % CUBE_FACES == 0 : e.depth == CUBE_FACES);
}

API cudaError_t cudaMalloc3DArray(cudaArray_t *out, const struct cudaChannelFormatDesc *format,
								  struct cudaExtent extent, unsigned flags) {
	ElemType type;
	uint32_t channels;
	BEGIN;
	if (flags & ~(unsigned)(cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather))
		missing("cudaMalloc3DArray with other flags than layered, cube map, surface and gather");
	if (!format_elements(format, &type, &channels) || !extent.width) return returned(cudaErrorInvalidValue);
	if (flags & cudaArrayCubemap && !is_cube(extent, flags)) return returned(cudaErrorInvalidValue);
	Array *a = xcalloc(1, sizeof *a);
	*a = (Array){.format = *format,
				 .width = extent.width,
				 .height = extent.height,
				 .depth = extent.depth,
				 .texel_bytes = elem_bytes(type) * channels,
				 .flags = flags,
				 .version = 1};
	const cudaError_t error = block_new(a->width * a->texel_bytes * lines(a), BLOCK_DEVICE, &a->texels);
	if (error == cudaSuccess)
		*out = (cudaArray_t)a;
	else
		free(a);
	return returned(error);
}

FORWARD(cudaMallocArray,
		(cudaArray_t * out, const struct cudaChannelFormatDesc *format, size_t width, size_t height, unsigned flags),
		cudaMalloc3DArray(out, format, (struct cudaExtent){width, height, 0}, flags))

Array *array_of(cudaArray_const_t array) {
	return (Array *)(uintptr_t)array;
}

void array_changed(Array *array) {
	array->version++;
}

void array_free(Array *array) {
	if (array) block_free(array->texels, false);
	free(array);
}

API cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent, unsigned *flags,
								 cudaArray_t array) {
	const Array *a = array_of(array);
	if (format) *format = a->format;
	if (extent) *extent = (struct cudaExtent){a->width, a->height, a->depth};
	if (flags) *flags = a->flags;
	return cudaSuccess;
}

ANSWER(cudaGetChannelDesc, (struct cudaChannelFormatDesc * format, cudaArray_const_t array), *format,
	   array_of(array)->format)

/* --- copies ------------------------------------------------------------------------------------------------------- */

static char *texel(const Array *a, size_t x_bytes, size_t y, size_t z) {
	return (char *)a->texels + (z * (a->height ? a->height : 1) + y) * a->width * a->texel_bytes + x_bytes;
}

API cudaError_t cudaMemcpy2DToArray(cudaArray_t array, size_t x, size_t y, const void *from, size_t pitch, size_t width,
									size_t height, enum cudaMemcpyKind kind) {
	Array *a = array_of(array);
	BEGIN;
	array_changed(a);
	return returned(copy_rows(texel(a, x, y, 0), a->width * a->texel_bytes, from, pitch, width, height, kind));
}
ALSO(cudaMemcpy2DToArrayAsync, cudaMemcpy2DToArray)
ALSO(cudaMemcpy2DToArrayAsync_ptsz, cudaMemcpy2DToArray)
ALSO(cudaMemcpy2DToArray_ptds, cudaMemcpy2DToArray)

API cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t array, size_t x, size_t y, size_t width,
									  size_t height, enum cudaMemcpyKind kind) {
	const Array *a = array_of(array);
	BEGIN;
	return returned(copy_rows(to, pitch, texel(a, x, y, 0), a->width * a->texel_bytes, width, height, kind));
}
ALSO(cudaMemcpy2DFromArrayAsync, cudaMemcpy2DFromArray)
ALSO(cudaMemcpy2DFromArrayAsync_ptsz, cudaMemcpy2DFromArray)
ALSO(cudaMemcpy2DFromArray_ptds, cudaMemcpy2DFromArray)

/* The whole rows of `bytes`, from (x, y) on. Deprecated, which concerns programs. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
FORWARD(cudaMemcpyToArray,
		(cudaArray_t array, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind),
		cudaMemcpy2DToArray(array, x, y, from, bytes, bytes, 1, kind))
ALSO(cudaMemcpyToArray_ptds, cudaMemcpyToArray)
ALSO(cudaMemcpyToArrayAsync, cudaMemcpyToArray)
ALSO(cudaMemcpyToArrayAsync_ptsz, cudaMemcpyToArray)
FORWARD(cudaMemcpyFromArray,
		(void *to, cudaArray_const_t array, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind),
		cudaMemcpy2DFromArray(to, bytes, array, x, y, bytes, 1, kind))
ALSO(cudaMemcpyFromArray_ptds, cudaMemcpyFromArray)
ALSO(cudaMemcpyFromArrayAsync, cudaMemcpyFromArray)
ALSO(cudaMemcpyFromArrayAsync_ptsz, cudaMemcpyFromArray)

/* One end of a copy in three dimensions: an array or pitched memory. */
typedef struct {
	char *first;
	size_t pitch, slice;
	size_t unit; /* bytes that an x counts */
} End;

static End end_of(cudaArray_t array, struct cudaPitchedPtr pointer, struct cudaPos at) {
	if (!array) {
		const size_t slice = pointer.pitch * pointer.ysize;
		return (End){(char *)pointer.ptr + at.z * slice + at.y * pointer.pitch + at.x, pointer.pitch, slice, 1};
	}
	const Array *a = array_of(array);
	const size_t pitch = a->width * a->texel_bytes;
	return (End){texel(a, at.x * a->texel_bytes, at.y, at.z), pitch, pitch * (a->height ? a->height : 1),
				 a->texel_bytes};
}

API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p) {
	cudaError_t error = cudaSuccess;
	BEGIN;
	const End from = end_of(p->srcArray, p->srcPtr, p->srcPos), to = end_of(p->dstArray, p->dstPtr, p->dstPos);
	const size_t width = p->extent.width * (from.unit > to.unit ? from.unit : to.unit);
	for (size_t z = 0; z < p->extent.depth && error == cudaSuccess; z++)
		error = copy_rows(to.first + z * to.slice, to.pitch, from.first + z * from.slice, from.pitch, width,
						  p->extent.height, p->kind);
	if (p->dstArray) array_changed(array_of(p->dstArray));
	return returned(error);
}
ALSO(cudaMemcpy3DAsync, cudaMemcpy3D)
ALSO(cudaMemcpy3DAsync_ptsz, cudaMemcpy3D)
ALSO(cudaMemcpy3D_ptds, cudaMemcpy3D)

API cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t x,
										 size_t y, size_t width, size_t height, enum cudaMemcpyKind kind) {
	const Array *a = array_of(from);
	return cudaMemcpy2DToArray(to, to_x, to_y, texel(a, x, y, 0), a->width * a->texel_bytes, width, height, kind);
}
ALSO(cudaMemcpy2DArrayToArray_ptds, cudaMemcpy2DArrayToArray)
