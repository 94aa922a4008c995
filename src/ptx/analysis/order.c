/* order.h. Data flow over the whole function, in no order of its blocks: a register holds whatever any instruction
 * writes to it. Values also pass through variables: the block's shared ones, the thread's local ones, those of
 * calls. */
#include "ptx/analysis/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "ptx/analysis/loops.h"
#include "ptx/analysis/parted.h"
#include "ptx/analysis/varying.h"

/* What a value may follow from. FROM_SAME: a load through a pointer through which the loop also stores. FROM_LOADS:
 * certain loads, of which a Flow has a list. FROM_OWN: an atomic of the lane's own, whose result did not pass through
 * shared memory or a shuffle. */
enum { FROM_ATOMIC = 1, FROM_OTHERS = 2, FROM_CLOCK = 4, FROM_SAME = 8, FROM_LOADS = 16, FROM_OWN = 32 };

/* What an address is computed from: a variable, or the pointer in a parameter of the kernel. */
typedef struct {
	const PtxVar *var;
	int64_t offset; /* of the parameter */
} Base;

/* What was stored in a variable; var NULL: somewhere in shared memory. */
typedef struct {
	const PtxVar *var;
	uint8_t from;
} Stored;

typedef struct {
	const PtxFunction *f;
	const PtxCfg *cfg;
	const PtxModule *module;
	const uint8_t *spaces; /* [ninstrs] that addresses pointed to; NULL: not known */
	bool *varying;         /* [nregs] values that differ between lanes; NULL: not looked for yet */
	Base *base;            /* [nregs] var NULL: unknown */
	uint8_t *from;         /* [nregs] what values follow from */
	VEC(Stored) stored;
	bool predicates;    /* flow goes through comparisons, too */
	const bool *inside; /* a loop's blocks; NULL: everywhere */
	bool meets;         /* the threads of a block meet in the loop, at a barrier */
	bool *same;         /* [ninstrs] loads through a pointer through which the loop also stores, elsewhere */
	const bool *loads;  /* [ninstrs] FROM_LOADS; NULL: none */
	bool *decided;      /* [nblocks] with loads: whether and how often a block runs follows from them */
	uint8_t now;
	bool changed;
	VEC(OrderPlace) found;
} Flow;

static bool is_predicate(const Flow *w, uint32_t reg) {
	return w->f->regs[reg].type == T_PRED;
}

/* --- bases of addresses ------------------------------------------------------------------------------------------- */

static const PtxOperand *operand(const PtxInstr *in, uint32_t k) {
	return k < in->noperands ? &in->operands[k] : NULL;
}

static Base base_of_operand(const Flow *w, const PtxOperand *o) {
	if (!o) return (Base){0};
	if (o->kind == OPERAND_REG || (o->kind == OPERAND_ADDRESS && o->has_base)) return w->base[o->reg];
	if (o->kind == OPERAND_SYMBOL || o->kind == OPERAND_ADDRESS) return (Base){o->symbol, 0};
	return (Base){0};
}

static bool adds_to_address(PtxOp op) {
	return op == OP_ADD || op == OP_SUB || op == OP_MAD || op == OP_OR || op == OP_AND || op == OP_SELP;
}

static Base base_of_result(const Flow *w, const PtxInstr *in) {
	const PtxOperand *from = operand(in, 1);
	Base b = {0};
	if (in->op == OP_MOV || in->op == OP_CVTA || in->op == OP_CVT) return base_of_operand(w, from);
	if (in->op == OP_LD && in->space == SPACE_PARAM && from && !from->has_base)
		return (Base){from->symbol, from->offset};
	for (uint32_t k = 1; adds_to_address(in->op) && k < in->noperands && !b.var; k++)
		b = base_of_operand(w, &in->operands[k]);
	return b;
}

static void find_bases(Flow *w) {
	do {
		w->changed = false;
		for (uint32_t i = 0; i < w->f->ninstrs; i++) {
			const PtxInstr *in = &w->f->instrs[i];
			const PtxOperand *to = operand(in, 0);
			if (!to || to->kind != OPERAND_REG || w->base[to->reg].var || in->op == OP_ST) continue;
			w->base[to->reg] = base_of_result(w, in);
			w->changed |= w->base[to->reg].var != NULL;
		}
	} while (w->changed);
}

/* --- accesses ----------------------------------------------------------------------------------------------------- */

static const PtxOperand *address_of(const PtxInstr *in) {
	for (uint32_t k = 0; k < in->noperands && k < 2; k++)
		if (in->operands[k].kind == OPERAND_ADDRESS) return &in->operands[k];
	return NULL;
}

static bool is_atomic(const PtxInstr *in) {
	return in->op == OP_ATOM || in->op == OP_RED;
}

/* Of a generic address: that of the variable it points into, else global. */
static PtxSpace space_of(const Flow *w, const PtxInstr *in) {
	if (in->space != SPACE_GENERIC) return in->space;
	const Base b = base_of_operand(w, address_of(in));
	return b.var && b.var->space != SPACE_PARAM ? b.var->space : SPACE_GLOBAL;
}

/* Of a generic address: those that it pointed to in the launch, if that is known. */
static unsigned spaces_of(const Flow *w, const PtxInstr *in) {
	if (in->space == SPACE_GENERIC && w->spaces && w->spaces[in - w->f->instrs]) return w->spaces[in - w->f->instrs];
	const PtxSpace space = space_of(w, in);
	return space == SPACE_GLOBAL ? ORDER_IN_GLOBAL : space == SPACE_SHARED ? ORDER_IN_SHARED : 0;
}

static unsigned counters_in(const PtxInstr *in, unsigned spaces) {
	const bool global = spaces & ORDER_IN_GLOBAL, shared = spaces & ORDER_IN_SHARED;
	if (is_atomic(in)) return spaces ? ORDER_ATOMICS : 0;
	if (in->op == OP_LD) return (global ? ORDER_GLOBAL_LOADS : 0) | (shared ? ORDER_SHARED_LOADS : 0);
	if (in->op == OP_ST) return (global ? ORDER_GLOBAL_STORES : 0) | (shared ? ORDER_SHARED_STORES : 0);
	return 0;
}

static unsigned counter_of(const Flow *w, const PtxInstr *in) {
	return counters_in(in, spaces_of(w, in));
}

/* --- flow --------------------------------------------------------------------------------------------------------- */

/* The variable that is accessed, if values pass through it. */
static bool passes(const Flow *w, const PtxInstr *in, const PtxVar **var) {
	*var = base_of_operand(w, address_of(in)).var;
	if (in->space == SPACE_PARAM || in->space == SPACE_LOCAL) return *var && (*var)->owner == w->f;
	if (!(spaces_of(w, in) & ORDER_IN_SHARED)) return false;
	if (*var && (*var)->space != SPACE_SHARED) *var = NULL;
	return true;
}

static uint8_t *stored_in(Flow *w, const PtxVar *var) {
	for (size_t i = 0; i < w->stored.len; i++)
		if (w->stored.data[i].var == var) return &w->stored.data[i].from;
	vec_push(&w->stored, (Stored){var, 0});
	return &vec_last(&w->stored).from;
}

/* A shared variable may also be what an address points to that is not known. */
static uint8_t loaded_from(Flow *w, const PtxVar *var) {
	uint8_t from = *stored_in(w, var);
	if (!var || var->space == SPACE_SHARED) from |= *stored_in(w, NULL);
	return from;
}

static void gather(void *data, uint32_t reg) {
	Flow *w = data;
	if (w->predicates || !is_predicate(w, reg)) w->now |= w->from[reg];
}

static void spread(void *data, uint32_t reg) {
	Flow *w = data;
	if ((w->from[reg] | w->now) == w->from[reg]) return;
	w->from[reg] |= w->now;
	w->changed = true;
}

static bool is_clock(const PtxOperand *o) {
	return o->kind == OPERAND_SPECIAL && ((o->special >= SR_CLOCK && o->special <= SR_GLOBALTIMER_HI) ||
										  o->special == SR_SMID || o->special == SR_WARPID);
}

/* A load that says that other threads may write in the meantime. With a barrier in the loop, those of the block do
 * not. */
static bool is_strong(const Flow *w, const PtxInstr *in) {
	return in->op == OP_LD && in->sem != SEM_NONE && in->sem != SEM_WEAK &&
		   !(w->meets && spaces_of(w, in) == ORDER_IN_SHARED);
}

/* A call of a function of the module that returns what an atomic returned, maybe. */
static bool calls_atomic(const PtxInstr *in) {
	for (uint32_t k = 0; in->op == OP_CALL && k < in->noperands; k++) {
		const PtxFunction *callee = in->operands[k].kind == OPERAND_FUNCTION ? in->operands[k].function : NULL;
		for (uint32_t i = 0; callee && i < callee->ninstrs; i++)
			if (callee->instrs[i].op == OP_ATOM) return true;
	}
	return false;
}

/* A load of the loop through a pointer through which it also stores, elsewhere. */
static bool is_stored_through(const Flow *w, const PtxInstr *load) {
	const PtxOperand *at = address_of(load);
	const Base base = base_of_operand(w, at);
	if (load->op != OP_LD || load->cache == CACHE_NC || !(spaces_of(w, load) & ORDER_IN_GLOBAL) || !base.var)
		return false;
	for (uint32_t i = 0; i < w->f->ninstrs; i++) {
		const PtxInstr *in = &w->f->instrs[i];
		if ((in->op != OP_ST && !is_atomic(in)) || !w->inside[w->cfg->block_of[i]]) continue;
		const PtxOperand *to = address_of(in);
		const Base b = base_of_operand(w, to);
		if (b.var == base.var && b.offset == base.offset && (to->reg != at->reg || to->offset != at->offset))
			return true;
	}
	return false;
}

/* What an instruction's result follows from, apart from the values it reads. */
static uint8_t source(const Flow *w, const PtxInstr *in) {
	uint8_t from = 0;
	if (in->op == OP_ATOM || calls_atomic(in)) from |= FROM_ATOMIC | FROM_OWN;
	if (w->inside && is_strong(w, in)) from |= FROM_OTHERS;
	/* Pointer jumping: where to load follows from what other threads stored there. */
	if (w->inside && w->same[in - w->f->instrs]) {
		const PtxOperand *at = address_of(in);
		from |= at->has_base && w->from[at->reg] & FROM_SAME ? FROM_OTHERS | FROM_SAME : FROM_SAME;
	}
	for (uint32_t k = 0; k < in->noperands; k++)
		if (is_clock(&in->operands[k])) from |= FROM_CLOCK;
	if (w->loads) {
		const PtxOperand *at = in->op == OP_LD ? address_of(in) : NULL;
		if (w->loads[in - w->f->instrs] || w->decided[w->cfg->block_of[in - w->f->instrs]]) from |= FROM_LOADS;
		if (at && at->has_base) from |= w->from[at->reg] & FROM_LOADS;
	}
	return from;
}

/* Not through addresses: that the place depends on the order does not make the value do so. */
static void gather_read(Flow *w, const PtxInstr *in) {
	const PtxVar *var;
	if (in->op == OP_LD) {
		if (!w->inside && passes(w, in, &var)) w->now |= loaded_from(w, var);
		if (spaces_of(w, in) & ORDER_IN_SHARED) w->now &= (uint8_t)~FROM_OWN;
	} else if (in->op == OP_ST) {
		for (uint32_t k = 1; k < in->noperands; k++) {
			const PtxOperand *o = &in->operands[k];
			if (o->kind == OPERAND_REG) gather(w, o->reg);
			for (uint32_t n = 0; n < o->nitems; n++)
				if (o->items[n].kind == OPERAND_REG) gather(w, o->items[n].reg);
		}
	} else
		ptx_each_read(in, gather, w);
}

static void flow_through(Flow *w, const PtxInstr *in) {
	const PtxVar *var;
	w->now = source(w, in);
	gather_read(w, in);
	if (ptx_op_cost(in->op) == COST_SHUFFLE) w->now &= (uint8_t)~FROM_OWN;
	if (!w->now) return;
	if (in->op != OP_ST) {
		ptx_each_written(in, spread, w);
		return;
	}
	uint8_t *stored = !w->inside && passes(w, in, &var) ? stored_in(w, var) : NULL;
	if (!stored || (*stored | w->now) == *stored) return;
	*stored |= w->now;
	w->changed = true;
}

static void flow(Flow *w) {
	memset(w->from, 0, w->f->nregs * sizeof *w->from);
	do {
		w->changed = false;
		for (uint32_t i = 0; i < w->f->ninstrs; i++)
			if (!w->inside || w->inside[w->cfg->block_of[i]]) flow_through(w, &w->f->instrs[i]);
	} while (w->changed);
}

/* --- flow from certain loads -------------------------------------------------------------------------------------- */

/* Lanes that leave do not keep the others from meeting (cfg.c), but whether these run what follows, they decide, too.
 * True: there are blocks of which that was not known. */
static bool decide(Flow *w, const PtxBlock *branch) {
	AUTO_FREE bool *between = xcalloc(w->cfg->nblocks + 1, sizeof *between);
	if (!ptx_between(w->cfg, branch, branch->ipdom, between)) ptx_between(w->cfg, branch, CFG_EXIT, between);
	bool more = false;
	for (uint32_t b = 0; b < w->cfg->nblocks; b++) {
		more |= between[b] && !w->decided[b];
		w->decided[b] |= between[b];
	}
	return more;
}

/* The way from here follows from the loads. */
static bool chooses(Flow *w, const PtxBlock *block) {
	const PtxInstr *last = &w->f->instrs[block->end - 1];
	w->now = 0;
	if (block->nsucc > 1 || last->op == OP_RET || last->op == OP_EXIT) ptx_each_read(last, gather, w);
	return w->now & FROM_LOADS;
}

/* Of values that a branch chooses, too: flow and branches by turns, until nothing is added. */
static void flow_from_loads(Flow *w) {
	bool more = true;
	while (more) {
		more = false;
		flow(w);
		for (uint32_t b = 0; b < w->cfg->nblocks; b++)
			if (chooses(w, &w->cfg->blocks[b])) more |= decide(w, &w->cfg->blocks[b]);
	}
}

/* --- what depends on it ------------------------------------------------------------------------------------------- */

static void found(Flow *w, OrderCause cause, unsigned counters, uint32_t instr, uint32_t ran) {
	if (counters) vec_push(&w->found, (OrderPlace){cause, counters, instr, ran, ORDER_TOGETHER});
}

static void find_addresses(Flow *w) {
	for (uint32_t i = 0; i < w->f->ninstrs; i++) {
		const PtxInstr *in = &w->f->instrs[i];
		const PtxOperand *at = address_of(in);
		const uint8_t from = at && at->has_base ? w->from[at->reg] : 0;
		if (from & FROM_ATOMIC) found(w, ORDER_ADDRESS, counter_of(w, in), i, i);
		if (from & FROM_CLOCK) found(w, ORDER_CLOCK, counter_of(w, in), i, i);
	}
}

static void mark_draws(void *data, const bool *inside) {
	Flow *w = data;
	bool draws = false;
	for (uint32_t i = 0; i < w->f->ninstrs; i++)
		draws |= inside[w->cfg->block_of[i]] && (w->f->instrs[i].op == OP_ATOM || calls_atomic(&w->f->instrs[i]));
	for (uint32_t b = 0; draws && b < w->cfg->nblocks; b++) w->decided[b] |= inside[b];
}

/* Loads at an address that an atomic returned: what they return follows from it if each lane has its own result, or if
 * they are repeated with the atomic. A block that draws once works on what another would have worked on, and all blocks
 * together on the same. */
static bool find_picked(Flow *w, Arena *arena, bool *picked) {
	bool any = false;
	w->decided = arena_array(arena, w->cfg->nblocks + 1, sizeof *w->decided); /* here: draws */
	ptx_each_loop(w->cfg, mark_draws, w);
	for (uint32_t i = 0; i < w->f->ninstrs; i++) {
		const PtxInstr *in = &w->f->instrs[i];
		const PtxOperand *at = address_of(in);
		const uint8_t from = in->op == OP_LD && at && at->has_base && spaces_of(w, in) ? w->from[at->reg] : 0;
		picked[i] = from & FROM_OWN || (from & FROM_ATOMIC && w->decided[w->cfg->block_of[i]]);
		any |= picked[i];
	}
	return any;
}

typedef struct {
	bool *elsewhere, *decided; /* [nregs] read in a block that was not decided; in one that was */
	bool in_decided, needed, used;
} Uses;

static void note_use(void *data, uint32_t reg) {
	Uses *u = data;
	(u->in_decided ? u->decided : u->elsewhere)[reg] = true;
}

static void look_up_use(void *data, uint32_t reg) {
	Uses *u = data;
	u->needed |= u->elsewhere[reg];
	u->used |= u->decided[reg];
}

static Uses find_uses(const Flow *w, Arena *arena) {
	Uses uses = {.elsewhere = arena_array(arena, w->f->nregs + 1, sizeof *uses.elsewhere),
				 .decided = arena_array(arena, w->f->nregs + 1, sizeof *uses.decided)};
	for (uint32_t i = 0; i < w->f->ninstrs; i++) {
		uses.in_decided = w->decided[w->cfg->block_of[i]];
		ptx_each_read(&w->f->instrs[i], note_use, &uses);
	}
	return uses;
}

/* A load whose result is only used in such blocks: the assembler can move it there. */
static bool may_move(Uses *uses, const PtxInstr *in) {
	if (in->op != OP_LD || in->guarded || in->sem > SEM_WEAK) return false;
	uses->needed = uses->used = false;
	ptx_each_written(in, look_up_use, uses);
	return uses->used && !uses->needed;
}

static void find_decided(Flow *w, OrderCause cause, Arena *arena) {
	Uses uses = find_uses(w, arena);
	for (uint32_t i = 0; i < w->f->ninstrs; i++) {
		const PtxInstr *in = &w->f->instrs[i];
		const PtxOperand *at = address_of(in);
		uint8_t from = w->decided[w->cfg->block_of[i]] || may_move(&uses, in) ? FROM_LOADS : 0;
		if (at && at->has_base) from |= w->from[at->reg];
		if (in->guarded) from |= w->from[in->guard];
		if (from & FROM_LOADS) found(w, cause, counter_of(w, in), i, i);
	}
}

/* Stores to global memory. */
static void find_stores(const Flow *w, uint8_t by, bool *stores) {
	for (uint32_t i = 0; i < w->f->ninstrs; i++) {
		const PtxInstr *in = &w->f->instrs[i];
		if (in->op != OP_ST || !(spaces_of(w, in) & ORDER_IN_GLOBAL)) continue;
		Flow value = {.f = w->f, .from = w->from, .predicates = true};
		ptx_each_read(in, gather, &value); /* its address, too */
		if (value.now & by || (by & FROM_LOADS && w->decided[w->cfg->block_of[i]])) stores[i] = true;
	}
}

/* SASS has atomics on words of 32 bits, of integers, and exchanges of 64; the others are loops there. */
bool ptx_atomic_loops(const PtxInstr *in) {
	if (!is_atomic(in) || !in->ntypes) return false;
	if (in->atomic == ATOM_CAS || in->atomic == ATOM_EXCH) return ptx_type_bytes(in->types[0]) < 4;
	switch (in->types[0]) {
	case T_U32:
	case T_S32:
	case T_B32: return false;
	default: return true;
	}
}

static bool is_system_call(const PtxInstr *in) {
	static const char *const names[] = {"malloc", "free"};
	for (uint32_t k = 0; in->op == OP_CALL && k < in->noperands; k++) {
		const PtxFunction *callee = in->operands[k].kind == OPERAND_FUNCTION ? in->operands[k].function : NULL;
		for (size_t n = 0; callee && n < sizeof names / sizeof *names; n++)
			if (callee->name && strcmp(callee->name, names[n]) == 0) return true;
	}
	return false;
}

static void find_instructions(Flow *w) {
	for (uint32_t i = 0; i < w->f->ninstrs; i++) {
		const PtxInstr *in = &w->f->instrs[i];
		if (space_of(w, in) == SPACE_SHARED && ptx_atomic_loops(in)) found(w, ORDER_ATOMIC, ORDER_SHARED_LOADS, i, i);
		if (is_system_call(in)) found(w, ORDER_SYSTEM, ORDER_GLOBAL_LOADS | ORDER_GLOBAL_STORES, i, i);
	}
}

/* What decides whether the loop goes on. */
static uint8_t exit_follows_from(const Flow *w) {
	uint8_t from = 0;
	for (uint32_t b = 0; b < w->cfg->nblocks; b++) {
		const PtxBlock *block = &w->cfg->blocks[b];
		const PtxInstr *last = &w->f->instrs[block->end - 1];
		bool leaves = last->op == OP_RET || last->op == OP_EXIT;
		for (uint32_t k = 0; k < block->nsucc; k++) leaves |= !w->inside[block->succ[k]];
		if (w->inside[b] && leaves && last->guarded) from |= w->from[last->guard];
	}
	return from;
}

/* The loop may end here before its first iteration is over, so that its own instructions do not run: what leads to it
 * shows whether it was reached. */
static void found_loop(Flow *w, OrderCause cause, unsigned counters, uint32_t instr) {
	if (instr == UINT32_MAX) return;
	found(w, cause, counters, instr, instr);
	for (uint32_t b = 0; b < w->cfg->nblocks; b++) {
		const PtxBlock *block = &w->cfg->blocks[b];
		bool leads = false;
		for (uint32_t k = 0; k < block->nsucc; k++) leads |= w->inside[block->succ[k]];
		if (leads && !w->inside[b]) found(w, cause, counters, instr, block->end - 1);
	}
}

static void add_counters(void *data, const PtxFunction *callee) {
	unsigned *counters = data;
	for (uint32_t i = 0; i < callee->ninstrs; i++) {
		const PtxInstr *in = &callee->instrs[i];
		const bool global = in->space == SPACE_GLOBAL, shared = in->space == SPACE_SHARED;
		const bool either = in->space == SPACE_GENERIC;
		*counters |=
			counters_in(in, (global || either ? ORDER_IN_GLOBAL : 0) | (shared || either ? ORDER_IN_SHARED : 0));
	}
}

/* Accesses that lanes make by themselves, in functions that they call, too. */
static void found_alone(Flow *w, OrderPlace place, const bool *alone) {
	for (uint32_t i = 0; i < w->f->ninstrs; i++) {
		const PtxInstr *in = &w->f->instrs[i];
		if (!alone[i]) continue;
		place.ran = i;
		place.counters = counter_of(w, in);
		if (in->op == OP_CALL) ptx_each_callee(w->module, in, add_counters, &place.counters);
		if (place.counters) vec_push(&w->found, place);
	}
}

/* `by`: the atomic or the load that the loop waits for. If all lanes decide alike, they stay together. */
static void find_parted(Flow *w, uint32_t by) {
	AUTO_FREE bool *behind = xcalloc(w->f->ninstrs + 1, sizeof *behind);
	if (!w->varying) w->varying = ptx_varying(w->cfg);
	for (uint32_t b = 0; b < w->cfg->nblocks; b++) {
		const PtxBlock *block = &w->cfg->blocks[b];
		const PtxInstr *last = &w->f->instrs[block->end - 1];
		if (!w->inside[b] || !last->guarded || !w->varying[last->guard]) continue;
		if (!(w->from[last->guard] & (FROM_ATOMIC | FROM_OTHERS))) continue;
		for (uint32_t k = 0; k < block->nsucc; k++)
			if (!w->inside[block->succ[k]]) ptx_run_alone(w->cfg, block->succ[k], true, behind);
	}
	found_alone(w, (OrderPlace){.cause = ORDER_LOOP, .instr = by, .parting = ORDER_PARTED}, behind);
}

static void find_parting_calls(Flow *w) {
	for (uint32_t i = 0; i < w->f->ninstrs; i++) {
		if (w->f->instrs[i].op != OP_CALL) continue;
		AUTO_FREE bool *behind = xcalloc(w->f->ninstrs + 1, sizeof *behind);
		if (!w->varying) w->varying = ptx_varying(w->cfg);
		const CallParts parts = ptx_call_parts(w->cfg, w->module, w->varying, i, behind);
		const OrderParting parting = parts == CALL_SCATTERS ? ORDER_PARTED_IF_SCATTERED : ORDER_PARTED_IF_FEWER;
		if (parts != CALL_STAYS)
			found_alone(w, (OrderPlace){.cause = ORDER_CALL, .instr = i, .parting = parting}, behind);
	}
}

static bool has_barrier(const Flow *w) {
	for (uint32_t i = 0; i < w->f->ninstrs; i++) {
		const PtxInstr *in = &w->f->instrs[i];
		if ((in->op == OP_BAR || in->op == OP_BARRIER) && !(in->mods & MOD_WARP) && w->inside[w->cfg->block_of[i]])
			return true;
	}
	return false;
}

static void visit_loop(void *data, const bool *inside) {
	Flow *w = data;
	unsigned counters = 0;
	uint32_t first[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX}; /* a value of other threads; of a clock; of an atomic or
																 a strong load */
	w->inside = inside;
	w->meets = has_barrier(w);
	for (uint32_t i = 0; i < w->f->ninstrs; i++)
		w->same[i] = inside[w->cfg->block_of[i]] && is_stored_through(w, &w->f->instrs[i]);
	flow(w);
	const uint8_t from = exit_follows_from(w);
	for (uint32_t i = 0; from && i < w->f->ninstrs; i++) {
		if (!inside[w->cfg->block_of[i]]) continue;
		const uint8_t own = source(w, &w->f->instrs[i]) & from;
		counters |= counter_of(w, &w->f->instrs[i]);
		if (own & (FROM_ATOMIC | FROM_OTHERS) && first[0] == UINT32_MAX) first[0] = i;
		if (own & FROM_CLOCK && first[1] == UINT32_MAX) first[1] = i;
		if ((own & FROM_ATOMIC || (own & FROM_OTHERS && is_strong(w, &w->f->instrs[i]))) && first[2] == UINT32_MAX)
			first[2] = i;
	}
	found_loop(w, ORDER_LOOP, counters, first[0]);
	found_loop(w, ORDER_CLOCK, counters, first[1]);
	if (first[2] != UINT32_MAX) find_parted(w, first[2]);
}

static void follow_loads(Flow *w, OrderCause cause, const bool *loads, Arena *arena, bool *stores) {
	w->loads = loads;
	w->decided = arena_array(arena, w->cfg->nblocks + 1, sizeof *w->decided);
	w->stored.len = 0;
	flow_from_loads(w);
	find_decided(w, cause, arena);
	if (stores) find_stores(w, FROM_LOADS, stores);
}

static int by_cause(const void *x, const void *y) {
	const OrderPlace *a = x, *b = y;
	if (a->cause != b->cause) return a->cause < b->cause ? -1 : 1;
	return a->instr < b->instr ? -1 : a->instr > b->instr;
}

OrderPlace *ptx_order(const PtxFunction *f, const OrderRun *run, bool *stores, size_t *count) {
	Arena *arena = arena_new();
	Flow w = {.f = f, .cfg = ptx_cfg(arena, f), .module = run->module, .spaces = run->spaces};
	w.base = arena_array(arena, f->nregs + 1, sizeof *w.base);
	w.from = arena_array(arena, f->nregs + 1, sizeof *w.from);
	w.same = arena_array(arena, f->ninstrs + 1, sizeof *w.same);
	if (w.cfg) {
		bool *picked = arena_array(arena, f->ninstrs + 1, sizeof *picked);
		find_bases(&w);
		flow(&w);
		find_addresses(&w);
		find_instructions(&w);
		if (stores) find_stores(&w, FROM_ATOMIC, stores);
		const bool picks = find_picked(&w, arena, picked);
		w.predicates = true;
		ptx_each_loop(w.cfg, visit_loop, &w);
		w.inside = NULL;
		find_parting_calls(&w);
		if (picks) follow_loads(&w, ORDER_ADDRESS, picked, arena, stores);
		if (run->loads) follow_loads(&w, ORDER_EARLIER, run->loads, arena, stores);
	}
	free(w.varying);
	vec_free(&w.stored);
	arena_free(arena);
	if (w.found.len) qsort(w.found.data, w.found.len, sizeof *w.found.data, by_cause);
	*count = w.found.len;
	return w.found.data;
}
