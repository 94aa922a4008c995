/* What stops a launch at a place. Of several faults at the same time the one in the lowest block is kept. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text/mangled.h"
#include "emu/code/origin.h"
#include "emu/code/variables.h"
#include "emu/warp/access.h"
#include "ptx/places.h"

static void describe_place(Fault *f, const Warp *w, const Op *op, uint32_t lanes) {
	const LaunchConfig *c = &w->worker->run->launch->config;
	const EmuFunction *fn = w->frame->function;
	const PtxInstr *in = op->instr < fn->ptx->ninstrs ? &fn->ptx->instrs[op->instr] : NULL;
	const PtxModule *module = w->worker->run->kernel->module->ptx;
	f->located = true;
	launch_place(w->number * LANES + first_lane(lanes), c->block, f->thread);
	memcpy(f->block, w->block->ctaid, sizeof f->block);
	f->threads = count_lanes(lanes);
	mangled_function(w->worker->run->kernel->programs[0]->ptx->name, f->kernel, sizeof f->kernel);
	Spot spot = spot_of(module, in);
	for (const Frame *frame = w->frame; spot_in_toolkit(module, spot) && frame->caller; frame = frame->caller)
		spot = spot_of(module, frame->site->instr);
	const Place place = place_of_spot(module, spot);
	snprintf(f->file, sizeof f->file, "%s", place.file);
	f->line = place.line;
}

static void keep_first(Warp *w, const Fault *f) {
	Run *run = w->worker->run;
	pthread_mutex_lock(&run->lock);
	if (!run->end.faulted || w->block->number < run->end.fault_block) {
		run->end.faulted = true;
		run->end.fault = *f;
		run->end.fault_block = w->block->number;
	}
	pthread_mutex_unlock(&run->lock);
}

static const Op *submit(Warp *w, const Fault *f) {
	keep_first(w, f);
	run_stop(w->worker->run, STOP_FAULT);
	return NULL;
}

const Op *fault_at(Warp *w, const Op *op, uint32_t lanes, FaultKind kind, const char *fmt, ...) {
	Fault f = {.kind = kind};
	describe_place(&f, w, op, lanes);
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(f.message, sizeof f.message, fmt, ap);
	va_end(ap);
	return submit(w, &f);
}

const Op *fault_place(Warp *w, const Op *op, uint32_t lanes, FaultKind kind, const char *file, uint32_t line,
					  const char *message) {
	Fault f = {.kind = kind};
	describe_place(&f, w, op, lanes);
	snprintf(f.file, sizeof f.file, "%s", file);
	f.line = line;
	snprintf(f.message, sizeof f.message, "%s", message);
	return submit(w, &f);
}

static const char *const access_names[] = {"load", "store", "atomic"};
static const char *const access_verbs[] = {"reads", "writes", "updates"};

/* Shared memory, of the block of the cluster that the address selects. */
static void describe_shared(Fault *f, const Warp *w, char *text, size_t room) {
	uint64_t at = f->address;
	const Cluster *c = w->block->cluster;
	const uint64_t rank = at / CLUSTER_STRIDE - 1;
	const bool mapped = at >= CLUSTER_STRIDE && rank < c->size;
	if (mapped) at %= CLUSTER_STRIDE;
	uint64_t begin = 0;
	f->buffer_bytes = w->shared_bytes;
	const PtxVar *v = shared_variable(&w->worker->run->info, at, &begin, &f->buffer_bytes);
	mangled_variable(v ? v->name : "", f->buffer, sizeof f->buffer);
	f->offset = (int64_t)(at - begin);
	const char *name = f->buffer[0] ? f->buffer : "shared memory";
	const size_t asked = w->worker->run->launch->config.shared_bytes;
	if (mapped && !c->block[rank]->threads_alive)
		snprintf(text, room, "it belongs to block %llu of the cluster, which " FAULT_ENDED, (unsigned long long)rank);
	else if (mapped)
		snprintf(text, room, "byte %lld of %s in block %llu of the cluster; a block has %zu bytes of shared memory",
				 (long long)f->offset, name, (unsigned long long)rank, w->shared_bytes);
	else if (v && !v->bytes)
		snprintf(text, room, "byte %lld of %s; the launch asked for %zu bytes of dynamic shared memory",
				 (long long)f->offset, name, asked);
	else
		snprintf(text, room, "byte %lld of %s; the block has %zu bytes of shared memory", (long long)f->offset, name,
				 w->shared_bytes);
}

static uint32_t lanes_like(const uint64_t *addr, uint32_t mask, uint32_t width, bool misaligned) {
	uint32_t n = 0;
	FOR_LANES(l, mask) n += ((addr[l] & (width - 1)) != 0) == misaligned;
	return n ? n : 1;
}

static uint64_t distance(const Allocation *a, uint64_t addr) {
	return addr < a->base ? a->base - addr : addr - a->base < a->bytes ? 0 : addr - a->base - a->bytes;
}

/* The nearest of those that the kernel's parameters have addresses in. */
static const Allocation *nearest_given(const LaunchInfo *info, uint64_t addr) {
	const Allocation *nearest = NULL;
	const size_t bytes = info->params ? info->functions[0]->param_bytes : 0;
	for (size_t at = 0; at + sizeof(uint64_t) <= bytes; at += sizeof(uint64_t)) {
		uint64_t word;
		memcpy(&word, info->params + at, sizeof word);
		const Allocation *a = memory_find(info->memory, word);
		if (a && !memory_is_hidden(a) && (!nearest || distance(a, addr) < distance(nearest, addr))) nearest = a;
	}
	return nearest;
}

/* The one that the access means: which contains the address, or from whose pointer it was made. Where that is not
 * known, one that is close, or that the kernel was given. */
static const Allocation *allocation_meant(const Warp *w, const Op *op, uint64_t addr) {
	enum { CLOSE = 4096 };
	const LaunchInfo *info = &w->worker->run->info;
	const Allocation *nearest = memory_nearest(info->memory, addr);
	if (nearest && !distance(nearest, addr)) return nearest;
	const Allocation *meant = origin_of_access(info, w->frame->function->ptx, op->instr);
	if (meant || (nearest && distance(nearest, addr) < CLOSE)) return meant ? meant : nearest;
	const Allocation *given = nearest_given(info, addr);
	return given ? given : nearest;
}

/* What the address is, in words: "16 bytes past the end of \"out\" (4096 bytes)". */
static void describe_global(Fault *f, const Warp *w, const Op *op, char *text, size_t room) {
	const Allocation *a = allocation_meant(w, op, f->address);
	const uint64_t far = UINT64_C(1) << 37; /* what 32 bits of an index of 16 bytes reach, and as much again */
	const bool in_heap = f->address >= HEAP_BASE && f->address < HEAP_BASE + far;
	const bool is_near = a && f->address + far >= a->base && f->address <= a->base + a->bytes + far;
	const char *nothing = f->address < 65536                         ? FAULT_NULL
						  : in_heap && (!a || a->kind != ALLOC_HEAP) ? "the heap of malloc, where it was freed"
						  : !is_near                                 ? FAULT_NOWHERE
																	 : NULL;
	if (nothing) {
		f->offset = 0;
		snprintf(text, room, "%s", nothing);
		return;
	}
	const bool hidden = memory_is_hidden(a);
	snprintf(f->buffer, sizeof f->buffer, "%s", hidden ? "" : a->name);
	f->offset = (int64_t)(f->address - a->base);
	f->buffer_bytes = a->bytes;
	const char *name = hidden ? "a text of printf" : a->name[0] ? a->name : "a buffer without a name";
	if (f->offset < 0)
		snprintf(text, room, "%lld bytes before the beginning of %s", -(long long)f->offset, name);
	else if ((uint64_t)f->offset == a->bytes)
		snprintf(text, room, "just past the end of %s (%zu bytes)", name, a->bytes);
	else if ((uint64_t)f->offset > a->bytes)
		snprintf(text, room, "%lld bytes past the end of %s (%zu bytes)", (long long)f->offset - (long long)a->bytes,
				 name, a->bytes);
	else if (a->freed)
		snprintf(text, room, "byte %lld of %s, which was freed", (long long)f->offset, name);
	else if ((uint64_t)f->offset + f->width > a->bytes)
		snprintf(text, room, "byte %lld of %s, whose end is at %zu", (long long)f->offset, name, a->bytes);
	else
		snprintf(text, room, "byte %lld of %s", (long long)f->offset, name);
	if (a->freed && (uint64_t)f->offset < a->bytes) f->kind = FAULT_FREED;
	if (!a->freed && a->kind == ALLOC_CONST && f->offset >= 0 && (uint64_t)f->offset < a->bytes)
		f->kind = FAULT_WRONG_SPACE;
}

static bool may_go_on_after(PtxOp op) {
	return op == OP_LD || op == OP_ST || op == OP_ATOM || op == OP_RED;
}

/* Whether an observer wants to see what comes after a bad access. A kernel that does nothing else ends. */
static bool carries_on(Warp *w, const Op *op) {
	enum { ENOUGH = 10000 };
	const Worker *k = w->worker;
	const PtxInstr *in = instr_of(w, op);
	bool wanted = false;
	for (size_t i = 0; i < k->nobservers; i++) wanted |= k->observers[i]->ops->bad_access != NULL;
	return wanted && may_go_on_after(in->op) && w->worker->bad_accesses++ < ENOUGH;
}

/* The other lanes do as they would have. */
static const Op *carry_on(Warp *w, const Op *op, const Fault *f, AccessKind kind, uint32_t bad) {
	const Worker *k = w->worker;
	const uint32_t mask = w->mask;
	const uint32_t masked = w->masked;
	keep_first(w, f);
	NOTIFY(k, bad_access, f);
	if (kind == ACCESS_LOAD) fill_sentinel(w, op, bad);
	if (mask == bad) return op + 1;
	w->mask = mask & ~bad;
	w->masked = true;
	const Op *next = op->run(w, op);
	w->mask = mask;
	w->masked = masked;
	return next;
}

const Op *fault_access(Warp *w, const Op *op, PtxSpace space, AccessKind kind, const uint64_t *addr, uint32_t mask) {
	Fault f = {.kind = FAULT_OUT_OF_BOUNDS, .width = (uint32_t)op->bytes * op->vector};
	/* Shared memory is checked for the warp as a whole: find the lanes that are wrong. */
	uint32_t bad = 0;
	FOR_LANES(l, mask) {
		bool far = space != SPACE_SHARED || !shared_at(w, addr[l], f.width);
		if (far || (addr[l] & (f.width - 1))) bad |= 1u << l;
	}
	if (!bad) bad = mask;
	const uint32_t lane = first_lane(bad);
	f.address = addr[lane];
	const bool misaligned = (addr[lane] & (f.width - 1)) != 0;
	describe_place(&f, w, op, bad);
	f.threads = lanes_like(addr, bad, f.width, misaligned);
	snprintf(f.space, sizeof f.space, "%s", ptx_space_name(space));
	snprintf(f.access, sizeof f.access, "%s", access_names[kind]);
	char where[192] = "";
	if (space == SPACE_GLOBAL || space == SPACE_CONST) {
		describe_global(&f, w, op, where, sizeof where);
		uint64_t in_window = f.address;
		PtxSpace meant = generic_space(&in_window);
		if (meant != SPACE_GLOBAL) {
			f.kind = FAULT_WRONG_SPACE;
			f.buffer[0] = '\0';
			f.offset = 0;
			f.buffer_bytes = 0;
			snprintf(where, sizeof where, "an address in %s memory", ptx_space_name(meant));
		}
	} else if (space == SPACE_SHARED) {
		describe_shared(&f, w, where, sizeof where);
	} else {
		const uint64_t size = space == SPACE_LOCAL ? stack_end(w->frame, lane) : 0;
		f.offset = (int64_t)f.address;
		f.buffer_bytes = (size_t)size;
		snprintf(where, sizeof where, "byte %lld of the thread's %llu bytes", (long long)f.offset,
				 (unsigned long long)size);
	}
	if (misaligned) {
		f.kind = FAULT_MISALIGNED;
		snprintf(f.message, sizeof f.message, "%s %s of %u bytes at 0x%llx, which is not a multiple of %u: %s.",
				 kind == ACCESS_ATOMIC ? "An" : "A", access_names[kind], f.width, (unsigned long long)f.address,
				 f.width, where);
	} else {
		snprintf(f.message, sizeof f.message, "The thread %s %u byte%s of %s memory at 0x%llx: %s.", access_verbs[kind],
				 f.width, f.width == 1 ? "" : "s", f.space, (unsigned long long)f.address, where);
	}
	if (carries_on(w, op)) return carry_on(w, op, &f, kind, bad & w->mask);
	return submit(w, &f);
}

/* --- limits and cancels ------------------------------------------------------------------------------------------- */

bool stop_at(Warp *w, const Op *op, StopReason reason) {
	Run *run = w->worker->run;
	if (!run_stop(run, reason)) return false;
	const Split *s = w->split;
	run->end.standing = (Standing){.warp = w->number,
								   .instructions = w->issued,
								   .tests = w->spinning.tests,
								   .tested = w->spinning.tested,
								   .by_parity = w->spinning.by_parity};
	describe_place(&run->end.standing.at, w, op, s->entries[s->nentries - 1].mask);
	return true;
}

bool must_stop(Warp *w, const Op *op, uint32_t basic_blocks) {
	Worker *k = w->worker;
	const atomic_bool *cancel = k->run->launch->cancel;
	if (!k->run->end.limit_ns) return run_stopped(k->run);
	if (cancel && atomic_load_explicit(cancel, memory_order_relaxed)) stop_at(w, op, STOP_CANCEL);
	if (limit_is_over(k, basic_blocks)) stop_at(w, op, STOP_TIMEOUT);
	return run_stopped(k->run);
}

void work_done(Warp *w, const Op *op, uint64_t basic_blocks) {
	Run *run = w->worker->run;
	const uint64_t most = run->launch->config.work_limit;
	if (most && atomic_fetch_add_explicit(&run->end.work, basic_blocks, memory_order_relaxed) + basic_blocks > most)
		stop_at(w, op, STOP_WORK);
}
