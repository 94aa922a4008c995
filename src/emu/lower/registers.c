/* Places for registers: a linear scan over the text. A register lives from its first to its last mention, extended
 * over every block it is live into or out of; two of one size that are not live at the same time may share a place.
 * Of one size: a lane that has left a loop waits with its values while others write theirs, in the same place of each
 * register. */
#include <stdlib.h>
#include <string.h>

#include "emu/lower/lower.h"

typedef struct {
	uint32_t first, last, reg;
} Life;

static void mention(Life *lives, uint32_t reg, uint32_t at) {
	Life *v = &lives[reg];
	if (at < v->first) v->first = at;
	if (at > v->last) v->last = at;
}

static void mention_operand(Life *lives, const PtxOperand *o, uint32_t at) {
	if (o->kind == OPERAND_REG || (o->kind == OPERAND_ADDRESS && o->has_base)) mention(lives, o->reg, at);
	if (o->has_pair) mention(lives, o->pair, at);
	for (uint32_t i = 0; i < o->nitems; i++) mention_operand(lives, &o->items[i], at);
}

static void mention_live(Life *lives, const uint64_t *set, uint32_t words, uint32_t nregs, uint32_t at) {
	for (uint32_t k = 0; k < words; k++)
		for (uint64_t bits = set[k]; bits; bits &= bits - 1) {
			uint32_t reg = k * 64 + (uint32_t)__builtin_ctzll(bits);
			if (reg < nregs) mention(lives, reg, at);
		}
}

static Life *find_lives(const Lower *L) {
	const PtxFunction *f = L->ptx;
	Life *lives = xcalloc(f->nregs + 1, sizeof *lives);
	for (uint32_t r = 0; r < f->nregs; r++) lives[r] = (Life){.first = UINT32_MAX, .reg = r};
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		if (in->guarded) mention(lives, in->guard, i);
		for (uint32_t k = 0; k < in->noperands; k++) mention_operand(lives, &in->operands[k], i);
		if (!L->fused[i].product) continue;
		const PtxInstr *mul = &f->instrs[L->fused[i].product - 1];
		for (uint32_t k = 1; k < 3; k++) mention_operand(lives, &mul->operands[k], i);
	}
	for (uint32_t b = 0; b < L->cfg->nblocks; b++) {
		const PtxBlock *block = &L->cfg->blocks[b];
		const uint32_t words = L->cfg->live_words;
		mention_live(lives, L->cfg->live_in + (size_t)b * words, words, f->nregs, block->first);
		mention_live(lives, L->cfg->live_out + (size_t)b * words, words, f->nregs, block->end - 1);
	}
	for (size_t k = 0; k < L->kept.len; k++) {
		const Life with = lives[L->kept.data[k].with];
		mention(lives, L->kept.data[k].reg, with.first);
		mention(lives, L->kept.data[k].reg, with.last);
	}
	return lives;
}

static int by_first(const void *a, const void *b) {
	const Life *x = a, *y = b;
	if (x->first != y->first) return x->first < y->first ? -1 : 1;
	return x->reg < y->reg ? -1 : 1;
}

enum { SIZE_16, SIZE_32, SIZE_64, SIZES };

typedef struct {
	uint32_t last, slot;
	unsigned size;
} Active;

void place_registers(Lower *L) {
	const uint32_t n = L->ptx->nregs;
	Life *lives = find_lives(L);
	qsort(lives, n, sizeof *lives, by_first);
	for (uint32_t r = 0; r < n; r++) {
		L->slot[r] = NO_SLOT;
		if (register_bytes(L, r) || L->constant[r].container) continue;
		L->slot[r] = L->frame;
		L->frame += 4;
	}
	L->frame = (L->frame + 63) & ~63u;
	VEC(Active) active = {0};
	VEC(uint32_t) free_slots[SIZES] = {0};
	for (uint32_t i = 0; i < n; i++) {
		const Life *v = &lives[i];
		uint32_t bytes = register_bytes(L, v->reg);
		if (v->first == UINT32_MAX || bytes == 0 || L->constant[v->reg].container) continue;
		if (bytes == 16) { /* uncommon: it shares with no other */
			L->slot[v->reg] = frame_take(L, 2 * SLOT64);
			continue;
		}
		for (size_t k = 0; k < active.len;) {
			Active *a = &active.data[k];
			if (a->last >= v->first || L->module->keeps_registers) {
				k++;
				continue;
			}
			vec_push(&free_slots[a->size], a->slot);
			*a = vec_last(&active);
			active.len--;
		}
		const unsigned size = bytes == 8 ? SIZE_64 : bytes == 4 ? SIZE_32 : SIZE_16;
		const size_t spare = free_slots[size].len;
		uint32_t slot =
			spare ? free_slots[size].data[--free_slots[size].len] : frame_take(L, size == SIZE_64 ? SLOT64 : SLOT32);
		L->slot[v->reg] = slot;
		vec_push(&active, (Active){.last = v->last, .slot = slot, .size = size});
	}
	vec_free(&active);
	for (int size = 0; size < SIZES; size++) vec_free(&free_slots[size]);
	free(lives);
}

/* A basic block begins with an Op of its own, and an instruction may be several. */
static void keep_instructions(Lower *L) {
	const Handler block = handler(H_block), leave = handler(H_leave);
	L->fn->begins = arena_array(L->arena, L->ops.len + 1, 1);
	for (size_t k = 0; k < L->ops.len; k++) {
		const Op *op = &L->ops.data[k];
		L->fn->begins[k] =
			op->run != block && op->run != leave && (!k || op[-1].run == block || op[-1].instr != op->instr);
	}
}

/* After the last instruction, so that constants have their places; a constant that no instruction needs gets one
 * now. */
void keep_places(Lower *L) {
	const uint32_t n = L->ptx->nregs;
	keep_instructions(L);
	RegisterPlace *places = L->fn->places = arena_array(L->arena, n + 1, sizeof *places);
	for (uint32_t r = 0; r < n; r++) {
		const Fill *fill = &L->constant[r];
		places[r] = (RegisterPlace){.slot = L->slot[r], .container = (uint8_t)register_bytes(L, r)};
		if (!fill->container) continue;
		places[r] = (RegisterPlace){.slot = constant_slot(L, fill), .container = fill->container, .constant = true};
	}
}
