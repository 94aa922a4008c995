/* Divergence, calls and splits of a warp, as warp.h explains. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "emu/warp/access.h"

enum { DEPTH_LIMIT = 4096 };

/* --- frames ------------------------------------------------------------------------------------------------------- */

static uint64_t fill_value(const Warp *w, const Fill *f, const Frame *frame, uint32_t lane) {
	uint64_t v = 0;
	switch (f->kind) {
	case FILL_BITS: return f->bits;
	case FILL_LOCAL: return frame->local_base + f->bits;
	case FILL_SPECIAL: return warp_special(w, (PtxSpecial)f->bits, lane);
	case FILL_SHARED:
		return f->bits + (f->var->owner
							  ? w->worker->run->kernel->function_shared[frame->function->index] + f->var->offset
							  : w->worker->run->kernel->global_shared[f->var->index]);
	case FILL_PARAM: break;
	}
	memcpy(&v, w->worker->run->launch->params + f->bits, f->bytes);
	if (f->sign && f->bytes < 8) v = (uint64_t)((int64_t)(v << (64 - 8 * f->bytes)) >> (64 - 8 * f->bytes));
	return v;
}

static bool differs_by_lane(const Fill *f) {
	return f->kind == FILL_SPECIAL &&
		   (f->bits < SR_NTID || (f->bits >= SR_LANEID && f->bits != SR_WARPID && f->bits <= SR_LANEMASK_GT));
}

#define FILL_LANES(T, at, value)                                                                                       \
	do {                                                                                                               \
		const T same_ = (T)(value);                                                                                    \
		for (uint32_t l = 0; l < LANES; l++) ((T *)(at))[l] = same_;                                                   \
	} while (0)

static void fill_slot_by_lane(const Warp *w, const Frame *frame, const Fill *f) {
	uint8_t *at = frame->regs + f->slot;
	for (uint32_t l = 0; l < LANES; l++) {
		const uint64_t v = fill_value(w, f, frame, l);
		memcpy(at + l * f->container, &v, f->container);
	}
}

static void fill_slot(const Warp *w, const Frame *frame, const Fill *f) {
	uint8_t *at = frame->regs + f->slot;
	if (differs_by_lane(f)) {
		fill_slot_by_lane(w, frame, f);
		return;
	}
	const uint64_t v = fill_value(w, f, frame, 0);
	switch (f->container) {
	case 4: FILL_LANES(uint32_t, at, v); break;
	case 8: FILL_LANES(uint64_t, at, v); break;
	default: FILL_LANES(uint16_t, at, v); break;
	}
}

static void frame_fill(const Warp *w, Frame *frame) {
	const EmuFunction *fn = frame->function;
	if (frame->filled_for == w->block->serial) return;
	uint32_t n = frame->filled_for ? fn->nblock_fills : fn->nfills;
	for (uint32_t i = 0; i < n; i++) fill_slot(w, frame, &fn->fills[i]);
	frame->filled_for = w->block->serial;
}

/* Would the calls of all threads exceed their memory limit? */
static bool stacks_full(const Warp *w, size_t more) {
	return more > STACKS_LIMIT || atomic_load(&w->worker->run->stacks) > STACKS_LIMIT - more;
}

static Frame *frame_get(Warp *w, const EmuFunction *fn) {
	for (Frame **at = &w->free_frames; *at; at = &(*at)->caller) {
		Frame *f = *at;
		if (f->function != fn) continue;
		*at = f->caller;
		return f;
	}
	Frame *f = xcalloc(1, sizeof *f);
	f->function = fn;
	size_t bytes = fn->frame_bytes + VECTOR_BYTES;
	f->regs = xaligned(bytes, VECTOR_BYTES);
	if (fn->grows) f->stack_end = xcalloc(LANES, sizeof *f->stack_end);
	if (fn != w->worker->run->kernel->programs[0]) atomic_fetch_add(&w->worker->run->stacks, bytes + sizeof *f);
	return f;
}

static void frame_put(Warp *w, Frame *f) {
	assert(f->refs > 0);
	if (--f->refs) return;
	assert(f->caller != f);
	f->caller = w->free_frames;
	w->free_frames = f;
}

/* Local memory has a sentinel fill like global memory; what a returned call left there stays, as on the hardware. */
bool warp_stack_reserve(Warp *w, uint64_t bytes) {
	if (bytes <= w->local.per_lane) return true;
	if (bytes > LOCAL_LIMIT || (bytes > CALLS_LIMIT && w->frame->depth)) return false;
	size_t want = bytes < 2 * w->local.per_lane ? 2 * w->local.per_lane : (bytes + 255) & ~(size_t)255;
	const size_t more =
		w->local.per_lane ? (want - w->local.per_lane) * LANES : 0; /* the kernel's own is already counted */
	if (more && stacks_full(w, more)) return false;
	atomic_fetch_add(&w->worker->run->stacks, more);
	w->local.bytes = xrealloc(w->local.bytes, want * LANES);
	memset(w->local.bytes + w->local.per_lane * LANES, 0xff, (want - w->local.per_lane) * LANES);
	w->local.per_lane = want;
	return true;
}

static void stack_begin(Frame *f, uint64_t base) {
	f->local_base = base;
	for (uint32_t l = 0; f->stack_end && l < LANES; l++) f->stack_end[l] = base + f->function->local_bytes;
}

/* --- the running split -------------------------------------------------------------------------------------------- */

/* The lowest entry has the kernel's frame, each call's entries have lanes that made it, and the frame is the last
 * call's. */
__attribute__((unused)) static bool stack_holds(const Split *s) {
	const Frame *frame = NULL;
	for (uint32_t i = 0; i < s->nentries; i++) {
		const StackEntry *e = &s->entries[i];
		if (e->frame && (e->frame->caller != frame || (frame && !e->ret))) return false;
		if (e->frame) frame = e->frame;
		if (!frame || e->mask & ~frame->mask || e->calling & ~frame->mask) return false;
	}
	return frame == s->frame;
}

/* Recomputes live and masked. */
static void warp_refresh(Warp *w) {
	assert(!(w->frame->returned & ~w->frame->mask));
	w->live = w->frame->mask & w->alive & ~w->frame->returned;
	w->masked = w->mask != w->live;
	assert(!(w->mask & ~w->live)); /* lanes that ended or returned do not run */
}

static void enter_frame(Warp *w, Frame *f) {
	const Run *run = w->worker->run;
	assert(f->refs > 0 && f->regs);
	w->frame = w->split->frame = f;
	w->regs = f->regs;
	uint32_t first = run->kernel->first_block[f->function->index];
	w->count_warps = w->block->count_warps + first;
	w->count_threads = w->block->count_threads + first;
	w->first_instr = run->kernel->first_instr[f->function->index];
}

static const Op *resume(Warp *w, StackEntry *entry, uint32_t mask, const Op *pc) {
	assert(mask && !(mask & ~w->lanes));
	assert(entry == &w->split->entries[w->split->nentries - 1]);
	entry->mask = w->mask = mask;
	w->rejoin = entry->rejoin;
	warp_refresh(w);
	return pc;
}

static StackEntry *push(Split *s) {
	if (s->nentries == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 16;
		s->entries = xrealloc(s->entries, s->cap * sizeof *s->entries);
	}
	assert(s->nentries < s->cap);
	StackEntry *entry = &s->entries[s->nentries++];
	memset(entry, 0, sizeof *entry);
	return entry;
}

static Split *split_new(Warp *w) {
	if (w->splits.len == w->splits.cap) {
		uint32_t cap = w->splits.cap ? 2 * w->splits.cap : 1;
		w->splits.data = xrealloc(w->splits.data, cap * sizeof *w->splits.data);
		memset(w->splits.data + w->splits.cap, 0, (cap - w->splits.cap) * sizeof *w->splits.data);
		w->splits.cap = cap;
	}
	assert(w->splits.len < w->splits.cap && w->splits.len < LANES);
	Split *s = w->splits.data[w->splits.len];
	if (!s) s = w->splits.data[w->splits.len] = xcalloc(1, sizeof *s);
	w->splits.len++;
	StackEntry *entries = s->entries;
	uint32_t cap = s->cap;
	*s = (Split){.entries = entries, .cap = cap};
	return s;
}

/* The split and the frame of a warp that ended in its kernel serve the next block's. An aborted launch may have left
 * others. */
static Split *begin_split(Warp *w, const EmuFunction *kernel) {
	Split *s = w->splits.len == 1 ? w->splits.data[0] : NULL;
	if (s && s->nentries == 1 && s->frame->function == kernel && s->frame->refs == 1) {
		*s = (Split){.entries = s->entries, .cap = s->cap, .nentries = 1, .frame = s->frame};
		return s;
	}
	for (uint32_t i = 0; i < w->splits.len; i++)
		for (uint32_t k = 0; k < w->splits.data[i]->nentries; k++)
			if (w->splits.data[i]->entries[k].frame) frame_put(w, w->splits.data[i]->entries[k].frame);
	w->splits.len = 0;
	s = split_new(w);
	push(s);
	s->frame = frame_get(w, kernel);
	return s;
}

void warp_begin(Warp *w, const EmuFunction *kernel, uint32_t lanes) {
	assert(lanes);
	Split *s = begin_split(w, kernel);
	Frame *f = s->frame;
	w->lanes = w->alive = lanes;
	w->spinning = (Spinning){0};
	w->cluster.arrived = w->cluster.passed = w->registers = 0;
	f->caller = NULL;
	f->site = NULL;
	f->mask = lanes;
	f->returned = 0;
	f->refs = 1;
	stack_begin(f, 0);
	f->depth = 0;
	*s->entries = (StackEntry){.mask = lanes, .frame = f};
	s->pc = kernel->ops;
	w->frame = f;
	warp_stack_reserve(w, kernel->local_bytes);
	frame_fill(w, f);
}

void warp_release(Warp *w) {
	for (uint32_t i = 0; i < w->splits.cap; i++) {
		Split *s = w->splits.data[i];
		if (!s) continue;
		if (i < w->splits.len)
			for (uint32_t k = 0; k < s->nentries; k++)
				if (s->entries[k].frame) frame_put(w, s->entries[k].frame);
		free(s->entries);
		free(s);
	}
	free(w->splits.data);
	for (Frame *f = w->free_frames, *next; f; f = next) {
		next = f->caller;
		free(f->regs);
		free(f->stack_end);
		free(f);
	}
	free(w->local.bytes);
	memset(w, 0, sizeof *w);
}

void warp_switch(Warp *w, Split *s) {
	assert(s->nentries);
	assert(stack_holds(s));
	w->split = s;
	enter_frame(w, s->frame);
	const StackEntry *top = &s->entries[s->nentries - 1];
	w->mask = top->mask;
	w->rejoin = top->rejoin;
	warp_refresh(w);
}

/* --- divergence --------------------------------------------------------------------------------------------------- */

/* The entry of the running call, below the top, in which these lanes wait for those above to get to op; or 0, which is
 * never one: the lowest waits for nothing. */
static uint32_t waits_at(const Split *s, uint32_t lanes, const Op *op) {
	for (uint32_t i = s->nentries - 1; i && !s->entries[i].frame; i--)
		if (s->entries[i - 1].pc == op && !(lanes & ~s->entries[i - 1].mask)) return i;
	return 0;
}

const Op *warp_leave(Warp *w, const Op *op) {
	Split *s = w->split;
	assert(w->mask == s->entries[s->nentries - 1].mask);
	const uint32_t above = waits_at(s, w->mask, op);
	if (!above) return op + 1;
	for (uint32_t i = above; i < s->nentries; i++) s->entries[i].mask &= ~w->mask;
	return warp_pop(w);
}

/* Lanes that do not meet the others at rejoin wait in an entry of their own, unless there is one. */
static void wait_at(Split *s, uint32_t lanes, const Op *out) {
	if (waits_at(s, lanes, out)) return;
	s->entries[s->nentries - 1].pc = out;
	StackEntry *entry = push(s);
	entry->mask = lanes;
	entry->rejoin = out;
}

const Op *warp_part(Warp *w, uint32_t taken, const Op *target, const Op *other, Meeting meeting, bool taken_first) {
	Split *s = w->split;
	const Op *rejoin = meeting.rejoin;
	assert(taken && taken != w->mask && !(taken & ~w->mask));
	if (meeting.out && rejoin != s->entries[s->nentries - 1].rejoin) wait_at(s, w->mask, meeting.out);
	StackEntry *top = &s->entries[s->nentries - 1];
	if (!rejoin) rejoin = top->rejoin;
	const uint32_t mask[2] = {taken, w->mask & ~taken};
	const Op *const pc[2] = {target, other};
	if (rejoin != top->rejoin || top->frame)
		top->pc =
			rejoin; /* all lanes, where they reconverge; the lowest entry without such a point never becomes the top */
	else
		s->nentries--; /* the entry below reconverges at the same place: the sides take this one's */
	for (unsigned k = 0; k < 2; k++) {
		unsigned side = k ? !taken_first : taken_first;
		if (rejoin && pc[side] == rejoin) continue; /* already there */
		StackEntry *entry = push(s);
		entry->mask = mask[side];
		entry->pc = pc[side];
		entry->rejoin = rejoin;
	}
	StackEntry *run = &s->entries[s->nentries - 1];
	assert(!run->frame); /* one side at least is not where they meet */
	return resume(w, run, run->mask, run->pc);
}

const Op *warp_diverge(Warp *w, const Op *op, uint32_t taken) {
	const bool jump_first = op->flags & OPF_EXIT_FIRST || (w->worker->flips && w->worker->flips(w->worker->adversary));
	const Meeting meeting = {op->rejoin, op->out ? op + op->out : NULL};
	return warp_part(w, taken, op + op->imm, op + 1, meeting, jump_first);
}

/* Copies the results back and frees the frame; the caller's entry is the top now. Returns where the caller
 * continues. */
static const Op *end_call(Warp *w, const StackEntry *base) {
	Frame *f = base->frame;
	const CallSite *site = f->site;
	assert(f->caller && site && base->ret && f->depth == f->caller->depth + 1);
	uint32_t n = site->nrets < f->function->ptx->nreturns ? site->nrets : f->function->ptx->nreturns;
	for (uint32_t i = 0; i < n; i++) {
		ParamSlot to = site->rets[i], from = f->function->returns[i];
		for (uint32_t k = 0; k < to.words && k < from.words; k++) {
			uint32_t *d = (uint32_t *)(f->caller->regs + to.slot + k * SLOT32);
			const uint32_t *v = (const uint32_t *)(f->regs + from.slot + k * SLOT32);
			for (uint32_t l = 0; l < LANES; l++) d[l] = base->mask >> l & 1 ? v[l] : d[l];
		}
	}
	enter_frame(w, f->caller);
	frame_put(w, f);
	return base->ret;
}

const Op *warp_pop(Warp *w) {
	Split *s = w->split;
	for (;;) {
		assert(s->nentries);
		const StackEntry gone = s->entries[s->nentries - 1];
		if (gone.frame && !gone.frame->caller) {
			s->state = SPLIT_DONE; /* its last entry stays: it holds the kernel's frame */
			w->mask = 0;
			return NULL;
		}
		s->nentries--;
		const Op *pc = NULL;
		if (gone.frame) pc = end_call(w, &gone);
		assert(s->nentries); /* the kernel's own is not popped */
		StackEntry *top = &s->entries[s->nentries - 1];
		w->live = w->frame->mask & w->alive & ~w->frame->returned;
		uint32_t mask = top->mask & w->live;
		if (!mask) continue;
		if (gone.frame) {
			top->calling &= mask;
			if (top->calling) pc--; /* called through pointers: the next group */
		} else {
			pc = top->pc;
			assert(pc);
		}
		return resume(w, top, mask, pc);
	}
}

const Op *warp_strike(Warp *w, const Op *op, uint32_t lanes) {
	uint32_t rest = w->mask & ~lanes;
	assert(!(lanes & ~w->mask));
	if (!rest) return warp_pop(w);
	return resume(w, &w->split->entries[w->split->nentries - 1], rest, op + 1);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static const EmuFunction *by_pointer(const Warp *w, uint64_t addr) {
	const EmuModule *m = w->worker->run->kernel->module;
	uint64_t i = (addr - FUNCTION_WINDOW) / 16;
	return addr >= FUNCTION_WINDOW && addr % 16 == 0 && i < m->ptx->nfunctions ? m->functions[i] : NULL;
}

/* The lanes that call the same function as the first pending one. */
static uint32_t choose_callee(Warp *w, StackEntry *top, uint32_t slot, uint64_t *addr) {
	const uint64_t *target = (const uint64_t *)(w->regs + slot);
	uint32_t todo = top->calling ? top->calling : w->mask, group = 0;
	assert(todo);
	*addr = target[first_lane(todo)];
	FOR_LANES(l, todo)
		if (target[l] == *addr) group |= 1u << l;
	top->calling = todo & ~group;
	return group;
}

static const Op *begin_call(Warp *w, const Op *op, const EmuFunction *fn, uint32_t mask) {
	const CallSite *site = op->aux;
	Frame *caller = w->frame;
	assert(mask && !(mask & ~w->mask) && caller->depth <= DEPTH_LIMIT);
	uint64_t local = 0;
	FOR_LANES(l, mask) {
		const uint64_t end = stack_end(caller, l);
		if (end > local) local = end;
	}
	local = (local + 15) & ~(uint64_t)15;
	if (!warp_stack_reserve(w, local + fn->local_bytes + 16) || caller->depth >= DEPTH_LIMIT ||
		stacks_full(w, fn->frame_bytes + VECTOR_BYTES))
		return fault_at(
			w, op, mask, FAULT_STACK,
			"The stack is exhausted: %u calls deep, %llu bytes of local memory; does a recursion never end?",
			caller->depth, (unsigned long long)local);
	Frame *f = frame_get(w, fn);
	if (f->local_base != local) f->filled_for = 0;
	stack_begin(f, local);
	f->caller = caller;
	f->site = site;
	f->mask = mask;
	f->returned = 0;
	f->refs = 1;
	f->depth = caller->depth + 1;
	frame_fill(w, f);
	uint32_t n = site->nargs < fn->ptx->nparams ? site->nargs : fn->ptx->nparams;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t words = site->args[i].words < fn->params[i].words ? site->args[i].words : fn->params[i].words;
		memcpy(f->regs + fn->params[i].slot, caller->regs + site->args[i].slot, words * SLOT32);
	}
	StackEntry *base = push(w->split);
	base->frame = f;
	base->ret = op + 1;
	enter_frame(w, f);
	return resume(w, base, mask, fn->ops);
}

const Op *warp_call(Warp *w, const Op *op) {
	const CallSite *site = op->aux;
	if (site->builtin) return builtin_call(w, op, site);
	if (site->callee) return begin_call(w, op, site->callee, w->mask);
	uint64_t addr;
	uint32_t group = choose_callee(w, &w->split->entries[w->split->nentries - 1], site->target, &addr);
	const EmuFunction *fn = by_pointer(w, addr);
	if (!fn || !fn->ops)
		return fault_at(w, op, group, FAULT_INSTRUCTION,
						"A call through the pointer 0x%llx, which is not a function's address.",
						(unsigned long long)addr);
	return begin_call(w, op, fn, group);
}

/* --- splits ------------------------------------------------------------------------------------------------------- */

static uint32_t lanes_below(const Warp *w) {
	const Split *s = w->split;
	return s->nentries < 2 ? 0 : s->entries[0].mask & w->alive & ~w->mask;
}

/* The split goes on where the lanes of another, which waits in one of two sides, would have met it, and not to end. */
static bool passes(const Split *t, const Split *waiting) {
	const Op *rejoin = waiting->entries[waiting->nentries - 1].rejoin;
	return t->pc && t->pc == rejoin && t->frame->function->ptx->instrs[t->pc->instr].op != OP_RET;
}

bool warp_fork_waiting(Warp *w) {
	const uint32_t mine = w->mask;
	if (!lanes_below(w)) return false;
	Frame *const frame = w->frame;
	Split *t = split_new(w), *s = w->split;
	assert(stack_holds(s) && s->frame == frame);
	for (uint32_t i = 0; i + 1 < s->nentries; i++) {
		StackEntry *entry = push(t), *from = &s->entries[i];
		*entry = *from;
		entry->mask &= ~mine;
		entry->calling &= ~mine;
		from->mask &= mine;
		from->calling &= mine;
		if (entry->frame) {
			entry->frame->refs++;
			t->frame = entry->frame;
		}
	}
	StackEntry *top = &s->entries[s->nentries - 1];
	if (top->frame) { /* only this split is inside the call; others have returned from it or wait to make it */
		StackEntry *entry = push(t);
		*entry = *top;
		entry->mask = top->frame->mask & t->entries[t->nentries - 2].mask & ~t->entries[t->nentries - 2].calling;
		entry->calling = 0;
		top->frame->refs++;
		t->frame = top->frame;
	}
	/* The new split begins as if its upper entries had just reconverged. */
	push(t);
	w->split = t;
	enter_frame(w, t->frame);
	t->pc = warp_pop(w);
	t->frame = w->frame;
	assert(stack_holds(t) && !(w->mask & mine));
	s->passed = passes(t, s) ? w->mask : 0;
	w->split = s;
	enter_frame(w, frame);
	resume(w, top, mine, NULL);
	return true;
}

static bool same_place(const Split *a, const Split *b) {
	if (a->state != b->state || a->pc != b->pc || a->frame != b->frame || a->nentries != b->nentries) return false;
	for (uint32_t i = 0; i < a->nentries; i++) {
		const StackEntry *x = &a->entries[i], *y = &b->entries[i];
		if (x->rejoin != y->rejoin || x->frame != y->frame || x->ret != y->ret) return false;
		if (i + 1 < a->nentries && !x->frame && x->pc != y->pc) return false;
	}
	return true;
}

static void join(Warp *w, Split *a, uint32_t at) {
	Split *b = w->splits.data[at];
	assert(a != b && a->nentries == b->nentries);
	for (uint32_t i = 0; i < a->nentries; i++) {
		assert(i + 1 < a->nentries || !(a->entries[i].mask & b->entries[i].mask)); /* a lane is in one split */
		a->entries[i].mask |= b->entries[i].mask;
		a->entries[i].calling |= b->entries[i].calling;
		if (b->entries[i].frame) frame_put(w, b->entries[i].frame);
	}
	b->nentries = 0;
	w->splits.data[at] = w->splits.data[--w->splits.len];
	w->splits.data[w->splits.len] = b; /* kept for the next fork */
}

void warp_merge(Warp *w) {
	for (uint32_t i = 0; i < w->splits.len; i++) {
		Split *a = w->splits.data[i];
		if (a->state == SPLIT_DONE) continue;
		for (uint32_t k = i + 1; k < w->splits.len;) {
			if (same_place(a, w->splits.data[k]))
				join(w, a, k);
			else
				k++;
		}
	}
}

bool warp_gathered(Warp *w, const Op *op, uint32_t member) {
	Split *s = w->split;
	if (!(member & w->alive & ~w->mask) || s->sync_done) {
		if (!s->sync_done) s->passed = 0;
		s->sync_done = false;
		return true;
	}
	assert(s->state == SPLIT_READY);
	s->state = SPLIT_SYNC;
	s->member = member;
	s->pc = op;
	warp_fork_waiting(w);
	return false;
}
