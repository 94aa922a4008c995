#include "emu/count/dependence.h"

#include <stdlib.h>

const char *const dependence_counters[ORDER_COUNTERS] = {
	"global_load_sectors", "global_store_sectors", "shared_load_wavefronts", "shared_store_wavefronts", "atomics"};

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

size_t counters_dependences(const Counters *c, const PtxModule *module, Dependence out[ORDER_CAUSES]) {
	size_t n = 0;
	for (uint32_t f = 0; f < c->nfunctions; f++) {
		size_t places;
		OrderPlace *place = c->functions[f]->ninstrs ? ptx_order(c->functions[f], &places) : NULL;
		for (size_t i = 0; place && i < places; i++) {
			const uint32_t at = c->first[f] + place[i].ran;
			if (at >= c->ninstrs || !c->by_instr[at].warp_instructions) continue;
			const Dependence one = place_of(module, &c->functions[f]->instrs[place[i].instr], &place[i]);
			n = dependences_merge(out, n, &one, 1);
		}
		free(place);
	}
	return n;
}
