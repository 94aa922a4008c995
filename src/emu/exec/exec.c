/* The hot handlers, compiled once for each instruction set (ISA names it; meson.build gives the flags): arithmetic, the
 * common loads and stores, basic blocks and branches. */
#if defined __AVX2__
#include <immintrin.h>
#endif

#include "emu/code/handlers.h"
#include "emu/exec/approx.h"
#include "emu/exec/lanes.h"
#include "emu/warp/access.h"

#define EACH_LANE _Pragma("omp simd") for (unsigned l = 0; l < LANES; l++)
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define REG(T, at) ((T *)(w->regs + (at)))

/* The lanes whose words are ~0, where those of the others are 0. A loop over bits becomes a tree of shifts. */
static inline u32 lanes_of(const s32 words[LANES]) {
#if defined __AVX512DQ__
	const u32 low = _mm512_movepi32_mask(_mm512_loadu_si512(words)),
			  high = _mm512_movepi32_mask(_mm512_loadu_si512(words + 16));
	return low | high << 16;
#elif defined __AVX2__
	u32 lanes = 0;
	for (unsigned l = 0; l < LANES; l += 8)
		lanes |= (u32)_mm256_movemask_ps(_mm256_loadu_ps((const float *)words + l)) << l;
	return lanes;
#else
	u32 lanes = 0;
	_Pragma("omp simd reduction(|:lanes)") for (unsigned l = 0; l < LANES; l++) lanes |= ((u32)words[l] & 1) << l;
	return lanes;
#endif
}

#include "emu/exec/alu.h"
#include "emu/exec/memory.h"

static const Op *run_block(Warp *w, const Op *op) {
	if (op == w->rejoin) return warp_pop(w);
	if (--w->budget < 0 && slice_end(w, op)) return NULL;
	w->issued += op->b;
	w->count_warps[op->a]++;
	w->count_threads[op->a] += count_lanes(w->mask);
	if (w->reports.visits) report_visit(w, op);
	return op + 1;
}

static const Op *run_bra(Warp *w, const Op *op) {
	return op + op->imm;
}

static const Op *run_bra_if(Warp *w, const Op *op) {
	const u32 p = *REG(u32, op->a) ^ (op->flags & OPF_NEGATED ? ~0u : 0u), taken = p & w->mask;
	if (w->reports.branches) report_branch(w, op, taken);
	if (taken == w->mask) return op + op->imm;
	if (!taken) return op + 1;
	return warp_diverge(w, op, taken);
}

static bool same_shape(const u64 *addr, u32 mask, const u64 *shape) {
	if (LIKELY(mask == ALL_LANES)) {
		Vector64 differs = {0};
		for (unsigned l = 0; l < LANES; l += LANES64)
			differs |= (*(const Vector64 *)(addr + l) - addr[0]) ^ *(const Vector64 *)(shape + l);
		return !ANY_BIT(differs);
	}
	const u64 base = addr[first_lane(mask)];
	u64 bad = 0;
	_Pragma("omp simd reduction(|:bad)") for (unsigned l = 0; l < LANES; l++) {
		const u64 off = (addr[l] - base) ^ shape[l];
		bad |= (mask >> l & 1) ? off : 0;
	}
	return bad == 0;
}

#define SHAPE_(isa) same_shape_##isa
#define SHAPE(isa) SHAPE_(isa)
const SameShape SHAPE(ISA) = same_shape;

#define TABLE_(isa) handlers_##isa
#define TABLE(isa) TABLE_(isa)
const Handler TABLE(ISA)[H_COUNT] = {
#define HANDLER(name) [H_##name] = run_##name,
#include "emu/code/access.def"
#include "emu/code/alu.def"
};
