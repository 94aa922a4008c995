/* Functions the CUDA runtime provides on the device: vprintf, __assertfail, malloc, free, cudaGraphSetConditional. */
#include <stdio.h>
#include <string.h>

#include "emu/warp/access.h"

enum { TEXT_LIMIT = 4096 };

/* --- arguments and results ---------------------------------------------------------------------------------------- */

static uint64_t argument(const Warp *w, const CallSite *site, uint32_t i, uint32_t lane) {
	if (i >= site->nargs) return 0;
	uint64_t v = 0;
	for (uint32_t k = 0; k < site->args[i].words && k < 2; k++)
		v |= (uint64_t)lane_get(w, site->args[i].slot + k * SLOT32, 4, lane) << (32 * k);
	return v;
}

static void result(Warp *w, const CallSite *site, uint32_t lane, uint64_t v) {
	if (!site->nrets) return;
	for (uint32_t k = 0; k < site->rets[0].words && k < 2; k++)
		lane_set(w, site->rets[0].slot + k * SLOT32, 4, lane, v >> (32 * k));
}

/* The terminated string at a generic address, truncated if too long; false: it leaves its allocation. */
static bool read_text(Warp *w, uint32_t lane, uint64_t addr, char text[TEXT_LIMIT]) {
	for (size_t i = 0; i < TEXT_LIMIT - 1; i++) {
		if (!generic_read(w, lane, addr + i, &text[i], 1)) return false;
		if (!text[i]) return true;
	}
	text[TEXT_LIMIT - 1] = '\0';
	return true;
}

enum { CALL_WORK = 8 }; /* basic blocks that take as long as a thread's printf or malloc, roughly */

/* True: the launch ends before the call. */
static bool call_stops(Warp *w, const Op *op) {
	const uint32_t work = CALL_WORK * count_lanes(w->mask);
	w->split->pc = op;
	work_done(w, op, work);
	return must_stop(w, op, work);
}

/* --- vprintf ------------------------------------------------------------------------------------------------------ */

typedef struct {
	Warp *warp;
	uint32_t lane;
	uint64_t args; /* generic address of the argument block */
	uint64_t at;   /* offset of the next argument */
	bool lost;     /* the argument block leaves its allocation */
	int count;     /* conversions done */
	/* What was read, for the observers; NULL: none listens. */
	PrintfCall *call;
	uint32_t texts; /* of this lane so far */
} Arguments;

/* Arguments are consecutive, each aligned to its size. */
static uint64_t next_argument(Arguments *a, size_t bytes) {
	uint64_t v = 0;
	a->at = (a->at + bytes - 1) & ~(uint64_t)(bytes - 1);
	if (!generic_read(a->warp, a->lane, a->args + a->at, &v, bytes)) a->lost = true;
	a->at += bytes;
	a->count++;
	return v;
}

/* text: NULL if nothing can be read there. */
static void note_text(Arguments *a, uint64_t addr, const char *text) {
	PrintfCall *call = a->call;
	const uint32_t i = a->texts++;
	if (!call || i >= PRINTF_TEXTS) return;
	if (i == call->ntexts) call->texts[call->ntexts++] = (PrintfText){0};
	if (!text) return;
	PrintfText *t = &call->texts[i];
	if (generic_space(&addr) == SPACE_GLOBAL) t->global |= 1u << a->lane;
	t->addr[a->lane] = addr;
	t->bytes[a->lane] = (uint32_t)strlen(text) + 1;
}

typedef struct {
	char flags[8];
	int width, precision; /* -1: none */
	bool wide;            /* 64-bit integer */
	int narrow;           /* h: 1, hh: 2 */
	char conversion;
} Spec;

static const char *parse_number(const char *p, int *out) {
	*out = 0;
	for (; *p >= '0' && *p <= '9'; p++)
		if (*out < 100000) *out = *out * 10 + (*p - '0');
	return p;
}

/* What follows a '%'. */
static const char *parse_spec(const char *p, Arguments *a, Spec *s) {
	size_t n = 0;
	*s = (Spec){.width = -1, .precision = -1};
	for (; *p && strchr("-+ #0", *p); p++)
		if (n < sizeof s->flags - 1 && !strchr(s->flags, *p)) s->flags[n++] = *p;
	if (*p == '*') {
		const int64_t width = (int32_t)next_argument(a, 4);
		if (width < 0 && n < sizeof s->flags - 1) s->flags[n++] = '-';
		s->width = (int)(width < -TEXT_LIMIT || width > TEXT_LIMIT ? TEXT_LIMIT : width < 0 ? -width : width);
		p++;
	} else if (*p >= '0' && *p <= '9')
		p = parse_number(p, &s->width);
	if (*p == '.') {
		if (*++p == '*') {
			s->precision = (int)next_argument(a, 4);
			p++;
		} else
			p = parse_number(p, &s->precision);
	}
	for (; *p && strchr("hlLqjzt", *p); p++) {
		if (*p == 'h')
			s->narrow++;
		else
			s->wide = true;
	}
	if (s->width > TEXT_LIMIT) s->width = TEXT_LIMIT;
	if (s->precision > TEXT_LIMIT) s->precision = TEXT_LIMIT;
	s->conversion = *p;
	return *p ? p + 1 : p;
}

/* The specification again, for the host's printf; the length modifier is ours. */
static void spell(const Spec *s, const char *length, char out[48]) {
	char width[16] = "", precision[16] = "";
	if (s->width >= 0) snprintf(width, sizeof width, "%d", s->width);
	if (s->precision >= 0) snprintf(precision, sizeof precision, ".%d", s->precision);
	snprintf(out, 48, "%%%s%s%s%s%c", s->flags, width, precision, length, s->conversion);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void format_one(Arguments *a, const Spec *s, Str *out) {
	char spec[48], text[TEXT_LIMIT];
	switch (s->conversion) {
	case '%': str_addn(out, "%", 1); return;
	case 'd':
	case 'i': {
		spell(s, "ll", spec);
		int64_t v = s->wide ? (int64_t)next_argument(a, 8) : (int32_t)next_argument(a, 4);
		str_addf(out, spec, (long long)(s->narrow == 1 ? (int16_t)v : s->narrow > 1 ? (int8_t)v : v));
		return;
	}
	case 'u':
	case 'x':
	case 'X':
	case 'o': {
		spell(s, "ll", spec);
		uint64_t v = next_argument(a, s->wide ? 8 : 4);
		str_addf(out, spec, (unsigned long long)(s->narrow == 1 ? (uint16_t)v : s->narrow > 1 ? (uint8_t)v : v));
		return;
	}
	case 'c': {
		spell(s, "", spec);
		int c = (int)(next_argument(a, 4) & 255);
		if (c) str_addf(out, spec, c);
		return;
	}
	case 'p': {
		uint64_t v = next_argument(a, 8);
		snprintf(text, sizeof text, "0x%llx", (unsigned long long)v);
		str_addf(out, "%*s", s->width < 0 ? 0 : strchr(s->flags, '-') ? -s->width : s->width, text);
		return;
	}
	case 'e':
	case 'E':
	case 'f':
	case 'F':
	case 'g':
	case 'G':
	case 'a':
	case 'A': {
		spell(s, "", spec);
		uint64_t bits = next_argument(a, 8);
		double v;
		memcpy(&v, &bits, 8);
		str_addf(out, spec, v);
		return;
	}
	case 's': {
		spell(s, "", spec);
		uint64_t addr = next_argument(a, 8);
		const bool readable = addr && read_text(a->warp, a->lane, addr, text);
		note_text(a, addr, readable ? text : NULL);
		if (!addr)
			snprintf(text, sizeof text, "(null)");
		else if (!readable)
			snprintf(text, sizeof text, "(bad pointer 0x%llx)", (unsigned long long)addr);
		str_addf(out, spec, text);
		return;
	}
	default: /* not a conversion: as written */
		str_addf(out, "%%%s", s->flags);
		if (s->width >= 0) str_addf(out, "%d", s->width);
		if (s->precision >= 0) str_addf(out, ".%d", s->precision);
		if (s->conversion) str_addn(out, &s->conversion, 1);
		return;
	}
}
#pragma GCC diagnostic pop

static void format_all(Arguments *a, const char *format, Str *out) {
	for (const char *p = format; *p;) {
		const char *percent = strchr(p, '%');
		if (!percent) percent = p + strlen(p);
		str_addn(out, p, (size_t)(percent - p));
		p = percent;
		if (!*p) break;
		Spec s;
		p = parse_spec(p + 1, a, &s);
		format_one(a, &s, out);
	}
}

/* A lane's text, appended to what its block has printed unless the launch has printed too much. */
static void print_lane(Arguments *a, const char *format) {
	Str *out = &a->warp->block->printed;
	Run *run = a->warp->worker->run;
	const size_t before = out->len;
	format_all(a, format, out);
	const size_t len = out->len - before;
	if (atomic_load(&run->printed.bytes) < PRINT_LIMIT) {
		atomic_fetch_add(&run->printed.bytes, len);
		return;
	}
	str_cut(out, before);
	atomic_fetch_add(&run->printed.cut, len);
}

static const Op *print(Warp *w, const Op *op, const CallSite *site) {
	char format[TEXT_LIMIT];
	PrintfCall call;
	call.mask = w->mask;
	call.ntexts = 0;
	if (call_stops(w, op)) return NULL;
	FOR_LANES(l, w->mask) {
		uint64_t addr = argument(w, site, 0, l);
		Arguments a = {
			.warp = w, .lane = l, .args = argument(w, site, 1, l), .call = w->reports.accesses ? &call : NULL};
		if (!read_text(w, l, addr, format))
			return fault_at(w, op, 1u << l, FAULT_OUT_OF_BOUNDS,
							"printf's format string at 0x%llx is not in any allocation.", (unsigned long long)addr);
		note_text(&a, addr, format);
		print_lane(&a, format);
		if (a.lost)
			return fault_at(w, op, 1u << l, FAULT_OUT_OF_BOUNDS,
							"printf's arguments for \"%.80s\" are not in any allocation.", format);
		call.arguments[l] = (uint32_t)a.count;
		result(w, site, l, (uint64_t)a.count);
	}
	if (w->reports.accesses) report_printf(w, op, &call);
	return op + 1;
}

/* --- assert ------------------------------------------------------------------------------------------------------- */

static const Op *assert_failed(Warp *w, const Op *op, const CallSite *site) {
	char what[TEXT_LIMIT] = "", file[TEXT_LIMIT] = "", function[TEXT_LIMIT] = "", message[512];
	const uint32_t l = first_lane(w->mask);
	if (!read_text(w, l, argument(w, site, 0, l), what)) snprintf(what, sizeof what, "?");
	if (!read_text(w, l, argument(w, site, 1, l), file)) snprintf(file, sizeof file, "?");
	if (!read_text(w, l, argument(w, site, 3, l), function)) snprintf(function, sizeof function, "?");
	snprintf(message, sizeof message, "The assertion `%.300s` failed in %.150s.", what, function);
	return fault_place(w, op, w->mask, FAULT_ASSERT, file, (uint32_t)argument(w, site, 2, l), message);
}

/* --- the device heap ---------------------------------------------------------------------------------------------- */

static void report_fresh(Warp *w, const Allocation *a) {
	Worker *k = w->worker;
	NOTIFY(k, fresh, a->base, a->bytes);
}

static const Op *allocate(Warp *w, const Op *op, const CallSite *site) {
	if (call_stops(w, op)) return NULL;
	Memory *memory = w->worker->run->info.memory;
	FOR_LANES(l, w->mask) {
		uint64_t bytes = argument(w, site, 0, l);
		const Allocation *a = memory_malloc(memory, bytes);
		result(w, site, l, a ? a->base : 0);
		if (a && w->reports.accesses) report_fresh(w, a);
	}
	return op + 1;
}

static const Op *release(Warp *w, const Op *op, const CallSite *site) {
	Memory *memory = w->worker->run->info.memory;
	FOR_LANES(l, w->mask) {
		uint64_t addr = argument(w, site, 0, l);
		if (!addr) continue;
		Allocation *a = memory_find(memory, addr);
		if (!a || a->kind != ALLOC_HEAP || a->base != addr)
			return fault_at(w, op, 1u << l, FAULT_OUT_OF_BOUNDS,
							"free() of 0x%llx, which malloc() in a kernel did not return.", (unsigned long long)addr);
		if (a->freed)
			return fault_at(w, op, 1u << l, FAULT_FREED, "free() of 0x%llx, which was freed before.",
							(unsigned long long)addr);
		memory_retire(memory, a);
	}
	return op + 1;
}

/* --- conditions of graphs ----------------------------------------------------------------------------------------- */

/* The handle is the address of the value. */
static const Op *set_conditional(Warp *w, const Op *op, const CallSite *site) {
	FOR_LANES(l, w->mask) {
		const uint64_t handle = argument(w, site, 0, l);
		const uint32_t value = (uint32_t)argument(w, site, 1, l);
		if (!generic_write(w, l, handle, &value, sizeof value))
			return fault_at(
				w, op, 1u << l, FAULT_OUT_OF_BOUNDS,
				"cudaGraphSetConditional() of 0x%llx, which cudaGraphConditionalHandleCreate() did not give.",
				(unsigned long long)handle);
	}
	return op + 1;
}

const Op *builtin_call(Warp *w, const Op *op, const CallSite *site) {
	switch (site->builtin) {
	case BUILTIN_VPRINTF: return print(w, op, site);
	case BUILTIN_ASSERTFAIL: return assert_failed(w, op, site);
	case BUILTIN_MALLOC: return allocate(w, op, site);
	case BUILTIN_FREE: return release(w, op, site);
	case BUILTIN_SET_CONDITIONAL: return set_conditional(w, op, site);
	default:
		if (text_starts(site->name, "__cudaCDP2"))
			return fault_at(
				w, op, w->mask, FAULT_INSTRUCTION,
				"%.200s is a function of NVIDIA's device runtime (dynamic parallelism), which the emulator does "
				"not have: call it from the host.",
				site->name);
		return fault_at(w, op, w->mask, FAULT_INSTRUCTION,
						"The function %.200s has no code in this module and the emulator does not provide it.",
						site->name);
	}
}
