/* The events of branches and accesses that observers get. */
#include "emu/warp/access.h"

static inline AccessValues values_of(const Warp *w, const Op *op) {
	return (AccessValues){.regs = w->regs,
						  .slots = op->vector > 1 ? op->list : &op->b,
						  .elements = op->vector,
						  .container = op->container};
}

static inline uint64_t shape_of(AccessShapes *shapes, uint32_t instr, PtxSpace space, uint32_t mask, uint32_t width,
								const uint64_t *addr, uint64_t form) {
	if (!shapes->n || (space != SPACE_GLOBAL && space != SPACE_SHARED)) return 0;
	return access_shape(form, width, form ? 0 : shape_number(shapes, instr, addr, mask));
}

static inline void report_owned(Warp *w, const Op *op, AccessKind kind, PtxSpace space, uint32_t mask,
								const uint64_t *addr, uint64_t end, uint64_t form, const Block *owner,
								const AccessValues *v, bool piece) {
	const PtxInstr *in = instr_of(w, op);
	const uint32_t instr = w->first_instr + op->instr, width = (uint32_t)op->bytes * op->vector;
	const Access access = {.instr = instr,
						   .kind = kind,
						   .space = space,
						   .width = width,
						   .mask = mask,
						   .addr = addr,
						   .end = end,
						   .form = form,
						   .shape = shape_of(&w->worker->shapes, instr, space, mask, width, addr, form),
						   .cache = in->cache,
						   .sem = in->sem,
						   .scope = in->scope,
						   .block = w->block->number,
						   .warp = w->number,
						   .owner = owner->number,
						   .regs = v->regs,
						   .slots = v->slots,
						   .elements = v->elements,
						   .container = v->container,
						   .shared = owner->shared,
						   .passed = v->passed,
						   .units = &w->worker->units};
	w->worker->units.rules = NULL;
	for (Observer **o = kind == ACCESS_LOAD ? w->worker->on_load : w->worker->on_write; *o; o++)
		if (!piece || !(*o)->ops->bulk) (*o)->ops->access(*o, &access);
}

static uint64_t end_of(const Op *op, uint32_t mask, const uint64_t *addr) {
	uint64_t high = 0;
	FOR_LANES(l, mask) high = addr[l] > high ? addr[l] : high;
	return high + (uint64_t)op->bytes * op->vector;
}

/* The lanes of an access by the block whose shared memory they mean. */
static void report_of_cluster(Warp *w, const Op *op, AccessKind kind, uint32_t mask, const uint64_t *addr,
							  const AccessValues *v, bool piece) {
	for (uint32_t left = mask; left;) {
		const Block *owner = NULL;
		uint64_t offset[LANES] = {0};
		uint32_t group = 0;
		FOR_LANES(l, left) {
			uint64_t at = addr[l];
			const Block *of = cluster_owner(w, &at);
			if (!of) of = w->block; /* it existed when the access began */
			if (group && of != owner) continue;
			owner = of;
			offset[l] = at;
			group |= 1u << l;
		}
		report_owned(w, op, kind, SPACE_SHARED, group, offset, end_of(op, group, offset), 0, owner, v, piece);
		left &= ~group;
	}
}

/* May a lane mean shared memory by its place in the cluster? A kernel without clusters is a cluster of one block. */
static bool in_cluster_window(const uint64_t *addr) {
	uint64_t any = 0;
	for (uint32_t l = 0; l < LANES; l++) any |= addr[l];
	return any >= CLUSTER_STRIDE;
}

static uint32_t half_form(const uint64_t *addr, uint32_t width) {
	bool row = true, one = true;
	for (uint32_t l = 0; l < LANES / 2; l++) {
		row &= addr[l] == addr[0] + (uint64_t)l * width;
		one &= addr[l] == addr[0];
	}
	return row ? HALF_ROW : one ? HALF_ONE : HALF_ANY;
}

uint64_t access_form_of(const uint64_t *addr, uint32_t width) {
	return access_form(half_form(addr, width), half_form(addr + 16, width), addr[16] - addr[0]);
}

static inline void report_anywhere(Warp *w, const Op *op, AccessKind kind, PtxSpace space, uint32_t mask,
								   const uint64_t *addr, const AccessValues *values, bool piece) {
	if (space == SPACE_SHARED && ((w->block->cluster->size > 1 || in_cluster_window(addr))))
		report_of_cluster(w, op, kind, mask, addr, values, piece);
	else
		report_owned(w, op, kind, space, mask, addr, end_of(op, mask, addr),
					 mask == UINT32_MAX ? access_form_of(addr, (uint32_t)op->bytes * op->vector) : 0, w->block, values,
					 piece);
}

void report_values(Warp *w, const Op *op, AccessKind kind, PtxSpace space, uint32_t mask, const uint64_t *addr,
				   const AccessValues *values) {
	report_anywhere(w, op, kind, space, mask, addr, values, false);
}

void report_inside(Warp *w, const Op *op, AccessKind kind, PtxSpace space, uint32_t mask, const uint64_t *addr,
				   uint64_t form) {
	const AccessValues values = values_of(w, op);
	if (space == SPACE_SHARED && w->block->cluster->size > 1)
		report_of_cluster(w, op, kind, mask, addr, &values, false);
	else
		report_owned(w, op, kind, space, mask, addr, w->shared_bytes, form, w->block, &values, false);
}

void report_piece(Warp *w, const Op *op, AccessKind kind, PtxSpace space, uint32_t lane, uint64_t at) {
	const AccessValues values = values_of(w, op);
	uint64_t addr[LANES] = {0};
	addr[lane] = at;
	report_anywhere(w, op, kind, space, 1u << lane, addr, &values, true);
}

void report_row(Warp *w, const Op *op, BulkRow row) {
	const Worker *k = w->worker;
	row.instr = w->first_instr + op->instr;
	row.block = w->block->number;
	row.warp = w->number;
	NOTIFY(k, bulk, &row);
}

void report_printf(Warp *w, const Op *op, const PrintfCall *call) {
	const Worker *k = w->worker;
	const PrintfTraffic traffic = {w->first_instr + op->instr, w->block->number, w->number, gpu_printf_cost(call)};
	NOTIFY(k, printf_traffic, &traffic);
}

void report_access(Warp *w, const Op *op, AccessKind kind, PtxSpace space, uint32_t mask, const uint64_t *addr) {
	const AccessValues values = values_of(w, op);
	report_values(w, op, kind, space, mask, addr, &values);
}

void report_spaces(Warp *w, const Op *op, AccessKind kind, const PtxSpace *spaces, uint32_t mask, const uint64_t *addr,
				   const AccessValues *values) {
	for (uint32_t left = mask; left;) {
		const PtxSpace space = spaces[first_lane(left)];
		uint32_t group = 0;
		FOR_LANES(l, left)
			if (spaces[l] == space) group |= 1u << l;
		report_values(w, op, kind, space, group, addr, values);
		left &= ~group;
	}
}

void report_visit(Warp *w, const Op *op) {
	Worker *k = w->worker;
	NOTIFY(k, visit, w->block->number, w->number, w->first_instr + op->instr);
}

void report_speculation(Warp *w, const Op *op) {
	Worker *k = w->worker;
	const Speculation event = {.step = op->aux,
							   .instr = w->first_instr + op->instr,
							   .block = w->block->number,
							   .warp = w->number,
							   .depth = w->frame->depth,
							   .mask = w->mask,
							   .picked = op->a == NO_SLOT ? 0 : pred_get(w, op->a, op->flags & OPF_NEGATED)};
	NOTIFY(k, speculation, &event);
}

void report_branch(Warp *w, const Op *op, uint32_t taken) {
	const Branch branch = {.instr = w->first_instr + op->instr,
						   .block = w->block->number,
						   .warp = w->number,
						   .active = w->mask,
						   .taken = taken};
	Worker *k = w->worker;
	NOTIFY(k, branch, &branch);
}
