/* Operands and Ops: what all translators share. */
#include <string.h>

#include "emu/lower/lower.h"

Op *emit(Lower *L, HandlerId id) {
	vec_push(&L->ops, (Op){.run = handler(id),
						   .d = NO_SLOT,
						   .a = NO_SLOT,
						   .b = NO_SLOT,
						   .c = NO_SLOT,
						   .e = NO_SLOT,
						   .instr = L->instr,
						   .vector = 1,
						   .extra = {NO_SLOT, NO_SLOT}});
	return &vec_last(&L->ops);
}

Op *emit_on(Lower *L, HandlerId id, uint32_t d, uint32_t a, uint32_t b, uint32_t c) {
	Op *op = emit(L, id);
	op->d = d;
	op->a = a;
	op->b = b;
	op->c = c;
	return op;
}

uint32_t temp_slot(Lower *L, unsigned which) {
	if (L->temp[which] == NO_SLOT) L->temp[which] = frame_take(L, SLOT64);
	return L->temp[which];
}

uint32_t temp_predicate(Lower *L) {
	if (L->temp_pred == NO_SLOT) L->temp_pred = frame_take(L, 4);
	return L->temp_pred;
}

uint32_t bits_slot(Lower *L, uint64_t bits, uint32_t container) {
	const Fill f = {.kind = FILL_BITS, .container = (uint8_t)container, .bits = bits};
	return constant_slot(L, &f);
}

uint32_t operand_bytes(const Lower *L, const PtxOperand *o, uint32_t fallback) {
	return o->kind == OPERAND_REG ? register_bytes(L, o->reg) : fallback;
}

uint32_t source(Lower *L, const PtxOperand *o, uint32_t container) {
	Fill f;
	if (o->negated) return NO_SLOT;
	if (constant_operand(L, o, container, &f)) return constant_slot(L, &f);
	if (o->kind != OPERAND_REG || register_bytes(L, o->reg) != container) return NO_SLOT;
	return L->slot[o->reg];
}

uint32_t destination(Lower *L, const PtxOperand *o, uint32_t container) {
	if (o->kind != OPERAND_REG || register_bytes(L, o->reg) != container) return NO_SLOT;
	return L->slot[o->reg];
}

uint32_t predicate(Lower *L, const PtxOperand *o) {
	if (o->kind == OPERAND_INT) { /* a literal true or false */
		uint32_t t = temp_predicate(L);
		Op *op = emit(L, H_pconst);
		op->d = t;
		op->imm = o->bits != 0;
		return t;
	}
	if (o->kind != OPERAND_REG || register_bytes(L, o->reg)) return NO_SLOT;
	return L->slot[o->reg];
}

/* The place of an operand with so many bytes per lane, or PREDICATE; false: it has no such place. */
static bool place(Lower *L, const PtxOperand *o, uint32_t bytes, bool result, uint32_t *out) {
	*out = bytes == PREDICATE ? predicate(L, o) : result ? destination(L, o, bytes) : source(L, o, bytes);
	return *out != NO_SLOT;
}

static Op *emit_at(Lower *L, HandlerId id, const PtxInstr *in, const uint32_t at[5]) {
	Op *op = emit_on(L, id, at[0], at[1], at[2], at[3]);
	op->e = at[4];
	if (in->noperands && in->operands[0].has_pair) op->extra[0] = L->slot[in->operands[0].pair];
	return op;
}

Op *emit_operands(Lower *L, HandlerId id, const PtxInstr *in, const uint8_t bytes[5]) {
	uint32_t at[5] = {NO_SLOT, NO_SLOT, NO_SLOT, NO_SLOT, NO_SLOT};
	for (uint32_t k = 0; k < 5; k++)
		if (bytes[k] && !place(L, &in->operands[k], bytes[k], k == 0, &at[k])) return NULL;
	return emit_at(L, id, in, at);
}

Op *emit_places(Lower *L, HandlerId id, const PtxInstr *in, const char *places) {
	static const char fields[] = "dabce";
	uint32_t at[5] = {NO_SLOT, NO_SLOT, NO_SLOT, NO_SLOT, NO_SLOT};
	const uint8_t own = (uint8_t)ptx_type_bytes(in->types[0]);
	const PtxOperand *o = in->operands, *end = o + in->noperands;
	for (const char *word = places; *word && o < end; word += strcspn(word, " "), word += *word == ' ', o++) {
		if (word[1] == '?') continue; /* the translator's own */
		const size_t field = (size_t)(strchr(fields, word[0]) - fields);
		const uint32_t bytes = word[1] == 'T' ? own : word[1] == 'p' ? PREDICATE : (uint32_t)(word[1] - '0');
		if (word[2] == '_' && o->kind == OPERAND_SINK) continue;
		if (!place(L, o, bytes, field == 0, &at[field])) return NULL;
	}
	Op *op = emit_at(L, id, in, at);
	op->container = own;
	op->space = (uint8_t)in->space;
	return op;
}

bool lower_plain(Lower *L, const PtxInstr *in, const Match *match) {
	Op *op = emit_places(L, match->row->kind, in, match->row->operands);
	if (op) op->kind = (uint16_t)match->choice;
	return op;
}

bool constant_bits(Lower *L, const PtxOperand *o, uint64_t *bits) {
	Fill f;
	uint32_t container = operand_bytes(L, o, 8);
	if (!container || !constant_operand(L, o, container, &f) || f.kind != FILL_BITS) return false;
	*bits = f.bits;
	return true;
}
