/* The public face: picks the model of a generation, keeps what both need of a launch, refuses what the GPU would
 * refuse. */
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/error.h"
#include "model/internal.h"

struct Model {
	const Gpu *gpu;
	Collector *collector;
};

Model *model_new(const Gpu *gpu) {
	Model *model = xcalloc(1, sizeof *model);
	model->gpu = gpu;
	model->collector = gpu->partitions ? queueing_new(gpu) : roofline_new(gpu);
	return model;
}

void model_count_only(Model *model) {
	model->collector->count_only = true;
}

void model_follow(Model *model, uint32_t block) {
	model->collector->follows = true;
	model->collector->followed = block;
}

void model_free(Model *model) {
	if (!model) return;
	model->collector->free(model->collector);
	free(model);
}

Observer *model_observer(Model *model) {
	return &model->collector->base;
}

static Prediction unknown(Prediction p, const char *bound, const char *note) {
	snprintf(p.bound, sizeof p.bound, "%s", bound);
	snprintf(p.note, sizeof p.note, "%s", note);
	return p;
}

/* Where host memory is read or written the link is what takes the time, unless the kernel has more to do besides.
 * Whether it does. */
static bool add_link(const BusTraffic *bus, Prediction *p) {
	const char *bound;
	if (!bus->reads && !bus->writes) return false;
	if (p->gpu->mapped_read_gbps <= 0 || p->gpu->mapped_read_mhz <= 0 || p->gpu->mapped_write_gbps <= 0) {
		free(p->timeline);
		*p = unknown((Prediction){.gpu = p->gpu}, "no mapped memory", "this GPU cannot map host memory");
		return true;
	}
	const double ms = p->gpu->launch_us * 1e-3 + bus_time(bus, p->gpu, &bound);
	if (ms <= p->counted_ms) return false;
	p->counted_ms = ms;
	p->replayed_ms = 0; /* leaves the link out */
	p->error = 0;       /* not known: it is another machine's link */
	snprintf(p->bound, sizeof p->bound, "%s", bound);
	return true;
}

double predicted_time(const Prediction *p) {
	double most = 0;
	if (p->replayed_ms <= 0) return p->counted_ms;
	for (int i = 0; i < LIMIT_COUNT; i++)
		if (i != LIMIT_LATENCY) most = fmax(most, p->limits[i]); /* which the replay knows better */
	return fmax(p->replayed_ms, most + p->gpu->launch_us * 1e-3);
}

/* Nsight Compute's rule, too: a resource that is busy for less of the time is not what a kernel waits for. */
#define BUSY 0.6

static void find_waiting(Prediction *p) {
	const double time = p->milliseconds - p->gpu->launch_us * 1e-3;
	double busy = 0;
	for (int i = 0; i < LIMIT_COUNT; i++)
		if (i != LIMIT_LATENCY) busy = fmax(busy, p->limits[i]);
	p->waiting_ms = p->replayed_ms > 0 && !p->unequal && !p->unseen && busy < BUSY * time ? time : 0;
}

/* Latency is estimated from chains of loads, of which the replay knows what they overlap: alone it takes no longer than
 * all does. */
static void add_up(Prediction *p) {
	p->milliseconds = predicted_time(p);
	p->limits[LIMIT_LATENCY] = fmin(p->limits[LIMIT_LATENCY], p->milliseconds);
	find_waiting(p);
}

static bool is_named(const Prediction *p) {
	const char *name = limit_name(prediction_limiter(p));
	return strncmp(p->bound, name, strlen(name)) == 0;
}

void prediction_name(Prediction *p) {
	const Limit most = prediction_limiter(p);
	if ((p->waiting_ms > 0 || p->limits[most] > 0) && !is_named(p))
		snprintf(p->bound, sizeof p->bound, "%s", limit_name(most));
}

Prediction model_predict(const Model *model) {
	Prediction p = {.gpu = model->gpu};
	const Collector *c = model->collector;
	const LaunchSeen *seen = &c->launch;
	if (!seen->seen) return unknown(p, "nothing to predict", "no launch was observed");
	Err err = ERR_INIT;
	Occupancy occupancy;
	uint32_t grid[3];
	gpu_fold(c->gpu, seen->config.grid, grid);
	if (!gpu_allows(c->gpu, grid, seen->config.block, seen->shared, &err) ||
		!gpu_occupancy(c->gpu, seen->threads, seen->registers, seen->shared, &occupancy, &err)) {
		if (seen->shared > c->gpu->shared_per_block && seen->shared_params)
			snprintf(p.note, sizeof p.note,
					 "refused: a block needs %zu bytes of shared memory, %zu of them for "
					 "parameters; the %s has %zu",
					 seen->shared, seen->shared_params, c->gpu->name, (size_t)c->gpu->shared_per_block);
		else
			snprintf(p.note, sizeof p.note, "refused: %.140s", err.what);
		snprintf(p.bound, sizeof p.bound, "the launch is not allowed");
		return p;
	}
	if (seen->missing.cc) {
		snprintf(p.note, sizeof p.note, "%s need cc %u.%u, the %s has %u.%u", seen->missing.name, seen->missing.cc / 10,
				 seen->missing.cc % 10, p.gpu->name, p.gpu->cc / 10, p.gpu->cc % 10);
		snprintf(p.bound, sizeof p.bound, "not supported");
		return p;
	}
	if (!seen->ended_well) return unknown(p, "nothing to predict", "the launch did not end well");
	p.known = true;
	p.blocks_per_sm = occupancy.blocks_per_sm;
	p.warps_per_sm = occupancy.warps_per_sm;
	c->predict(c, &occupancy, &p);
	if (grid[0] != seen->config.grid[0] && !*p.note)
		snprintf(p.note, sizeof p.note, "as a grid of %u x %u blocks: the %s takes %u in x", grid[0], grid[1],
				 p.gpu->name, c->gpu->max_grid[0]);
	const bool link = add_link(&seen->bus, &p);
	add_up(&p);
	if (!link && p.waiting_ms > 0)
		name_latency((uint32_t)launch_resident(seen, c->gpu) * seen->warps, &p);
	else if (!link)
		prediction_name(&p);
	if (!link && !p.gpu->partitions && !p.unseen) {
		p.error = known_error(&p);
		p.order = known_order(&p);
	}
	return p;
}

Prediction model_whole(const Prediction *less, const Prediction *more, uint64_t less_blocks, uint64_t blocks,
					   double *error) {
	Prediction p = *more;
	*error = 0;
	if (!less->known || !more->known) return less->known ? *more : *less;
	const double launch = more->gpu->launch_us * 1e-3, n = (double)less_blocks, sms = more->gpu->sms;
	const double first = (less->counted_ms - launch) / n, second = (more->counted_ms - less->counted_ms) / n;
	const double rounds = (double)((blocks + more->gpu->sms - 1) / more->gpu->sms);
	if (first > 0 && second > 0) *error = (first > second ? first - second : second - first) / (first + second);
	p.counted_ms = more->counted_ms + (second > 0 ? second : first) * (rounds * sms - 2 * n);
	const double whole = more->counted_ms > launch ? (p.counted_ms - launch) / (more->counted_ms - launch) : 1;
	for (int i = 0; i < LIMIT_COUNT; i++) p.limits[i] *= whole;
	add_up(&p);
	if (is_named(more)) prediction_name(&p);
	if (more->error > 0 && !p.gpu->partitions) p.error = known_error(&p);
	p.dram_bytes *= (double)blocks / (2 * n);
	return p;
}
