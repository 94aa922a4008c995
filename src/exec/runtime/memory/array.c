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

/* As copies see it: row bytes, rows and slices. */
static struct cudaExtent shape_of(const Array *a) {
	return (struct cudaExtent){a->width * a->texel_bytes, a->height ? a->height : 1, a->depth ? a->depth : 1};
}

/* Their product fits in 64 bits. */
static bool is_possible(struct cudaExtent e, unsigned flags) {
	enum { MOST_WIDTH = 131072, MOST_HEIGHT = 65536, MOST_DEPTH = 32768, MOST_LAYERS = 2048 };
	const bool layered = flags & cudaArrayLayered;
	if (!e.width || (e.depth && !e.height && !layered)) return false;
	return e.width <= MOST_WIDTH && e.height <= MOST_HEIGHT && e.depth <= (layered ? MOST_LAYERS : MOST_DEPTH);
}

static bool is_cube(struct cudaExtent e, unsigned flags) {
	return e.width == e.height && e.depth &&
		   (flags & cudaArrayLayered ? e.depth % CUBE_FACES == 0 : e.depth == CUBE_FACES);
}

API cudaError_t cudaMalloc3DArray(cudaArray_t *out, const struct cudaChannelFormatDesc *format,
								  struct cudaExtent extent, unsigned flags) {
	ElemType type;
	uint32_t channels;
	BEGIN_UNSAFE(true);
	if (flags & ~(unsigned)(cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather))
		missing("cudaMalloc3DArray with other flags than layered, cube map, surface and gather");
	if (!out || !format || !format_elements(format, &type, &channels) || !is_possible(extent, flags) ||
		(flags & cudaArrayCubemap && !is_cube(extent, flags)))
		return returned(cudaErrorInvalidValue);
	Array *a = xcalloc(1, sizeof *a);
	*a = (Array){.format = *format,
				 .width = extent.width,
				 .height = extent.height,
				 .depth = extent.depth,
				 .texel_bytes = elem_bytes(type) * channels,
				 .flags = flags,
				 .version = 1};
	const struct cudaExtent shape = shape_of(a);
	const cudaError_t error = block_new(shape.width * shape.height * shape.depth, BLOCK_DEVICE, &a->texels);
	if (error == cudaSuccess)
		handle_add(a, AN_ARRAY), *out = (cudaArray_t)a;
	else
		free(a);
	return returned(error);
}

FORWARD(cudaMallocArray,
		(cudaArray_t * out, const struct cudaChannelFormatDesc *format, size_t width, size_t height, unsigned flags),
		cudaMalloc3DArray(out, format, (struct cudaExtent){width, height, 0}, flags))

Array *array_of(cudaArray_const_t array) {
	return is_handle(array, AN_ARRAY) ? (Array *)(uintptr_t)array : NULL;
}

void array_changed(Array *array) {
	array->version++;
}

void array_free(Array *array) {
	handle_remove(array);
	block_free(array->texels, false);
	free(array);
}

API cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent, unsigned *flags,
								 cudaArray_t array) {
	BEGIN_QUEUED;
	const Array *a = array_of(array);
	if (!a) return returned(no_such("array"));
	if (format) *format = a->format;
	if (extent) *extent = (struct cudaExtent){a->width, a->height, a->depth};
	if (flags) *flags = a->flags;
	return returned(cudaSuccess);
}

FORWARD(cudaGetChannelDesc, (struct cudaChannelFormatDesc * format, cudaArray_const_t array),
		format ? cudaArrayGetInfo(format, NULL, NULL, (cudaArray_t)array) : without_place())

/* --- copies ------------------------------------------------------------------------------------------------------- */

static bool fits(size_t at, size_t n, size_t in) {
	return at <= in && n <= in - at;
}

/* A part of the array; x and width count bytes. False: it is partly outside. */
static bool box_of(const Array *a, struct cudaPos at, struct cudaExtent e, Box *out) {
	const struct cudaExtent in = shape_of(a);
	const size_t slice = in.width * in.height;
	if (!fits(at.x, e.width, in.width) || !fits(at.y, e.height, in.height) || !fits(at.z, e.depth, in.depth)) {
		because(
			"it ends at byte %zu of a row, row %zu, slice %zu; the array has %zu, %zu, %zu. Of cudaMemcpy3D, widths "
			"of arrays count elements, else bytes",
			at.x + e.width, at.y + e.height, at.z + e.depth, in.width, in.height, in.depth);
		return false;
	}
	*out = (Box){(char *)a->texels + at.z * slice + at.y * in.width + at.x, in.width, slice};
	return true;
}

/* Rows between an array and memory: against is the direction that cannot be. */
typedef struct {
	Array *array;
	size_t x, y;
	Box memory;
	size_t width, height;
	enum cudaMemcpyKind kind, against;
} ArrayRows;

/* The first copy to an array is of all rows, and of as many bytes as a row has elements. */
static bool counts_elements(const ArrayRows *r) {
	const Array *a = r->array;
	return a->version == 1 && !r->x && !r->y && r->height == shape_of(a).height && r->width == a->width &&
		   a->texel_bytes > 1;
}

static cudaError_t copy_rows(void *data) {
	const ArrayRows *r = data;
	const bool counted = r->array && counts_elements(r);
	const struct cudaExtent e = {r->width, r->height, 1};
	Box box;
	if (!r->array) return no_such("array");
	if (!r->width || !r->height) return cudaSuccess;
	if (r->kind == r->against || r->kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
	if (!box_of(r->array, (struct cudaPos){r->x, r->y, 0}, e, &box)) return cudaErrorInvalidValue;
	if (r->against == cudaMemcpyHostToDevice) return copy_box(r->memory, box, e, r->kind);
	array_changed(r->array);
	const cudaError_t error = copy_box(box, r->memory, e, r->kind);
	if (error == cudaSuccess && counted)
		block_at((uint64_t)(uintptr_t)box.at)->doubt =
			mistake("%zu bytes of each row are copied, which has %zu elements: the width counts bytes, "
					"width * sizeof(element)",
					r->width, r->array->width);
	return error;
}

static cudaError_t rows_in(cudaStream_t stream, bool waits, ArrayRows rows) {
	BEGIN_QUEUED;
	return returned(queue_do(stream_key(stream), waits, copy_rows, &rows, sizeof rows));
}

static cudaError_t to_array(cudaStream_t stream, bool waits, cudaArray_t array, size_t x, size_t y, const void *from,
							size_t pitch, size_t width, size_t height, enum cudaMemcpyKind kind) {
	return rows_in(
		stream, waits,
		(ArrayRows){array_of(array), x, y, {(void *)from, pitch, 0}, width, height, kind, cudaMemcpyDeviceToHost});
}

static cudaError_t from_array(cudaStream_t stream, bool waits, void *to, size_t pitch, cudaArray_const_t array,
							  size_t x, size_t y, size_t width, size_t height, enum cudaMemcpyKind kind) {
	return rows_in(stream, waits,
				   (ArrayRows){array_of(array), x, y, {to, pitch, 0}, width, height, kind, cudaMemcpyHostToDevice});
}

IN_STREAMS(cudaMemcpy2DToArray,
		   ARGS(cudaArray_t array, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height,
				enum cudaMemcpyKind kind),
		   to_array(stream, waits, array, x, y, from, pitch, width, height, kind))
IN_STREAMS(cudaMemcpy2DFromArray,
		   ARGS(void *to, size_t pitch, cudaArray_const_t array, size_t x, size_t y, size_t width, size_t height,
				enum cudaMemcpyKind kind),
		   from_array(stream, waits, to, pitch, array, x, y, width, height, kind))

/* The whole rows of `bytes`, from (x, y) on. Deprecated, which concerns programs. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
IN_STREAMS(cudaMemcpyToArray,
		   ARGS(cudaArray_t array, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind),
		   to_array(stream, waits, array, x, y, from, bytes, bytes, 1, kind))
IN_STREAMS(cudaMemcpyFromArray,
		   ARGS(void *to, cudaArray_const_t array, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind),
		   from_array(stream, waits, to, bytes, array, x, y, bytes, 1, kind))

/* One end of a copy in three dimensions. */
typedef struct {
	Array *array; /* NULL: */
	struct cudaPitchedPtr pointer;
	struct cudaPos at; /* of an array in texels */
} End;

static size_t unit_of(const End *end) {
	return end->array ? end->array->texel_bytes : 1;
}

static cudaError_t end_in_memory(const End *end, struct cudaExtent e, size_t width, Box *out) {
	const struct cudaPitchedPtr *p = &end->pointer;
	const bool rows = e.height > 1 || e.depth > 1;
	size_t z, y, x;
	*out = (Box){p->ptr, p->pitch, 0};
	if ((rows && width > p->pitch) || (e.depth > 1 && e.height > p->ysize)) return cudaErrorInvalidPitchValue;
	if (rows && e.height > p->ysize) because("%zu rows, but the pitched pointer has %zu", e.height, p->ysize);
	if (rows && !fits(end->at.x, e.width, p->pitch))
		because("rows of %zu bytes, and a pitch of %zu: widths count elements where one end is an array, else bytes",
				e.width, p->pitch);
	if (rows && (e.height > p->ysize || !fits(end->at.x, e.width, p->pitch))) return cudaErrorInvalidValue;
	if ((end->at.z || e.depth > 1) && __builtin_mul_overflow(p->pitch, p->ysize, &out->slice))
		return cudaErrorInvalidValue;
	if (__builtin_mul_overflow(end->at.z, out->slice, &z) || __builtin_mul_overflow(end->at.y, p->pitch, &y) ||
		__builtin_add_overflow(z, y, &y) || __builtin_add_overflow(y, end->at.x, &x) ||
		__builtin_add_overflow((uintptr_t)p->ptr, x, &z))
		return cudaErrorInvalidValue;
	out->at = (char *)p->ptr + x;
	return cudaSuccess;
}

/* width: in texels, if an end is an array. e counts bytes. */
static cudaError_t box_of_end(const End *end, struct cudaExtent e, size_t width, Box *out) {
	struct cudaPos at = end->at;
	if (!end->array == !end->pointer.ptr) return cudaErrorInvalidValue; /* one of the two */
	if (!end->array) return end_in_memory(end, e, width, out);
	if (__builtin_mul_overflow(at.x, unit_of(end), &at.x) || !box_of(end->array, at, e, out))
		return cudaErrorInvalidValue;
	return cudaSuccess;
}

cudaError_t copy_3d(void *params) {
	const struct cudaMemcpy3DParms *p = params;
	const End from = {array_of(p->srcArray), p->srcPtr, p->srcPos}, to = {array_of(p->dstArray), p->dstPtr, p->dstPos};
	const size_t unit = unit_of(&from) > unit_of(&to) ? unit_of(&from) : unit_of(&to);
	struct cudaExtent e = p->extent;
	Box source, target;
	if (!e.width || !e.height || !e.depth) return cudaSuccess;
	if (__builtin_mul_overflow(e.width, unit, &e.width)) e.width = SIZE_MAX;
	cudaError_t error = box_of_end(&from, e, p->extent.width, &source);
	if (error == cudaSuccess) error = box_of_end(&to, e, p->extent.width, &target);
	if (error == cudaSuccess) error = copy_box(target, source, e, p->kind);
	if (to.array) array_changed(to.array);
	return error;
}

static cudaError_t copy_3d_in(cudaStream_t stream, bool waits, const struct cudaMemcpy3DParms *p) {
	BEGIN_QUEUED;
	return returned(p ? queue_do(stream_key(stream), waits, copy_3d, p, sizeof *p) : cudaErrorInvalidValue);
}

IN_STREAMS(cudaMemcpy3D, ARGS(const struct cudaMemcpy3DParms *p), copy_3d_in(stream, waits, p))

static cudaError_t copy_arrays(Array *to, size_t to_x, size_t to_y, const Array *from, size_t x, size_t y, size_t width,
							   size_t height, enum cudaMemcpyKind kind) {
	Box box;
	if (!from) return no_such("array");
	if (!width || !height) return cudaSuccess;
	if (!box_of(from, (struct cudaPos){x, y, 0}, (struct cudaExtent){width, height, 1}, &box))
		return cudaErrorInvalidValue;
	return copy_rows(&(ArrayRows){to, to_x, to_y, box, width, height, kind, cudaMemcpyDeviceToHost});
}

CALL(cudaMemcpy2DArrayToArray,
	 (cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height,
	  enum cudaMemcpyKind kind),
	 copy_arrays(array_of(to), to_x, to_y, array_of(from), x, y, width, height, kind))
ALSO(cudaMemcpy2DArrayToArray_ptds, cudaMemcpy2DArrayToArray)
