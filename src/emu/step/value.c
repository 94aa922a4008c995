/* step/stepper.h: what an expression over the lanes of a warp (value_words.h) comes to. */
#include <stdio.h>
#include <string.h>

#include "emu/exec/out_of_line.h"
#include "emu/machine/internal.h"
#include "emu/step/value_words.h"

/* --- arithmetic, a lane at a time --------------------------------------------------------------------------------- */

typedef union {
	uint64_t u;
	int64_t s;
	float f;
	double d;
} Cell;

static uint64_t fit(ValueType t, uint64_t v) {
	return t == VALUE_S32 || t == VALUE_U32 || t == VALUE_F32 ? (uint32_t)v : v;
}

static int64_t as_signed(ValueType t, uint64_t v) {
	return t == VALUE_S32 ? (int32_t)(uint32_t)v : (int64_t)v;
}

static double as_double(ValueType t, uint64_t v) {
	const Cell c = {.u = v};
	switch (t) {
	case VALUE_F32: return (double)((Cell){.u = (uint32_t)v}).f;
	case VALUE_F64: return c.d;
	case VALUE_U32:
	case VALUE_U64: return (double)v;
	default: return (double)as_signed(t, v);
	}
}

static uint64_t of_double(ValueType t, double v) {
	Cell c = {.u = 0};
	if (t == VALUE_F32)
		c.f = (float)v;
	else if (t == VALUE_F64)
		c.d = v;
	else if (t == VALUE_U64)
		c.u = v >= 0x1p64 ? UINT64_MAX : v > 0 ? (uint64_t)v : 0;
	else if (t == VALUE_U32)
		c.u = v >= 0x1p32 ? UINT32_MAX : v > 0 ? (uint64_t)v : 0;
	else if (t == VALUE_S64)
		c.s = v >= 0x1p63 ? INT64_MAX : v <= -0x1p63 ? INT64_MIN : v == v ? (int64_t)v : 0;
	else
		c.s = v >= 0x1p31 ? INT32_MAX : v <= -0x1p31 ? INT32_MIN : v == v ? (int64_t)v : 0;
	return fit(t, c.u);
}

static bool is_float(ValueType t) {
	return t == VALUE_F32 || t == VALUE_F64;
}
static bool is_signed(ValueType t) {
	return t == VALUE_S32 || t == VALUE_S64;
}

static uint64_t convert(ValueType from, ValueType to, uint64_t v) {
	if (is_float(from) || is_float(to)) return of_double(to, as_double(from, v));
	return fit(to, is_signed(from) ? (uint64_t)as_signed(from, v) : v);
}

/* Each operation is a loop over the lanes, since conditions of stops are evaluated often; a becomes the result.
 * Returns the lanes without one: those of a division by zero. */
#define EACH(T, to_lane, result)                                                                                       \
	for (uint32_t l = 0; l < LANES; l++) {                                                                             \
		const T x = from_##T(a[l]), y = from_##T(b[l]);                                                                \
		(void)y;                                                                                                       \
		a[l] = to_lane(result);                                                                                        \
	}
#define COMPARISONS(T)                                                                                                 \
	case V_LT: EACH(T, , x < y) break;                                                                                 \
	case V_LE: EACH(T, , x <= y) break;                                                                                \
	case V_GT: EACH(T, , x > y) break;                                                                                 \
	case V_GE: EACH(T, , x >= y) break;                                                                                \
	case V_EQ: EACH(T, , x == y) break;                                                                                \
	case V_NE: EACH(T, , x != y) break;

/* U: the unsigned type, in which sums wrap around. */
#define WHOLE_TYPE(T, U)                                                                                               \
	static T from_##T(uint64_t v) {                                                                                    \
		return (T)v;                                                                                                   \
	}                                                                                                                  \
	static T divided_##T(T x, T y) {                                                                                   \
		return y == 0 ? 0 : (T)-1 < 1 && y == (T)-1 ? (T)(0 - (U)x) : (T)(x / y);                                      \
	}                                                                                                                  \
	static T shifted_##T(T x, U by) {                                                                                  \
		return by < 8 * sizeof(T) ? (T)(x >> by) : x < 1 && x ? (T)-1 : 0;                                             \
	}                                                                                                                  \
	static uint32_t operate_##T(unsigned operation, uint64_t *a, const uint64_t *b) {                                  \
		uint32_t without = 0;                                                                                          \
		for (uint32_t l = 0; l < LANES && (operation == V_DIV || operation == V_REM); l++)                             \
			without |= (uint32_t)((U)b[l] == 0) << l;                                                                  \
		switch (operation) {                                                                                           \
			COMPARISONS(T)                                                                                             \
		case V_ADD: EACH(T, (U), (U)x + (U)y) break;                                                                   \
		case V_SUB: EACH(T, (U), (U)x - (U)y) break;                                                                   \
		case V_MUL: EACH(T, (U), (U)x *(U)y) break;                                                                    \
		case V_DIV: EACH(T, (U), divided_##T(x, y)) break;                                                             \
		case V_REM: EACH(T, (U), (U)x - (U)divided_##T(x, y) * (U)y) break;                                            \
		case V_AND: EACH(T, (U), x &y) break;                                                                          \
		case V_OR: EACH(T, (U), x | y) break;                                                                          \
		case V_XOR: EACH(T, (U), x ^ y) break;                                                                         \
		case V_SHL: EACH(T, (U), (U)y < 8 * sizeof(T) ? (U)x << y : 0) break;                                          \
		case V_SHR: EACH(T, (U), shifted_##T(x, (U)y)) break;                                                          \
		case V_NEG: EACH(T, (U), 0 - (U)x) break;                                                                      \
		case V_NOT: EACH(T, (U), ~(U)x) break;                                                                         \
		}                                                                                                              \
		return without;                                                                                                \
	}
#define REAL_TYPE(T, type)                                                                                             \
	static T from_##T(uint64_t v) {                                                                                    \
		return (T)as_double(type, v);                                                                                  \
	}                                                                                                                  \
	static uint64_t value_##T(T v) {                                                                                   \
		return of_double(type, (double)v);                                                                             \
	}                                                                                                                  \
	static uint32_t operate_##T(unsigned operation, uint64_t *a, const uint64_t *b) {                                  \
		switch (operation) {                                                                                           \
			COMPARISONS(T)                                                                                             \
		case V_ADD: EACH(T, value_##T, x + y) break;                                                                   \
		case V_SUB: EACH(T, value_##T, x - y) break;                                                                   \
		case V_MUL: EACH(T, value_##T, x *y) break;                                                                    \
		case V_DIV: EACH(T, value_##T, x / y) break;                                                                   \
		case V_NEG: EACH(T, value_##T, -x) break;                                                                      \
		}                                                                                                              \
		return 0;                                                                                                      \
	}
WHOLE_TYPE(s32, u32)
WHOLE_TYPE(u32, u32)
WHOLE_TYPE(s64, u64)
WHOLE_TYPE(u64, u64)
REAL_TYPE(f32, VALUE_F32)
REAL_TYPE(f64, VALUE_F64)

static uint32_t (*const operate_on[VALUE_TYPES])(unsigned operation, uint64_t *a, const uint64_t *b) = {
	[VALUE_S32] = operate_s32, [VALUE_U32] = operate_u32, [VALUE_S64] = operate_s64,
	[VALUE_U64] = operate_u64, [VALUE_F32] = operate_f32, [VALUE_F64] = operate_f64};

/* --- a word ------------------------------------------------------------------------------------------------------- */

typedef struct {
	uint32_t known, chosen, first; /* lanes before it; those of its first side; of these, that have a value there */
} Lazy;

typedef struct {
	Warp *warp;
	Frame *frame;
	const WrittenRegisters *written;
	StepValue *out;
	uint32_t known;
	uint64_t stack[STACK_MOST][LANES];
	int depth;
	Lazy lazy[LAZY_MOST];
	uint32_t nlazy;
} Evaluation;

static bool find_register(const PtxFunction *f, const char *name, size_t len, uint32_t *reg) {
	for (*reg = 0; *reg < f->nregs; ++*reg)
		if (strncmp(f->regs[*reg].name, name, len) == 0 && !f->regs[*reg].name[len]) return true;
	return false;
}

/* The names of a word as registers of the function. False: it lacks one. */
static bool find_registers(Evaluation *e, ValueWord *w) {
	const PtxFunction *f = e->frame->function->ptx;
	if (w->function == f) return true;
	w->nregs = 0;
	for (const char *name = w->name; *name && w->nregs < PICK_MOST;) {
		w->without[w->nregs] = *name == '!';
		name += w->without[w->nregs];
		const size_t len = strcspn(name, ",");
		if (!find_register(f, name, len, &w->regs[w->nregs++])) {
			snprintf(e->out->trouble, sizeof e->out->trouble, "%.80s has no register %.60s", f->name, name);
			return false;
		}
		name += len + (name[len] == ',');
	}
	w->function = f;
	return true;
}

static uint64_t lane_bits(const Evaluation *e, const RegisterPlace *place, uint32_t l, ValueType type) {
	const uint8_t *at = e->frame->regs + place->slot;
	switch (place->container) {
	case 0: return *(const uint32_t *)at >> l & 1;
	case 2: {
		const uint16_t v = ((const uint16_t *)at)[l];
		return is_signed(type) ? (uint64_t)(int64_t)(int16_t)v : v;
	}
	case 4: {
		const uint32_t v = ((const uint32_t *)at)[l];
		return type == VALUE_S64 ? (uint64_t)(int64_t)(int32_t)v : v;
	}
	default: return ((const uint64_t *)at)[l];
	}
}

/* One register for all lanes: conditions of stops are evaluated at each pass. */
static void all_lanes(const Evaluation *e, const RegisterPlace *place, ValueType type, uint64_t *d) {
	const uint32_t *words = (const uint32_t *)(e->frame->regs + place->slot);
	if (place->container == 4 && type != VALUE_S64)
		for (uint32_t l = 0; l < LANES; l++) d[l] = words[l];
	else
		for (uint32_t l = 0; l < LANES; l++) d[l] = fit(type, lane_bits(e, place, l, type));
}

/* The one of the registers that all lanes wrote last, together; false: they did not. */
static bool written_together(const Evaluation *e, const ValueWord *w, uint32_t *which) {
	const EmuFunction *fn = e->frame->function;
	uint64_t latest = 0;
	for (uint32_t i = 0; i < w->nregs; i++) {
		const RegisterPlace *place = &fn->places[w->regs[i]];
		uint64_t time = 1;
		if (place->slot == NO_SLOT) return false;
		if (!place->constant && !written_by_all(e->written, fn, w->regs[i], e->known, &time)) return false;
		if (time > latest) *which = i, latest = time;
	}
	return latest && !w->without[*which];
}

/* For each lane the register it wrote last. */
static bool push_register(Evaluation *e, ValueWord *w, uint64_t *d) {
	const EmuFunction *fn = e->frame->function;
	if (!find_registers(e, w) || !fn->places) return false;
	uint32_t which = 0;
	if (!w->when && written_together(e, w, &which)) return all_lanes(e, &fn->places[w->regs[which]], w->type, d), true;
	for (uint32_t l = 0; l < LANES; l++) {
		uint64_t latest = 0;
		bool without = true;
		d[l] = 0;
		for (uint32_t i = 0; i < w->nregs; i++) {
			const RegisterPlace *place = &fn->places[w->regs[i]];
			const uint64_t time = place->constant ? 1 : written_at(e->written, fn, w->regs[i], l);
			if (place->slot == NO_SLOT || time <= latest) continue;
			latest = time;
			without = w->without[i];
			d[l] = w->when ? time : fit(w->type, lane_bits(e, place, l, w->type));
		}
		if (without) e->known &= ~(1u << l);
	}
	return true;
}

static bool variable_address(const Evaluation *e, const ValueWord *w, uint64_t *addr) {
	const Run *run = e->warp->worker->run;
	const EmuFunction *fn = e->frame->function;
	for (uint32_t i = 0; i < fn->ptx->nlocals; i++) {
		const PtxVar *v = fn->ptx->locals[i];
		if (v->space != w->space || strcmp(v->name, w->name) != 0) continue;
		*addr = v->offset + (v->space == SPACE_SHARED ? run->kernel->function_shared[fn->index] : e->frame->local_base);
		return true;
	}
	for (uint32_t i = 0; i < run->kernel->module->ptx->nglobals; i++) {
		const PtxVar *v = run->kernel->module->ptx->globals[i];
		if (strcmp(v->name, w->name) != 0) continue;
		if (v->space == SPACE_SHARED && w->space == SPACE_SHARED)
			return (*addr = run->kernel->global_shared[i]) != UINT64_MAX;
		if (run->kernel->module->globals[i]) return *addr = run->kernel->module->globals[i]->base, true;
	}
	return false;
}

static void load(Evaluation *e, const ValueWord *w, uint64_t *v) {
	const bool asked = e->known != 0;
	const uint64_t window = w->space == SPACE_SHARED ? SHARED_WINDOW : w->space == SPACE_LOCAL ? LOCAL_WINDOW : 0;
	const uint32_t bytes = value_cells[w->operation].bytes, extra = 64 - 8 * bytes;
	for (uint32_t l = 0; l < LANES; l++) {
		uint64_t got = 0;
		if (!(e->known >> l & 1)) continue;
		if ((window && v[l] >= WINDOW_BYTES) || !generic_read(e->warp, l, window + v[l], &got, bytes)) {
			e->known &= ~(1u << l);
			continue;
		}
		if (value_cells[w->operation].sign) got = (uint64_t)((int64_t)(got << extra) >> extra);
		v[l] = fit(w->type, got);
	}
	if (asked && !e->known && !*e->out->trouble)
		snprintf(e->out->trouble, sizeof e->out->trouble, "the address is outside all memory");
}

static uint64_t bytes_from(const Warp *w, PtxSpace space, uint64_t addr) {
	if (space == SPACE_GENERIC) space = generic_space(&addr);
	if (space == SPACE_SHARED) return addr < w->shared_bytes ? w->shared_bytes - addr : 0;
	if (space != SPACE_GLOBAL && space != SPACE_CONST) return 0;
	const Allocation *a = memory_find(machine_memory(w->worker->run->machine), addr);
	return a ? a->bytes - (addr - a->base) : 0;
}

static void operate(Evaluation *e, const ValueWord *w) {
	const bool two = w->operation < V_BINARY;
	const uint64_t *b = e->stack[e->depth - 1];
	uint64_t *a = e->stack[e->depth - (two ? 2 : 1)];
	const uint32_t without = operate_on[w->type](w->operation, a, b) & e->known;
	e->known &= ~without;
	if (without && !e->known) snprintf(e->out->trouble, sizeof e->out->trouble, "division by zero");
	if (two) e->depth--;
}

static void push_special(const Evaluation *e, ValueWord *w, uint64_t *d) {
	if (w->serial != e->warp->block->serial || w->warp != e->warp->number)
		for (uint32_t l = 0; l < LANES; l++)
			w->lanes[l] = fit(w->type, warp_special(e->warp, (PtxSpecial)w->operation, l));
	w->serial = e->warp->block->serial;
	w->warp = e->warp->number;
	memcpy(d, w->lanes, sizeof w->lanes);
}

/* False: no lane has a value. */
static bool push_known(Evaluation *e, ValueWord *w) {
	uint64_t *d = e->stack[e->depth], bits = 0;
	switch (w->kind) {
	case W_REGISTER: return e->depth++, push_register(e, w, d);
	case W_SPECIAL:
		push_special(e, w, d);
		e->depth++;
		return true;
	case W_PARAM: {
		const Run *run = e->warp->worker->run;
		const size_t bytes = w->type == VALUE_S64 || w->type == VALUE_U64 || w->type == VALUE_F64 ? 8 : 4;
		if (w->bits > run->launch->param_bytes || bytes > run->launch->param_bytes - w->bits) return false;
		memcpy(&bits, run->launch->params + w->bits, bytes);
		break;
	}
	case W_VARIABLE:
		if (!variable_address(e, w, &bits))
			return snprintf(e->out->trouble, sizeof e->out->trouble, "%.100s is not in %s memory here", w->name,
							ptx_space_name(w->space)),
				   false;
		break;
	default: bits = w->bits; break;
	}
	for (uint32_t l = 0; l < LANES; l++) d[l] = fit(w->type, bits);
	e->depth++;
	return true;
}

static void push_none(Evaluation *e) {
	memset(e->stack[e->depth++], 0, sizeof *e->stack);
}

static void push(Evaluation *e, ValueWord *w) {
	const int depth = e->depth;
	if (push_known(e, w)) return;
	e->depth = depth;
	e->known = 0;
	push_none(e);
}

/* Lanes whose value is not 0: mostly there is none, in a condition. */
static uint32_t not_zero(const uint64_t *v) {
	uint32_t lanes = 0;
	uint64_t any = 0;
	for (uint32_t l = 0; l < LANES; l++) any |= v[l];
	for (uint32_t l = 0; any && l < LANES; l++) lanes |= (uint32_t)(v[l] != 0) << l;
	return lanes;
}

/* Its first side is for the lanes that need it; without any the code goes on behind it. */
static uint32_t begin_lazy(Evaluation *e, const ValueWord *w, uint32_t at) {
	const uint32_t holds = not_zero(e->stack[e->depth - 1]);
	Lazy *lazy = &e->lazy[e->nlazy++];
	*lazy = (Lazy){.known = e->known, .chosen = w->operation == LAZY_OR ? ~holds : holds};
	e->known &= lazy->chosen;
	if (e->known) return at + 1;
	push_none(e);
	return w->skip;
}

static uint32_t other_side(Evaluation *e, const ValueWord *w, uint32_t at) {
	Lazy *lazy = &e->lazy[e->nlazy - 1];
	lazy->first = e->known;
	e->known = lazy->known & ~lazy->chosen;
	if (e->known) return at + 1;
	push_none(e);
	return w->skip;
}

static void end_lazy(Evaluation *e, const ValueWord *w) {
	const Lazy *lazy = &e->lazy[--e->nlazy];
	const bool select = w->kind == W_SELECT;
	const uint64_t *last = e->stack[e->depth - 1];
	uint64_t *first = e->stack[e->depth - 2], *to = select ? e->stack[e->depth - 3] : first;
	for (uint32_t l = 0; l < LANES; l++) to[l] = (lazy->chosen >> l & 1) == select ? first[l] : last[l];
	e->known |= select ? lazy->first : lazy->known & ~lazy->chosen;
	e->depth -= select ? 2 : 1;
}

/* The word to go on with. */
static uint32_t step(Evaluation *e, ValueWord *w, uint32_t at) {
	uint64_t *top = e->depth ? e->stack[e->depth - 1] : NULL;
	switch (w->kind) {
	case W_LOAD: load(e, w, top); break;
	case W_EXTENT:
		for (uint32_t l = 0; l < LANES; l++)
			if (e->known >> l & 1) top[l] = bytes_from(e->warp, w->space, top[l]);
		break;
	case W_CONVERT:
		for (uint32_t l = 0; l < LANES; l++) top[l] = convert(w->from, w->type, top[l]);
		break;
	case W_OPERATION: operate(e, w); break;
	case W_LAZY: return begin_lazy(e, w, at);
	case W_ELSE: return other_side(e, w, at);
	case W_JOIN:
	case W_SELECT: end_lazy(e, w); break;
	default: push(e, w); break;
	}
	return at + 1;
}

static bool gives_truth(const ValueWord *w) {
	return w->kind == W_JOIN || (w->kind == W_OPERATION && w->operation >= V_LT && w->operation <= V_NE);
}

void value_of(ValueCode *code, Warp *warp, Frame *frame, const WrittenRegisters *written, StepValue *out) {
	out->type = VALUE_S32;
	out->known = 0;
	*out->trouble = '\0';
	Evaluation e; /* its stack is filled as it grows */
	e.warp = warp;
	e.frame = frame;
	e.written = written;
	e.out = out;
	e.known = warp->alive & frame->mask;
	e.depth = 0;
	e.nlazy = 0;
	for (uint32_t i = 0; i < code->words.len;) i = step(&e, &code->words.data[i], i);
	const ValueWord *last = &code->words.data[code->words.len - 1];
	out->type = gives_truth(last) ? VALUE_S32 : last->type;
	out->known = e.known;
	if (e.known) *out->trouble = '\0';
	memcpy(out->lane, e.stack[0], sizeof out->lane);
}

bool value_true(const StepValue *v, uint32_t lanes) {
	FOR_LANES(l, v->known & lanes)
		if (v->lane[l]) return true;
	return false;
}
