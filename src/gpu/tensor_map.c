/* tensor_map.h */
#include "gpu/tensor_map.h"

#include <string.h>

static const uint64_t MAGIC = UINT64_C(0x70616d2d726f736e); /* so that any 128 bytes are not taken for one */

enum { MOST_BOX = 228 << 10 }; /* an SM's shared memory on cc 9.0; the driver there refuses larger ones */

static const struct {
	const char *name;
	uint8_t bytes;
	bool is_float;
} types[TENSOR_TYPES] = {
	[TENSOR_U8] = {"unsigned char", 1, false},
	[TENSOR_U16] = {"unsigned short", 2, false},
	[TENSOR_U32] = {"unsigned", 4, false},
	[TENSOR_S32] = {"int", 4, false},
	[TENSOR_U64] = {"unsigned long long", 8, false},
	[TENSOR_S64] = {"long long", 8, false},
	[TENSOR_F16] = {"half", 2, true},
	[TENSOR_F32] = {"float", 4, true},
	[TENSOR_F64] = {"double", 8, true},
	[TENSOR_BF16] = {"bfloat16", 2, true},
	[TENSOR_F32_FTZ] = {"float_ftz", 4, true},
	[TENSOR_TF32] = {"tf32", 4, true},
	[TENSOR_TF32_FTZ] = {"tf32_ftz", 4, true},
};

uint32_t tensor_type_bytes(TensorType t) {
	return types[t].bytes;
}
bool tensor_type_is_float(TensorType t) {
	return types[t].is_float;
}
const char *tensor_type_name(TensorType t) {
	return types[t].name;
}

uint32_t tensor_box_bytes(const TensorMap *m) {
	uint32_t n = types[m->type].bytes;
	for (uint32_t i = 0; i < m->rank; i++) n *= tensor_box_count(m, i);
	return m->im2col ? n * m->pixels : n;
}

bool tensor_map_is(const void *bytes) {
	TensorMap m;
	memcpy(&m, bytes, sizeof m);
	return m.magic == MAGIC;
}

static bool check_dimension(const TensorMap *m, uint32_t i, Err *err) {
	if (!m->dims[i] || m->dims[i] > UINT64_C(1) << 32)
		return err_set(err, ERR_USAGE, "dims[%u] of a tensor map is %llu; it must be 1 to 2^32", i + 1,
					   (unsigned long long)m->dims[i]);
	if (!m->im2col && (!m->box[i] || m->box[i] > 256))
		return err_set(err, ERR_USAGE, "box[%u] of a tensor map is %u; it must be 1 to 256", i + 1, m->box[i]);
	if (!m->steps[i] || m->steps[i] > 8)
		return err_set(err, ERR_USAGE, "element_strides[%u] of a tensor map is %u; it must be 1 to 8", i + 1,
					   m->steps[i]);
	if (i + 1 == m->rank) return true;
	if (m->strides[i] % 16 || m->strides[i] >= UINT64_C(1) << 40)
		return err_set(err, ERR_USAGE,
					   "strides[%u] of a tensor map is %llu bytes; it must be a multiple of 16 below 2^40", i + 1,
					   (unsigned long long)m->strides[i]);
	return true;
}

/* A corner has 16 bits, which the dimensions of space share. */
static bool check_corners(const TensorMap *m, uint32_t i, Err *err) {
	const int most = (1 << (16 / (m->rank - 2) - 1)) - 1;
	for (uint32_t k = 0; k < 2; k++) {
		const int16_t corner = k ? m->upper[i] : m->lower[i];
		if (corner < -most - 1 || corner > most)
			return err_set(err, ERR_USAGE,
						   "%s_corner[%u] of a tensor map is %d; with %u dimensions it must be %d to %d",
						   k ? "upper" : "lower", i + 1, corner, m->rank, -most - 1, most);
	}
	if (tensor_window_end(m, i + 1) > m->lower[i]) return true;
	return err_set(err, ERR_USAGE,
				   "the window of a tensor map is empty in dimension %u: lower_corner is %d, upper_corner %d, and the "
				   "tensor has %llu elements there",
				   i + 2, m->lower[i], m->upper[i], (unsigned long long)m->dims[i + 1]);
}

static bool check_im2col(TensorMap *m, Err *err) {
	if (m->rank < 3) return err_set(err, ERR_USAGE, "an im2col tensor map has 3 to 5 dimensions, not %u", m->rank);
	if (!m->box[0] || m->box[0] > 256)
		return err_set(err, ERR_USAGE, "channels_per_pixel of a tensor map is %u; it must be 1 to 256", m->box[0]);
	if (!m->pixels || m->pixels > 1024)
		return err_set(err, ERR_USAGE, "pixels_per_column of a tensor map is %u; it must be 1 to 1024", m->pixels);
	for (uint32_t i = 1; i < TENSOR_DIMS; i++) m->box[i] = 1;
	for (uint32_t i = 0; i + 2 < m->rank; i++)
		if (!check_corners(m, i, err)) return false;
	return true;
}

bool tensor_map_make(TensorMap *m, Err *err) {
	if (m->rank < 1 || m->rank > TENSOR_DIMS)
		return err_set(err, ERR_USAGE, "a tensor map has 1 to %d dimensions, not %u", TENSOR_DIMS, m->rank);
	if (m->type >= TENSOR_TYPES)
		return err_set(err, ERR_USAGE, "a tensor map of packed elements, which GPUs of cc 9.0 do not have");
	if (m->interleave) return err_set(err, ERR_USAGE, "an interleaved tensor map, which is not supported");
	if (m->swizzle >= SWIZZLES)
		return err_set(err, ERR_USAGE, "a tensor map with a swizzle that GPUs of cc 9.0 do not have");
	if (m->nan_fill && !types[m->type].is_float)
		return err_set(err, ERR_USAGE, "a tensor map of %s cannot fill with NaN", types[m->type].name);
	for (uint32_t i = 0; i < m->rank; i++)
		if (!check_dimension(m, i, err)) return false;
	if (m->im2col && !check_im2col(m, err)) return false;
	const uint32_t row = m->box[0] * types[m->type].bytes, span = swizzle_bytes((Swizzle)m->swizzle);
	if (row % 16)
		return err_set(err, ERR_USAGE, "a row of the box of a tensor map has %u bytes; it must be a multiple of 16",
					   row);
	if (span && row > span)
		return err_set(err, ERR_USAGE,
					   "a row of the box of a tensor map has %u bytes; with this swizzle it can have %u at most", row,
					   span);
	for (uint32_t i = m->rank; i < TENSOR_DIMS; i++) {
		m->dims[i] = m->box[i] = m->steps[i] = 1;
		m->strides[i - 1] = 0;
	}
	if (tensor_box_bytes(m) > MOST_BOX)
		return err_set(err, ERR_USAGE, "the box of a tensor map has %u bytes, at most %d are possible",
					   tensor_box_bytes(m), MOST_BOX);
	if (m->rank == 1) memset(m->strides, 0, sizeof m->strides);
	m->magic = MAGIC;
	return true;
}
