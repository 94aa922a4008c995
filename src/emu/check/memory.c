/* The memory checker. Accesses outside all memory, to freed memory, misaligned ones and an exhausted stack are faults
 * of the machine, which this checker reports too. The machine does not detect an access that leaves its array and
 * hits another one: the next __shared__ array, or another buffer. Detecting it takes the origin of an address.
 *
 * An access whose address has an origin (emu/code/origin.h) must stay inside that variable or buffer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "emu/check/checker.h"
#include "emu/check/lanes.h"
#include "emu/code/origin.h"
#include "emu/code/variables.h"
#include "emu/memory/memory.h"

typedef struct {
	Checker checker;
	Origin *of_instr; /* [ninstrs]: KNOWN where an access is bound to one; shared by the forks */
} MemoryChecker;

/* --- accesses ----------------------------------------------------------------------------------------------------- */

__attribute__((noinline)) static void look_at_lanes(MemoryChecker *c, const Origin *s, const Access *a) {
	FOR_LANES(l, a->mask) {
		if (a->addr[l] >= s->low && a->addr[l] + a->width <= s->high) continue;
		Hit hit = hit_of(a, l, a->addr[l], a->width);
		hit.figures[0] = s->low;
		hit.figures[1] = s->high;
		hits_add(&c->checker.hits, &hit);
	}
}

static void on_access(Observer *self, const Access *a) {
	MemoryChecker *c = (MemoryChecker *)self;
	const Origin *s = &c->of_instr[a->instr];
	if (s->kind != ORIGIN_KNOWN || s->space != a->space) return;
	const LaneSpan span = lanes_span(a);
	if (span.low < s->low || span.high + a->width > s->high) look_at_lanes(c, s, a);
}

/* --- reporting ---------------------------------------------------------------------------------------------------- */

static bool describe(const Checker *c, const Hit *h, Finding *f) {
	static const char *const does[] = {"reads", "writes", "updates"};
	Finding meant = {0};
	char who[96], where[128], into[160] = "";
	name_address(&c->info, h->space, h->figures[0], &meant);
	const char *name = meant.buffer[0] ? meant.buffer : "the array";
	const uint64_t bytes = h->figures[1] - h->figures[0];
	say_thread(&f->site[0], who, sizeof who);
	if (h->addr < h->figures[0])
		snprintf(where, sizeof where, "%llu bytes before %s", (unsigned long long)(h->figures[0] - h->addr), name);
	else
		snprintf(where, sizeof where, "byte %llu of %s, which has %llu", (unsigned long long)(h->addr - h->figures[0]),
				 name, (unsigned long long)bytes);
	if (f->buffer[0] && strcmp(f->buffer, meant.buffer)) snprintf(into, sizeof into, "; it hit %s", f->buffer);
	snprintf(f->message, sizeof f->message, "An access %s %u byte%s at %s%s, by %s.", does[h->kind[0]], h->width,
			 h->width == 1 ? "" : "s", where, into, who);
	snprintf(f->hint, sizeof f->hint, "check the index against the size of %s", name);
	f->offset = (int64_t)(h->addr - h->figures[0]);
	f->buffer_bytes = bytes;
	memcpy(f->buffer, meant.buffer, sizeof f->buffer);
	return true;
}

static bool about_memory(FaultKind kind) {
	switch (kind) {
	case FAULT_OUT_OF_BOUNDS:
	case FAULT_FREED:
	case FAULT_MISALIGNED:
	case FAULT_WRONG_SPACE:
	case FAULT_STACK: return true;
	default: return false;
	}
}

static bool earlier_block(const FindingSite *a, const FindingSite *b) {
	for (unsigned i = 3; i-- > 0;)
		if (a->block[i] != b->block[i]) return a->block[i] < b->block[i];
	return false;
}

/* The same line: another thread, or (not again) the very same. That of the first block remains, whichever host thread
 * ran it. */
static bool known_fault(Checker *c, const Finding *f, bool again) {
	for (size_t i = 0; i < c->findings.len; i++) {
		Finding *old = &c->findings.data[i];
		if (!same_site(&old->site[0], &f->site[0]) || strcmp(old->site[0].access, f->site[0].access) != 0 ||
			strcmp(old->hint, f->hint) != 0)
			continue;
		const uint64_t count = old->count + (again ? f->count : 0);
		if (earlier_block(&f->site[0], &old->site[0])) *old = *f;
		old->count = count;
		return true;
	}
	return false;
}

static bool is_dynamic(const Checker *c, const Fault *t) {
	uint64_t begin;
	size_t bytes;
	const bool shared = strcmp(t->space, ptx_space_name(SPACE_SHARED)) == 0;
	const PtxVar *v = shared ? shared_variable(&c->info, t->address, &begin, &bytes) : NULL;
	return v && !v->bytes;
}

static void copy_fault(Checker *c, const Fault *t, bool again) {
	Finding f = finding_of_fault(CHECK_MEMORY, t);
	snprintf(f.hint, sizeof f.hint, "%s",
			 t->kind == FAULT_FREED            ? "keep the buffer until the last launch that uses it has ended"
			 : t->kind == FAULT_MISALIGNED     ? "wide accesses need addresses that are multiples of their width"
			 : t->kind == FAULT_STACK          ? "look for endless recursion, or for large arrays in functions"
			 : strstr(t->message, FAULT_ENDED) ? "let each block wait at its end until the others have read"
			 : strstr(t->message, FAULT_NULL)  ? "allocate the memory first, and check what the allocation returned"
			 : is_dynamic(c, t) ? "ask for enough at the launch, <<<grid, block, bytes>>>; or check the index"
			 : strstr(t->message, FAULT_NOWHERE)
				 ? "give the kernel memory of the device: cudaMalloc and cudaMemcpy, or cudaMallocManaged"
				 : "check the index against the buffer's size");
	if (!known_fault(c, &f, again)) vec_push(&c->findings, f);
}

static void on_bad_access(Observer *self, const Fault *fault) {
	Checker *c = (Checker *)self;
	if (about_memory(fault->kind)) copy_fault(c, fault, true);
}

static void on_join(Observer *self, Observer *other) {
	Checker *c = (Checker *)self, *fork = (Checker *)other;
	for (size_t i = 0; i < fork->findings.len; i++)
		if (!known_fault(c, &fork->findings.data[i], true)) vec_push(&c->findings, fork->findings.data[i]);
	vec_free(&fork->findings);
	checker_join(self, other);
}

/* --- the launch --------------------------------------------------------------------------------------------------- */

static void on_launch_begin(Observer *self, const LaunchInfo *info) {
	MemoryChecker *c = (MemoryChecker *)self;
	checker_begin(&c->checker, info);
	free(c->of_instr);
	shadow_take(info->shadow, "memory", info->ninstrs * sizeof *c->of_instr);
	c->of_instr = xcalloc(info->ninstrs + 1, sizeof *c->of_instr);
	for (uint32_t i = 0; i < info->nfunctions; i++)
		origins_of_accesses(info, info->functions[i], c->of_instr + info->first[i]);
}

static void on_launch_end(Observer *self, const LaunchOutcome *outcome) {
	Checker *c = (Checker *)self;
	/* The fault that ended the launch; one that did not is known already. */
	if (outcome->status == LAUNCH_FAULT && about_memory(outcome->fault.kind)) copy_fault(c, &outcome->fault, false);
	checker_finish(c);
}

static void clear(Checker *c) {
	if (!c->is_fork) free(((MemoryChecker *)c)->of_instr);
}

static const ObserverOps ops = {.fork = checker_fork,
								.join = on_join,
								.bad_access = on_bad_access,
								.launch_begin = on_launch_begin,
								.access = on_access,
								.launch_end = on_launch_end};

Checker *memory_checker_new(const Gpu *gpu) {
	return checker_new(
		&(Checker){.base.ops = &ops, .bytes = sizeof(MemoryChecker), .describe = describe, .clear = clear}, gpu);
}
