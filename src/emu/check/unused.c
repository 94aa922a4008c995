/* The unused checker: a launch that succeeded without any effect: no store to global memory, no atomic, no printf, no
 * free. A kernel whose guard excludes every thread looks like a fast one. Some kernels have another purpose: asserting,
 * taking time, being launched, looking for something that is not there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "emu/check/checker.h"
#include "ptx/analysis/varying.h"

typedef struct {
	Checker checker;
	bool wrote;
	uint64_t threads; /* of finished blocks */
	bool calls;       /* the code has calls that are effects */
	bool *ran;        /* [instruction of the kernel] in finished blocks, if nothing is written */
	bool needs_none;  /* the kernel has another purpose than to write */
	bool kept;        /* a condition on loaded values kept threads from writing */
} Unused;

static bool calls(const PtxInstr *in, const char *name) {
	return in->op == OP_CALL && in->noperands > 1 && in->operands[1].kind == OPERAND_FUNCTION &&
		   in->operands[1].function && !strcmp(in->operands[1].function->name, name);
}

static bool is_effect(const PtxInstr *in) {
	return calls(in, "vprintf") || calls(in, "free") || calls(in, "cudaGraphSetConditional");
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

/* --- kernels that look for something ------------------------------------------------------------------------------ */

typedef struct {
	bool *found; /* [reg] loaded from global memory, or computed from such a value */
	bool now, changed;
} Search;

static void look(void *data, uint32_t reg) {
	Search *s = data;
	s->now |= s->found[reg];
}

static void mark(void *data, uint32_t reg) {
	Search *s = data;
	s->changed |= !s->found[reg];
	s->found[reg] = true;
}

static bool loads(const PtxInstr *in) {
	return in->op == OP_LD && (in->space == SPACE_GLOBAL || in->space == SPACE_GENERIC);
}

/* A loaded value with another, as a step of a sort does; a limit would be a constant or a parameter. */
static bool compares(const PtxInstr *in, const bool *loaded) {
	uint32_t n = 0;
	for (uint32_t i = 1; in->op == OP_SETP && i < in->noperands; i++) {
		const PtxOperand *o = &in->operands[i];
		n += o->kind == OPERAND_REG && loaded[o->reg];
	}
	return n > 1;
}

/* Computed from what is loaded; or, given that, from comparisons in it. */
static void find_computed(const PtxFunction *f, const bool *loaded, bool *found) {
	Search s = {.found = found, .changed = true};
	while (s.changed) {
		s.changed = false;
		for (const PtxInstr *in = f->instrs; in < f->instrs + f->ninstrs; in++) {
			s.now = loaded ? compares(in, loaded) : loads(in);
			ptx_each_read(in, look, &s);
			if (s.now) ptx_each_written(in, mark, &s);
		}
	}
}

/* The same place for all threads: a flag, or a counter. */
static bool writes_one_place(const PtxInstr *in, const bool *varies) {
	for (uint32_t i = 0; i < in->noperands; i++)
		if (in->operands[i].kind == OPERAND_ADDRESS) return !in->operands[i].has_base || !varies[in->operands[i].reg];
	return false;
}

/* A condition on loaded values kept threads from writing: from all that it could, a flag or a counter, or the condition
 * compares them with each other. */
static bool looks_for_something(Unused *u) {
	const LaunchInfo *info = &u->checker.info;
	const PtxFunction *f = info->functions[0];
	bool all = true, ordered = false;
	if (!u->ran || info->nfunctions > 1) return false;
	AUTO_ARENA Arena *arena = arena_new();
	bool *found = arena_array(arena, f->nregs + 1, sizeof *found), *varies = ptx_varying(info->cfg);
	bool *compared = arena_array(arena, f->nregs + 1, sizeof *compared);
	find_computed(f, NULL, found);
	find_computed(f, found, compared);
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		if (writes(in)) all &= writes_one_place(in, varies);
		if (!in->guarded || !u->ran[i] || (in->op != OP_BRA && !writes(in))) continue;
		u->kept |= found[in->guard];
		ordered |= compared[in->guard];
	}
	free(varies);
	return (all && u->kept) || ordered;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static void on_launch_begin(Observer *self, const LaunchInfo *info) {
	Unused *u = (Unused *)self;
	checker_begin(&u->checker, info);
	free(u->ran);
	u->ran = NULL;
	u->wrote = u->calls = u->kept = false;
	u->threads = 0;
	bool another = is_empty(info), stores = false;
	for (uint32_t i = 0; i < info->ninstrs; i++) {
		u->calls |= is_effect(instr_at(info, i));
		another |= has_another_purpose(instr_at(info, i));
		stores |= writes(instr_at(info, i));
	}
	u->needs_none = another && !stores;
}

static Observer *on_fork(Observer *self) {
	Observer *fork = checker_fork(self);
	((Unused *)fork)->ran = NULL;
	return fork;
}

static void note_ran(Unused *u, const uint32_t *threads) {
	const uint32_t n = u->checker.info.functions[0]->ninstrs;
	if (!u->ran) u->ran = xcalloc(n, sizeof *u->ran);
	for (uint32_t i = 0; i < n; i++) u->ran[i] |= threads[i] != 0;
}

static void on_join(Observer *self, Observer *other) {
	Unused *u = (Unused *)self, *o = (Unused *)other;
	u->wrote |= o->wrote;
	u->threads += o->threads;
	for (uint32_t i = 0; u->ran && o->ran && i < u->checker.info.functions[0]->ninstrs; i++) u->ran[i] |= o->ran[i];
	if (!u->ran) u->ran = o->ran, o->ran = NULL;
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
	if (!u->wrote) note_ran(u, counts->threads);
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
	if (outcome->status == LAUNCH_OK && !u->wrote && !u->needs_none && !looks_for_something(u)) {
		Hit hit = hit_at(store_missed(&u->checker.info), 0, NO_INDEX);
		hit.figures[0] = u->threads;
		hit.figures[1] = u->kept;
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
		snprintf(f->hint, sizeof f->hint, "check the guard before it, %s",
				 h->figures[1] ? "which depends on loaded values, and these values"
							   : "the sizes passed, and the launch shape");
	} else {
		snprintf(f->message, sizeof f->message,
				 "The kernel wrote nothing: its code has no store to global memory (%llu threads ran).", threads);
		snprintf(f->hint, sizeof f->hint,
				 "store the result through a pointer; the compiler removes code whose result is unused");
	}
	return true;
}

static void clear(Checker *c) {
	free(((Unused *)c)->ran);
}

static const ObserverOps ops = {.fork = on_fork,
								.join = on_join,
								.launch_begin = on_launch_begin,
								.access = on_access,
								.ignores_loads = true,
								.texture = on_texture,
								.block_end = on_block_end,
								.launch_end = on_launch_end};

Checker *unused_checker_new(const Gpu *gpu) {
	return checker_new(&(Checker){.base.ops = &ops, .bytes = sizeof(Unused), .describe = describe, .clear = clear},
					   gpu);
}
