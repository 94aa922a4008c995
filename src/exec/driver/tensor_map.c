/* Tensor maps as programs make them. They are the emulator's own (gpu/tensor_map.h). */
#include "gpu/tensor_map.h"

#include <stdio.h>
#include <string.h>

#include "exec/driver/driver.h"

enum { L2_256B = 3 };

/* The driver does not say what it refuses, so a program that ignores the result ends in an unrelated fault later. */
static int refused(const char *function, const char *why) {
	fprintf(stderr, "gpulab: %s: %s\n", function, why);
	return INVALID_VALUE;
}

static int finish(const char *function, void *out, TensorMap *m) {
	Err err = ERR_INIT;
	if (!tensor_map_make(m, &err)) return refused(function, err.what);
	memcpy(out, m, sizeof *m);
	return SUCCESS;
}

/* What tiles and im2col have in common. The driver's enumerators are 32 bits wide. */
typedef struct {
	int type;
	uint32_t rank;
	void *address;
	const uint64_t *dims, *strides;
	const uint32_t *steps;
	int interleave, swizzle, promotion, fill;
} Asked;

static uint16_t low16(uint32_t v) {
	return v > UINT16_MAX ? UINT16_MAX : (uint16_t)v;
}

/* Values that do not fit become such that tensor_map_make refuses, too. NULL, or why none can be made. */
static const char *common(const Asked *a, TensorMap *m) {
	if (!a->address || (uintptr_t)a->address % 16) return "the address of a tensor must be a multiple of 16";
	if (a->promotion < 0 || a->promotion > L2_256B || a->fill < 0 || a->fill > 1) return "an unknown enumerator";
	*m = (TensorMap){.address = (uint64_t)(uintptr_t)a->address,
					 .type = a->type < 0 || a->type > TENSOR_TYPES ? TENSOR_TYPES : (uint8_t)a->type,
					 .rank = a->rank > TENSOR_DIMS ? TENSOR_DIMS + 1 : (uint8_t)a->rank,
					 .interleave = a->interleave != 0,
					 .swizzle = a->swizzle < 0 || a->swizzle > SWIZZLES ? SWIZZLES : (uint8_t)a->swizzle,
					 .promotion = (uint8_t)a->promotion,
					 .nan_fill = a->fill != 0};
	for (uint32_t i = 0; i < a->rank && i < TENSOR_DIMS; i++) {
		m->dims[i] = a->dims[i];
		m->steps[i] = a->steps[i] > UINT8_MAX ? UINT8_MAX : (uint8_t)a->steps[i];
		if (i + 1 < a->rank && i + 1 < TENSOR_DIMS) m->strides[i] = a->strides[i];
	}
	return NULL;
}

API int cuTensorMapEncodeTiled(void *out, int type, uint32_t rank, void *address, const uint64_t *dims,
							   const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave,
							   int swizzle, int promotion, int fill) {
	const Asked asked = {type, rank, address, dims, strides, steps, interleave, swizzle, promotion, fill};
	TensorMap m;
	if (!out || !dims || !box || !steps || (rank > 1 && !strides)) return refused(__func__, "a null pointer");
	const char *why = common(&asked, &m);
	if (why) return refused(__func__, why);
	for (uint32_t i = 0; i < rank && i < TENSOR_DIMS; i++) m.box[i] = low16(box[i]);
	return finish(__func__, out, &m);
}

/* Corners have as many numbers as the tensor has dimensions of space, width first. */
API int cuTensorMapEncodeIm2col(void *out, int type, uint32_t rank, void *address, const uint64_t *dims,
								const uint64_t *strides, const int *lower, const int *upper, uint32_t channels,
								uint32_t pixels, const uint32_t *steps, int interleave, int swizzle, int promotion,
								int fill) {
	const Asked asked = {type, rank, address, dims, strides, steps, interleave, swizzle, promotion, fill};
	TensorMap m;
	if (!out || !dims || !strides || !lower || !upper || !steps) return refused(__func__, "a null pointer");
	const char *why = common(&asked, &m);
	if (why) return refused(__func__, why);
	m.im2col = true;
	m.box[0] = low16(channels);
	m.pixels = low16(pixels);
	for (uint32_t i = 0; i + 2 < rank && i < TENSOR_SPACE; i++) {
		if (lower[i] != (int16_t)lower[i] || upper[i] != (int16_t)upper[i])
			return refused(__func__, "a corner of the pixels' box beyond -32768 to 32767");
		m.lower[i] = (int16_t)lower[i];
		m.upper[i] = (int16_t)upper[i];
	}
	return finish(__func__, out, &m);
}

API int cuTensorMapReplaceAddress(void *map, void *address) {
	TensorMap m;
	if (!map || !tensor_map_is(map)) return refused(__func__, "no tensor map to give another address");
	if (!address || (uintptr_t)address % 16)
		return refused(__func__, "the address of a tensor must be a multiple of 16");
	memcpy(&m, map, sizeof m);
	m.address = (uint64_t)(uintptr_t)address;
	return finish(__func__, map, &m);
}
