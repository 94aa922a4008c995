/* sim.h: L1, L2 and DRAM, each a server of one queue. */
#include <math.h>

#include "replay/sim.h"

/* Sectors that L2 is asked for at `start`, in `lines` requests; returns when the last one is back. */
static double from_l2(Sim *s, double start, uint32_t sectors, uint32_t lines) {
	const ReplaySm *sm = s->sm;
	const double least = lines * sm->l2_load_line, weight = sectors > least ? sectors : least;
	s->out->l2_loads += weight;
	s->l2_free = later(s->l2_free, start) + 32 * weight / sm->l2_rate;
	double back = s->l2_free + sm->latency_l2;
	s->dram_owed += sectors * sm->dram_of_loads;
	const double whole = floor(s->dram_owed);
	s->dram_owed -= whole;
	if (whole > 0) {
		s->dram_free = later(s->dram_free, start) + 32 * whole / sm->dram_rate;
		/* Reads stand behind what DRAM is writing, most of which is other SMs' and not in this queue. */
		const double written = s->dram_written / later(start, s->dram_free);
		back = later(back, later(s->dram_free, start + written * sm->write_wait) + sm->latency_dram);
	}
	return back;
}

static void to_dram(Sim *s, double start, uint32_t sectors) {
	const double takes = 32 * sectors * s->sm->dram_of_stores / s->sm->dram_rate;
	s->dram_free = later(s->dram_free, start) + takes;
	s->dram_written += takes;
}

double memory_store(Sim *s, double start, uint32_t sectors, uint32_t lines) {
	const ReplaySm *sm = s->sm;
	const double weight = sectors * sm->l2_store_sector + lines * sm->l2_store_line;
	s->l2_free = later(s->l2_free, start) + 32 * weight / sm->l2_rate;
	to_dram(s, start, sectors);
	return s->l2_free;
}

double memory_admits(const Sim *s, double start) {
	return later(start, later(later(s->l2_free, s->dram_free), s->atomics_free) - s->sm->backlog);
}

typedef struct {
	uint32_t misses, lines; /* sectors that were not in L1, and their lines */
} Missed;

/* Looks up all sectors; returns when those are there that hit. */
static double look_up(Sim *s, const Warp *w, const ReplayAccess *a, double start, ReplayMiss *missed, Missed *out) {
	double there = start;
	uint64_t last = UINT64_MAX;
	const bool cached = a->cached && s->l1.nsets;
	for (uint32_t i = 0; i < a->nsectors; i++) {
		const uint64_t traced = w->trace->sectors[a->sectors + i];
		const uint64_t sector = traced & REPLAY_PRIVATE ? traced ^ (uint64_t)w->again << 44 : traced;
		const double hit = cached ? replay_cache_lookup(&s->l1, sector, start, &missed[out->misses]) : -1;
		if (hit >= 0) {
			there = later(there, hit);
			continue;
		}
		out->lines += sector >> 2 != last;
		last = sector >> 2;
		out->misses++;
	}
	return there;
}

double memory_load(Sim *s, const Warp *w, const ReplayAccess *a, double start) {
	const bool cached = a->cached && s->l1.nsets;
	Missed load = {0};
	ReplayMiss missed[256];
	double back = look_up(s, w, a, start, missed, &load) + s->sm->latency_l1;
	if (load.misses) {
		const double filled = from_l2(s, start, load.misses, load.lines);
		for (uint32_t i = 0; i < load.misses && cached; i++) replay_cache_fill(&missed[i], filled);
		back = later(back, filled);
	}
	return back;
}

/* An atomic operation is done where L2 is. */
double memory_atomic(Sim *s, const ReplayAccess *a, double start) {
	to_dram(s, start, a->nsectors);
	s->atomics_free = later(s->atomics_free, start) + a->passes * s->sm->atomic_clocks;
	return s->atomics_free + s->sm->latency_l2;
}
