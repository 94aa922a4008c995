/* The unused checker: a launch that succeeded without any effect: no store to global memory, no atomic, no printf, no
 * free. A kernel whose guard excludes every thread looks like a fast one. Some kernels have another purpose: asserting,
 * taking time, being launched. */
#include <stdio.h>
#include <string.h>

#include "emu/check/checker.h"

typedef struct {
	Checker checker;
	bool wrote;
	uint64_t threads; /* of finished blocks */
	bool calls;       /* the code has calls that are effects */
	bool needs_none;  /* the kernel has another purpose than to write */
} Unused;

static bool calls(const PtxInstr *in, const char *name) {
	return in->op == OP_CALL && in->noperands > 1 && in->operands[1].kind == OPERAND_FUNCTION &&
		   in->operands[1].function && !strcmp(in->operands[1].function->name, name);
}

static bool is_effect(const PtxInstr *in) {
	return calls(in, "vprintf") || calls(in, "free");
}

static bool writes(const PtxInstr *in) {
	switch (in->op) {
	case OP_ST:
	case OP_ATOM:
	case OP_RED: return in->space == SPACE_GLOBAL || in->space == SPACE_GENERIC;
	default: return false;
	}
}

/* Code without stores that says if something is wrong, or that takes time: launched to keep a stream busy. */
static bool has_another_purpose(const PtxInstr *in) {
	const bool says = calls(in, "__assertfail") || calls(in, "vprintf");
	if (says || in->op == OP_TRAP || in->op == OP_NANOSLEEP) return true;
	for (uint32_t i = 0; i < in->noperands; i++) {
		const PtxOperand *o = &in->operands[i];
		if (o->kind == OPERAND_SPECIAL && o->special >= SR_CLOCK && o->special <= SR_GLOBALTIMER_HI) return true;
	}
	return false;
}

/* Nothing could come out of it: it is launched to wait for the GPU, or to measure a launch. */
static bool is_empty(const LaunchInfo *info) {
	return info->ninstrs == 1 && !info->functions[0]->nparams;
}

static void on_launch_begin(Observer *self, const LaunchInfo *info) {
	Unused *u = (Unused *)self;
	checker_begin(&u->checker, info);
	u->wrote = u->calls = false;
	u->threads = 0;
	bool another = is_empty(info), stores = false;
	for (uint32_t i = 0; i < info->ninstrs; i++) {
		u->calls |= is_effect(instr_at(info, i));
		another |= has_another_purpose(instr_at(info, i));
		stores |= writes(instr_at(info, i));
	}
	u->needs_none = another && !stores;
}

static void on_join(Observer *self, Observer *other) {
	Unused *u = (Unused *)self;
	u->wrote |= ((Unused *)other)->wrote;
	u->threads += ((Unused *)other)->threads;
	checker_join(self, other);
}

static void on_texture(Observer *self, const TextureAccess *a) {
	if (a->kind != ACCESS_LOAD) ((Unused *)self)->wrote = true;
}

static void on_access(Observer *self, const Access *a) {
	if (a->space == SPACE_GLOBAL) ((Unused *)self)->wrote = true;
}

static void on_block_end(Observer *self, const BlockCounts *counts) {
	Unused *u = (Unused *)self;
	const LaunchInfo *info = &u->checker.info;
	u->threads += counts->threads[0];
	if (u->wrote || !u->calls) return;
	for (uint32_t i = 0; i < info->ninstrs; i++) u->wrote |= counts->threads[i] && is_effect(instr_at(info, i));
}

/* The first store that no thread reached, or NO_INDEX. */
static uint32_t store_missed(const LaunchInfo *info) {
	for (uint32_t i = 0; i < info->ninstrs; i++)
		if (writes(instr_at(info, i))) return i;
	return NO_INDEX;
}

static void on_launch_end(Observer *self, const LaunchOutcome *outcome) {
	Unused *u = (Unused *)self;
	if (outcome->status == LAUNCH_OK && !u->wrote && !u->needs_none) {
		Hit hit = hit_at(store_missed(&u->checker.info), 0, NO_INDEX);
		hit.figures[0] = u->threads;
		hits_add(&u->checker.hits, &hit);
	}
	checker_finish(&u->checker);
}

static bool describe(const Checker *c, const Hit *h, Finding *f) {
	(void)c;
	const unsigned long long threads = h->figures[0];
	if (f->nsites) {
		snprintf(f->message, sizeof f->message,
				 "The kernel wrote nothing: none of its %llu threads reached this line, the first that stores.",
				 threads);
		snprintf(f->hint, sizeof f->hint, "check the guard before it, the sizes passed, and the launch shape");
	} else {
		snprintf(f->message, sizeof f->message,
				 "The kernel wrote nothing: its code has no store to global memory (%llu threads ran).", threads);
		snprintf(f->hint, sizeof f->hint,
				 "store the result through a pointer; the compiler removes code whose result is unused");
	}
	return true;
}

static const ObserverOps ops = {.fork = checker_fork,
								.join = on_join,
								.launch_begin = on_launch_begin,
								.access = on_access,
								.ignores_loads = true,
								.texture = on_texture,
								.block_end = on_block_end,
								.launch_end = on_launch_end};

Checker *unused_checker_new(const Gpu *gpu) {
	return checker_new(&(Checker){.base.ops = &ops, .bytes = sizeof(Unused), .describe = describe}, gpu);
}
