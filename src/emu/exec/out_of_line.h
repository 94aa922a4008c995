/* The handlers of out_of_line.def, which several files define, and their shared helpers. */
#ifndef GPULAB_EMU_OUT_OF_LINE_H
#define GPULAB_EMU_OUT_OF_LINE_H

#include "emu/exec/access.h"

#define HANDLER(name) const Op *run_##name(Warp *warp, const Op *op);
#include "emu/code/out_of_line.def"
#undef HANDLER

/* addr becomes the address within the space it points to. */
PtxSpace generic_space(uint64_t *addr);
/* Moves n bytes between a lane's view of a space and `bytes`; false: outside all memory. */
bool space_copy(Warp *warp, const Op *op, PtxSpace space, uint32_t lane, uint64_t addr, void *bytes, size_t n,
				bool store);
void op_addresses(const Warp *warp, const Op *op, uint64_t *addr);

/* convert.c: x with `keep` mantissa bits, least exponent `least` (as frexp counts) and at most `largest`, as a
 * double. */
double round_narrow(double x, int keep, int least, double largest, PtxRound round);

/* A lane's value in a lane array of 2, 4 or 8 bytes per lane. */
static inline uint64_t lane_get(const Warp *w, uint32_t slot, uint32_t container, uint32_t lane) {
	const uint8_t *at = w->regs + slot;
	return container == 8   ? ((const uint64_t *)at)[lane]
		   : container == 4 ? ((const uint32_t *)at)[lane]
							: ((const uint16_t *)at)[lane];
}
static inline void lane_set(Warp *w, uint32_t slot, uint32_t container, uint32_t lane, uint64_t v) {
	uint8_t *at = w->regs + slot;
	if (container == 8)
		((uint64_t *)at)[lane] = v;
	else if (container == 4)
		((uint32_t *)at)[lane] = (uint32_t)v;
	else
		((uint16_t *)at)[lane] = (uint16_t)v;
}
static inline uint32_t pred_get(const Warp *w, uint32_t slot, bool negated) {
	uint32_t p = *(const uint32_t *)(w->regs + slot);
	return negated ? ~p : p;
}
static inline void pred_set(Warp *w, uint32_t slot, uint32_t value) {
	uint32_t *p = (uint32_t *)(w->regs + slot);
	*p = (*p & ~w->mask) | (value & w->mask);
}

#endif
