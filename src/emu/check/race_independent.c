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

/* Words of a line that are in use: a bit each. */
static uint32_t words_used(const Page *p, unsigned kind, uint32_t line) {
	uint32_t words = 0;
	for (uint32_t i = 0; i < HALF; i++) words |= (uint32_t)(line_cell(p->lines[kind][line], i) != 0) << i;
	return words;
}

/* Does a fork write where another wrote or read, or read where another wrote? */
static bool lines_meet(const Page *const *pages, unsigned n, uint32_t line) {
	uint32_t wrote = 0, read = 0, met = 0;
	unsigned touched = 0;
	for (unsigned i = 0; i < n; i++) touched += pages[i]->lines[CELL_WRITE][line] || pages[i]->lines[CELL_READ][line];
	for (unsigned i = 0; i < n && touched > 1; i++) {
		const uint32_t w = words_used(pages[i], CELL_WRITE, line), r = words_used(pages[i], CELL_READ, line);
		met |= (w & (wrote | read)) | (r & wrote);
		wrote |= w;
		read |= r;
	}
	return met;
}

static bool pages_meet(const Page *const *pages, unsigned n) {
	for (uint32_t line = 0; line < PAGE_LINES; line++)
		if (lines_meet(pages, n, line)) return true;
	return false;
}

/* The page at addr, which forks[0] is the first to have. */
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
		for (size_t g = 0; g < forks[i]->regions.size; g++) {
			const Region *region = (const Region *)(uintptr_t)forks[i]->regions.slots[g].value;
			for (uint64_t p = 0; region && !meet && p < REGION_PAGES; p++) {
				const uint64_t addr = region->number << REGION_SHIFT | p << PAGE_SHIFT;
				if (!region->pages[p].lines[0] || seen_before(forks, i, addr)) continue;
				meet = meet_in_page(forks + i, n - i, addr, pages);
			}
		}
	free(pages);
	return meet;
}
