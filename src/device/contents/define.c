/* define.h: element i depends on the definition and i alone. */
#include "device/contents/define.h"

#include <string.h>

/* elem_fill_random takes element i from seed + (i + 1) × this constant: starting later is starting from a later
 * seed. */
static const uint64_t RANDOM_STEP = 0x9e3779b97f4a7c15u;

static void iota_elements(ElemType type, void *out, double value, size_t first, size_t count) {
	float *f = out;
	double *d = out;
	if (type == ELEM_F32)
		for (size_t i = 0; i < count; i++) f[i] = (float)(value + (double)(first + i));
	else if (type == ELEM_F64)
		for (size_t i = 0; i < count; i++) d[i] = value + (double)(first + i);
	else
		elem_fill_iota(type, out, count, value + (double)first);
}

void define_elements(Define define, ElemType type, size_t first, size_t count, void *out) {
	switch (define.kind) {
	case DEFINE_FILL: elem_fill_value(type, out, count, define.value); return;
	case DEFINE_IOTA: iota_elements(type, out, define.value, first, count); return;
	case DEFINE_RANDOM: elem_fill_random(type, out, count, define.seed + first * RANDOM_STEP); return;
	case DEFINE_SENTINEL:
	case DEFINE_DATA: break;
	}
	elem_fill_sentinel(type, out, count);
}

bool define_is_byte(Define define, ElemType type, uint8_t *byte) {
	uint8_t element[8];
	if (define.kind == DEFINE_IOTA || define.kind == DEFINE_RANDOM) return false;
	define_elements(define, type, 0, 1, element);
	for (size_t i = 1; i < elem_bytes(type); i++)
		if (element[i] != element[0]) return false;
	*byte = element[0];
	return true;
}
