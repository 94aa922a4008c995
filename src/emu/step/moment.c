/* step/stepper.h: a moment, as people see it. */
#include <stdio.h>
#include <string.h>

#include "base/text/mangled.h"
#include "emu/code/variables.h"
#include "emu/exec/out_of_line.h"
#include "emu/machine/internal.h"
#include "emu/step/stepper.h"

Warp *step_warp(const Stepper *s) {
	return &s->block->warps[s->focus.warp];
}

const PtxInstr *step_instr(const Frame *frame, const Op *op) {
	return &frame->function->ptx->instrs[op->instr];
}

Split *step_split(const Stepper *s, const Warp *w) {
	if (s->running == w && s->op) return w->split;
	for (uint32_t i = 0; i < w->splits.len; i++)
		if (w->splits.data[i]->state == SPLIT_READY) return w->splits.data[i];
	for (uint32_t i = 0; i < w->splits.len; i++)
		if (w->splits.data[i]->state != SPLIT_DONE) return w->splits.data[i];
	return w->splits.data[0];
}

const Op *step_op(const Stepper *s, const Warp *w, const Split *split) {
	if (s->running == w && s->op && w->split == split) return s->op;
	return split->state == SPLIT_DONE ? NULL : split->pc;
}

static uint32_t line_at(const Stepper *s, const Frame *frame, const Op *op) {
	return op && frame && op->instr < frame->function->ptx->ninstrs ? step_spot(s, frame, op)->line : 0;
}

/* --- the warp in focus -------------------------------------------------------------------------------------------- */

static SideState side_of(const Split *split) {
	switch (split->state) {
	case SPLIT_BARRIER: return SIDE_BARRIER;
	case SPLIT_SYNC: return SIDE_SYNC;
	default: return SIDE_RUNS;
	}
}

/* The entries of a split, the top first. */
static void add_sides(const Stepper *s, const Warp *w, const Split *split, StepMoment *out) {
	const Frame *frame = split->frame;
	for (uint32_t i = split->nentries; i--;) {
		const StackEntry *e = &split->entries[i];
		const bool top = i + 1 == split->nentries;
		const uint32_t above = top ? 0 : split->entries[i + 1].mask;
		StepSide *side = &out->sides[out->nsides++];
		side->mask = top && s->running == w && w->split == split && s->op ? w->mask : e->mask & w->alive;
		side->barrier = split->barrier;
		const Op *op = top ? step_op(s, w, split) : e->pc;
		side->line = line_at(s, frame, op);
		side->text_line = side->line ? step_instr(frame, op)->text_line : 0;
		side->rejoin_line = line_at(s, frame, e->rejoin);
		side->state = top                                        ? side_of(split)
					  : (above & ~e->mask) || !(above & e->mask) ? SIDE_OTHER_BRANCH
																 : SIDE_REJOINS;
		if (!top && split->entries[i + 1].frame) {
			side->state = SIDE_RETURNS;
			side->line = line_at(s, frame, split->entries[i + 1].ret);
		}
		if (!side->mask) out->nsides--;
		if (e->frame) frame = e->frame->caller;
	}
}

static void describe_sides(const Stepper *s, const Warp *w, Arena *arena, StepMoment *out) {
	uint32_t most = 0;
	for (uint32_t i = 0; i < w->splits.len; i++) most += w->splits.data[i]->nentries;
	out->sides = arena_array(arena, most + 1, sizeof *out->sides);
	if (!w->alive) return;
	const Split *run = step_split(s, w);
	if (run->state != SPLIT_DONE) add_sides(s, w, run, out);
	for (uint32_t i = 0; i < w->splits.len; i++)
		if (w->splits.data[i] != run && w->splits.data[i]->state != SPLIT_DONE) add_sides(s, w, w->splits.data[i], out);
}

static void add_frame(const PtxModule *ptx, StepMoment *out, const char *function, uint32_t file, uint32_t line,
					  bool inlined) {
	enum { FRAMES_MOST = 64 };
	if (out->nframes >= FRAMES_MOST) return;
	out->frames[out->nframes++] = (StepFrame){.function = function ? function : "",
											  .file = file && file < ptx->nfiles ? ptx->files[file] : "",
											  .line = line,
											  .inlined = inlined};
}

static void describe_frames(const Stepper *s, const Split *split, const Op *op, Arena *arena, StepMoment *out) {
	enum { FRAMES_MOST = 64 };
	const PtxModule *ptx = s->run.kernel->module->ptx;
	out->frames = arena_array(arena, FRAMES_MOST, sizeof *out->frames);
	for (const Frame *f = split->frame; f && op; f = f->caller) {
		const Spot *spot = step_spot(s, f, op);
		uint32_t file = spot->file, line = spot->line;
		for (uint32_t at = spot->inlined_at, n = 0; at && at <= ptx->ninlined && n < FRAMES_MOST; n++) {
			const PtxInlined *place = &ptx->inlined[at - 1];
			add_frame(ptx, out, place->function, file, line, true);
			file = place->file;
			line = place->line;
			at = place->inlined_at;
		}
		add_frame(ptx, out, f->function->ptx->name, file, line, false);
		op = NULL;
		for (uint32_t i = 0; i < split->nentries && !op; i++)
			if (split->entries[i].frame == f && split->entries[i].ret) op = split->entries[i].ret - 1;
	}
}

static void describe_warp(const Stepper *s, Arena *arena, StepMoment *out) {
	const Warp *w = step_warp(s);
	out->count = s->instructions[w->number];
	out->alive = w->alive;
	out->lanes = w->lanes;
	describe_sides(s, w, arena, out);
	const Split *split = w->splits.len ? step_split(s, w) : NULL;
	const Op *op = split && w->alive ? step_op(s, w, split) : NULL;
	if (!op || !split->frame) return;
	const PtxModule *ptx = s->run.kernel->module->ptx;
	const PtxInstr *in = step_instr(split->frame, op);
	out->mask = out->nsides ? out->sides[0].mask : 0;
	const Spot *spot = step_spot(s, split->frame, op);
	out->line = spot->line;
	out->file = spot->file ? ptx->files[spot->file] : "";
	out->instruction = in->text ? in->text : ptx_op_name(in->op);
	out->text_line = in->text_line;
	describe_frames(s, split, op, arena, out);
}

/* --- the block ---------------------------------------------------------------------------------------------------- */

static StepWarp warp_row(const Stepper *s, const Warp *w) {
	StepWarp row = {.alive = w->alive, .lanes = w->lanes, .instructions = s->instructions[w->number]};
	if (!w->alive || !w->splits.len) {
		row.state = WARP_ENDED;
		return row;
	}
	const Split *split = step_split(s, w);
	row.state = split->state == SPLIT_BARRIER ? WARP_AT_BARRIER
				: split->state == SPLIT_SYNC  ? WARP_AT_SYNC
											  : WARP_READY;
	row.barrier = split->barrier;
	row.line = line_at(s, split->frame, step_op(s, w, split));
	const StackEntry *top = &split->entries[split->nentries - 1];
	row.mask = s->running == w && s->op && w->split == split ? w->mask : top->mask & w->alive;
	return row;
}

static void describe_block(const Stepper *s, Arena *arena, StepMoment *out) {
	const Block *b = s->block;
	out->warps = arena_array(arena, b->nwarps, sizeof *out->warps);
	out->nwarps = b->nwarps;
	for (uint32_t i = 0; i < b->nwarps; i++) out->warps[i] = warp_row(s, &b->warps[i]);
	out->barriers = arena_array(arena, NAMED_BARRIERS, sizeof *out->barriers);
	for (uint32_t i = 0; i < NAMED_BARRIERS; i++) {
		const BarrierState *st = &b->barriers[i];
		if (!st->threads) continue;
		out->barriers[out->nbarriers++] =
			(StepBarrier){.id = i, .arrived = st->threads, .expected = st->expected ? st->expected : b->threads_alive};
	}
}

/* --- accesses ----------------------------------------------------------------------------------------------------- */

static void name_access(const Stepper *s, StepAccess *a) {
	const uint64_t at = a->addr[first_lane(a->mask)];
	uint64_t begin;
	size_t bytes;
	const PtxVar *v = a->space == SPACE_SHARED ? shared_variable(&s->run.info, at, &begin, &bytes) : NULL;
	if (v && at - begin < bytes) {
		a->base = begin;
		mangled_variable(v->name, a->name, sizeof a->name);
	}
	if (a->space != SPACE_GLOBAL && a->space != SPACE_CONST) return;
	const Allocation *allocation = memory_find(machine_memory(s->machine), at);
	if (!allocation) return;
	a->base = allocation->base;
	snprintf(a->name, sizeof a->name, "%s", allocation->name);
}

/* A loop may print megabytes; each moment has what one line does. */
static void describe_printed(const Str *text, Arena *arena, StepMoment *out) {
	enum { MOST = 8 << 10 };
	const size_t n = text->len < MOST ? text->len : MOST;
	char *end = arena_array(arena, n + 1, 1);
	if (n) memcpy(end, text->text + text->len - n, n);
	end[n] = '\0';
	out->printed = end;
	out->printed_bytes = text->len;
}

void step_describe(Stepper *s, Arena *arena, StepMoment *out) {
	out->time = s->time;
	launch_place(s->focus.block, s->launch.config.grid, out->block);
	out->warp = s->focus.warp;
	out->file = out->instruction = out->printed = "";
	out->nevents = (uint32_t)s->events.len;
	out->events = arena_array(arena, s->events.len + 1, sizeof *out->events);
	if (s->events.len) memcpy(out->events, s->events.data, s->events.len * sizeof *out->events);
	if (!s->block) return;
	describe_warp(s, arena, out);
	describe_block(s, arena, out);
	describe_printed(&s->block->printed, arena, out);
	out->accesses = arena_array(arena, s->accesses.len + 1, sizeof *out->accesses);
	for (size_t i = 0; i < s->accesses.len; i++) {
		out->accesses[i] = s->accesses.data[i];
		name_access(s, &out->accesses[i]);
	}
	out->naccesses = (uint32_t)s->accesses.len;
}
