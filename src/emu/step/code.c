/* step/stepper.h: places in the code where a step or a stop ends. */
#include <string.h>

#include "emu/check/checker.h"
#include "emu/exec/out_of_line.h"
#include "emu/step/stepper.h"

/* --- places in the code ------------------------------------------------------------------------------------------- */

const Spot *step_spot(const Stepper *s, const Frame *frame, const Op *op) {
	return &s->spots[s->run.kernel->first_instr[frame->function->index] + op->instr];
}

/* The place of an instruction in the source, or an empty one if the stepper cannot show its line. */
static Spot shown_spot(const PtxModule *ptx, const PtxInstr *in) {
	const Spot spot = spot_of(ptx, in);
	return *place_of_spot(ptx, spot).file ? spot : (Spot){0};
}

/* Copies between registers and between kinds of addresses belong to no line. */
static bool is_visible(const PtxInstr *in, const Spot *spot) {
	if (!spot->line || in->op == OP_CVTA) return false;
	return in->op != OP_MOV || in->noperands < 2 || in->operands[1].kind != OPERAND_REG;
}

/* Is it the first of its line among those of its basic block that begin a line so far? */
static bool is_first(const Stepper *s, const EmuFunction *fn, uint32_t first, uint32_t instr) {
	const Spot *own = &s->spots[first + instr];
	for (uint32_t i = fn->cfg->blocks[fn->cfg->block_of[instr]].first; i < instr; i++)
		if (s->sites[first + i].starts && s->spots[first + i].line == own->line &&
			s->spots[first + i].file == own->file)
			return false;
	return true;
}

static void add_site(Stepper *s, const EmuFunction *fn, uint32_t first, const Op *op) {
	const PtxInstr *in = &fn->ptx->instrs[op->instr];
	Site *site = &s->sites[first + op->instr];
	site->first = op;
	site->guard = in->guarded && fn->places ? fn->places[in->guard].slot : NO_SLOT;
	site->negated = in->guard_negated;
	site->starts = is_visible(in, &s->spots[first + op->instr]) && is_first(s, fn, first, op->instr);
}

/* A line's code begins with its first visible instruction in each basic block. */
void step_find_starts(Stepper *s) {
	const EmuKernel *kernel = s->run.kernel;
	s->sites = arena_array(s->arena, kernel->ninstrs + 1, sizeof *s->sites);
	s->spots = arena_array(s->arena, kernel->ninstrs + 1, sizeof *s->spots);
	for (uint32_t p = 0; p < kernel->nprograms; p++) {
		const EmuFunction *fn = kernel->programs[p];
		const uint32_t first = kernel->first[p];
		for (uint32_t i = 0; i < fn->ptx->ninstrs; i++)
			s->spots[first + i] = shown_spot(s->run.kernel->module->ptx, &fn->ptx->instrs[i]);
		for (uint32_t k = 0; k < fn->nops && fn->ptx->ninstrs; k++)
			if (fn->begins[k]) add_site(s, fn, first, &fn->ops[k]);
	}
}

StepPlace *stepper_places(const Stepper *s, Arena *arena, uint32_t *count) {
	const EmuKernel *kernel = s->run.kernel;
	const PtxModule *ptx = s->run.kernel->module->ptx;
	StepPlace *places = arena_array(arena, kernel->ninstrs + 1, sizeof *places);
	*count = 0;
	for (uint32_t p = 0; p < kernel->nprograms; p++)
		for (uint32_t i = 0; i < kernel->ptx[p]->ninstrs; i++) {
			const Spot *spot = &s->spots[kernel->first[p] + i];
			if (!s->sites[kernel->first[p] + i].starts || !spot->file) continue;
			places[(*count)++] = (StepPlace){.file = ptx->files[spot->file],
											 .function = kernel->ptx[p]->name,
											 .line = spot->line,
											 .text_line = kernel->ptx[p]->instrs[i].text_line,
											 .inlined = spot->inlined_at != 0};
		}
	return places;
}

uint32_t step_depth(const Stepper *s, const Frame *frame, const Op *op) {
	enum { MOST = 10000 };
	const PtxModule *ptx = s->run.kernel->module->ptx;
	uint32_t depth = 0;
	for (const Frame *f = frame; f->caller; f = f->caller) depth++;
	for (uint32_t at = step_spot(s, frame, op)->inlined_at; at && depth < MOST; at = ptx->inlined[at - 1].inlined_at)
		depth++;
	return depth;
}

/* --- stops -------------------------------------------------------------------------------------------------------- */

void step_disarm(Stepper *s) {
	for (size_t i = 0; i < s->stops.len; i++) {
		ArmedStop *a = &s->stops.data[i];
		value_code_free(a->condition);
		free((char *)a->stop.name);
		free(a->at);
	}
	s->stops.len = 0;
}

static bool same_file(const char *path, const char *name) {
	const size_t n = strlen(path), m = strlen(name);
	return n >= m && strcmp(path + n - m, name) == 0 && (n == m || path[n - m - 1] == '/' || *name == '/');
}

/* Instructions where the stop is; false: there are none. */
static bool find_places(const Stepper *s, ArmedStop *a) {
	const EmuKernel *kernel = s->run.kernel;
	const PtxModule *ptx = s->run.kernel->module->ptx;
	bool any = false;
	a->at = xcalloc(kernel->ninstrs + 1, 1);
	for (uint32_t p = 0; p < kernel->nprograms; p++) {
		const PtxFunction *f = kernel->ptx[p];
		const bool function = a->stop.kind == STOP_AT_FUNCTION && strcmp(f->name, a->stop.name) == 0;
		bool done = false;
		for (uint32_t i = 0; i < f->ninstrs; i++) {
			const Spot *spot = &s->spots[kernel->first[p] + i];
			if (!s->sites[kernel->first[p] + i].starts) continue;
			const uint32_t text_line = f->instrs[i].text_line;
			const bool line = a->stop.kind == STOP_AT_LINE && spot->line == a->stop.line && spot->file &&
							  same_file(ptx->files[spot->file], a->stop.name) && a->stop.first <= text_line &&
							  (!a->stop.last || text_line <= a->stop.last);
			if (!line && !(function && !done)) continue;
			a->at[kernel->first[p] + i] = 1;
			any = done = true;
		}
	}
	return any;
}

static bool arm_one(Stepper *s, const StepStop *stop, Err *err) {
	ArmedStop a = {.stop = *stop};
	const bool in_code = stop->kind == STOP_AT_LINE || stop->kind == STOP_AT_FUNCTION;
	if (in_code && !stop->name) return err_set(err, ERR_USAGE, "a stop in the code needs a name");
	if (stop->kind == STOP_AT_CHANGE && !stop->condition) return err_set(err, ERR_USAGE, "nothing to watch");
	if (stop->condition && !(a.condition = value_code(stop->condition, err))) return false;
	a.stop.name = stop->name ? xstrdup(stop->name) : NULL;
	a.stop.condition = NULL;
	const bool ok = !in_code || find_places(s, &a) ||
					err_set(err, ERR_USAGE, "the kernel has no code at %s%s%.0u", stop->name,
							stop->kind == STOP_AT_LINE ? ":" : "", stop->line);
	vec_push(&s->stops, a);
	return ok;
}

ArmedStop *step_first_of(const Stepper *s, uint32_t number) {
	for (size_t i = 0; i < s->stops.len; i++)
		if (s->stops.data[i].stop.kind == STOP_AT_CHANGE && s->stops.data[i].stop.number == number)
			return &s->stops.data[i];
	return NULL;
}

bool step_arm(Stepper *s, const StepGo *go, Err *err) {
	VEC(StepValue) before = {0};
	const bool follows = s->first && s->time == s->watched && go->focus.warp == s->watched_warp;
	for (uint32_t i = 0; i < go->nstops; i++) {
		const ArmedStop *known = follows ? step_first_of(s, go->stops[i].number) : NULL;
		vec_push(&before, known ? known->before : (StepValue){0});
	}
	step_disarm(s);
	bool ok = true;
	for (uint32_t i = 0; i < go->nstops && ok; i++) {
		ok = arm_one(s, &go->stops[i], err);
		if (ok) s->stops.data[i].before = before.data[i];
	}
	vec_free(&before);
	return ok;
}
