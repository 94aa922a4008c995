/* step/stepper.h: what an expression over the lanes of a warp (value_words.h) comes to. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
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

static bool compare(unsigned operation, int order, bool equal) {
	switch (operation) {
	case V_LT: return order < 0;
	case V_LE: return order < 0 || equal;
	case V_GT: return order > 0;
	case V_GE: return order > 0 || equal;
	case V_EQ: return equal;
	default: return !equal;
	}
}

static uint64_t float_operation(ValueType t, unsigned operation, uint64_t a, uint64_t b) {
	const double x = as_double(t, a), y = as_double(t, b);
	switch (operation) {
	case V_ADD: return of_double(t, x + y);
	case V_SUB: return of_double(t, x - y);
	case V_MUL: return of_double(t, x * y);
	case V_DIV: return of_double(t, x / y);
	case V_NEG: return of_double(t, -x);
	default: return compare(operation, x < y ? -1 : x > y ? 1 : 0, x == y);
	}
}

/* *known: false for a division by zero. */
static uint64_t whole_operation(ValueType t, unsigned operation, uint64_t a, uint64_t b, bool *known) {
	const int64_t x = as_signed(t, a), y = as_signed(t, b);
	const bool sign = is_signed(t);
	const unsigned bits = t == VALUE_S32 || t == VALUE_U32 ? 32 : 64;
	switch (operation) {
	case V_ADD: return fit(t, a + b);
	case V_SUB: return fit(t, a - b);
	case V_MUL: return fit(t, a * b);
	case V_DIV:
	case V_REM:
		if (!b) return *known = false, 0;
		if (sign && y == -1) return operation == V_DIV ? fit(t, 0 - a) : 0;
		if (operation == V_DIV) return sign ? fit(t, (uint64_t)(x / y)) : a / b;
		return sign ? fit(t, (uint64_t)(x % y)) : a % b;
	case V_AND: return a & b;
	case V_OR: return a | b;
	case V_XOR: return a ^ b;
	case V_SHL: return b >= bits ? 0 : fit(t, a << b);
	case V_SHR:
		return b >= bits ? (sign && x < 0 ? fit(t, UINT64_MAX) : 0) : sign ? fit(t, (uint64_t)(x >> b)) : a >> b;
	case V_NEG: return fit(t, 0 - a);
	case V_NOT: return fit(t, ~a);
	default: return compare(operation, sign ? (x < y ? -1 : x > y) : (a < b ? -1 : a > b), a == b);
	}
}

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
static bool find_registers(Evaluation *e, Word *w) {
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
static bool written_together(const Evaluation *e, const Word *w, uint32_t *which) {
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
static bool push_register(Evaluation *e, Word *w, uint64_t *d) {
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

static bool variable_address(const Evaluation *e, const Word *w, uint64_t *addr) {
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

static void load(Evaluation *e, const Word *w, uint64_t *v) {
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

#define COMPARE_LANES(T)                                                                                               \
	for (uint32_t l = 0; l < LANES; l++) {                                                                             \
		const T x = (T)a[l], y = (T)b[l];                                                                              \
		const unsigned order = x < y ? LESS : x > y ? MORE : SAME;                                                     \
		a[l] = (wanted & order) != 0;                                                                                  \
	}

/* Comparisons of integers are what conditions of stops consist of: all lanes at once. */
static bool compare_lanes(const Word *w, uint64_t *a, const uint64_t *b) {
	enum { LESS = 1, SAME = 2, MORE = 4 };
	static const uint8_t wanted_by[V_OPERATIONS] = {
		[V_LT] = LESS, [V_LE] = LESS | SAME, [V_GT] = MORE, [V_GE] = MORE | SAME, [V_EQ] = SAME, [V_NE] = LESS | MORE};
	const unsigned wanted = wanted_by[w->operation];
	if (!wanted) return false;
	switch (w->type) {
	case VALUE_S32: COMPARE_LANES(int32_t); return true;
	case VALUE_U32: COMPARE_LANES(uint32_t); return true;
	case VALUE_S64: COMPARE_LANES(int64_t); return true;
	case VALUE_U64: COMPARE_LANES(uint64_t); return true;
	default: return false;
	}
}

/* What joins comparisons, likewise: bits stay within their type. */
static bool join_lanes(const Word *w, uint64_t *a, const uint64_t *b) {
	if (is_float(w->type)) return false;
	switch (w->operation) {
	case V_AND:
		for (uint32_t l = 0; l < LANES; l++) a[l] &= b[l];
		return true;
	case V_OR:
		for (uint32_t l = 0; l < LANES; l++) a[l] |= b[l];
		return true;
	default: return false;
	}
}

static void operate(Evaluation *e, const Word *w) {
	const bool two = w->operation < V_BINARY;
	const uint64_t *b = e->stack[e->depth - 1];
	uint64_t *a = e->stack[e->depth - (two ? 2 : 1)];
	const bool done = two && (compare_lanes(w, a, b) || join_lanes(w, a, b));
	for (uint32_t l = 0; l < LANES && !done; l++) {
		bool known = true;
		a[l] = is_float(w->type) ? float_operation(w->type, w->operation, a[l], b[l])
								 : whole_operation(w->type, w->operation, a[l], b[l], &known);
		if (!known && e->known >> l & 1) {
			e->known &= ~(1u << l);
			if (!e->known) snprintf(e->out->trouble, sizeof e->out->trouble, "division by zero");
		}
	}
	if (two) e->depth--;
}

static void push_special(const Evaluation *e, Word *w, uint64_t *d) {
	if (w->serial != e->warp->block->serial || w->warp != e->warp->number)
		for (uint32_t l = 0; l < LANES; l++)
			w->lanes[l] = fit(w->type, warp_special(e->warp, (PtxSpecial)w->operation, l));
	w->serial = e->warp->block->serial;
	w->warp = e->warp->number;
	memcpy(d, w->lanes, sizeof w->lanes);
}

/* False: no lane has a value. */
static bool push_known(Evaluation *e, Word *w) {
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

static void push(Evaluation *e, Word *w) {
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
static uint32_t begin_lazy(Evaluation *e, const Word *w, uint32_t at) {
	const uint32_t holds = not_zero(e->stack[e->depth - 1]);
	Lazy *lazy = &e->lazy[e->nlazy++];
	*lazy = (Lazy){.known = e->known, .chosen = w->operation == LAZY_OR ? ~holds : holds};
	e->known &= lazy->chosen;
	if (e->known) return at + 1;
	push_none(e);
	return w->skip;
}

static uint32_t other_side(Evaluation *e, const Word *w, uint32_t at) {
	Lazy *lazy = &e->lazy[e->nlazy - 1];
	lazy->first = e->known;
	e->known = lazy->known & ~lazy->chosen;
	if (e->known) return at + 1;
	push_none(e);
	return w->skip;
}

static void end_lazy(Evaluation *e, const Word *w) {
	const Lazy *lazy = &e->lazy[--e->nlazy];
	const bool select = w->kind == W_SELECT;
	const uint64_t *last = e->stack[e->depth - 1];
	uint64_t *first = e->stack[e->depth - 2], *to = select ? e->stack[e->depth - 3] : first;
	for (uint32_t l = 0; l < LANES; l++) to[l] = (lazy->chosen >> l & 1) == select ? first[l] : last[l];
	e->known |= select ? lazy->first : lazy->known & ~lazy->chosen;
	e->depth -= select ? 2 : 1;
}

/* The word to go on with. */
static uint32_t step(Evaluation *e, Word *w, uint32_t at) {
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

static bool gives_truth(const Word *w) {
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
	const Word *last = &code->words.data[code->words.len - 1];
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
