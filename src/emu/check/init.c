/* The init checker: uninitialized reads.
 *
 *     global   the machine remembers for each buffer which bytes were written, by the host or a kernel (memory.h);
 *              buffers it does not track count as written. Atomics read, too
 *     shared   unwritten when a block begins
 *     local    unwritten when a thread begins; what a returned call left on the stack counts as written
 *
 * Shared and local memory have one byte of state for a word of four: a bit for each byte written. A read is reported
 * where a whole element is unwritten, so that copying a struct with padding is not. What the compiler loads ahead of a
 * condition is reported where it is used after all (speculation.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "emu/check/checker.h"
#include "emu/check/lanes.h"
#include "emu/check/speculation.h"
#include "emu/memory/memory.h"
#include "gpu/lanes.h"
#include "ptx/analysis/value_uses.h"

enum { ALL_BYTES = 15 };

typedef struct {
	uint8_t *words; /* [word][lane] */
	size_t nwords;
} LocalState;

typedef struct {
	uint8_t *shared;           /* [word] */
	size_t left;               /* words of it that were not written yet, or not all bytes of them */
	LocalState *local;         /* [nwarps] */
	SpeculativeValues *values; /* [nwarps]; NULL until a warp loads one that is not written */
	uint32_t nwarps;
} InitBlock;

typedef struct {
	Checker checker;
	size_t shared_words;
	uint32_t nwarps;
	const Allocation *last; /* the last load was here */
	Speculation loading;    /* the load that comes next; step NULL: another one */
	uint32_t judged;        /* this instruction: does it read nothing? NO_INDEX: none yet */
	bool nothing;
} Init;

/* --- blocks ------------------------------------------------------------------------------------------------------- */

static void *make_block(void *context) {
	const Init *c = context;
	InitBlock *b = xcalloc(1, sizeof *b);
	shadow_take(c->checker.info.shadow, "init", c->shared_words + c->nwarps * sizeof *b->local);
	b->shared = xcalloc(c->shared_words + 1, 1);
	b->nwarps = c->nwarps;
	b->local = xcalloc(b->nwarps, sizeof *b->local);
	return b;
}

static void drop_block(void *state) {
	InitBlock *b = state;
	for (uint32_t i = 0; i < b->nwarps; i++) free(b->local[i].words);
	for (uint32_t i = 0; b->values && i < b->nwarps; i++) speculative_free(&b->values[i]);
	free(b->values);
	free(b->local);
	free(b->shared);
	free(b);
}

static void on_block_begin(Observer *self, uint32_t block) {
	Init *c = (Init *)self;
	InitBlock *b = blocks_begin(&c->checker.blocks, block, make_block, c);
	memset(b->shared, 0, c->shared_words);
	b->left = c->shared_words;
	for (uint32_t i = 0; i < b->nwarps; i++)
		if (b->local[i].nwords) memset(b->local[i].words, 0, b->local[i].nwords * LANES);
	for (uint32_t i = 0; b->values && i < b->nwarps; i++) speculative_forget(&b->values[i]);
}

/* --- one access --------------------------------------------------------------------------------------------------- */

/* Reads whose value is of no consequence: an atomicExch that only stores, a load whose value is ignored, and an
 * mbarrier that is initialized. */
static bool judge(const Init *c, const Access *a) {
	const PtxInstr *in = instr_at(&c->checker.info, a->instr);
	const PtxFunction *f = function_at(&c->checker.info, a->instr);
	if (!in || !f) return false;
	if (in->op == OP_MBARRIER) return in->mods & MOD_INIT;
	if (in->op == OP_ATOM) return in->atomic == ATOM_EXCH && value_use(f, in) == VALUE_IGNORED;
	return in->op == OP_LD && value_use(f, in) != VALUE_USED;
}

static bool reads_nothing(Init *c, const Access *a) {
	if (c->judged != a->instr) c->nothing = judge(c, a);
	c->judged = a->instr;
	return c->nothing;
}

/* An element that is not written was loaded ahead of a condition: is it used? */
static void wait_for_use(Init *c, const Access *a, uint32_t lane, uint64_t addr, uint32_t bytes) {
	InitBlock *b = block_state(&c->checker.blocks, a->block);
	if (!b->values) b->values = xcalloc(b->nwarps, sizeof *b->values);
	SpeculativeValues *v = &b->values[a->warp];
	v->shadow = c->checker.info.shadow;
	const Unwritten u = {
		.load = a->instr + 1, .depth = c->loading.depth, .width = bytes, .space = a->space, .addr = addr};
	const bool whole = bytes == a->width;
	for (uint32_t i = 0; i < c->loading.step->nwrites; i++)
		if (whole || i == (addr - a->addr[lane]) / bytes) speculative_set(v, c->loading.step->writes[i], lane, &u);
}

static bool is_speculative(const Init *c, const Access *a) {
	const Speculation *s = &c->loading;
	return s->step && s->instr == a->instr && s->warp == a->warp && s->block == a->block;
}

/* True: the other elements of the lane need no look. */
static bool unwritten(Init *c, const Access *a, uint32_t lane, uint64_t addr, uint32_t bytes) {
	if (is_speculative(c, a)) return wait_for_use(c, a, lane, addr, bytes), false;
	if (reads_nothing(c, a)) return true;
	const Hit hit = hit_of(a, lane, addr, bytes);
	hits_add(&c->checker.hits, &hit);
	return true;
}

static void on_use(void *data, const Speculation *s, uint32_t lane, const Unwritten *u) {
	Init *c = data;
	Hit hit = hit_at(u->load - 1, s->block, s->warp * LANES + lane);
	hit.kind[0] = ACCESS_LOAD;
	hit.space = u->space;
	hit.addr = u->addr;
	hit.width = u->width;
	hits_add(&c->checker.hits, &hit);
}

static void on_speculation(Observer *self, const Speculation *s) {
	Init *c = (Init *)self;
	if (shadow_full(c->checker.info.shadow)) return;
	c->loading.step = NULL;
	if (s->step->kind == SPECULATION_LOAD) c->loading = *s;
	InitBlock *b = block_state(&c->checker.blocks, s->block);
	if (b->values) speculative_step(&b->values[s->warp], s, on_use, c);
}

/* Bits of [addr, addr + bytes) in its word; bytes are 1, 2 or 4. */
static uint8_t bits_of(uint64_t addr, uint32_t bytes) {
	return (uint8_t)((((1u << bytes) - 1) << (addr & 3)) & ALL_BYTES);
}

static uint32_t mark_word(uint8_t *word, uint8_t bits) {
	const bool before = *word == ALL_BYTES;
	*word |= bits;
	return !before && *word == ALL_BYTES;
}

/* How many words are now written that were not, or not all bytes of them. */
static uint32_t mark(uint8_t *words, size_t step, uint64_t addr, uint32_t width) {
	uint32_t n = 0;
	if (width < 4) return mark_word(&words[(addr >> 2) * step], bits_of(addr, width));
	for (uint32_t i = 0; i < width; i += 4) n += mark_word(&words[((addr + i) >> 2) * step], ALL_BYTES);
	return n;
}

/* Is any byte of the element written? */
static bool touched(const uint8_t *words, size_t step, uint64_t addr, uint32_t bytes) {
	if (bytes < 4) return words[(addr >> 2) * step] & bits_of(addr, bytes);
	uint8_t any = 0;
	for (uint32_t i = 0; i < bytes; i += 4) any |= words[((addr + i) >> 2) * step];
	return any;
}

static void look(Init *c, const Access *a, const uint8_t *words, size_t step, uint32_t lane) {
	const uint32_t bytes = a->elements ? a->width / a->elements : a->width;
	for (uint32_t i = 0; i < a->width; i += bytes) {
		if (touched(words, step, a->addr[lane] + i, bytes)) continue;
		if (unwritten(c, a, lane, a->addr[lane] + i, bytes)) return;
	}
}

static bool row_written(const uint8_t *words) {
	uint64_t part[LANES / 8], all = ~UINT64_C(0);
	memcpy(part, words, sizeof part);
	for (unsigned i = 0; i < LANES / 8; i++) all &= part[i];
	return all == UINT64_C(0x0f0f0f0f0f0f0f0f);
}

/* Whole words throughout: nearly every access. */
static bool all_written(const uint8_t *words, const Access *a, Pattern pattern) {
	if (pattern == PATTERN_ONE) return words[a->addr[0] >> 2] == ALL_BYTES;
	if (pattern == PATTERN_ROW) return row_written(words + (a->addr[0] >> 2));
	uint8_t all = ALL_BYTES;
	for (uint32_t l = 0; l < LANES; l++) all &= words[a->addr[l] >> 2];
	return all == ALL_BYTES;
}

static uint32_t mark_all(uint8_t *words, const Access *a, Pattern pattern) {
	uint8_t *row = words + (a->addr[0] >> 2);
	uint32_t n = 0;
	if (pattern != PATTERN_ROW) {
		for (uint32_t l = 0; l < LANES; l++) n += mark_word(&words[a->addr[l] >> 2], ALL_BYTES);
		return n;
	}
	for (uint32_t l = 0; l < LANES; l++) n += row[l] != ALL_BYTES;
	memset(row, ALL_BYTES, LANES);
	return n;
}

/* Rare ways are on their own, so that the usual one saves few registers. */
__attribute__((noinline)) static void look_at_shared(Init *c, InitBlock *b, const Access *a) {
	if (!access_inside(a, c->checker.info.shared_user)) return;
	const bool whole = a->width == 4 && a->mask == UINT32_MAX;
	const Pattern pattern = whole ? lanes_pattern(a) : PATTERN_ANY;
	if (a->kind != ACCESS_STORE && !(whole && all_written(b->shared, a, pattern)))
		FOR_LANES(l, a->mask) look(c, a, b->shared, 1, l);
	if (a->kind == ACCESS_LOAD) return;
	if (whole)
		b->left -= mark_all(b->shared, a, pattern);
	else
		FOR_LANES(l, a->mask) b->left -= mark(b->shared, 1, a->addr[l], a->width);
}

/* Most blocks fill all their shared memory soon; then there is nothing left to check. */
static void on_shared(Init *c, const Access *a) {
	InitBlock *b = block_state(&c->checker.blocks, a->owner);
	if (b->left) look_at_shared(c, b, a);
}

static void reach(Shadow *shadow, LocalState *s, uint64_t end) {
	const size_t want = (size_t)((end + 3) >> 2);
	if (want <= s->nwords) return;
	const size_t grown = want < 2 * s->nwords ? 2 * s->nwords : want;
	shadow_take(shadow, "init", (grown - s->nwords) * LANES);
	s->words = xrealloc(s->words, grown * LANES);
	memset(s->words + s->nwords * LANES, 0, (grown - s->nwords) * LANES);
	s->nwords = grown;
}

__attribute__((noinline)) static void on_local(Init *c, const Access *a) {
	InitBlock *b = block_state(&c->checker.blocks, a->block);
	LocalState *s = &b->local[a->warp];
	if (!access_inside(a, LOCAL_LIMIT)) return;
	FOR_LANES(l, a->mask) {
		reach(c->checker.info.shadow, s, a->addr[l] + a->width);
		if (a->kind != ACCESS_STORE && !touched(s->words + l, LANES, a->addr[l], a->width))
			unwritten(c, a, l, a->addr[l], a->width);
		if (a->kind != ACCESS_LOAD) mark(s->words + l, LANES, a->addr[l], a->width);
	}
}

static bool any_byte(const Allocation *in, size_t offset, uint32_t bytes) {
	for (uint32_t i = 0; i < bytes; i++)
		if (allocation_written(in, offset + i, 1)) return true;
	return false;
}

static const Allocation *allocation_at(Init *c, uint64_t addr) {
	if (!c->last || addr - c->last->base >= c->last->bytes) c->last = memory_find(c->checker.info.memory, addr);
	return c->last;
}

static void look_at_lane(Init *c, const Access *a, uint32_t lane) {
	const uint64_t addr = a->addr[lane];
	const Allocation *in = allocation_at(c, addr);
	if (!in || !in->written) return;
	const uint32_t bytes = a->elements ? a->width / a->elements : a->width;
	for (uint32_t i = 0; i < a->width; i += bytes) {
		if (any_byte(in, (size_t)(addr - in->base) + i, bytes)) continue;
		if (unwritten(c, a, lane, addr + i, bytes)) return;
	}
}

__attribute__((noinline)) static void look_global(Init *c, const Access *a) {
	FOR_LANES(l, a->mask) look_at_lane(c, a, l);
}

/* All lanes in one allocation that is not tracked, or in a range of it that was written throughout. */
static bool global_is_fine(Init *c, const Access *a) {
	const LaneSpan span = lanes_span(a);
	const uint64_t low = span.low, high = span.high;
	const Allocation *in = allocation_at(c, low);
	if (!in || high - in->base >= in->bytes) return false;
	if (!in->written) return true;
	const uint64_t first = (low - in->base) >> 6, last = (high - in->base + a->width - 1) >> 6;
	if (last - first > 8) return false;
	uint64_t all = ~UINT64_C(0);
	for (uint64_t i = first; i <= last; i++) {
		uint64_t bits = ~UINT64_C(0);
		if (i * 8 + 8 > in->bytes / 8 + 1) return false;
		memcpy(&bits, in->written + i * 8, 8);
		all &= bits;
	}
	return all == ~UINT64_C(0);
}

static void on_access(Observer *self, const Access *a) {
	Init *c = (Init *)self;
	if (shadow_full(c->checker.info.shadow)) return;
	switch (a->space) {
	case SPACE_SHARED: on_shared(c, a); break;
	case SPACE_LOCAL: on_local(c, a); break;
	case SPACE_GLOBAL:
	case SPACE_CONST:
		if (a->kind != ACCESS_STORE && !global_is_fine(c, a)) look_global(c, a);
		break;
	default: break;
	}
}

/* What a product of a warpgroup reads of shared memory. */
static void on_async(Observer *self, const AsyncEvent *e) {
	Init *c = (Init *)self;
	if (e->kind != ASYNC_PRODUCT || shadow_full(c->checker.info.shadow)) return;
	uint64_t addr[LANES];
	Access a = {.instr = e->instr, .space = SPACE_SHARED, .width = 4, .elements = 1, .mask = 1, .addr = addr};
	a.block = a.owner = e->block;
	a.warp = e->warp;
	for (uint32_t i = 0; i < e->npieces; i++)
		for (addr[0] = e->pieces[i]; addr[0] < e->pieces[i] + 16; addr[0] += 4) {
			a.end = addr[0] + 4;
			on_shared(c, &a);
		}
}

/* --- the launch --------------------------------------------------------------------------------------------------- */

/* So many bytes as there are elements were written, from the beginning on: someone forgot how wide they are. */
static bool counted_elements(const Checker *c, const Hit *h, const Finding *f) {
	const bool global = h->space == SPACE_GLOBAL || h->space == SPACE_CONST;
	const Allocation *in = global ? memory_find(c->info.memory, h->addr) : NULL;
	const size_t elements = f->buffer_bytes / h->width;
	return in && in->written && h->width > 1 && elements && elements < in->bytes && !any_byte(in, elements, 1) &&
		   allocation_written(in, 0, elements);
}

static const char *remedy(const Checker *c, const Hit *h, const Finding *f) {
	if (h->space == SPACE_LOCAL) return "give the variable a value on every path";
	if (counted_elements(c, h, f)) return "multiply by sizeof(element): as many bytes as it has elements were written";
	if (h->space != SPACE_SHARED) return "fill the buffer before the launch, or check the index";
	return f->buffer_bytes > h->width ? "write every element before the barrier, edges included"
									  : "set the variable in one thread, before the barrier that all threads wait at";
}

static bool describe(const Checker *c, const Hit *h, Finding *f) {
	char who[96], what[128];
	say_thread(&f->site[0], who, sizeof who);
	if (f->buffer[0])
		snprintf(what, sizeof what, "byte %lld of %s", (long long)f->offset, f->buffer);
	else
		snprintf(what, sizeof what, "byte %lld", (long long)f->offset);
	if (h->space == SPACE_LOCAL)
		snprintf(f->message, sizeof f->message, "Uninitialized read of local memory: %u byte%s by %s.", h->width,
				 h->width == 1 ? "" : "s", who);
	else
		snprintf(f->message, sizeof f->message, "Uninitialized read of %s memory: %u byte%s at %s, by %s.",
				 h->space == SPACE_SHARED  ? "shared"
				 : h->space == SPACE_CONST ? "constant"
										   : "global",
				 h->width, h->width == 1 ? "" : "s", what, who);
	snprintf(f->hint, sizeof f->hint, "%s", remedy(c, h, f));
	return true;
}

static void on_launch_begin(Observer *self, const LaunchInfo *info) {
	Init *c = (Init *)self;
	checker_begin(&c->checker, info);
	c->shared_words = (info->shared_bytes + 3) / 4;
	c->nwarps = (uint32_t)((launch_block_threads(&info->config) + LANES - 1) / LANES);
	c->last = NULL;
	c->loading.step = NULL;
	c->judged = NO_INDEX;
}

static const ObserverOps ops = {.fork = checker_fork,
								.join = checker_join,
								.launch_begin = on_launch_begin,
								.block_begin = on_block_begin,
								.access = on_access,
								.speculation = on_speculation,
								.async = on_async,
								.block_end = checker_block_end,
								.launch_end = checker_launch_end};

Checker *init_checker_new(const Gpu *gpu) {
	return checker_new(&(Checker){.base.ops = &ops, .bytes = sizeof(Init), .describe = describe, .drop = drop_block},
					   gpu);
}
