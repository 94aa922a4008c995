#include "emu/count/dependence.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"

const char *const dependence_counters[ORDER_COUNTERS] = {
	"global_load_sectors", "global_store_sectors", "shared_load_wavefronts", "shared_store_wavefronts", "atomics"};

uint32_t counters_not_zero(const Counts *counts) {
	const uint64_t of[ORDER_COUNTERS] = {counts->global_load_sectors, counts->global_store_sectors,
										 counts->shared_load_wavefronts, counts->shared_store_wavefronts,
										 counts->atomics};
	uint32_t set = 0;
	for (int k = 0; k < ORDER_COUNTERS; k++) set |= (uint32_t)(of[k] != 0) << k;
	return set;
}

size_t dependences_merge(Dependence out[ORDER_CAUSES], size_t n, const Dependence *more, size_t nmore) {
	for (size_t m = 0; m < nmore; m++) {
		size_t at = 0;
		while (at < n && out[at].cause < more[m].cause) at++;
		if (at < n && out[at].cause == more[m].cause) {
			out[at].counters |= more[m].counters;
			continue;
		}
		for (size_t i = n++; i > at; i--) out[i] = out[i - 1];
		out[at] = more[m];
	}
	return n;
}

/* In the kernel's own text: where what was inlined was called. */
static Dependence place_of(const PtxModule *module, const PtxInstr *in, const OrderPlace *place) {
	uint32_t file = in->file, line = in->line;
	for (uint32_t at = in->inlined_at; at; at = module->inlined[at - 1].inlined_at)
		file = module->inlined[at - 1].file, line = module->inlined[at - 1].line;
	return (Dependence){place->cause, place->counters, file ? module->files[file] : NULL, line};
}

/* --- a launch ----------------------------------------------------------------------------------------------------- */

typedef struct {
	const Counters *c;
	const PtxModule *module;
	Dependence *out;
	size_t n;
	Addresses *ordered;
} Search;

static bool is_ordered(const Earlier *e, uint64_t addr) {
	for (uint32_t i = 0; i < e->nordered; i++)
		if (addr - e->ordered[i].addr < e->ordered[i].bytes) return true;
	return false;
}

/* Of global memory: an access of each instruction is known. */
static bool loads_ordered(const WorstAccess *w, const Earlier *e) {
	for (uint32_t l = 0; l < LANES; l++)
		if (w->mask >> l & 1 && is_ordered(e, w->addr[l])) return true;
	return false;
}

/* Of function f; *any: there are such loads. earlier NULL: all loads of global memory. */
static bool *loads_of(const Search *s, uint32_t f, const Earlier *earlier, bool *any) {
	const PtxFunction *function = s->c->functions[f];
	bool *loads = xcalloc(function->ninstrs + 1, sizeof *loads);
	*any = false;
	for (uint32_t i = 0; i < function->ninstrs && s->c->first[f] + i < s->c->ninstrs; i++) {
		const WorstAccess *w = &s->c->worst[s->c->first[f] + i];
		if (!w->valid || w->kind != ACCESS_LOAD || w->space != SPACE_GLOBAL) continue;
		loads[i] = !earlier || loads_ordered(w, earlier);
		*any |= loads[i];
	}
	return loads;
}

static void add_stores(const Search *s, uint32_t f, const bool *stores) {
	for (uint32_t i = 0; i < s->c->functions[f]->ninstrs && s->c->first[f] + i < s->c->ninstrs; i++) {
		const WorstAccess *w = &s->c->worst[s->c->first[f] + i];
		if (stores[i] && w->valid && w->space == SPACE_GLOBAL && w->mask)
			vec_push(s->ordered, w->addr[__builtin_ctz(w->mask)]);
	}
}

/* Of function f: the spaces that its accesses were in. */
static uint8_t *spaces_of(const Search *s, uint32_t f) {
	const PtxFunction *function = s->c->functions[f];
	uint8_t *spaces = xcalloc(function->ninstrs + 1, sizeof *spaces);
	for (uint32_t i = 0; i < function->ninstrs && s->c->first[f] + i < s->c->ninstrs; i++) {
		const Counts *c = &s->c->by_instr[s->c->first[f] + i];
		const WorstAccess *w = &s->c->worst[s->c->first[f] + i];
		if (c->global_load_requests || c->global_store_requests || c->global_atomics) spaces[i] |= ORDER_IN_GLOBAL;
		if (c->shared_load_requests || c->shared_store_requests || c->shared_atomics) spaces[i] |= ORDER_IN_SHARED;
		if (w->valid && w->space == SPACE_GLOBAL)
			spaces[i] |= ORDER_IN_GLOBAL; /* also where SASS has it in another's */
		if (w->valid && w->space == SPACE_SHARED) spaces[i] |= ORDER_IN_SHARED;
	}
	return spaces;
}

static bool ran(const Search *s, uint32_t at) {
	return at < s->c->ninstrs && s->c->by_instr[at].warp_instructions;
}

/* At a time, on average. */
static double lanes_of(const Counts *c) {
	return (double)c->thread_instructions / (double)c->warp_instructions;
}

static double least_lanes_of_functions(const Search *s) {
	double least = LANES;
	for (uint32_t f = 0; f < s->c->nfunctions; f++)
		if (!s->c->functions[f]->entry && s->c->functions[f]->ninstrs && ran(s, s->c->first[f]))
			least = fmin(least, lanes_of(&s->c->by_instr[s->c->first[f]]));
	return least;
}

static bool place_ran(const Search *s, const OrderPlace *place, uint32_t first) {
	if (!ran(s, first + place->ran)) return false;
	if (place->parting == ORDER_TOGETHER) return true;
	if (!ran(s, first + place->instr)) return false;
	const Counts *c = &s->c->by_instr[first + place->ran], *by = &s->c->by_instr[first + place->instr];
	if (place->parting == ORDER_PARTED) return c->thread_instructions > c->warp_instructions;
	return lanes_of(c) > (place->parting == ORDER_PARTED_IF_FEWER ? lanes_of(by) : least_lanes_of_functions(s));
}

/* Those that ran. seed: only what the analysis calls ORDER_EARLIER. */
static void add_places(Search *s, uint32_t f, const OrderPlace *place, size_t n, bool seed) {
	for (size_t i = 0; i < n; i++) {
		if (!place_ran(s, &place[i], s->c->first[f])) continue;
		if (seed && place[i].cause != ORDER_EARLIER) continue;
		Dependence one = place_of(s->module, &s->c->functions[f]->instrs[place[i].instr], &place[i]);
		if (seed) one.cause = ORDER_SEED;
		s->n = dependences_merge(s->out, s->n, &one, 1);
	}
}

static void search(Search *s, uint32_t f, const Earlier *earlier, bool seed) {
	const PtxFunction *function = s->c->functions[f];
	bool any;
	size_t places;
	AUTO_FREE bool *loads = loads_of(s, f, earlier, &any);
	AUTO_FREE bool *stores = seed ? NULL : xcalloc(function->ninstrs + 1, sizeof *stores);
	if (seed && !any) return;
	AUTO_FREE uint8_t *spaces = spaces_of(s, f);
	const OrderRun run = {s->module, spaces, any ? loads : NULL};
	AUTO_FREE OrderPlace *place = ptx_order(function, &run, stores, &places);
	add_places(s, f, place, places, seed);
	if (!seed) add_stores(s, f, stores);
}

size_t counters_dependences(const Counters *c, const PtxModule *module, const Earlier *earlier,
							Dependence out[ORDER_CAUSES], Addresses *ordered) {
	Search s = {c, module, out, 0, ordered};
	for (uint32_t f = 0; f < c->nfunctions; f++) {
		if (!c->functions[f]->ninstrs) continue;
		search(&s, f, earlier, false);
		if (earlier->seeded) search(&s, f, NULL, true);
	}
	return s.n;
}
