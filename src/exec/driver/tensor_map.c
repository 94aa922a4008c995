/* Tensor maps as programs make them. They are the emulator's own (gpu/tensor_map.h). */
#include "gpu/tensor_map.h"

#include <stdio.h>
#include <string.h>

#include "exec/driver/driver.h"

enum { L2_256B = 3 };

/* The driver does not say what it refuses, so a program that ignores the result ends in an unrelated fault later. */
static int refused(const char *why) {
	fprintf(stderr, "gpulab: cuTensorMapEncodeTiled: %s\n", why);
	return INVALID_VALUE;
}

static int finish(void *out, TensorMap *m) {
	Err err = ERR_INIT;
	if (!tensor_map_make(m, &err)) return refused(err.what);
	memcpy(out, m, sizeof *m);
	return SUCCESS;
}

/* The driver's enumerators are 32 bits wide. */
API int cuTensorMapEncodeTiled(void *out, int type, uint32_t rank, void *address, const uint64_t *dims,
							   const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave,
							   int swizzle, int promotion, int fill) {
	if (!out || !dims || !box || !steps || (rank > 1 && !strides)) return refused("a null pointer");
	if (!address || (uintptr_t)address % 16) return refused("the address of a tensor must be a multiple of 16");
	if (promotion < 0 || promotion > L2_256B || fill < 0 || fill > 1) return refused("an unknown enumerator");
	TensorMap m = {.address = (uint64_t)(uintptr_t)address,
				   .type = type < 0 || type > TENSOR_TYPES ? TENSOR_TYPES : (uint8_t)type,
				   .rank = rank > TENSOR_DIMS ? TENSOR_DIMS + 1 : (uint8_t)rank,
				   .interleave = interleave != 0,
				   .swizzle = swizzle < 0 || swizzle > SWIZZLES ? SWIZZLES : (uint8_t)swizzle,
				   .promotion = (uint8_t)promotion,
				   .nan_fill = fill != 0};
	for (uint32_t i = 0; i < rank && i < TENSOR_DIMS; i++) {
		m.dims[i] = dims[i];
		m.box[i] = box[i] > UINT16_MAX ? UINT16_MAX : (uint16_t)box[i];
		m.steps[i] = steps[i] > UINT8_MAX ? UINT8_MAX : (uint8_t)steps[i];
		if (i + 1 < rank) m.strides[i] = strides[i];
	}
	return finish(out, &m);
}

API int cuTensorMapReplaceAddress(void *map, void *address) {
	TensorMap m;
	if (!map || !tensor_map_is(map)) return refused("no tensor map to give another address");
	if (!address || (uintptr_t)address % 16) return refused("the address of a tensor must be a multiple of 16");
	memcpy(&m, map, sizeof m);
	m.address = (uint64_t)(uintptr_t)address;
	return finish(map, &m);
}
