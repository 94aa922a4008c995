/* Tensor maps: how a tensor of one to five dimensions lies in global memory, and which box of it the Tensor Memory
 * Accelerator copies at once (CUDA driver API, "Tensor Map Object Management"). Dimension 0 is the one whose elements
 * are adjacent.
 *
 * An im2col map is for convolutions. The dimensions are channels, one to three of space (width, height, depth), and
 * images. What is copied are some channels of some pixels that follow each other in a window of an image, row by row,
 * then in the next image's window (PTX ISA, "Im2col mode"):
 *
 *     width 6, lower corner -1, upper corner -2:  [-1  0  1  2  3] 4  5    the window, before an offset is added
 *
 * On a GPU the 128 bytes that a kernel takes are the driver's secret. On the emulator they are this structure, which
 * the backend for GPUs replaces by the driver's. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum { TENSOR_DIMS = 5, TENSOR_SPACE = TENSOR_DIMS - 2, TENSOR_MAP_BYTES = 128, TENSOR_MAP_ALIGN = 64 };

/* In the order of CUtensorMapDataType, as far as sm_90 has them. */
typedef enum {
	TENSOR_U8,
	TENSOR_U16,
	TENSOR_U32,
	TENSOR_S32,
	TENSOR_U64,
	TENSOR_S64,
	TENSOR_F16,
	TENSOR_F32,
	TENSOR_F64,
	TENSOR_BF16,
	TENSOR_F32_FTZ,
	TENSOR_TF32,
	TENSOR_TF32_FTZ,
	TENSOR_TYPES
} TensorType;

/* In the order of CUtensorMapSwizzle: chunks of 16 bytes change places within so many bytes. */
typedef enum { SWIZZLE_NONE, SWIZZLE_32B, SWIZZLE_64B, SWIZZLE_128B, SWIZZLES } Swizzle;

typedef struct {
	uint64_t address; /* device; a multiple of 16. First, so that a buffer's address can be put in later */
	uint64_t magic;
	uint64_t dims[TENSOR_DIMS];        /* elements; those beyond the rank are 1 */
	uint64_t strides[TENSOR_DIMS - 1]; /* bytes, of dimensions 1.. */
	uint16_t box[TENSOR_DIMS];         /* elements traversed; those beyond the rank are 1 */
	uint8_t steps[TENSOR_DIMS];        /* every n-th of them is copied; [0] is taken as 1 */
	uint8_t type, rank, swizzle, interleave, promotion;
	uint8_t nan_fill;                                 /* what is outside the tensor becomes NaN, not 0 */
	uint8_t im2col;                                   /* box[0] are the channels, the rest is 1; below: 0 of tiles */
	int16_t lower[TENSOR_SPACE], upper[TENSOR_SPACE]; /* the window: its first pixel, its last one from the tensor's */
	uint16_t pixels;
	uint8_t unused[4];
} TensorMap;
_Static_assert(sizeof(TensorMap) == TENSOR_MAP_BYTES, "the size of a CUtensorMap");

/* Completes the map (what lies beyond the rank, magic). ERR_USAGE, naming the field, for what the driver refuses, too;
 * also for interleaved layouts, which the emulator does not run. The address is not examined. */
bool tensor_map_make(TensorMap *map, Err *err);
bool tensor_map_is(const void *bytes); /* any 128 bytes */

uint32_t tensor_type_bytes(TensorType type);
bool tensor_type_is_float(TensorType type);
const char *tensor_type_name(TensorType type); /* "half", "tf32" */

/* Elements that the box holds in this dimension, and the bytes of all. */
static inline uint32_t tensor_box_count(const TensorMap *m, uint32_t dim) {
	return dim ? (m->box[dim] + m->steps[dim] - 1u) / m->steps[dim] : m->box[0];
}
uint32_t tensor_box_bytes(const TensorMap *map);

/* Of an im2col map: behind the window's last pixel in a dimension of space (1..), and how many bits an offset has. */
static inline int64_t tensor_window_end(const TensorMap *m, uint32_t dim) {
	return (int64_t)m->dims[dim] + m->upper[dim - 1];
}
static inline uint32_t tensor_offset_bits(uint32_t rank) {
	return rank == 3 ? 16 : rank == 4 ? 8 : 5;
}

/* Where a byte of a dense tile is in shared memory: the bits of its chunk's number within the span are combined with
 * those of the row of 128 bytes, by exclusive or. Addresses from the beginning of shared memory. */
static inline uint64_t swizzled(uint64_t addr, Swizzle swizzle) {
	const uint64_t chunks = (UINT64_C(1) << swizzle) - 1; /* 0, 1, 3, 7 */
	return addr ^ ((addr >> 7 & chunks) << 4);
}
static inline uint32_t swizzle_bytes(Swizzle swizzle) {
	return swizzle == SWIZZLE_NONE ? 0 : 16u << swizzle;
}
