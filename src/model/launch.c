/* What both models keep of a launch and calculate from it. */
#include <stdio.h>

#include "model/code/code.h"
#include "model/internal.h"

const char *limit_name(Limit limit) {
#define LIMIT_NAME(name, text) text,
	static const char *const names[] = {LIMITS(LIMIT_NAME)};
	return names[limit];
}

Limit prediction_longest(const Prediction *p) {
	Limit most = (Limit)0;
	for (int i = 1; i < LIMIT_COUNT; i++)
		if (p->limits[i] > p->limits[most]) most = (Limit)i;
	return most;
}

Limit prediction_limiter(const Prediction *p) {
	return p->waiting_ms > 0 ? LIMIT_LATENCY : prediction_longest(p);
}

void launch_seen(LaunchSeen *seen, const Gpu *gpu, const LaunchInfo *info) {
	const LaunchConfig *c = &info->config;
	uint32_t threads = c->block[0] * c->block[1] * c->block[2];
	*seen = (LaunchSeen){
		.config = *c,
		.blocks = launch_blocks(c),
		.ran = launch_blocks_run(c),
		.threads = threads,
		.warps = (threads + 31) / 32,
		.registers = info->registers,
		.shared = info->static_shared_bytes + c->shared_bytes,
		.seen = true,
		.missing = feature_missing(info, gpu),
		.placement = placement_of(info),
	};
	const uint32_t assembled = assembled_registers(info->assembled, info->nassembled, gpu->cc);
	const uint32_t bound = info->nfunctions ? info->functions[0]->max_threads : 0;
	if (assembled)
		seen->registers = assembled;
	else if (bound)
		seen->registers = gpu_fit_registers(gpu, bound, seen->registers); /* __launch_bounds__ */
	if (!gpu->generation->tesla_isa) return;
	if (info->nfunctions) seen->shared_params = info->functions[0]->param_bytes;
	seen->shared += seen->shared_params;
	if (info->cfg) seen->registers = code_registers_32bit(info->cfg);
}

uint64_t launch_resident(const LaunchSeen *seen, const Gpu *gpu) {
	Occupancy o;
	if (!gpu_occupancy(gpu, seen->threads, seen->registers, seen->shared, &o, NULL)) return 1;
	const uint64_t there = (seen->blocks + gpu->sms - 1) / gpu->sms;
	return there < o.blocks_per_sm ? there : o.blocks_per_sm;
}

uint64_t launch_together(const LaunchSeen *seen, const Gpu *gpu) {
	const uint64_t there = launch_resident(seen, gpu) * gpu->sms;
	return seen->ran < seen->blocks && there > SAMPLE_RUN ? SAMPLE_RUN : there;
}

void name_latency(uint32_t warps, Prediction *out) {
	snprintf(out->bound, sizeof out->bound, "latency at %u warp%s", warps, warps == 1 ? "" : "s");
}

double launch_barrier(const LaunchSeen *seen, const Generation *g) {
	return seen->warps == 1 ? g->barrier_alone_clocks : g->barrier_clocks;
}

double mva_interval(const double *demand, int stations, double think, uint32_t customers) {
	double queue[8] = {0}, interval = think;
	for (uint32_t n = 1; n <= customers; n++) {
		double residence[8], cycle = think;
		for (int k = 0; k < stations; k++) {
			residence[k] = demand[k] * (1 + queue[k]);
			cycle += residence[k];
		}
		interval = cycle / n;
		for (int k = 0; k < stations && interval > 0; k++) queue[k] = residence[k] / interval;
	}
	return interval;
}
