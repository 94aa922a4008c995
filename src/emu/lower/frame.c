/* Places in a function's frame, of registers and constants. */
#include "emu/lower/lower.h"

uint32_t frame_take(Lower *L, uint32_t bytes) {
	uint32_t at = L->frame;
	L->frame += (bytes + 63) & ~63u;
	return at;
}

uint32_t register_bytes(const Lower *L, uint32_t reg) {
	PtxType t = L->ptx->regs[reg].type;
	if (t == T_PRED) return 0;
	size_t n = ptx_type_bytes(t);
	return n <= 2 ? 2 : n > 8 ? 16 : (uint32_t)n;
}

uint32_t constant_slot(Lower *L, const Fill *f) {
	for (size_t i = 0; i < L->fills.len; i++) {
		const Fill *g = &L->fills.data[i];
		if (g->kind == f->kind && g->container == f->container && g->bits == f->bits && g->bytes == f->bytes &&
			g->sign == f->sign && g->var == f->var)
			return g->slot;
	}
	Fill fill = *f;
	fill.slot = frame_take(L, LANES * f->container);
	if (f->kind == FILL_SHARED && !f->var->owner) vec_push(&L->shared_refs, f->var->index);
	vec_push(&L->fills, fill);
	return fill.slot;
}
