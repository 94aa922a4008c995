/* expect.h */
#include "expect.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "expect_matrix.h"

typedef __int128 Wide;

typedef struct {
	const Form *form;
	const uint64_t *x;
	unsigned bits;
	bool sign;
} Case;

static bool spells(const char *name, const char *word) {
	const size_t n = strlen(word);
	for (const char *p = strstr(name, word); p; p = strstr(p + 1, word))
		if ((p == name || p[-1] == '.') && (!p[n] || p[n] == '.')) return true;
	return false;
}

/* --- integers ----------------------------------------------------------------------------------------------------- */

static Wide integer(const Case *c, unsigned k) {
	const uint64_t raw = c->x[k];
	if (!c->sign) return (Wide)(c->bits == 64 ? raw : raw & ((1ull << c->bits) - 1));
	return (Wide)((int64_t)(raw << (64 - c->bits)) >> (64 - c->bits));
}

static Wide clamped(Wide v, unsigned bits) {
	const Wide top = ((Wide)1 << (bits - 1)) - 1;
	return v > top ? top : v < -top - 1 ? -top - 1 : v;
}

/* Bits at..at+len of v, an arithmetic shift; v may be a product of 128 bits. */
static Wide high_half(const Case *c, Wide a, Wide b) {
	if (c->sign) return (a * b) >> c->bits;
	return (Wide)(((unsigned __int128)a * (unsigned __int128)b) >> c->bits);
}

static Wide plus(Wide a, Wide b) {
	return (Wide)((unsigned __int128)a + (unsigned __int128)b);
}

static bool product(const Case *c, Wide *r) {
	const char *name = c->form->name;
	const Wide a = integer(c, 0), b = integer(c, 1), add = *name == 'm' && name[1] == 'a' ? 1 : 0;
	if (spells(name, "hi"))
		*r = high_half(c, a, b);
	else
		*r = (Wide)((unsigned __int128)a * (unsigned __int128)b);
	if (!add) return true;
	if (spells(name, "wide")) {
		*r = plus(*r, (Wide)c->x[2]);
		return true;
	}
	*r = plus(*r, integer(c, 2));
	if (spells(name, "sat")) *r = clamped(*r, 32);
	return true;
}

static bool count_bits(const Case *c, Wide *r) {
	uint64_t v = c->x[0];
	unsigned n = 0;
	if (c->bits == 32) v &= 0xffffffff;
	if (spells(c->form->name, "popc"))
		for (; v; v >>= 1) n += v & 1;
	else
		for (n = 0; n < c->bits && !(v >> (c->bits - 1 - n) & 1);) n++;
	*r = n;
	return true;
}

static bool integers(const Case *c, uint64_t *result) {
	const char *name = c->form->name;
	const size_t len = strcspn(name, ".");
	const Wide a = integer(c, 0), b = integer(c, 1), d = integer(c, 2);
	const uint32_t n = (uint32_t)c->x[1];
	Wide r;
#define IS(word) (len == sizeof word - 1 && !memcmp(name, word, len))
	if (IS("add"))
		r = a + b;
	else if (IS("sub"))
		r = a - b;
	else if (IS("mul") || IS("mad")) {
		if (!product(c, &r)) return false;
	} else if (IS("sad"))
		r = d + (a > b ? a - b : b - a);
	else if (IS("div") || IS("rem")) {
		r = -1; /* seen on GPUs; PTX leaves division by zero open */
		if (b != 0) r = IS("div") ? a / b : a % b;
	} else if (IS("abs"))
		r = a < 0 ? -a : a;
	else if (IS("neg"))
		r = -a;
	else if (IS("min") || IS("max"))
		r = (a < b) == (name[1] == 'i') ? a : b;
	else if (IS("and"))
		r = a & b;
	else if (IS("or"))
		r = a | b;
	else if (IS("xor"))
		r = a ^ b;
	else if (IS("not"))
		r = ~a;
	else if (IS("cnot"))
		r = a == 0;
	else if (IS("shl"))
		r = n >= c->bits ? 0 : (Wide)((uint64_t)a << n);
	else if (IS("shr"))
		r = a >> (n > 127 ? 127 : n);
	else if (IS("popc") || IS("clz")) {
		if (!count_bits(c, &r)) return false;
	} else
		return false;
#undef IS
	if (spells(name, "sat") && !spells(name, "hi")) r = clamped(r, 32);
	if (spells(name, "relu") && r < 0) r = 0;
	const unsigned out = 8 * form_bytes(c->form->dst[0].kind);
	*result = out == 64 ? (uint64_t)r : (uint64_t)r & ((1ull << out) - 1);
	return true;
}

/* --- floats ------------------------------------------------------------------------------------------------------- */

static int rounding(const char *name) {
	return spells(name, "rz")   ? FE_TOWARDZERO
		   : spells(name, "rm") ? FE_DOWNWARD
		   : spells(name, "rp") ? FE_UPWARD
								: FE_TONEAREST;
}

static double as_double(uint64_t bits) {
	double x;
	memcpy(&x, &bits, 8);
	return x;
}
static float as_single(uint64_t bits) {
	const uint32_t word = (uint32_t)bits;
	float x;
	memcpy(&x, &word, 4);
	return x;
}
static float flushed(float x, bool flush) {
	return flush && fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

static bool singles(const Case *c, uint64_t *result) {
	const char *name = c->form->name;
	const bool flush = spells(name, "ftz");
	volatile float a = flushed(as_single(c->x[0]), flush), b = flushed(as_single(c->x[1]), flush),
				   d = flushed(as_single(c->x[2]), flush), r;
	const int old = fegetround();
	bool known = true;
	fesetround(rounding(name));
	if (spells(name, "add"))
		r = a + b;
	else if (spells(name, "sub"))
		r = a - b;
	else if (spells(name, "mul"))
		r = a * b;
	else if (spells(name, "fma") || spells(name, "mad"))
		r = fmaf(a, b, d);
	else if (spells(name, "div"))
		r = a / b;
	else if (spells(name, "rcp"))
		r = 1 / a;
	else if (spells(name, "sqrt"))
		r = sqrtf(a);
	else
		known = false;
	fesetround(old);
	if (!known) return false;
	float y = flushed(r, flush);
	if (spells(name, "sat")) y = y != y ? 0 : y < 0 ? 0 : y > 1 ? 1 : y == 0 ? 0 : y;
	uint32_t bits;
	memcpy(&bits, &y, 4);
	*result = y != y ? 0x7fffffff : bits;
	return !flush || fabsf(r) != 0x1p-126f; /* tiny before rounding counts: not worked out here */
}

/* Which NaN a double operation gives is not worked out here: false for those. */
static bool doubles(const Case *c, uint64_t *result) {
	const char *name = c->form->name;
	volatile double a = as_double(c->x[0]), b = as_double(c->x[1]), d = as_double(c->x[2]), r = 0;
	const int old = fegetround();
	bool known = true;
	fesetround(rounding(name));
	if (spells(name, "add"))
		r = a + b;
	else if (spells(name, "sub"))
		r = a - b;
	else if (spells(name, "mul"))
		r = a * b;
	else if (spells(name, "fma") || spells(name, "mad"))
		r = fma(a, b, d);
	else if (spells(name, "div"))
		r = a / b;
	else if (spells(name, "rcp"))
		r = 1 / a;
	else if (spells(name, "sqrt"))
		r = sqrt(a);
	else
		known = false;
	fesetround(old);
	double y = r;
	memcpy(result, &y, 8);
	return known && y == y;
}

/* --- forms with code of their own --------------------------------------------------------------------------------- */

static bool is_named(const Form *f, const char *name) {
	return !strcmp(f->name, name);
}

/* What is in the cell, or was. */
static bool wide(const Form *f, uint32_t k, const uint64_t *x, uint64_t *result) {
	const bool same = x[1] == x[3]; /* of cas: the lower half is */
	if (!strncmp(f->name, "ld", 2) || !strncmp(f->name, "st", 2))
		*result = x[k];
	else if (is_named(f, "atom.global.exch.b128"))
		*result = x[k];
	else if (is_named(f, "atom.shared.exch.b128"))
		*result = x[2 + k];
	else if (is_named(f, "atom.global.cas.b128"))
		*result = same ? x[2] : x[k];
	else if (is_named(f, "atom.cas.b128"))
		*result = x[k];
	else if (f->ndst == 2)
		*result = x[1 - k];
	else
		*result = k == 2 ? x[3] << 32 | (uint32_t)x[2] : (uint32_t)x[1 + k];
	return true;
}

/* The lower bytes, widened to the register's 64 bits as the type says. */
static uint64_t loaded(const char *type, uint64_t v) {
	switch (type[1]) {
	case '8': return (uint64_t)(int64_t)(int8_t)v;
	case '1': return (uint16_t)v;
	case '3': return (uint32_t)v;
	default: return v;
	}
}

static bool coded(const Form *f, uint32_t k, const uint64_t *x, uint64_t *result) {
	if (is_named(f, "alloca.u64"))
		*result = k ? 0 : x[1];
	else if (strstr(f->name, ".b128"))
		return wide(f, k, x, result);
	else if (!strncmp(f->name, "mapa", 4))
		*result = k ? 0 : (uint32_t)x[0];
	else if (!strncmp(f->name, "getctarank", 10))
		*result = 0;
	else if (!strncmp(f->name, "isspacep.shared::", 17))
		*result = k == 0;
	else if (!strncmp(f->name, "ld.shared::cluster.", 19))
		*result = loaded(f->last, x[0]);
	else if (is_named(f, "st.shared::cluster.b32"))
		*result = (uint32_t)x[0];
	else if (is_named(f, "atom.shared::cluster.add.u32"))
		*result = (uint32_t)(k ? x[0] + x[1] : x[0]);
	else if (is_named(f, "stacksave.u64") || is_named(f, "stackrestore.u64"))
		*result = 1;
	else
		return false;
	return true;
}

bool expect(const Form *form, uint32_t k, const Operands *all, size_t vector, uint64_t *result) {
	uint64_t x[4];
	for (uint32_t i = 0; i < 4; i++) x[i] = operand_of(all, form, i, vector);
	Case c = {.form = form, .x = x, .sign = *form->last == 's'};
	const FormKind kind = form->nsrc ? form->src[0].kind : FORM_NONE;
	if (form->code && strstr(form->name, "mma.")) return expect_matrix(form, k, all, vector, result);
	if (form->code) return coded(form, k, x, result);
	if (k || spells(form->name, "approx") || spells(form->name, "full")) return false;
	c.bits = 8 * form_bytes(kind);
	if (form->ndst == 1 && kind == FORM_F32 && form->dst[0].kind == FORM_F32) return singles(&c, result);
	if (form->ndst == 1 && kind == FORM_F64 && form->dst[0].kind == FORM_F64) return doubles(&c, result);
	if (strchr(form->last, 'x') || (kind != FORM_I16 && kind != FORM_I32 && kind != FORM_I64)) return false;
	return integers(&c, result);
}
