/* expect.h: matrix products of integers and bits, by the places that PTX ISA 9.0 gives for the elements a lane holds
 * ("Matrix Fragments for mma..."). Which register is whose is read from the form's own code: "@ {d}, {a}, {b},
 * {c};". */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "expect_matrix.h"

typedef struct {
	unsigned m, n, k, bits;                /* bits: of an element of a and b */
	bool a_signed, b_signed;               /* elements */
	unsigned a[8], b[8], c[8], na, nb, nc; /* which source is which register */
	const Form *form;
	const Operands *all;
	size_t warp; /* its first vector */
} Product;

static bool has(const char *name, const char *word) {
	return strstr(name, word) != NULL;
}

/* The sources a group in braces names; what follows it. */
static const char *group(const char *at, unsigned *list, unsigned *n) {
	static const char names[] = "abcf";
	at = at ? strchr(at, '{') : NULL;
	*n = 0;
	for (; at && *at && *at != '}'; at++) {
		const char *name = *at == '$' ? strchr(names, at[1]) : NULL;
		if (name && *n < 8) list[(*n)++] = (unsigned)(name - names);
	}
	return at;
}

static bool read_form(const Form *f, Product *p) {
	char a[4] = "", b[4] = "";
	const char *types = strstr(f->name, ".s32."), *shape = strstr(f->name, ".m");
	while (shape && sscanf(shape, ".m%un%uk%u", &p->m, &p->n, &p->k) != 3) shape = strstr(shape + 1, ".m");
	if (!shape || !types || sscanf(types, ".s32.%2[a-z0-9].%2[a-z0-9].s32", a, b) != 2) return false;
	p->bits = a[1] - '0';
	p->a_signed = a[0] == 's';
	p->b_signed = b[0] == 's';
	if (!strncmp(f->name, "wmma", 4)) { /* the same elements come back as of mma */
		p->na = p->nb = 1;
		p->nc = 2;
		p->a[0] = 0;
		p->b[0] = 1;
		p->c[0] = 2;
		p->c[1] = 3;
		return p->bits < 8;
	}
	unsigned none[8], n;
	const char *at = group(f->code, none, &n);
	at = group(at, p->a, &p->na);
	at = group(at, p->b, &p->nb);
	return group(at, p->c, &p->nc) != NULL;
}

static uint32_t word(const Product *p, unsigned source, unsigned lane) {
	return (uint32_t)operand_of(p->all, p->form, source, p->warp + lane);
}

static int64_t element(const Product *p, uint32_t w, unsigned i, bool sign) {
	const uint32_t v = w >> p->bits * i & ((1u << p->bits) - 1);
	return sign && v >> (p->bits - 1) ? (int64_t)v - (1 << p->bits) : (int64_t)v;
}

/* Element (row, x) of a: lane 4 row + ..., the registers of a column's eight rows below next to each other. */
static int64_t element_a(const Product *p, unsigned row, unsigned x) {
	const unsigned each = 32 / p->bits, lane = row % 8 * 4 + x / each % 4, high = x / (4 * each);
	return element(p, word(p, p->a[p->m == 16 ? 2 * high + row / 8 : high], lane), x % each, p->a_signed);
}

static int64_t element_b(const Product *p, unsigned x, unsigned column) {
	const unsigned each = 32 / p->bits, lane = column * 4 + x / each % 4;
	return element(p, word(p, p->b[x / (4 * each)], lane), x % each, p->b_signed);
}

bool expect_matrix(const Form *f, uint32_t k, const Operands *all, size_t vector, uint64_t *result) {
	Product p = {.form = f, .all = all, .warp = vector & ~(size_t)31};
	if (!read_form(f, &p)) return false;
	const unsigned lane = vector % 32, row = lane / 4 + k / 2 * 8, column = lane % 4 * 2 + k % 2;
	int64_t sum = (int32_t)word(&p, p.c[k], lane);
	for (unsigned x = 0; x < p.k; x++) {
		const int64_t a = element_a(&p, row, x), b = element_b(&p, x, column);
		sum += has(f->name, ".xor") ? a ^ b : a * b;
	}
	if (has(f->name, ".satfinite")) sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
	*result = (uint32_t)sum;
	return true;
}
