/* The functions of the driver that programs ask the runtime for: cuTensorMapEncodeTiled. A tensor map is the emulator's
 * own (gpu/tensor_map.h). */
#include <string.h>

#include "exec/runtime/runtime.h"
#include "gpu/tensor_map.h"

enum { CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE };

/* The driver's enumerators are 32 bits wide. */
static int encode_tiled(void *out, int type, uint32_t rank, void *address, const uint64_t *dims,
						const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave,
						int swizzle, int promotion, int fill) {
	if (!out || !address || (uintptr_t)address % 16 || !dims || !box || !steps || !rank || rank > TENSOR_DIMS ||
		(rank > 1 && !strides))
		return CUDA_ERROR_INVALID_VALUE;
	TensorMap m = {.address = (uint64_t)(uintptr_t)address,
				   .type = (uint8_t)type,
				   .rank = (uint8_t)rank,
				   .interleave = (uint8_t)interleave,
				   .swizzle = (uint8_t)swizzle,
				   .promotion = (uint8_t)promotion,
				   .nan_fill = fill != 0};
	for (uint32_t i = 0; i < rank; i++) {
		if (box[i] > UINT16_MAX || steps[i] > UINT8_MAX) return CUDA_ERROR_INVALID_VALUE;
		m.dims[i] = dims[i];
		m.box[i] = (uint16_t)box[i];
		m.steps[i] = (uint8_t)steps[i];
		if (i + 1 < rank) m.strides[i] = strides[i];
	}
	if (!tensor_map_make(&m, NULL)) return CUDA_ERROR_INVALID_VALUE;
	memcpy(out, &m, sizeof m);
	return CUDA_SUCCESS;
}

static cudaError_t entry(const char *symbol, void **function, enum cudaDriverEntryPointQueryResult *status) {
	if (!symbol || !function) return cudaErrorInvalidValue;
	const bool known = strcmp(symbol, "cuTensorMapEncodeTiled") == 0;
	*function = known ? (void *)encode_tiled : NULL;
	if (status) *status = known ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
	return known ? cudaSuccess : cudaErrorSymbolNotFound;
}

API cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version,
												 unsigned long long flags,
												 enum cudaDriverEntryPointQueryResult *status) {
	BEGIN;
	(void)version;
	(void)flags;
	return returned(entry(symbol, function, status));
}

API cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
										enum cudaDriverEntryPointQueryResult *status) {
	BEGIN;
	(void)flags;
	return returned(entry(symbol, function, status));
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
/* Threads with default streams of their own ask by other names, which no header declares. */
#define AGAIN(name, parameters, arguments)                                                                             \
	API cudaError_t name##_ptsz parameters;                                                                            \
	API cudaError_t name##_ptsz parameters {                                                                           \
		return name arguments;                                                                                         \
	}

AGAIN(cudaGetDriverEntryPointByVersion,
	  (const char *symbol, void **function, unsigned version, unsigned long long flags,
	   enum cudaDriverEntryPointQueryResult *status),
	  (symbol, function, version, flags, status))
AGAIN(cudaGetDriverEntryPoint,
	  (const char *symbol, void **function, unsigned long long flags, enum cudaDriverEntryPointQueryResult *status),
	  (symbol, function, flags, status))
