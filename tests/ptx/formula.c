/* Precedence climbing over C's operators. */
#include "formula.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	const char *p;
	const FormulaContext *context;
	bool ok;
	int depth;
} Text;

static Number integer(int64_t n) {
	return (Number){.is_int = true, .n = n};
}
static Number real(double x) {
	return (Number){.x = x};
}

static Number conditional(Text *t);

static Number fail(Text *t) {
	t->ok = false;
	return integer(0);
}

static void space(Text *t) {
	while (isspace((unsigned char)*t->p)) t->p++;
}

static bool take(Text *t, const char *token) {
	space(t);
	size_t n = strlen(token);
	if (strncmp(t->p, token, n)) return false;
	t->p += n;
	return true;
}

static int64_t factorial(int64_t n) {
	int64_t r = 1;
	for (; n > 1; n--) r *= n;
	return r;
}

static Number call(Text *t, const char *name) {
	Number a = conditional(t), b = integer(0);
	bool two = take(t, ",");
	if (two) b = conditional(t);
	if (!take(t, ")")) return fail(t);
	double x = as_double(a), y = as_double(b);
	if (!strcmp(name, "f32")) return real((float)x);
	if (!strcmp(name, "u32")) return integer((uint32_t)as_int(a));
	if (!strcmp(name, "s32")) return integer((int32_t)as_int(a));
	if (!strcmp(name, "sqrt")) return real(sqrt(x));
	if (!strcmp(name, "fact")) return integer(factorial(as_int(a)));
	if (!strcmp(name, "popc")) return integer(__builtin_popcountll((uint64_t)as_int(a)));
	if (!strcmp(name, "abs")) return a.is_int ? integer(llabs(a.n)) : real(fabs(x));
	if (two && !strcmp(name, "min")) return x < y ? a : b;
	if (two && !strcmp(name, "max")) return x > y ? a : b;
	return fail(t);
}

static Number named(Text *t) {
	char name[64];
	size_t n = 0;
	while (isalnum((unsigned char)*t->p) || *t->p == '_') {
		if (n < sizeof name - 1) name[n++] = *t->p;
		t->p++;
	}
	name[n] = '\0';
	if (!strcmp(name, "i")) return t->context->i;
	if (take(t, "(")) return call(t, name);
	if (!take(t, "[")) return fail(t);
	Number index = conditional(t), out = integer(0);
	if (!take(t, "]") || !t->context->element(t->context->user, name, as_int(index), &out)) return fail(t);
	return out;
}

static Number literal(Text *t) {
	char *end_int, *end_real;
	long long n = strtoll(t->p, &end_int, 0);
	double x = strtod(t->p, &end_real);
	bool is_int = end_int >= end_real;
	t->p = is_int ? end_int : end_real;
	return is_int ? integer(n) : real(x);
}

static Number primary(Text *t) {
	space(t);
	if (++t->depth > 200) return fail(t);
	Number v;
	if (take(t, "(")) {
		v = conditional(t);
		if (!take(t, ")")) return fail(t);
	} else if (take(t, "-")) {
		v = primary(t);
		v = v.is_int ? integer(-v.n) : real(-v.x);
	} else if (take(t, "~"))
		v = integer(~as_int(primary(t)));
	else if (take(t, "!"))
		v = integer(!as_double(primary(t)));
	else if (isdigit((unsigned char)*t->p) || *t->p == '.')
		v = literal(t);
	else if (isalpha((unsigned char)*t->p))
		v = named(t);
	else
		return fail(t);
	t->depth--;
	return v;
}

static const struct {
	const char *token;
	int level;
	char op;
} operators[] = {{"||", 1, 'O'}, {"&&", 2, 'A'}, {"<<", 8, 'L'}, {">>", 8, 'R'}, {"<=", 7, 'l'}, {">=", 7, 'g'},
				 {"==", 6, '='}, {"!=", 6, '!'}, {"|", 3, '|'},  {"^", 4, '^'},  {"&", 5, '&'},  {"<", 7, '<'},
				 {">", 7, '>'},  {"+", 9, '+'},  {"-", 9, '-'},  {"*", 10, '*'}, {"/", 10, '/'}, {"%", 10, '%'}};

static Number apply(Text *t, char op, Number a, Number b) {
	const bool ints = a.is_int && b.is_int;
	const double x = as_double(a), y = as_double(b);
	const int64_t m = as_int(a), n = as_int(b);
	switch (op) {
	case '+': return ints ? integer((int64_t)((uint64_t)m + (uint64_t)n)) : real(x + y);
	case '-': return ints ? integer((int64_t)((uint64_t)m - (uint64_t)n)) : real(x - y);
	case '*': return ints ? integer((int64_t)((uint64_t)m * (uint64_t)n)) : real(x * y);
	case '/': return ints ? (n ? integer(m / n) : fail(t)) : real(x / y);
	case '%': return n ? integer(m % n) : fail(t);
	case '&': return integer(m & n);
	case '|': return integer(m | n);
	case '^': return integer(m ^ n);
	case 'L': return integer((int64_t)((uint64_t)m << (n & 63)));
	case 'R': return integer(m >> (n & 63));
	case '<': return integer(x < y);
	case '>': return integer(x > y);
	case 'l': return integer(x <= y);
	case 'g': return integer(x >= y);
	case '=': return integer(ints ? m == n : x == y);
	case '!': return integer(ints ? m != n : x != y);
	case 'A': return integer(x != 0 && y != 0);
	default: return integer(x != 0 || y != 0);
	}
}

static Number binary(Text *t, int level) {
	Number left = primary(t);
	for (;;) {
		size_t k = 0, n = sizeof operators / sizeof *operators;
		space(t);
		while (k < n && (operators[k].level < level || strncmp(t->p, operators[k].token, strlen(operators[k].token))))
			k++;
		if (k == n || !t->ok) return left;
		t->p += strlen(operators[k].token);
		left = apply(t, operators[k].op, left, binary(t, operators[k].level + 1));
	}
}

static Number conditional(Text *t) {
	Number c = binary(t, 1);
	if (!take(t, "?")) return c;
	const bool saved = t->ok;
	Number a = conditional(t);
	const bool ok_a = t->ok;
	t->ok = saved;
	if (!take(t, ":")) return fail(t);
	Number b = conditional(t);
	/* Only the side that is chosen need make sense: in[i - 1] beside i == 0. */
	if (as_double(c) != 0) t->ok = ok_a;
	return as_double(c) != 0 ? a : b;
}

bool formula(const char *text, const FormulaContext *context, Number *out, const char **bad) {
	Text t = {.p = text, .context = context, .ok = true};
	*out = conditional(&t);
	space(&t);
	*bad = t.p;
	return t.ok && *t.p == '\0';
}
