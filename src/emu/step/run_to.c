/* step/stepper.h: runs the cluster in focus, one operation at a time, to where a move ends. */
#include <string.h>

#include "emu/exec/out_of_line.h"
#include "emu/machine/internal.h"
#include "emu/machine/launch.h"
#include "emu/step/stepper.h"

enum {
	LOOK_EVERY = 1024,  /* operations between two looks at the clock and the cancel flag */
	ACCESSES_MOST = 96, /* of a line */
};

/* --- observing ---------------------------------------------------------------------------------------------------- */

static bool touches(const StepStop *stop, const Access *a) {
	if (a->space != stop->space || (stop->stores_only && a->kind == ACCESS_LOAD)) return false;
	FOR_LANES(l, a->mask) {
		if (stop->lanes && !(stop->lanes >> l & 1)) continue;
		if (a->addr[l] < stop->address + stop->bytes && stop->address < a->addr[l] + a->width) return true;
	}
	return false;
}

static void collect(Stepper *s, const Access *a) {
	StepAccess at = {.kind = a->kind, .space = a->space, .width = a->width, .mask = a->mask};
	const Warp *w = s->running;
	if (s->accesses.len >= ACCESSES_MOST || !w || a->block != s->block->number || a->warp != s->focus.warp) return;
	at.line = step_spot(s, w->frame, s->op)->line;
	memcpy(at.addr, a->addr, sizeof at.addr);
	vec_push(&s->accesses, at);
}

static void keep_pages(Undo *undo, const Access *a) {
	uint64_t last = 0;
	FOR_LANES(l, a->mask) {
		if (a->addr[l] >> UNDO_SHIFT != last) undo_keep(undo, a->addr[l]);
		last = a->addr[l] >> UNDO_SHIFT;
	}
}

static void on_access(Observer *self, const Access *a) {
	Stepper *s = ((StepObserver *)self)->stepper;
	if (a->kind != ACCESS_LOAD && a->space == SPACE_GLOBAL) keep_pages(s->undo, a);
	if (!s->block || a->block != s->block->number) return;
	if (s->collects) collect(s, a);
	for (size_t i = 0; i < s->stops.len; i++) {
		const StepStop *stop = &s->stops.data[i].stop;
		if (stop->kind == STOP_AT_ADDRESS && (stop->warp < 0 || stop->warp == (int32_t)a->warp) && touches(stop, a))
			s->stopped_at = (uint32_t)i + 1;
	}
}

static void on_texture(Observer *self, const TextureAccess *a) {
	Stepper *s = ((StepObserver *)self)->stepper;
	const Texture *t = a->kind == ACCESS_LOAD ? NULL : texture_of(machine_textures(s->machine), a->texture);
	if (t && t->host) undo_keep_bytes(s->undo, ~a->texture, t->host, t->bytes); /* handles are below all addresses */
}

const ObserverOps *step_observer_ops(void) {
	static const ObserverOps ops = {.access = on_access, .texture = on_texture};
	return &ops;
}

/* --- where it stops ----------------------------------------------------------------------------------------------- */

Goal step_goal(const Stepper *s, const StepGo *go) {
	const Warp *w = step_warp(s);
	Goal g = {.way = go->way,
			  .limit = go->way == GO_TIME ? go->count : UINT64_MAX,
			  .left = go->count,
			  .from = s->arrivals[w->number],
			  .stops = go->way != GO_TIME};
	const Split *split = w->splits.len ? step_split(s, w) : NULL;
	const Op *op = split ? step_op(s, w, split) : NULL;
	if (op && split->frame) g.depth = step_depth(s, split->frame, op);
	return g;
}

static bool is_arrival(const Arrival *last, uint32_t instr, const Spot *at) {
	return last->line != at->line || last->file != at->file || instr <= last->instr;
}

/* Has the warp got to a line now? Then it is noted. */
static bool arrives(const Stepper *s, Arrival *last, uint32_t instr) {
	const Spot *at = &s->spots[instr];
	if (!s->sites[instr].starts || !is_arrival(last, instr, at)) return false;
	*last = (Arrival){.instr = instr, .line = at->line, .file = at->file};
	return true;
}

/* For lanes that run: what others have is where their own instruction says. */
static bool changed(const Stepper *s, const ArmedStop *at, const StepValue *now, uint32_t mask) {
	StepValue *before = &step_first_of(s, at->stop.number)->before;
	bool differs = false;
	FOR_LANES(l, now->known & mask) {
		differs |= before->known >> l & 1 && before->lane[l] != now->lane[l];
		before->lane[l] = now->lane[l];
		before->known |= 1u << l;
	}
	return differs;
}

/* Is it to be looked at, in this call, where the warp is? */
static bool is_watched(const StepStop *stop, const Frame *frame, const Op *op) {
	const uint32_t text_line = step_instr(frame, op)->text_line;
	return stop->kind == STOP_AT_CHANGE && text_line >= stop->first && (!stop->last || text_line <= stop->last) &&
		   (!stop->depth || frame->depth + 1 == stop->depth);
}

static bool stop_meets(Stepper *s, ArmedStop *a, Warp *w, uint32_t instr, bool arrived) {
	const StepStop *stop = &a->stop;
	const WrittenRegisters written = step_written(s, w);
	StepValue value;
	if (stop->kind == STOP_AT_CHANGE) {
		if (w->number != s->focus.warp || !is_watched(stop, w->frame, s->op)) return false;
		value_of(a->condition, w, w->frame, &written, &value);
		return changed(s, a, &value, w->mask);
	}
	if (!arrived || !a->at || !a->at[instr] || (stop->warp >= 0 && stop->warp != (int32_t)w->number)) return false;
	if (stop->lanes && !(stop->lanes & w->mask)) return false;
	if (!a->condition) return true;
	value_of(a->condition, w, w->frame, &written, &value);
	return value_true(&value, stop->lanes ? stop->lanes & w->mask : w->mask);
}

static uint32_t stop_met(Stepper *s, Warp *w, uint32_t instr, bool arrived) {
	for (size_t i = 0; i < s->stops.len; i++)
		if (stop_meets(s, &s->stops.data[i], w, instr, arrived)) return (uint32_t)i + 1;
	return 0;
}

static bool at_barrier(const Stepper *s, const Warp *w) {
	const PtxInstr *in = step_instr(w->frame, s->op);
	return (in->op == OP_BAR || in->op == OP_BARRIER) && !(in->mods & MOD_WARP);
}

/* Which line it comes from is known from the second line on. */
static bool arrives_over(const Stepper *s, Goal *g, uint32_t instr) {
	const Arrival before = g->from;
	if (!arrives(s, &g->from, instr)) return false;
	if (g->from_known) return true;
	g->from_known = before.instr != UINT32_MAX && (before.line != g->from.line || before.file != g->from.file);
	return false;
}

static bool reaches(const Stepper *s, Goal *g, const Warp *w, uint32_t instr, bool arrived) {
	switch (g->way) {
	case GO_INSTRUCTION: return true;
	case GO_LINE: return arrived;
	case GO_OVER: return step_depth(s, w->frame, s->op) <= g->depth && arrives_over(s, g, instr);
	case GO_OUT: return s->sites[instr].starts && step_depth(s, w->frame, s->op) < g->depth;
	case GO_BARRIER: return at_barrier(s, w);
	default: return false;
	}
}

/* Is all known that hits depend on? */
static bool is_sure(const Stepper *s, const Goal *g) {
	if (g->way == GO_OVER && !g->from_known) return false;
	for (size_t i = 0; i < s->stops.len && g->stops; i++)
		if (s->stops.data[i].stop.kind == STOP_AT_CHANGE &&
			step_warp(s)->alive & ~step_first_of(s, s->stops.data[i].stop.number)->before.known)
			return false;
	return true;
}

/* A step over calls goes on from where the one before it ended, perhaps outside of the function. */
static bool note_hit(Stepper *s, Goal *g) {
	const Warp *w = s->running;
	const uint32_t depth = g->way == GO_OVER && s->op ? step_depth(s, w->frame, s->op) : g->depth;
	if (g->record) {
		vec_push(&g->hits, (StepHit){s->time, g->stop, depth});
		return false;
	}
	if (g->way == GO_OVER) g->depth = depth;
	return --g->left == 0;
}

static void note_event(Stepper *s, const Warp *w, bool arrived) {
	const bool barrier = at_barrier(s, w);
	if ((!arrived && !barrier) || s->events.len >= STEP_EVENTS) return;
	vec_push(&s->events, (StepEvent){.time = s->time,
									 .warp = w->number,
									 .line = step_spot(s, w->frame, s->op)->line,
									 .mask = w->mask,
									 .barrier = barrier});
}

/* True: it stops here. */
static bool looks(Stepper *s, Goal *g, Warp *w, uint32_t instr, bool arrived, bool first) {
	const bool focused = w->number == s->focus.warp;
	g->stop = g->stops && (g->way == GO_ON || focused) ? stop_met(s, w, instr, arrived) : 0;
	/* It may have stood here while another warp ran: it has to leave first. */
	const bool stands = focused && !g->record && g->began && s->instructions[w->number] == g->began;
	if (focused && g->from_known && (first || stands)) g->from = s->arrivals[w->number];
	if (first) return false;
	const bool reached = focused && !stands && reaches(s, g, w, instr, arrived);
	if (g->unsure) {
		g->unsure = !is_sure(s, g);
		if (!g->unsure) g->sure = s->time + 1;
		return false;
	}
	if (g->stop && !g->record) return true;
	return (g->stop || reached) && note_hit(s, g);
}

/* Before an instruction of the block in focus. True: it stops here. */
static bool at_instruction(Stepper *s, Goal *g, Warp *w, const Site *site, bool first) {
	const uint32_t instr = w->first_instr + s->op->instr;
	bool arrived = false;
	if (site->starts && (!first || s->arrivals[w->number].instr != instr))
		arrived = arrives(s, &s->arrivals[w->number], instr);
	if (s->traces) note_event(s, w, arrived);
	return g->way != GO_TIME && looks(s, g, w, instr, arrived, first);
}

/* --- running ------------------------------------------------------------------------------------------------------ */

/* What the warp writes has a value from now on. */
static void note_instruction(Stepper *s, const Warp *w, const Site *site) {
	uint32_t mask = w->mask;
	if (site->guard != NO_SLOT) {
		const uint32_t guard = *(const uint32_t *)(w->regs + site->guard);
		mask &= site->negated ? ~guard : guard;
	}
	s->instructions[w->number]++;
	mark(s->marked, &s->marks[(size_t)w->number * s->run.kernel->ninstrs + w->first_instr + s->op->instr], mask,
		 s->time + 1);
}

StepHalt step_halted(const Stepper *s) {
	switch (atomic_load(&s->run.end.stop)) {
	case STOP_FAULT: return HALT_FAULT;
	case STOP_CANCEL: return HALT_CANCELLED;
	case STOP_TIMEOUT: return HALT_TIME;
	default: return HALT_BLOCK_ENDED;
	}
}

/* Every so often. The moment stays whole: it can go on from here. */
static bool must_halt(const Stepper *s, uint64_t limit_ns, StepHalt *halt) {
	const atomic_bool *cancel = s->launch.cancel;
	if (cancel && atomic_load_explicit(cancel, memory_order_relaxed)) return *halt = HALT_CANCELLED, true;
	if (run_spent(s->worker) > limit_ns) return *halt = HALT_TIME, true;
	return false;
}

/* A step of one warp does not end where another one stops. */
static bool is_own_stop(const Stepper *s, const Goal *g) {
	return g->stops && (g->way == GO_ON || s->running->number == s->focus.warp);
}

/* After an access that a stop is at: who asked goes to the moment before. True: it stops. */
static bool after_access(Stepper *s, Goal *g, uint64_t start) {
	g->stop = is_own_stop(s, g) && s->time - 1 != start && !g->unsure ? s->stopped_at : 0;
	s->stopped_at = 0;
	return g->stop && (!g->record || note_hit(s, g));
}

/* What is watched is as it is here, for lanes of which nothing earlier is known. */
static void begin_watching(Stepper *s) {
	Warp *w = step_warp(s);
	const Split *split = w->splits.len && w->alive ? step_split(s, w) : NULL;
	const Op *op = split && split->frame ? step_op(s, w, split) : NULL;
	const WrittenRegisters written = step_written(s, w);
	for (size_t i = 0; i < s->stops.len && op; i++) {
		const ArmedStop *a = &s->stops.data[i];
		const uint32_t mask = s->running == w && s->op ? w->mask : split->entries[split->nentries - 1].mask;
		StepValue value;
		if (!is_watched(&a->stop, split->frame, op)) continue;
		value_of(a->condition, w, split->frame, &written, &value);
		changed(s, a, &value, mask & ~step_first_of(s, a->stop.number)->before.known);
	}
}

static StepHalt run(Stepper *s, Goal *g, uint64_t limit_ns) {
	const uint64_t start = s->time;
	const bool ends = g->way != GO_ON && g->way != GO_TIME && !g->record;
	StepHalt halt;
	for (uint64_t n = 1;; n++) {
		if (s->time >= g->limit) return HALT_DONE;
		if (n % LOOK_EVERY == 0) {
			if (must_halt(s, limit_ns, &halt)) return halt;
			if (!s->collects) step_image_keep(s);
		}
		if (ends && !step_warp(s)->alive) return HALT_WARP_ENDED;
		if (!s->op && !step_choose(s)) return s->over ? HALT_BLOCK_ENDED : step_halted(s);
		Warp *w = s->running;
		if (w->block == s->block) {
			const Site *site = &s->sites[w->first_instr + s->op->instr];
			if (site->first == s->op) {
				if (at_instruction(s, g, w, site, s->time == start)) return g->stop ? HALT_STOP : HALT_DONE;
				note_instruction(s, w, site);
			}
		}
		s->op = s->op->run(w, s->op);
		s->time++;
		if (step_has_stopped(s)) return step_halted(s);
		if (s->stopped_at && after_access(s, g, start)) return HALT_STOP;
	}
}

StepHalt step_run(Stepper *s, Goal *g) {
	launch_extend(&s->run);
	const uint64_t limit_ns = s->run.end.limit_ns;
	s->run.end.limit_ns = 0;
	g->began = s->instructions[s->focus.warp];
	for (size_t i = 0; i < s->stops.len && g->record; i++) s->stops.data[i].before.known = 0;
	g->from_known = !g->unsure;
	g->unsure = g->unsure && !is_sure(s, g);
	g->sure = g->unsure ? g->limit : s->time + 1;
	if (g->stops && !g->record) begin_watching(s);
	return run(s, g, limit_ns);
}
