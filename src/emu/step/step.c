/* step.h: the schedule of the cluster in focus, one operation at a time; where it stops; and the way back. */
#include "emu/step/stepper.h"

#include <stdio.h>
#include <string.h>

#include "emu/exec/out_of_line.h"
#include "emu/machine/internal.h"
#include "emu/machine/schedule.h"

enum {
	LOOK_EVERY = 1024,     /* operations between two looks at the clock and the cancel flag */
	AHEAD_MOST = 1 << 16,  /* operations of a look at what the next line accesses */
	AHEAD_UNTIL = 4 << 20, /* moments after that have no such look: it would run to them again */
	ACCESSES_MOST = 96,    /* of a line */
	COUNT_MOST = 1000 * 1000
};
/* --- observing ---------------------------------------------------------------------------------------------------- */

static bool touches(const StepStop *stop, const Access *a) {
	if (a->space != stop->space || (stop->stores_only && a->kind == ACCESS_LOAD)) return false;
	for (uint32_t m = a->mask; m; m &= m - 1) {
		const uint32_t l = first_lane(m);
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

static void on_access(Observer *self, const Access *a) {
	Stepper *s = ((StepObserver *)self)->stepper;
	if (a->kind != ACCESS_LOAD && a->space == SPACE_GLOBAL) step_undo_keep(s->undo, a);
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
	if (a->kind == ACCESS_STORE) step_undo_keep_texture(s->undo, a->texture);
}

static void on_fresh(Observer *self, uint64_t addr, size_t bytes) {
	Stepper *s = ((StepObserver *)self)->stepper;
	(void)bytes;
	if (s->undo == &s->since) vec_push(&s->objects, addr);
}

static const ObserverOps observer_ops = {.access = on_access, .texture = on_texture, .fresh = on_fresh};

/* --- where it stops ----------------------------------------------------------------------------------------------- */

typedef struct {
	StepWay way;    /* GO_TIME: only the limit */
	uint64_t limit; /* runs up to this moment */
	uint64_t left;  /* hits to go; recording: hits kept */
	uint32_t depth; /* where it began */
	Arrival from;
	uint64_t began; /* instructions of the warp in focus before it goes */
	bool stops;     /* armed stops count */
	bool record;    /* notes the moments of hits instead of stopping */
	VEC(uint64_t) hits;
	VEC(uint32_t) hit_stops;
	uint32_t stop; /* of the hit: number of the armed stop + 1; 0: none */
} Goal;

static bool is_arrival(const Arrival *last, uint32_t instr, const Spot *at) {
	return last->line != at->line || last->file != at->file || instr <= last->instr;
}

/* Has the warp got to a line now? Then it is noted. */
static bool arrives(const Stepper *s, Arrival *last, uint32_t instr) {
	const Spot *at = &s->spots[instr];
	if (!s->starts[instr] || !is_arrival(last, instr, at)) return false;
	*last = (Arrival){.instr = instr, .line = at->line, .file = at->file};
	return true;
}

static bool changed(ArmedStop *a, const StepValue *now) {
	bool differs = false;
	for (uint32_t m = a->seen ? a->before.known & now->known : 0; m; m &= m - 1)
		differs |= a->before.lane[first_lane(m)] != now->lane[first_lane(m)];
	if (now->known) a->before = *now;
	a->seen |= now->known != 0;
	return differs;
}

static bool stop_meets(Stepper *s, ArmedStop *a, Warp *w, uint32_t instr, bool arrived) {
	const StepStop *stop = &a->stop;
	StepValue value;
	if (stop->kind == STOP_AT_CHANGE) {
		if (w->number != s->focus.warp) return false;
		const uint32_t text_line = step_instr(w->frame, s->op)->text_line;
		if (text_line < stop->first || (stop->last && text_line > stop->last)) return false;
		value_of(a->condition, w, w->frame, &s->written[w->number], &value);
		return changed(a, &value);
	}
	if (!arrived || !a->at || !a->at[instr] || (stop->warp >= 0 && stop->warp != (int32_t)w->number)) return false;
	if (stop->lanes && !(stop->lanes & w->mask)) return false;
	if (!a->condition) return true;
	value_of(a->condition, w, w->frame, &s->written[w->number], &value);
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

static bool reaches(Stepper *s, Goal *g, const Warp *w, uint32_t instr, bool arrived) {
	switch (g->way) {
	case GO_INSTRUCTION: return true;
	case GO_LINE: return arrived;
	case GO_OVER: return step_depth(s, w->frame, s->op) <= g->depth && arrives(s, &g->from, instr);
	case GO_OUT: return s->starts[instr] && step_depth(s, w->frame, s->op) < g->depth;
	case GO_BARRIER: return at_barrier(s, w);
	default: return false;
	}
}

static bool note_hit(Stepper *s, Goal *g) {
	if (!g->record) return --g->left == 0;
	vec_push(&g->hits, s->time);
	vec_push(&g->hit_stops, g->stop);
	return false;
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

/* Before an instruction of the block in focus. True: it stops here. */
static bool at_instruction(Stepper *s, Goal *g, bool first) {
	Warp *w = s->running;
	const uint32_t instr = w->first_instr + s->op->instr;
	Arrival *last = &s->arrivals[w->number];
	const bool focused = w->number == s->focus.warp;
	const bool arrived = last->instr != instr || !first ? arrives(s, last, instr) : false;
	if (s->traces) note_event(s, w, arrived);
	if (g->way == GO_TIME) {
		for (size_t i = 0; i < s->stops.len; i++) /* values that were seen on the way */
			if (s->stops.data[i].stop.kind == STOP_AT_CHANGE) stop_meets(s, &s->stops.data[i], w, instr, arrived);
		return false;
	}
	g->stop = g->stops && (g->way == GO_ON || focused) ? stop_met(s, w, instr, arrived) : 0;
	/* It may have stood here while another warp ran: it has to leave first. */
	const bool stands = focused && !g->record && g->began && s->instructions[w->number] == g->began;
	if (focused && (first || stands)) g->from = *last;
	if (first) return false;
	const bool reached = focused && !stands && reaches(s, g, w, instr, arrived);
	if (g->stop && !g->record) return true;
	return (g->stop || reached) && note_hit(s, g);
}

static StepHalt halted(const Stepper *s) {
	switch (atomic_load(&s->run.stop)) {
	case STOP_FAULT: return HALT_FAULT;
	case STOP_CANCEL: return HALT_CANCELLED;
	case STOP_TIMEOUT: return HALT_TIME;
	default: return HALT_BLOCK_ENDED;
	}
}

/* Every so often. The moment stays whole: it can go on from here. */
static bool must_halt(const Stepper *s, uint64_t deadline, StepHalt *halt) {
	const atomic_bool *cancel = s->launch.cancel;
	if (cancel && atomic_load_explicit(cancel, memory_order_relaxed)) return *halt = HALT_CANCELLED, true;
	if (clock_ns() > deadline) return *halt = HALT_TIME, true;
	return false;
}

/* A step of one warp does not end where another one stops. */
static bool is_own_stop(const Stepper *s, const Goal *g) {
	return g->stops && (g->way == GO_ON || s->running->number == s->focus.warp);
}

static StepHalt run_until(Stepper *s, Goal *g) {
	launch_extend(&s->run);
	const uint64_t deadline = s->run.deadline_ns, start = s->time;
	const bool ends = g->way != GO_ON && g->way != GO_TIME && !g->record;
	StepHalt halt;
	g->began = s->instructions[s->focus.warp];
	s->run.deadline_ns = 0;
	for (uint64_t n = 1;; n++) {
		if (s->time >= g->limit) return HALT_DONE;
		if (ends && !step_warp(s)->alive) return HALT_WARP_ENDED;
		if (!s->op && !step_choose(s)) return s->over ? HALT_BLOCK_ENDED : halted(s);
		if (s->running->block == s->block && step_begins(s->op, s->running->frame->function) &&
			at_instruction(s, g, s->time == start))
			return g->stop ? HALT_STOP : HALT_DONE;
		if (n % LOOK_EVERY == 0 && must_halt(s, deadline, &halt)) return halt;
		step_run_op(s);
		if (step_has_stopped(s)) return halted(s);
		if (!s->stopped_at) continue;
		g->stop = is_own_stop(s, g) && s->time - 1 != start ? s->stopped_at : 0;
		s->stopped_at = 0;
		if (!g->stop) continue;
		if (!g->record || note_hit(s, g)) return HALT_STOP; /* after the access: settle goes to the moment before */
	}
}

/* The clock of a run that only leads to a moment it was at before is not the student's. */
static StepHalt run_to(Stepper *s, uint64_t time) {
	Goal g = {.way = GO_TIME, .limit = time};
	return run_until(s, &g);
}

/* --- going -------------------------------------------------------------------------------------------------------- */

/* The moment again with all that is known only by running to it. */
static StepHalt return_to(Stepper *s, uint64_t time) {
	return step_begin(s, false) ? run_to(s, time) : halted(s);
}

static Goal goal_of(Stepper *s, const StepGo *go) {
	const Warp *w = step_warp(s);
	Goal g = {.way = go->way,
			  .limit = go->way == GO_TIME ? go->count : UINT64_MAX,
			  .left = go->count,
			  .from = s->arrivals[w->number],
			  .stops = go->way != GO_TIME};
	const Split *split = w->nsplits ? step_split(s, w) : NULL;
	const Op *op = split ? step_op(s, w, split) : NULL;
	if (op && split->frame) g.depth = step_depth(s, split->frame, op);
	return g;
}

static StepHalt go_back(Stepper *s, Goal *g, uint32_t *stop) {
	const uint64_t now = s->time, count = g->left;
	g->record = true;
	g->limit = now;
	g->from = (Arrival){.instr = UINT32_MAX};
	if (!step_begin(s, false)) return halted(s);
	StepHalt halt = run_until(s, g);
	if (halt != HALT_CANCELLED && halt != HALT_TIME) {
		const size_t n = g->hits.len;
		const bool found = count <= n;
		*stop = found ? g->hit_stops.data[n - count] : 0;
		halt = return_to(s, found ? g->hits.data[n - count] : 0);
		if (halt == HALT_DONE) halt = !found ? HALT_BEGIN : *stop ? HALT_STOP : HALT_DONE;
	}
	vec_free(&g->hits);
	vec_free(&g->hit_stops);
	return halt;
}

static StepHalt go_on(Stepper *s, Goal *g, uint32_t *stop) {
	const StepHalt halt = run_until(s, g);
	*stop = halt == HALT_STOP ? g->stop : 0;
	return halt;
}

/* Faults and accesses are noticed when they have happened: to the moment before. Another warp's stop moves the
 * focus. */
static StepHalt settle(Stepper *s, StepHalt halt, uint32_t stop, const Fault *fault) {
	uint64_t time = s->time;
	const Warp *w = s->running;
	const bool access = halt == HALT_STOP && s->stops.data[stop - 1].stop.kind == STOP_AT_ADDRESS;
	const bool fell = halt == HALT_FAULT && s->first && w && w->block == s->block;
	if (!access && !(fell && time)) {
		if (halt != HALT_STOP || !w || w->number == s->focus.warp) return halt;
		s->focus.warp = w->number;
		return return_to(s, time) == HALT_DONE ? halt : halted(s);
	}
	if (fell && fault->kind == FAULT_BARRIER) return halt; /* every warp waits: nothing has to be undone */
	s->focus.warp = w->number;
	return return_to(s, time - 1) == HALT_DONE ? halt : halted(s);
}

static void look_ahead(Stepper *s, StepHalt halt) {
	const uint64_t now = s->time;
	s->accesses.len = 0;
	if (!s->block || now > AHEAD_UNTIL || halt >= HALT_WARP_ENDED || !step_warp(s)->alive) return;
	const Goal plan = goal_of(s, &(StepGo){.way = GO_OVER, .count = 1});
	Goal g = plan;
	g.stops = false;
	g.limit = now + AHEAD_MOST;
	s->collects = true;
	run_until(s, &g);
	s->collects = false;
	return_to(s, now);
}

static bool check_request(const Stepper *s, const StepGo *go, Err *err) {
	if (go->focus.block >= launch_blocks(&s->launch.config))
		return err_set(err, ERR_USAGE, "the grid has no block %u: it has %llu", go->focus.block,
					   (unsigned long long)launch_blocks(&s->launch.config));
	if (go->focus.warp >= s->run.nwarps)
		return err_set(err, ERR_USAGE, "the block has no warp %u: it has %u", go->focus.warp, s->run.nwarps);
	if (go->way != GO_TIME && (go->count < 1 || go->count > COUNT_MOST))
		return err_set(err, ERR_USAGE, "steps: 1 to %d", COUNT_MOST);
	return true;
}

/* Another block begins the launch again; another warp of this one only has to be followed from the beginning. */
static bool set_focus(Stepper *s, const StepGo *go) {
	const bool moved = !s->first || go->focus.block != s->focus.block, turned = go->focus.warp != s->focus.warp;
	const uint64_t now = s->time;
	s->focus = go->focus;
	if (moved || step_has_stopped(s)) return step_begin(s, true);
	if (!turned) return true;
	return return_to(s, now) == HALT_DONE || s->over;
}

static StepHalt go_somewhere(Stepper *s, const StepGo *go, uint32_t *stop) {
	if (!set_focus(s, go)) return halted(s);
	if (go->way == GO_HERE) return HALT_DONE;
	if (go->way == GO_TIME && go->count <= s->time && (go->count || s->time)) {
		const StepHalt halt = go->count == s->time ? HALT_DONE : return_to(s, go->count);
		return halt;
	}
	Goal g = goal_of(s, go);
	return go->back && go->way != GO_TIME ? go_back(s, &g, stop) : go_on(s, &g, stop);
}

bool stepper_go(Stepper *s, const StepGo *go, Arena *arena, StepMoment *out, Err *err) {
	uint32_t stop = 0;
	if (!check_request(s, go, err) || !step_arm(s, go, err)) return false;
	s->events.len = 0;
	s->traces = go->trace;
	StepHalt halt = go_somewhere(s, go, &stop);
	s->traces = false;
	const Fault fault = s->run.fault;
	*out = (StepMoment){0};
	if (halt == HALT_FAULT) out->fault = fault;
	halt = settle(s, halt, stop, &fault);
	const bool stands = s->first != NULL;
	if (stands && halt != HALT_FAULT) step_clear_stop(s);
	if (stands && halt < HALT_WARP_ENDED) look_ahead(s, halt);
	if (stands) step_clear_stop(s);
	out->halt = s->time == 0 && halt == HALT_DONE ? HALT_BEGIN : halt;
	out->stop = halt == HALT_STOP && stop ? s->stops.data[stop - 1].stop.number : 0;
	if (halt == HALT_FAULT) snprintf(out->message, sizeof out->message, "%s", out->fault.message);
	step_describe(s, arena, out);
	return true;
}

void stepper_values(Stepper *s, const char *const *expressions, uint32_t n, StepValue *out) {
	for (uint32_t i = 0; i < n; i++) {
		Err err = ERR_INIT;
		out[i] = (StepValue){0};
		Warp *w = s->block ? step_warp(s) : NULL;
		const Split *split = w && w->nsplits ? step_split(s, w) : NULL;
		ValueCode *code = value_code(expressions[i], &err);
		if (code && split && split->frame)
			value_of(code, w, split->frame, &s->written[w->number], &out[i]);
		else
			snprintf(out[i].trouble, sizeof out[i].trouble, "%.150s",
					 !code ? err.what
					 : w   ? "the warp has ended"
						   : "nothing runs yet");
		value_code_free(code);
	}
}

/* --- open and close ----------------------------------------------------------------------------------------------- */

Stepper *stepper_open(Machine *machine, const EmuKernel *kernel, const EmuLaunch *launch, LaunchOutcome *refused,
					  Err *err) {
	Stepper *s = xcalloc(1, sizeof *s);
	s->machine = machine;
	s->launch = *launch;
	s->params = memcpy(xmalloc(launch->param_bytes + 1), launch->params ? launch->params : "", launch->param_bytes);
	s->launch.params = s->params;
	s->launch.print = NULL;
	s->launch.config.schedule = s->launch.config.sample = s->launch.config.work_limit = 0;
	s->observer = (StepObserver){&observer_ops, s};
	s->observers[0] = (Observer *)&s->observer;
	s->launch.observers = s->observers;
	s->launch.nobservers = 1;
	s->before = s->since = (StepUndo){.memory = machine_memory(machine), .textures = machine_textures(machine)};
	s->undo = &s->before;
	if (launch_open(&s->run, machine, kernel, &s->launch, refused, err) != LAUNCH_OPEN) {
		free(s->params);
		free(s);
		return NULL;
	}
	if (!kernel->module->keeps_registers) {
		launch_close(&s->run);
		free(s->params);
		free(s);
		return err_set(err, ERR_USAGE, "the module was not loaded for stepping"), NULL;
	}
	s->worker = launch_one_worker(&s->run);
	s->instructions = xcalloc(s->run.nwarps, sizeof *s->instructions);
	s->arrivals = xcalloc(s->run.nwarps, sizeof *s->arrivals);
	s->written = xcalloc(s->run.nwarps, sizeof *s->written);
	for (uint32_t w = 0; w < s->run.nwarps; w++)
		s->written[w].written = xcalloc(s->run.module->ptx->nfunctions + 1, sizeof *s->written->written);
	step_find_starts(s);
	return s;
}

void stepper_close(Stepper *s) {
	if (!s) return;
	step_end_launch(s);
	step_disarm(s);
	vec_free(&s->stops);
	vec_free(&s->others);
	vec_free(&s->accesses);
	vec_free(&s->objects);
	vec_free(&s->events);
	step_forget_written(s);
	for (uint32_t w = 0; w < s->run.nwarps; w++) free(s->written[w].written);
	free(s->written);
	free(s->instructions);
	free(s->arrivals);
	free(s->starts);
	free(s->spots);
	launch_end_worker(&s->run);
	launch_close(&s->run);
	free(s->params);
	free(s);
}
