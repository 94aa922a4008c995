/* race.h: kernels whose blocks may run on several host threads, and whether the blocks were independent. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "emu/check/race.h"
#include "emu/memory/memory.h"
#include "ptx/analysis/cfg.h"

/* --- kernels ------------------------------------------------------------------------------------------------------ */

typedef struct {
	const bool *read;
	bool any;
} Results;

static void note_read(void *data, uint32_t reg) {
	((bool *)data)[reg] = true;
}

static void note_result(void *data, uint32_t reg) {
	Results *r = data;
	r->any |= r->read[reg];
}

/* The old value is unused, and the order makes no difference (except to the rounding of float sums). */
static bool only_adds_up(const PtxInstr *in, const bool *read) {
	Results r = {.read = read};
	ptx_each_written(in, note_result, &r);
	switch (in->atomic) {
	case ATOM_ADD:
	case ATOM_MIN:
	case ATOM_MAX:
	case ATOM_AND:
	case ATOM_OR:
	case ATOM_XOR: return !r.any;
	default: return false;
	}
}

static bool is_weak(const PtxInstr *in) {
	return in->sem == SEM_NONE || in->sem == SEM_WEAK;
}

static bool calls_outside(const PtxInstr *in) {
	const PtxOperand *to = in->noperands > 1 ? &in->operands[1] : NULL;
	if (!to || to->kind != OPERAND_FUNCTION || !to->function) return false;
	return to->function->external && strcmp(to->function->name, "__assertfail") != 0;
}

/* May it order threads of different blocks, pass information between them, or write what cannot be restored? */
static bool reaches_out(const PtxInstr *in, const bool *read) {
	const bool inside = in->space == SPACE_SHARED || in->space == SPACE_LOCAL;
	switch (in->op) {
	case OP_FENCE:
	case OP_MEMBAR:
	case OP_NANOSLEEP:
	case OP_SUST:
	case OP_SURED:
	case OP_WMMA: return true;
	case OP_CP: return in->mods & MOD_BULK;
	case OP_CALL: return calls_outside(in);
	case OP_LD:
	case OP_ST: return !is_weak(in) && !(inside && in->sem == SEM_VOLATILE);
	case OP_ATOM:
	case OP_RED:
		if (!is_weak(in) && in->sem != SEM_RELAXED) return true;
		return !inside && !only_adds_up(in, read);
	default: return false;
	}
}

static bool function_blocks_are_independent(const PtxFunction *f) {
	bool *read = xcalloc(f->nregs + 1, sizeof *read), apart = true;
	for (uint32_t i = 0; i < f->ninstrs; i++) ptx_each_read(&f->instrs[i], note_read, read);
	for (uint32_t i = 0; apart && i < f->ninstrs; i++) apart = !reaches_out(&f->instrs[i], read);
	free(read);
	return apart;
}

bool race_blocks_are_independent(const LaunchInfo *info) {
	/* Objects of the device heap may share a page, which is saved as one buffer's. */
	if (info->config.cooperative || memory_has_heap(info->memory)) return false;
	if (info->cluster[0] * info->cluster[1] * info->cluster[2] > 1) return false;
	for (uint32_t i = 0; i < info->nfunctions; i++)
		if (!function_blocks_are_independent(info->functions[i])) return false;
	return true;
}

/* --- shadows ------------------------------------------------------------------------------------------------------ */

/* A page as one fork has it. */
typedef struct {
	const Race *race;
	const Page *page;
} Side;

/* Words of a line: anything but 0 in those that were written, read. */
typedef struct {
	uint16_t wrote[LANES], read[LANES];
} LineUse;

static void fill(uint16_t *words, uint32_t n, Cell first) {
	for (uint32_t l = 0; first && l < n; l++) words[l] = UINT16_MAX;
}

static void words_used(const Side *side, uint32_t line, unsigned kind, uint16_t *words) {
	const Page *p = side->page;
	const Cell first = p->lines[kind][line], *cells = p->cells[kind] + line * LANES;
	memset(words, 0, LANES * sizeof *words);
	switch ((LineState)p->state[line]) {
	case LINE_ROW: fill(words, LANES, first); break;
	case LINE_HALF_ROWS:
		fill(words, HALF, first);
		fill(words + HALF, HALF, p->second[kind][line]);
		break;
	case LINE_PACKED:
		if (first) memcpy(words, race_packed(side->race, first), LANES * sizeof *words);
		break;
	case LINE_WORDS:
		for (uint32_t l = 0; p->cells[kind] != race_nothing && l < LANES; l++) words[l] = cells[l] ? UINT16_MAX : 0;
		break;
	}
}

static bool is_untouched(const Page *p, uint32_t line) {
	if (p->state[line] == LINE_WORDS || p->state[line] == LINE_HALF_ROWS) return false;
	return !p->lines[CELL_WRITE][line] && !p->lines[CELL_READ][line];
}

/* Does this fork write where another wrote or read, or read where another wrote? If not, it is merged into all. */
static bool meets(LineUse *all, const LineUse *one) {
	uint16_t met = 0;
	for (uint32_t l = 0; l < LANES; l++) {
		const bool wrote = one->wrote[l] != 0, read = one->read[l] != 0, before = all->wrote[l] != 0;
		met |= (uint16_t)((wrote & (before | (all->read[l] != 0))) | (read & before));
		all->wrote[l] |= one->wrote[l];
		all->read[l] |= one->read[l];
	}
	return met;
}

static bool lines_meet(const Side *sides, unsigned n, uint32_t line) {
	unsigned touched = 0;
	for (unsigned i = 0; i < n; i++) touched += !is_untouched(sides[i].page, line);
	if (touched < 2) return false;
	LineUse all = {0};
	bool meet = false;
	for (unsigned i = 0; i < n && !meet; i++) {
		LineUse one;
		words_used(&sides[i], line, CELL_WRITE, one.wrote);
		words_used(&sides[i], line, CELL_READ, one.read);
		meet = meets(&all, &one);
	}
	return meet;
}

static bool pages_meet(const Side *sides, unsigned n) {
	for (uint32_t line = 0; line < PAGE_LINES; line++)
		if (lines_meet(sides, n, line)) return true;
	return false;
}

/* The page at addr, which forks[0] is the first to have. */
static bool meet_in_page(Race *const *forks, unsigned n, uint64_t addr, Side *sides) {
	uint8_t used = 0;
	unsigned found = 0;
	for (unsigned i = 0; i < n; i++) {
		const Page *p = race_page_find(forks[i], addr);
		if (!p) continue;
		sides[found++] = (Side){forks[i], p};
		used |= p->used;
	}
	if (found < 2 || !(used & USED_STORED) || !(used & USED_WEAK)) return false;
	return (used & USED_STRONG) || pages_meet(sides, found);
}

static bool seen_before(Race *const *forks, unsigned n, uint64_t addr) {
	for (unsigned i = 0; i < n; i++)
		if (race_page_find(forks[i], addr)) return true;
	return false;
}

bool race_meet(Race *const *forks, unsigned n) {
	Side *sides = xcalloc(n, sizeof *sides);
	bool meet = false;
	for (unsigned i = 0; i + 1 < n; i++)
		for (size_t g = 0; g < forks[i]->regions.size; g++) {
			const Region *region = (const Region *)(uintptr_t)forks[i]->regions.slots[g].value;
			for (uint64_t p = 0; region && !meet && p < REGION_PAGES; p++) {
				const uint64_t addr = region->number << REGION_SHIFT | p << PAGE_SHIFT;
				if (!region->pages[p].lines[0] || seen_before(forks, i, addr)) continue;
				meet = meet_in_page(forks + i, n - i, addr, sides);
			}
		}
	free(sides);
	return meet;
}
