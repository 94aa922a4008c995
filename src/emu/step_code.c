/* stepping.h: places in the code where a step or a stop ends. */
#include <string.h>

#include "emu/out_of_line.h"
#include "emu/stepping.h"

/* --- places in the code ------------------------------------------------------------------------------------------------------------ */

/* Does an instruction begin here? */
bool step_begins(const Op *op, const EmuFunction *fn) {
	return fn->begins[op - fn->ops];
}

/* Copies between registers and between kinds of addresses are nobody's line. */
static bool is_visible(const PtxInstr *in) {
	if (!in->line || in->op == OP_CVTA) return false;
	return in->op != OP_MOV || in->noperands < 2 || in->operands[1].kind != OPERAND_REG;
}

/* The first visible instruction of each line in each basic block. */
void step_find_starts(Stepper *s) {
	const EmuKernel *kernel = s->run.kernel;
	s->starts = xcalloc(kernel->ninstrs + 1, 1);
	for (uint32_t p = 0; p < kernel->nprograms; p++) {
		const EmuFunction *fn = kernel->programs[p];
		for (uint32_t k = 0; k < fn->nops; k++) {
			const Op *op = &fn->ops[k];
			const PtxInstr *in = &fn->ptx->instrs[op->instr];
			bool first = fn->ptx->ninstrs && step_begins(op, fn) && is_visible(in);
			for (uint32_t i = fn->ptx->ninstrs ? fn->cfg->blocks[fn->cfg->block_of[op->instr]].first : 0;
				 first && i < op->instr; i++)
				first = !s->starts[kernel->first[p] + i] || fn->ptx->instrs[i].line != in->line ||
						fn->ptx->instrs[i].file != in->file;
			if (first) s->starts[kernel->first[p] + op->instr] = 1;
		}
	}
}

StepPlace *stepper_places(const Stepper *s, Arena *arena, uint32_t *count) {
	const EmuKernel *kernel = s->run.kernel;
	const PtxModule *ptx = s->run.module->ptx;
	StepPlace *places = arena_array(arena, kernel->ninstrs + 1, sizeof *places);
	*count = 0;
	for (uint32_t p = 0; p < kernel->nprograms; p++)
		for (uint32_t i = 0; i < kernel->ptx[p]->ninstrs; i++) {
			const PtxInstr *in = &kernel->ptx[p]->instrs[i];
			if (!s->starts[kernel->first[p] + i] || !in->file || in->file >= ptx->nfiles) continue;
			places[(*count)++] =
				(StepPlace){.file = ptx->files[in->file], .function = kernel->ptx[p]->name, .line = in->line};
		}
	return places;
}

uint32_t step_depth(const Stepper *s, const Frame *frame, const PtxInstr *in) {
	const PtxModule *ptx = s->run.module->ptx;
	uint32_t depth = 0;
	for (const Frame *f = frame; f->caller; f = f->caller) depth++;
	for (uint32_t at = in->inlined_at; at && at <= ptx->ninlined && depth < 10000; at = ptx->inlined[at - 1].inlined_at)
		depth++;
	return depth;
}

/* --- stops ------------------------------------------------------------------------------------------------------------------------------------- */

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
	const PtxModule *ptx = s->run.module->ptx;
	bool any = false;
	a->at = xcalloc(kernel->ninstrs + 1, 1);
	for (uint32_t p = 0; p < kernel->nprograms; p++) {
		const PtxFunction *f = kernel->ptx[p];
		const bool function = a->stop.kind == STOP_AT_FUNCTION && strcmp(f->name, a->stop.name) == 0;
		bool done = false;
		for (uint32_t i = 0; i < f->ninstrs; i++) {
			const PtxInstr *in = &f->instrs[i];
			if (!s->starts[kernel->first[p] + i]) continue;
			const bool line = a->stop.kind == STOP_AT_LINE && in->line == a->stop.line && in->file &&
							  in->file < ptx->nfiles && same_file(ptx->files[in->file], a->stop.name);
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

bool step_arm(Stepper *s, const StepGo *go, Err *err) {
	step_disarm(s);
	for (uint32_t i = 0; i < go->nstops; i++)
		if (!arm_one(s, &go->stops[i], err)) return false;
	return true;
}
