/* machine.h: launches, as a whole or in parts (launch.h). */
#include "emu/machine/launch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/text/mangled.h"
#include "emu/code/handlers.h"
#include "emu/exec/out_of_line.h"
#include "emu/lower/lower.h"
#include "emu/machine/internal.h"
#include "emu/machine/schedule.h"
#include "ptx/places.h"

enum {
	DEFAULT_TIMEOUT_MS = 60000,
	DEFAULT_SHADOW = 1 << 30,
	RECURSING_WORKERS = 4,
	SLICES_BEFORE_YIELD = 256,    /* of blocks that may wait for each other */
	INDEPENDENT_SLICES = 8 * 256, /* of others */
};

/* --- launches ----------------------------------------------------------------------------------------------------- */

const PtxFunction *emu_kernel_function(const EmuKernel *k) {
	return k->programs[0]->ptx;
}
size_t emu_kernel_static_shared(const EmuKernel *k) {
	return k->static_shared;
}
uint32_t emu_kernel_registers(const EmuKernel *k) {
	return k->pool_registers ? k->pool_registers : k->programs[0]->cfg->max_live_words32;
}

__attribute__((format(printf, 2, 3))) static bool limit(LaunchOutcome *out, const char *format, ...) {
	va_list args;
	out->status = LAUNCH_LIMIT;
	va_start(args, format);
	vsnprintf(out->message, sizeof out->message, format, args);
	va_end(args);
	return false;
}

/* Blocks of a cluster along an axis: as the launch says, or else the kernel. */
static uint32_t cluster_extent(const EmuKernel *k, const LaunchConfig *c, int axis) {
	const uint32_t asked = c->cluster[axis] ? c->cluster[axis] : k->programs[0]->ptx->cluster[axis];
	return asked ? asked : 1;
}

/* Blocks of a cluster are adjacent in the grid, which consists of whole clusters. */
static bool clusters_fit(const Gpu *gpu, const EmuKernel *k, const LaunchConfig *c, LaunchOutcome *out) {
	const uint32_t *fixed = k->programs[0]->ptx->cluster;
	const uint32_t cluster[] = {cluster_extent(k, c, 0), cluster_extent(k, c, 1), cluster_extent(k, c, 2)};
	const uint64_t size = (uint64_t)cluster[0] * cluster[1] * cluster[2];
	if (fixed[0] && c->cluster[0] && memcmp(fixed, cluster, sizeof cluster) != 0)
		return limit(out,
					 "the launch asks for clusters of %u x %u x %u blocks, but the kernel's __cluster_dims__ are "
					 "%u x %u x %u",
					 cluster[0], cluster[1], cluster[2], fixed[0], fixed[1], fixed[2]);
	if (size <= 1) return true;
	if (!gpu->generation->clusters)
		return limit(out, "clusters of blocks need compute capability 9.0; the %s has %u.%u", gpu->name, gpu->cc / 10,
					 gpu->cc % 10);
	if (size > CLUSTER_MOST || cluster[0] > CLUSTER_MOST || cluster[1] > CLUSTER_MOST || cluster[2] > CLUSTER_MOST)
		return limit(out, "clusters of %u x %u x %u blocks are asked for, at most %d are possible", cluster[0],
					 cluster[1], cluster[2], CLUSTER_MOST);
	for (int i = 0; i < 3; i++)
		if (c->grid[i] % cluster[i])
			return limit(out, "the grid has %u blocks in %c, which is not a multiple of the clusters' %u", c->grid[i],
						 "xyz"[i], cluster[i]);
	return true;
}

/* The local memory of blocks that have to run together. */
static bool local_fits(const EmuKernel *k, const LaunchConfig *c, LaunchOutcome *out) {
	const size_t each = k->programs[0]->local_bytes;
	uint64_t blocks = c->cooperative ? launch_blocks(c) : 1;
	for (int i = 0; i < 3 && !c->cooperative; i++) blocks *= cluster_extent(k, c, i);
	const uint64_t together = launch_block_threads(c) * blocks;
	if (each > LOCAL_LIMIT)
		return limit(out, "the kernel needs %zu bytes of local memory per thread, at most %d are allowed", each,
					 LOCAL_LIMIT);
	if (each * together <= STATE_LIMIT) return true;
	return limit(out,
				 "%llu threads that run together need %llu MiB of local memory, the emulator gives them %d MiB: use "
				 "smaller arrays or fewer threads per block",
				 (unsigned long long)together, (unsigned long long)(each * together >> 20), STATE_LIMIT >> 20);
}

static bool launches_nothing(const EmuKernel *k, LaunchOutcome *out) {
	char kernel[sizeof out->fault.kernel], function[sizeof out->fault.kernel], where[400] = "";
	if (!k->launcher) return true;
	const PtxModule *module = k->module->ptx;
	const Place place = place_of_spot(module, spot_of(module, k->launches));
	mangled_function(k->programs[0]->ptx->name, kernel, sizeof kernel);
	mangled_function(k->launcher->name, function, sizeof function);
	if (place.line)
		snprintf(where, sizeof where, " at %.300s:%u", place.file, place.line);
	else if (k->launcher != k->programs[0]->ptx)
		snprintf(where, sizeof where, " in %s", function);
	out->fault.kind = FAULT_INSTRUCTION;
	return limit(out,
				 "the kernel %s launches a kernel from the device%s (dynamic parallelism), which the emulator cannot "
				 "do: launch it from the host",
				 kernel, where);
}

static bool allowed(const Gpu *gpu, const EmuKernel *k, const LaunchConfig *c, LaunchOutcome *out) {
	Err err = ERR_INIT;
	const uint64_t threads = launch_block_threads(c);
	const PtxFunction *f = k->programs[0]->ptx;
	size_t shared;
	if (__builtin_add_overflow(k->static_shared, c->shared_bytes, &shared)) shared = SIZE_MAX;
	if (!gpu_allows(gpu, c->grid, c->block, shared, &err))
		return limit(out, "%.400s%s%.100s", err.what, *err.hint ? "; " : "", err.hint);
	if (f->max_threads && threads > f->max_threads)
		return limit(out, "the launch requests %llu threads per block, the kernel allows %u (__launch_bounds__)",
					 (unsigned long long)threads, f->max_threads);
	return launches_nothing(k, out) && clusters_fit(gpu, k, c, out) && local_fits(k, c, out);
}

/* All blocks have to be on the GPU at once, or waiting blocks would keep the others out. */
static bool cooperates(const Gpu *gpu, const EmuKernel *k, const EmuLaunch *launch, LaunchOutcome *out) {
	const LaunchConfig *c = &launch->config;
	Occupancy o;
	Err err = ERR_INIT;
	if (!c->cooperative) return true;
	if (!gpu->generation->cooperative)
		return limit(out, "cooperative launches need compute capability 6.0; the %s has %u.%u", gpu->name, gpu->cc / 10,
					 gpu->cc % 10);
	const uint32_t bound = k->programs[0]->ptx->max_threads, live = emu_kernel_registers(k);
	const uint32_t assembled = assembled_registers(launch->assembled, launch->nassembled, gpu->cc);
	const uint32_t registers = assembled ? assembled : bound ? gpu_fit_registers(gpu, bound, live) : live;
	if (!gpu_occupancy(gpu, (uint32_t)launch_block_threads(c), registers, k->static_shared + c->shared_bytes, &o, &err))
		return limit(out, "%.500s", err.what);
	const uint64_t most = (uint64_t)o.blocks_per_sm * gpu->sms;
	return launch_blocks(c) <= most ||
		   limit(out,
				 "a cooperative launch has all its blocks on the GPU at once: this one has %llu, the %s holds %llu of "
				 "this kernel",
				 (unsigned long long)launch_blocks(c), gpu->name, (unsigned long long)most);
}

static bool set_heap(Machine *m, size_t bytes, LaunchOutcome *out) {
	return !bytes || memory_heap_limit(machine_memory(m), bytes) ||
		   limit(out,
				 "the device heap cannot have %zu bytes: while it holds objects it can only grow, and host memory is "
				 "limited",
				 bytes);
}

static bool sensible(const EmuKernel *k, const EmuLaunch *launch, Err *err) {
	const PtxFunction *f = k->programs[0]->ptx;
	if (launch->param_bytes != f->param_bytes) {
		err_set(err, ERR_USAGE, "kernel %s takes %zu bytes of parameters, %zu were given", f->name, f->param_bytes,
				launch->param_bytes);
		return err_hint(err, "pass one argument per parameter, of the parameter's type");
	}
	if (launch->param_bytes && !launch->params)
		return err_set(err, ERR_USAGE, "kernel %s was given no parameters", f->name);
	for (int i = 0; i < 3; i++)
		if (!launch->config.grid[i] || !launch->config.block[i])
			return err_set(err, ERR_USAGE, "grid and block must be at least 1 in every direction"),
				   err_hint(err, "check the launch shape");
	return true;
}

static const Allocation nothing = {.base = UINT64_MAX};

static void add_range(Run *run, const Allocation *a) {
	MemoryRange *at = run->ranges, *end = at + run->info.nranges;
	if (!a || a->freed || a->kind == ALLOC_MAPPED || end == run->ranges + MOST_RANGES) return;
	while (at < end && at->base != a->base) at++;
	if (at == end) run->ranges[run->info.nranges++] = (MemoryRange){a->base, a->bytes};
}

/* A pointer is at a multiple of eight bytes, also within a structure. */
static void setup_ranges(Run *run) {
	const EmuModule *module = run->kernel->module;
	run->info.ranges = run->ranges;
	for (size_t at = 0; at + 8 <= run->launch->param_bytes; at += 8) {
		uint64_t word;
		memcpy(&word, (const uint8_t *)run->launch->params + at, sizeof word);
		add_range(run, memory_find(run->info.memory, word));
	}
	for (uint32_t i = 0; i < module->ptx->nglobals; i++) add_range(run, module->globals[i]);
}

static void setup_info(Run *run) {
	const EmuKernel *k = run->kernel;
	run->info = (LaunchInfo){.module = k->module->ptx,
							 .functions = k->ptx,
							 .nfunctions = k->nprograms,
							 .first = k->first,
							 .ninstrs = k->ninstrs,
							 .config = run->launch->config,
							 .static_shared_bytes = k->static_shared,
							 .registers = emu_kernel_registers(k),
							 .assembled = run->launch->assembled,
							 .nassembled = run->launch->nassembled,
							 .cfg = k->programs[0]->cfg,
							 .gpu = machine_gpu(run->machine),
							 .memory = machine_memory(run->machine),
							 .cluster = {run->shape.cluster[0], run->shape.cluster[1], run->shape.cluster[2]},
							 .shared_bytes = run->shape.shared_total,
							 .shared_user = run->shape.shared_user,
							 .function_shared = k->function_shared,
							 .global_shared = k->global_shared,
							 .params = run->launch->params,
							 .shadow = &run->shadow};
	setup_ranges(run);
}

static void setup_observer_needs(Run *run) {
	for (size_t i = 0; i < run->launch->nobservers; i++) {
		const ObserverOps *o = run->launch->observers[i]->ops;
		run->wants.access |= o->access != NULL || o->texture != NULL;
		run->wants.branch |= o->branch != NULL;
		run->wants.speculation |= o->speculation != NULL;
		run->wants.barrier |= o->barrier != NULL;
		run->wants.fence |= o->fence != NULL;
		run->wants.counts |= o->block_end != NULL;
	}
}

/* Host bytes per block, before any call. */
static size_t block_state(const Run *run) {
	const EmuFunction *kernel = run->kernel->programs[0];
	return run->shape.shared_total +
		   run->shape.nwarps * (size_t)(kernel->frame_bytes + LANES * kernel->local_bytes + 1024);
}

/* Is there recursion, or may there be through a pointer? */
static bool calls_itself(const EmuModule *module, const EmuFunction *fn, uint8_t *seen, uint32_t depth) {
	enum { NEW, OPEN, DONE, DEEP = 1000 };
	bool again = fn->indirect || depth > DEEP;
	seen[fn->index] = OPEN;
	for (uint32_t i = 0; i < fn->ncallees && !again; i++) {
		const EmuFunction *callee = module->functions[fn->callees[i]];
		again = seen[callee->index] == OPEN ||
				(seen[callee->index] == NEW && calls_itself(module, callee, seen, depth + 1));
	}
	seen[fn->index] = DONE;
	return again;
}

static bool recurses(const Run *run) {
	const EmuKernel *kernel = run->kernel;
	if (kernel->nprograms == 1 && !kernel->programs[0]->indirect) return false;
	AUTO_FREE uint8_t *seen = xcalloc(kernel->module->ptx->nfunctions + 1, 1);
	return calls_itself(kernel->module, kernel->programs[0], seen, 0);
}

/* As many host threads as leave room for the state of each block, and for its calls if nothing else bounds them. */
static unsigned bounded_workers(const Run *run, unsigned workers) {
	const size_t each = block_state(run) * run->shape.cluster_size;
	if (recurses(run) && workers > RECURSING_WORKERS) workers = RECURSING_WORKERS;
	while (workers > 1 && each > STATE_LIMIT / workers) workers--;
	return workers;
}

/* The number of workers, and the slice limit, which does not depend on that number, so that the events of a block do
 * not either. */
static void choose_workers(Run *run) {
	const EmuLaunch *launch = run->launch;
	run->nworkers = run->machine->threads;
	if (run->nworkers > run->shape.nclusters) run->nworkers = (unsigned)run->shape.nclusters;
	run->nworkers = bounded_workers(run, run->nworkers);
	if (launch->config.schedule || launch->config.repeatable) run->nworkers = 1;
	for (size_t o = 0; o < launch->nobservers; o++) {
		const Observer *self = launch->observers[o];
		if (!self->order) continue;
		if (self->order->serial(self, &run->info))
			run->nworkers = 1;
		else
			run->schedule.independent = true;
	}
	run->schedule.slice_limit = run->schedule.independent ? INDEPENDENT_SLICES : SLICES_BEFORE_YIELD;
}

static void begin_observers(const Run *run) {
	for (size_t i = 0; i < run->launch->nobservers; i++) {
		Observer *self = run->launch->observers[i];
		if (self->ops->launch_begin) self->ops->launch_begin(self, &run->info);
	}
}

static void setup_workers(Run *run) {
	const EmuLaunch *launch = run->launch;
	run->workers = xaligned(run->nworkers * sizeof *run->workers, CACHE_LINE_PAD);
	for (unsigned i = 0; i < run->nworkers; i++) {
		Worker *k = &run->workers[i];
		k->run = run;
		atomic_store(&k->progress, 1);
		for (unsigned c = 0; c < ALLOCATION_CACHE; c++) k->cache[0][c] = k->cache[1][c] = (Allocation *)&nothing;
		k->nobservers = launch->nobservers;
		k->observers = xcalloc(launch->nobservers + 1, sizeof(Observer *));
		k->on_load = xcalloc(launch->nobservers + 1, sizeof(Observer *));
		k->on_write = xcalloc(launch->nobservers + 1, sizeof(Observer *));
		size_t loads = 0, writes = 0;
		bool shapes = false;
		for (size_t o = 0; o < launch->nobservers; o++) {
			Observer *self = launch->observers[o];
			k->observers[o] = self->ops->fork ? self->ops->fork(self) : self;
			shapes |= self->ops->wants_shapes;
			if (self->ops->access) k->on_write[writes++] = k->observers[o];
			if (self->ops->access && !self->ops->ignores_loads) k->on_load[loads++] = k->observers[o];
		}
		if (shapes) shapes_reset(&k->shapes, same_shape_here(), run->kernel->ninstrs);
		k->instr_warps = xcalloc(run->kernel->ninstrs + 1, sizeof *k->instr_warps);
		k->instr_threads = xcalloc(run->kernel->ninstrs + 1, sizeof *k->instr_threads);
	}
}

static void free_workers(Run *run) {
	for (unsigned i = 0; i < run->nworkers; i++) {
		Worker *k = &run->workers[i];
		for (size_t o = 0; o < k->nobservers; o++) {
			Observer *self = run->launch->observers[o];
			if (self->ops->fork && self->ops->join) self->ops->join(self, k->observers[o]);
		}
		free(k->observers);
		free(k->on_load);
		free(k->on_write);
		shapes_reset(&k->shapes, NULL, 0);
		free(k->instr_warps);
		free(k->instr_threads);
		free(k->before);
	}
	free(run->workers);
}

/* Are the events that the observers got from several workers valid together? */
static bool validate(const Run *run) {
	const int why = atomic_load(&run->end.stop);
	Observer *forks[MOST_HOST_THREADS];
	bool good = true;
	if (run->nworkers == 1 || why >= STOP_TIMEOUT) return true;
	for (size_t o = 0; o < run->launch->nobservers; o++) {
		Observer *self = run->launch->observers[o];
		if (!self->order) continue;
		for (unsigned i = 0; i < run->nworkers; i++) forks[i] = run->workers[i].observers[o];
		good &= self->order->validate(self, forks, run->nworkers, why == STOP_NO);
	}
	return good;
}

/* As many blocks at once as the GPU could hold, but not more memory than STATE_LIMIT for all workers together. */
static uint32_t resident_limit(const Run *run) {
	const Gpu *gpu = machine_gpu(run->machine);
	uint64_t per_sm = gpu->blocks_per_sm ? gpu->blocks_per_sm : 1,
			 fit = gpu->warps_per_sm / (run->shape.nwarps ? run->shape.nwarps : 1);
	if (fit < per_sm) per_sm = fit ? fit : 1;
	uint64_t most = per_sm * gpu->sms / run->nworkers + 1;
	const uint64_t room = STATE_LIMIT / run->nworkers / block_state(run) + 1;
	if (run->launch->config.cooperative) return (uint32_t)run->shape.nblocks; /* cooperates() has bounded it */
	if (room < most) most = room;
	return most < run->shape.cluster_size ? run->shape.cluster_size : (uint32_t)most;
}

/* 1234567 as "1 234 567". */
static void number_text(uint64_t number, char out[32]) {
	char digits[24];
	const int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
	for (int i = 0; i <= n; i++) {
		*out++ = digits[i];
		if (i + 1 < n && (n - i - 1) % 3 == 0) *out++ = ' ';
	}
}

/* ": block (0,0,0), warp 3, was at k.cu:12 after 1 234 567 warp instructions". */
static void standing_text(const Standing *s, char *out, size_t size) {
	const char *name = strrchr(s->at.file, '/');
	char number[32], line[100] = "";
	*out = '\0';
	if (!s->at.located) return;
	number_text(s->instructions, number);
	if (s->at.line) snprintf(line, sizeof line, "at %.70s:%u ", name ? name + 1 : s->at.file, s->at.line);
	snprintf(out, size, ": block (%u,%u,%u), warp %u, was %safter %s warp instructions", s->at.block[0], s->at.block[1],
			 s->at.block[2], s->warp, line, number);
}

static void fill_outcome(Run *run, LaunchOutcome *out) {
	const uint32_t ms = run->launch->config.timeout_ms ? run->launch->config.timeout_ms : DEFAULT_TIMEOUT_MS;
	const Standing *standing = &run->end.standing;
	out->milliseconds = (double)(clock_ns() - run->end.started_ns) / 1e6;
	if (run->end.faulted) {
		out->status = LAUNCH_FAULT;
		out->fault = run->end.fault;
		snprintf(out->message, sizeof out->message, "%s", run->end.fault.message);
		return;
	}
	char cause[240] = "Does a loop never end?", where[200];
	standing_text(standing, where, sizeof where);
	if (standing->tests) mbarrier_cause(standing->tested, standing->by_parity, cause, sizeof cause);
	out->fault = standing->at;
	switch (atomic_load(&run->end.stop)) {
	case STOP_TIMEOUT:
		out->status = LAUNCH_TIMEOUT;
		snprintf(
			out->message, sizeof out->message,
			"The kernel did not end within %u ms of processor time%s. %s The launch's timeout=, in ms, or %s allows "
			"more.",
			ms, where, cause, limit_how(LIMIT_EMULATOR_TIME));
		break;
	case STOP_WORK:
		out->status = LAUNCH_TIMEOUT;
		snprintf(out->message, sizeof out->message, "The kernel did not end within %llu basic blocks%s. %s",
				 (unsigned long long)run->launch->config.work_limit, where, cause);
		break;
	case STOP_WAITS:
		out->status = LAUNCH_TIMEOUT;
		snprintf(out->message, sizeof out->message, "The kernel never ends%s. %s%s%s", where, run->end.waits,
				 standing->tests ? " " : "", standing->tests ? cause : "");
		break;
	case STOP_CANCEL:
		out->status = LAUNCH_INTERRUPTED;
		snprintf(out->message, sizeof out->message, "The kernel was interrupted%s.", where);
		break;
	case STOP_SHADOW:
		out->status = LAUNCH_LIMIT;
		snprintf(out->message, sizeof out->message,
				 "The %s check needs more than %zu MiB to track this launch's memory accesses. Check a smaller problem "
				 "size, or fewer blocks.",
				 atomic_load(&run->shadow.full), run->shadow.limit >> 20);
		break;
	default: out->status = LAUNCH_OK; break;
	}
}

static void stop_for_shadow(void *data) {
	run_stop(data, STOP_SHADOW);
}

static void begin_shadow(Run *run) {
	const size_t bytes = run->launch->shadow_bytes;
	run->shadow.limit = bytes ? bytes : DEFAULT_SHADOW;
	run->shadow.end_launch = stop_for_shadow;
	run->shadow.run = run;
	atomic_store(&run->shadow.used, 0);
	atomic_store(&run->shadow.full, NULL);
	atomic_store(&run->stacks, 0);
}

static uint64_t time_limit_ns(const Run *run) {
	const uint32_t ms = run->launch->config.timeout_ms;
	return (ms ? ms : DEFAULT_TIMEOUT_MS) * UINT64_C(1000000);
}

void launch_extend(Run *run) {
	if (atomic_load(&run->end.busy)) run_spent(run->workers);
	run->end.limit_ns = time_limit_ns(run);
	atomic_store(&run->end.spent_ns, 0);
}

static void prepare_workers(Run *run) {
	run->info.workers = run->nworkers;
	begin_shadow(run);
	begin_observers(run);
	setup_workers(run);
	run->schedule.max_resident = resident_limit(run);
	atomic_store(&run->end.work, 0);
	if (!run->end.started_ns) run->end.started_ns = clock_ns();
	launch_extend(run);
}

static void run_once(Run *run) {
	prepare_workers(run);
	run_blocks(run);
	const size_t used = atomic_load(&run->shadow.used);
	if (used > run->shadow_peak) run->shadow_peak = used;
}

static void run_until_validated(Run *run) {
	choose_workers(run);
	run_once(run);
	const bool good = validate(run);
	free_workers(run);
	hand_over_printed(run, good);
	if (good) return;
	run->nworkers = 1;
	run->end.faulted = false;
	atomic_store(&run->end.stop, STOP_NO);
	atomic_store(&run->schedule.next_cluster, 0);
	atomic_store(&run->printed.bytes, 0);
	run_once(run);
	free_workers(run);
	hand_over_printed(run, true);
}

/* A sample consists of whole clusters: its runs are multiples of the cluster's extent in x. */
static bool whole_clusters(const LaunchConfig *c, const LaunchShape *shape, Err *err) {
	const uint32_t *cluster = shape->cluster;
	if (shape->nblocks == launch_blocks(c)) return true;
	if (cluster[0] == shape->cluster_size && SAMPLE_RUN % shape->cluster_size == 0) return true;
	err_set(err, ERR_USAGE, "no sample of the grid can run with clusters of %u x %u x %u blocks", cluster[0],
			cluster[1], cluster[2]);
	return err_hint(err, "omit sample, or use a smaller grid");
}

enum { RESERVED_ALIGN = 16 };

static LaunchShape shape_of(const EmuKernel *kernel, const LaunchConfig *c) {
	LaunchShape shape = {.block_threads = (uint32_t)launch_block_threads(c),
						 .nblocks = launch_blocks_run(c),
						 .cluster_size = 1,
						 .dynamic_offset = kernel->dynamic_offset};
	for (int i = 0; i < 3; i++) {
		shape.cluster[i] = cluster_extent(kernel, c, i);
		shape.cluster_size *= shape.cluster[i];
	}
	shape.nwarps = (shape.block_threads + LANES - 1) / LANES;
	shape.nclusters = shape.nblocks / shape.cluster_size;
	shape.shared_user = c->shared_bytes ? shape.dynamic_offset + c->shared_bytes : kernel->static_shared;
	shape.reserved = (shape.shared_user + RESERVED_ALIGN - 1) & ~(size_t)(RESERVED_ALIGN - 1);
	shape.shared_total = kernel->reserves_shared ? shape.reserved + RESERVED_SHARED : shape.shared_user;
	return shape;
}

static bool grid_barrier_begin(Run *run, Err *err) {
	if (!run->launch->config.cooperative) return true;
	Allocation *a = memory_add(machine_memory(run->machine), ALLOC_GLOBAL, 64, "the grid's barrier", err);
	if (!a) return false;
	memset(a->host, 0, a->bytes);
	allocation_mark(a, 0, a->bytes);
	run->grid_barrier = a->base;
	return true;
}

LaunchStart launch_open(Run *run, Machine *m, const EmuKernel *kernel, const EmuLaunch *launch, LaunchOutcome *out,
						Err *err) {
	const LaunchConfig *c = &launch->config;
	memset(out, 0, sizeof *out);
	if (!sensible(kernel, launch, err)) return LAUNCH_INVALID;
	if (!allowed(m->gpu, kernel, c, out) || !cooperates(m->gpu, kernel, launch, out) ||
		!set_heap(m, c->heap_bytes, out))
		return LAUNCH_REFUSED;
	*run =
		(Run){.machine = m, .textures = m->textures, .kernel = kernel, .launch = launch, .shape = shape_of(kernel, c)};
	if (!whole_clusters(c, &run->shape, err) || !grid_barrier_begin(run, err)) return LAUNCH_INVALID;
	pthread_mutex_init(&run->lock, NULL);
	pthread_mutex_init(&run->wide, NULL);
	setup_info(run);
	setup_observer_needs(run);
	return LAUNCH_OPEN;
}

Worker *launch_one_worker(Run *run) {
	run->nworkers = 1;
	run->schedule.slice_limit = SLICES_BEFORE_YIELD;
	prepare_workers(run);
	worker_begins(run->workers);
	return run->workers;
}

void launch_close(Run *run) {
	Memory *memory = machine_memory(run->machine);
	pthread_mutex_destroy(&run->lock);
	pthread_mutex_destroy(&run->wide);
	if (run->grid_barrier) memory_forget(memory, memory_find(memory, run->grid_barrier));
	memory_sweep(memory);
}

void launch_end_worker(Run *run) {
	free_workers(run);
	hand_over_printed(run, false);
}

bool machine_launch(Machine *m, const EmuKernel *kernel, const EmuLaunch *launch, LaunchOutcome *out, Err *err) {
	Run run;
	const LaunchStart start = launch_open(&run, m, kernel, launch, out, err);
	if (start != LAUNCH_OPEN) return start == LAUNCH_REFUSED;
	run_until_validated(&run);
	fill_outcome(&run, out);
	out->shadow_bytes = run.shadow_peak;
	for (size_t i = 0; i < launch->nobservers; i++)
		if (launch->observers[i]->ops->launch_end) launch->observers[i]->ops->launch_end(launch->observers[i], out);
	launch_close(&run);
	return true;
}
