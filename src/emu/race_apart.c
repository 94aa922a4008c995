/* race.h: kernels whose blocks may be heard apart, and whether they kept apart. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "emu/memory.h"
#include "emu/race.h"
#include "ptx/cfg.h"

/* --- kernels ------------------------------------------------------------------------------------------------------------------ */

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

/* Nobody looks at what was there before, and the order makes no difference (but to how sums of floats are rounded). */
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

/* May it put threads of different blocks in order, tell them of each other, or write what nobody would put back? */
static bool reaches_out(const PtxInstr *in, const bool *read) {
	const bool inside = in->space == SPACE_SHARED || in->space == SPACE_LOCAL;
	switch (in->op) {
	case OP_FENCE:
	case OP_MEMBAR:
	case OP_NANOSLEEP:
	case OP_SUST:
	case OP_SURED:
	case OP_WMMA: return true;
	case OP_CP: return strstr(in->text, ".bulk") != NULL;
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

static bool function_keeps_apart(const PtxFunction *f) {
	bool *read = xcalloc(f->nregs + 1, sizeof *read), apart = true;
	for (uint32_t i = 0; i < f->ninstrs; i++) ptx_each_read(&f->instrs[i], note_read, read);
	for (uint32_t i = 0; apart && i < f->ninstrs; i++) apart = !reaches_out(&f->instrs[i], read);
	free(read);
	return apart;
}

bool race_keeps_apart(const LaunchInfo *info) {
	/* Objects of the device's heap may share a page, which is kept as one buffer's. */
	if (info->config.cooperative || memory_has_heap(info->memory)) return false;
	for (uint32_t i = 0; i < info->nfunctions; i++)
		if (!function_keeps_apart(info->functions[i])) return false;
	return true;
}

/* --- shadows ------------------------------------------------------------------------------------------------------------------ */

/* Words of a line, a bit each. */
typedef struct {
	uint32_t wrote, read;
} LineUse;

static uint32_t cells_used(const Cell *cells) {
	uint32_t used = 0;
	for (uint32_t l = 0; l < LANES; l++) used |= (uint32_t)(cells[l] != 0) << l;
	return used;
}

static uint32_t brief_used(const uint16_t *brief) {
	uint32_t used = 0;
	for (uint32_t l = 0; l < LANES; l++) used |= (uint32_t)(brief[l] != 0) << l;
	return used;
}

static uint32_t line_used(const Page *p, uint32_t line, unsigned kind) {
	const bool first = p->lines->cells[kind][line] != 0;
	switch ((LineState)p->state[line]) {
	case LINE_ROW: return first ? UINT32_MAX : 0;
	case LINE_HALVES: return (first ? 0xffff : 0) | (p->second->cells[kind][line] ? 0xffff0000 : 0);
	case LINE_BRIEF: return first ? brief_used(p->brief + line * LANES) : 0;
	default: return p->cells[kind] == race_nothing ? 0 : cells_used(p->cells[kind] + line * LANES);
	}
}

/* Does one write where another wrote or read? */
static bool pages_meet(const Page *const *pages, unsigned n) {
	for (uint32_t line = 0; line < PAGE_LINES; line++) {
		LineUse all = {0, 0};
		for (unsigned i = 0; i < n; i++) {
			const LineUse one = {line_used(pages[i], line, CELL_WRITE), line_used(pages[i], line, CELL_READ)};
			if ((one.wrote & (all.wrote | all.read)) || (one.read & all.wrote)) return true;
			all.wrote |= one.wrote;
			all.read |= one.read;
		}
	}
	return false;
}

/* The page at addr, which forks[0] has and none before it had. */
static bool meet_in_page(Race *const *forks, unsigned n, uint64_t addr, const Page **pages) {
	uint8_t used = 0;
	unsigned found = 0;
	for (unsigned i = 0; i < n; i++) {
		const Page *p = race_page_find(forks[i], addr);
		if (!p) continue;
		pages[found++] = p;
		used |= p->used;
	}
	if (found < 2 || !(used & USED_STORED) || !(used & USED_WEAK)) return false;
	return (used & USED_STRONG) || pages_meet(pages, found);
}

static bool seen_before(Race *const *forks, unsigned n, uint64_t addr) {
	for (unsigned i = 0; i < n; i++)
		if (race_page_find(forks[i], addr)) return true;
	return false;
}

bool race_meet(Race *const *forks, unsigned n) {
	const Page **pages = xcalloc(n, sizeof *pages);
	bool meet = false;
	for (unsigned i = 0; i + 1 < n; i++)
		for (uint32_t g = 0; g < forks[i]->size_regions; g++) {
			const Region *region = forks[i]->regions[g];
			for (uint64_t p = 0; region && !meet && p < REGION_PAGES; p++) {
				const uint64_t addr = region->number << REGION_SHIFT | p << PAGE_SHIFT;
				if (!region->pages[p].lines || seen_before(forks, i, addr)) continue;
				meet = meet_in_page(forks + i, n - i, addr, pages);
			}
		}
	free(pages);
	return meet;
}
