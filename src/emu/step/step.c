/* step.h: moves of the cluster in focus, forward and back. */
#include "emu/step/stepper.h"

#include <stdio.h>
#include <string.h>

#include "emu/exec/out_of_line.h"
#include "emu/machine/internal.h"

enum {
	AHEAD_MOST = 1 << 16,  /* operations of a look at what the next line accesses */
	AHEAD_UNTIL = 4 << 20, /* without an image, moments after that have no such look: it would run to them again */
	COUNT_MOST = 1000 * 1000
};

/* --- going back --------------------------------------------------------------------------------------------------- */

static StepHalt run_to(Stepper *s, uint64_t time) {
	Goal g = {.way = GO_TIME, .limit = time};
	return step_run(s, &g);
}

/* The moment again. */
static StepHalt return_to(Stepper *s, uint64_t time) {
	return step_go_before(s, time) ? run_to(s, time) : step_halted(s);
}

/* Hits from an image at `from` on, up to before `until`, which becomes the moment before which others are still to be
 * found. False: it had to halt. */
static bool record_from(Stepper *s, Goal *g, uint64_t from, uint64_t *until, StepHalt *halt) {
	g->hits.len = 0;
	g->limit = *until;
	g->from = (Arrival){.instr = UINT32_MAX};
	if (!step_go_before(s, from)) return *halt = step_halted(s), false;
	const bool begins = !s->time;
	g->unsure = !begins;
	*halt = step_run(s, g);
	*until = begins ? 0 : g->sure;
	return *halt != HALT_CANCELLED && *halt != HALT_TIME;
}

/* The moment of the image that is so many before `time`. */
static uint64_t image_before(const Stepper *s, uint64_t time, size_t many) {
	size_t at = s->images.len;
	while (at && step_image_time(s, at - 1) >= time) at--;
	return at > many ? step_image_time(s, at - many) : 0;
}

/* Takes hits from the last one on. False: others are to be found before `until`. */
static bool take_hits(Goal *g, uint64_t *until, bool *again, StepHit *hit) {
	for (size_t i = g->hits.len; i--;) {
		*hit = g->hits.data[i];
		if (--g->left == 0) return true;
		if (hit->depth >= g->depth) continue;
		g->depth = hit->depth; /* from outside of the function, calls are stepped over */
		*until = hit->time;
		*again = true;
		break;
	}
	return false;
}

/* From the last image before now, then from earlier ones, each time twice as many of them earlier. */
static StepHalt go_back(Stepper *s, Goal *g, uint32_t *stop) {
	uint64_t until = s->time, from = until;
	StepHit hit = {0};
	StepHalt halt = HALT_DONE;
	bool found = false;
	g->record = true;
	for (size_t many = 1; until && !found; many *= 2) {
		bool again = false;
		from = image_before(s, from, many);
		if (!record_from(s, g, from, &until, &halt)) break;
		found = take_hits(g, &until, &again, &hit);
		if (again) from = until, many = 1;
	}
	vec_free(&g->hits);
	if (halt == HALT_CANCELLED || halt == HALT_TIME) return halt;
	*stop = found ? hit.stop : 0;
	halt = return_to(s, found ? hit.time : 0);
	return halt != HALT_DONE ? halt : !found ? HALT_BEGIN : *stop ? HALT_STOP : HALT_DONE;
}

/* --- going -------------------------------------------------------------------------------------------------------- */

static StepHalt go_on(Stepper *s, Goal *g, uint32_t *stop) {
	const StepHalt halt = step_run(s, g);
	*stop = halt == HALT_STOP ? g->stop : 0;
	return halt;
}

/* Faults and accesses are noticed when they have happened: to the moment before. Another warp's stop moves the
 * focus. */
static StepHalt settle(Stepper *s, StepHalt halt, uint32_t stop, const Fault *fault) {
	const bool access = halt == HALT_STOP && s->stops.data[stop - 1].stop.kind == STOP_AT_ADDRESS;
	const bool fell = halt == HALT_FAULT && s->first && s->running && s->running->block == s->block;
	if (halt == HALT_STOP && !access && !s->op) step_choose(s); /* whose turn it is, after going back */
	if (halt == HALT_STOP && s->running) s->focus.warp = s->running->number;
	if (!access && !(fell && s->time)) return halt;
	if (fell && fault->kind == FAULT_BARRIER) return halt; /* every warp waits: nothing has to be undone */
	s->focus.warp = s->running->number;
	return return_to(s, s->time - 1) == HALT_DONE ? halt : step_halted(s);
}

/* Runs on to the next line, and comes back. Does an access on the way fault? */
static void look_ahead(Stepper *s, StepHalt halt, Fault *fault) {
	const uint64_t now = s->time;
	s->accesses.len = 0;
	if (!s->block || halt >= HALT_WARP_ENDED || !step_warp(s)->alive) return;
	const bool has_image = step_image_holds(s);
	if (!has_image && now > AHEAD_UNTIL) return;
	Goal g = step_goal(s, &(StepGo){.way = GO_OVER, .count = 1});
	g.stops = false;
	g.limit = now + AHEAD_MOST;
	if (has_image) step_image_push(s);
	s->collects = true;
	if (step_run(s, &g) == HALT_FAULT && s->running && s->running == step_warp(s)) *fault = s->run.end.fault;
	s->collects = false;
	if (has_image) {
		step_image_return(s, s->images.len - 1);
		step_images_drop(s, s->images.len - 1);
	} else {
		return_to(s, now);
	}
}

static bool check_request(const Stepper *s, const StepGo *go, Err *err) {
	if (go->focus.block >= launch_blocks(&s->launch.config))
		return err_set(err, ERR_USAGE, "the grid has no block %u: it has %llu", go->focus.block,
					   (unsigned long long)launch_blocks(&s->launch.config));
	if (go->focus.warp >= s->run.shape.nwarps)
		return err_set(err, ERR_USAGE, "the block has no warp %u: it has %u", go->focus.warp, s->run.shape.nwarps);
	if (go->way != GO_TIME && (go->count < 1 || go->count > COUNT_MOST))
		return err_set(err, ERR_USAGE, "steps: 1 to %d", COUNT_MOST);
	return true;
}

/* Another block begins the launch again. */
static bool set_focus(Stepper *s, const StepGo *go) {
	const bool moved = !s->first || go->focus.block != s->focus.block;
	s->focus = go->focus;
	return !moved || step_begin(s);
}

static StepHalt go_somewhere(Stepper *s, const StepGo *go, uint32_t *stop) {
	if (!set_focus(s, go)) return step_halted(s);
	if (go->way == GO_HERE) return HALT_DONE;
	if (go->way == GO_TIME && go->count <= s->time && (go->count || s->time)) {
		return go->count == s->time ? HALT_DONE : return_to(s, go->count);
	}
	Goal g = step_goal(s, go);
	return go->back && go->way != GO_TIME ? go_back(s, &g, stop) : go_on(s, &g, stop);
}

bool stepper_go(Stepper *s, const StepGo *go, Arena *arena, StepMoment *out, Err *err) {
	uint32_t stop = 0;
	if (!check_request(s, go, err) || !step_arm(s, go, err)) return false;
	s->events.len = 0;
	s->traces = go->trace;
	StepHalt halt = go_somewhere(s, go, &stop);
	s->traces = false;
	const Fault fault = s->run.end.fault;
	*out = (StepMoment){0};
	if (halt == HALT_FAULT) out->fault = fault;
	s->watched_warp = s->focus.warp;
	halt = settle(s, halt, stop, &fault);
	s->watched = go->nstops && !go->back ? s->time : UINT64_MAX;
	const bool stands = s->first != NULL;
	if (stands && halt != HALT_FAULT) step_clear_stop(s);
	if (stands && halt < HALT_WARP_ENDED) look_ahead(s, halt, &out->fault);
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
		const Split *split = w && w->splits.len ? step_split(s, w) : NULL;
		ValueCode *code = value_code(expressions[i], &err);
		const WrittenRegisters written = w ? step_written(s, w) : (WrittenRegisters){0};
		if (code && split && split->frame)
			value_of(code, w, split->frame, &written, &out[i]);
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
	Arena *arena = arena_new();
	Stepper *s = arena_aligned(arena, sizeof *s, _Alignof(Stepper)); /* its Run keeps cache lines apart */
	s->arena = arena;
	s->machine = machine;
	s->launch = *launch;
	s->launch.params =
		memcpy(arena_alloc(arena, launch->param_bytes + 1), launch->params ? launch->params : "", launch->param_bytes);
	s->launch.print = NULL;
	s->launch.config.schedule = s->launch.config.sample = s->launch.config.work_limit = 0;
	s->launch.config.repeatable = true; /* the clock that kernels read, too */
	s->observer = (StepObserver){.base.ops = step_observer_ops(), .stepper = s};
	s->observers[0] = &s->observer.base;
	s->launch.observers = s->observers;
	s->launch.nobservers = 1;
	s->heap = memory_heap_save(machine_memory(machine), arena);
	if (launch_open(&s->run, machine, kernel, &s->launch, refused, err) != LAUNCH_OPEN) {
		arena_free(arena);
		return NULL;
	}
	if (!kernel->module->keeps_registers) {
		launch_close(&s->run);
		arena_free(arena);
		return err_set(err, ERR_USAGE, "the module was not loaded for stepping"), NULL;
	}
	s->worker = launch_one_worker(&s->run);
	s->before = s->undo = undo_new(machine_memory(machine));
	s->instructions = arena_array(arena, s->run.shape.nwarps, sizeof *s->instructions);
	s->arrivals = arena_array(arena, s->run.shape.nwarps, sizeof *s->arrivals);
	step_set_marks(s, NULL);
	s->writers = step_writers(arena, &s->run);
	step_find_starts(s);
	return s;
}

void stepper_close(Stepper *s) {
	if (!s) return;
	step_end_launch(s);
	undo_free(s->before);
	step_disarm(s);
	vec_free(&s->stops);
	vec_free(&s->others);
	vec_free(&s->accesses);
	vec_free(&s->events);
	vec_free(&s->images);
	launch_end_worker(&s->run);
	launch_close(&s->run);
	arena_free(s->marked);
	arena_free(s->arena);
}
