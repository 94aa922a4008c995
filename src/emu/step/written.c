/* step/stepper.h: when each instruction ran last, for each lane. What a register was written by is looked up only when
 * someone asks, because every instruction is noted and few registers are asked for. */
#include <string.h>

#include "base/arena.h"
#include "emu/exec/out_of_line.h"
#include "emu/step/stepper.h"

/* --- by register, what writes it ---------------------------------------------------------------------------------- */

typedef struct {
	Writers *to;
	uint32_t instr;
	bool counts; /* first how many there are, then which */
} Listing;

static void list_writer(void *data, uint32_t reg) {
	const Listing *l = data;
	if (l->counts)
		l->to->first[reg + 1]++;
	else
		l->to->instrs[l->to->first[reg]++] = l->instr;
}

static void list_writers(Arena *arena, const EmuFunction *fn, uint32_t first_instr, Writers *to) {
	const uint32_t n = fn->ptx->nregs;
	to->first = arena_array(arena, n + 2, sizeof *to->first);
	for (int counts = 1; counts >= 0; counts--) {
		for (uint32_t i = 0; i < fn->ptx->ninstrs; i++) {
			Listing listing = {to, first_instr + i, counts};
			ptx_each_written(&fn->ptx->instrs[i], list_writer, &listing);
		}
		if (!counts) break;
		for (uint32_t r = 0; r < n; r++) to->first[r + 1] += to->first[r];
		to->instrs = arena_array(arena, to->first[n] + 1, sizeof *to->instrs);
	}
	memmove(to->first + 1, to->first, n * sizeof *to->first); /* each has moved to the end of its own */
	to->first[0] = 0;
}

Writers *step_writers(Arena *arena, const Run *run) {
	Writers *writers = arena_array(arena, run->kernel->module->ptx->nfunctions + 1, sizeof *writers);
	for (uint32_t p = 0; p < run->kernel->nprograms; p++) {
		const EmuFunction *fn = run->kernel->programs[p];
		list_writers(arena, fn, run->kernel->first[p], &writers[fn->index]);
	}
	return writers;
}

/* --- marks -------------------------------------------------------------------------------------------------------- */

/* Lanes that the last time was not for keep the time they have. */
void mark_other_lanes(Arena *arena, Mark *m, uint32_t mask) {
	if (!m->lanes) m->lanes = arena_array(arena, LANES, sizeof *m->lanes);
	FOR_LANES(l, m->mask & ~mask) m->lanes[l] = m->time;
}

Mark *marks_copy(Arena *arena, const Mark *marks, size_t n) {
	Mark *copy = arena_array(arena, n + 1, sizeof *copy);
	if (marks) memcpy(copy, marks, n * sizeof *copy);
	for (size_t i = 0; i < n; i++)
		if (copy[i].lanes)
			copy[i].lanes =
				memcpy(arena_array(arena, LANES, sizeof *copy->lanes), copy[i].lanes, LANES * sizeof *copy->lanes);
	return copy;
}

void step_set_marks(Stepper *s, const Mark *marks) {
	Arena *arena = arena_new();
	s->marks = marks_copy(arena, marks, (size_t)s->run.shape.nwarps * s->run.kernel->ninstrs);
	arena_free(s->marked);
	s->marked = arena;
}

uint64_t written_at(const WrittenRegisters *written, const EmuFunction *fn, uint32_t reg, uint32_t lane) {
	const Writers *by = &written->writers[fn->index];
	uint64_t latest = 0;
	for (uint32_t i = by->first[reg]; i < by->first[reg + 1]; i++) {
		const Mark *m = &written->marks[by->instrs[i]];
		const uint64_t time = m->mask >> lane & 1 ? m->time : m->lanes ? m->lanes[lane] : 0;
		if (time > latest) latest = time;
	}
	return latest;
}

bool written_by_all(const WrittenRegisters *written, const EmuFunction *fn, uint32_t reg, uint32_t lanes,
					uint64_t *time) {
	const Writers *by = &written->writers[fn->index];
	*time = 0;
	for (uint32_t i = by->first[reg]; i < by->first[reg + 1]; i++) {
		const Mark *m = &written->marks[by->instrs[i]];
		if (!m->time) continue;
		if (lanes & ~m->mask) return false;
		if (m->time > *time) *time = m->time;
	}
	return true;
}
