/* Constant expressions, which PTX allows as operands and offsets: C's operators on 64-bit integers. A value is signed
 * unless its literal ends in U or is beyond 2^63 - 1; an operator with an unsigned operand is unsigned (PTX ISA,
 * "Constant Expressions"). Floating-point numbers stand alone, with a sign. */
#include <string.h>

#include "ptx/parser.h"

enum { MAX_NESTING = 32 }; /* parentheses and signs: the only recursion in the text */

typedef struct {
	uint64_t bits;
	bool is_unsigned;
} Value;

typedef struct {
	const char *text;
	unsigned level; /* the higher, the tighter */
} Operator;

static const Operator OPERATORS[] = {
	{"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"|", 3},
	{"^", 4},  {"&", 5},  {"<", 7},  {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10},
};

static bool parse_choice(Parser *p, unsigned depth, Value *out);

static bool parse_primary(Parser *p, unsigned depth, Value *out) {
	const Token at = p->tok;
	if (depth == MAX_NESTING)
		return parser_error(p, &at, "expected at most %d nested signs and parentheses", MAX_NESTING);
	if (parser_take(p, '(')) return parse_choice(p, depth + 1, out) && parser_need(p, ')', "')'");
	if (at.kind == TOK_PUNCT && strchr("+-~!", at.punct)) {
		parser_advance(p);
		if (!parse_primary(p, depth + 1, out)) return false;
		if (at.punct == '-') out->bits = 0 - out->bits;
		if (at.punct == '~') out->bits = ~out->bits;
		if (at.punct == '!') *out = (Value){.bits = !out->bits};
		return true;
	}
	if (token_is(&at, TOK_IDENT, "WARP_SZ")) {
		*out = (Value){.bits = 32};
	} else {
		if (at.kind != TOK_INT) return parser_fail(p, &at, "an integer");
		*out = (Value){at.bits, at.bits > INT64_MAX || at.text[at.len - 1] == 'U'};
	}
	parser_advance(p);
	return true;
}

/* The operator here, if any: one or two tokens that touch. */
static const Operator *operator_at(const Parser *p) {
	const char c = p->tok.kind == TOK_PUNCT ? p->tok.punct : token_is(&p->tok, TOK_IDENT, "%") ? '%' : '\0';
	for (size_t i = 0; i < sizeof OPERATORS / sizeof *OPERATORS; i++) {
		const Operator *o = &OPERATORS[i];
		if (o->text[0] != c) continue;
		if (!o->text[1]) return o;
		if (p->ahead.kind == TOK_PUNCT && p->ahead.punct == o->text[1] && p->ahead.text == p->tok.text + 1) return o;
	}
	return NULL;
}

static uint64_t ordered(const Operator *o, uint64_t a, uint64_t b, bool less, bool more) {
	if (o->level == 6) return o->text[0] == '=' ? a == b : a != b;
	return o->text[0] == '<' ? less || (o->text[1] && !more) : more || (o->text[1] && !less);
}

/* INT64_MIN / -1 wraps around, a shift takes its count modulo 64. */
static bool combine(Parser *p, const Token *at, const Operator *o, Value *a, Value b) {
	const bool is_unsigned = a->is_unsigned || b.is_unsigned;
	const int64_t x = (int64_t)a->bits, y = (int64_t)b.bits;
	uint64_t r = 0;
	switch (o->level) {
	case 1: r = a->bits || b.bits; break;
	case 2: r = a->bits && b.bits; break;
	case 3: r = a->bits | b.bits; break;
	case 4: r = a->bits ^ b.bits; break;
	case 5: r = a->bits & b.bits; break;
	case 6:
	case 7:
		r = is_unsigned ? ordered(o, a->bits, b.bits, a->bits<b.bits, a->bits> b.bits)
						: ordered(o, a->bits, b.bits, x<y, x> y);
		break;
	case 8:
		if (o->text[0] == '<')
			r = a->bits << (b.bits & 63);
		else
			r = a->is_unsigned ? a->bits >> (b.bits & 63) : (uint64_t)(x >> (b.bits & 63));
		*a = (Value){r, a->is_unsigned};
		return true;
	case 9: r = o->text[0] == '+' ? a->bits + b.bits : a->bits - b.bits; break;
	default:
		if (o->text[0] == '*') {
			r = a->bits * b.bits;
		} else {
			if (!b.bits) return parser_error(p, at, "a constant is divided by zero");
			const bool divides = o->text[0] == '/';
			if (is_unsigned)
				r = divides ? a->bits / b.bits : a->bits % b.bits;
			else if (y == -1)
				r = divides ? 0 - a->bits : 0;
			else
				r = (uint64_t)(divides ? x / y : x % y);
		}
	}
	*a = (Value){r, is_unsigned && (o->level < 6 || o->level > 7) && o->level > 2};
	return true;
}

/* Operators of at least this level. */
static bool parse_binary(Parser *p, unsigned depth, unsigned least, Value *out) {
	if (!parse_primary(p, depth, out)) return false;
	for (const Operator *o; (o = operator_at(p)) && o->level >= least;) {
		const Token at = p->tok;
		Value right;
		parser_advance(p);
		if (o->text[1]) parser_advance(p);
		if (!parse_binary(p, depth, o->level + 1, &right) || !combine(p, &at, o, out, right)) return false;
	}
	return true;
}

static bool parse_choice(Parser *p, unsigned depth, Value *out) {
	Value yes, no;
	if (!parse_binary(p, depth, 1, out)) return false;
	if (!parser_take(p, '?')) return true;
	if (depth == MAX_NESTING) return parser_error(p, &p->tok, "expected at most %d nested choices", MAX_NESTING);
	if (!parse_choice(p, depth + 1, &yes) || !parser_need(p, ':', "':'")) return false;
	if (!parse_choice(p, depth + 1, &no)) return false;
	*out = (Value){out->bits ? yes.bits : no.bits, yes.is_unsigned || no.is_unsigned};
	return true;
}

bool parse_constant(Parser *p, uint64_t *bits) {
	Value value;
	if (!parse_choice(p, 0, &value)) return false;
	*bits = value.bits;
	return true;
}
