/* define.h: element i depends on the definition and i alone. */
#include "device/backend/define.h"

#include <stdlib.h>

#include "base/cancel.h"

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

bool define_fill(Backend *b, const DefineElements *d, Err *err) {
	const size_t size = elem_bytes(d->type), most = DEFINE_PIECE / size;
	uint8_t *view = backend_view(b, d->addr, d->count * size), *piece = NULL;
	bool ok = true;
	if (!view) piece = xmalloc((d->count < most ? d->count : most) * size);
	for (size_t first = 0, n; ok && first < d->count; first += n) {
		uint8_t *at = view ? view + first * size : piece;
		n = d->count - first < most ? d->count - first : most;
		define_elements(d->define, d->type, first, n, at);
		if (b->events.look) b->events.look(b->events.user);
		if (first) ok = not_cancelled(err);
		if (ok && !view) ok = backend_upload(b, d->addr + first * size, at, n * size, err);
	}
	free(piece);
	return ok && (!view || backend_upload(b, d->addr, view, d->count * size, err));
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
