/* The bytes behind '=': numbers, nested lists, strings, and addresses of other symbols, which become relocations.
 *
 *     .u64 table[2] = {f, generic(g)+8}       a relocation each
 *     .b8 s[16] = {1, 0xFF(g), 0xFF00(g) ...} a packed struct: the address byte by byte, eight masks are one relocation
 *
 * init has var->bytes bytes, zero where the text says nothing. */
#include <string.h>

#include "ptx/parser.h"

typedef struct {
	Parser *p;
	PtxVar *var;
	size_t scalar;  /* bytes of one number */
	size_t at, end; /* next byte, end of the variable */
	uint8_t *bytes;
	unsigned masks; /* bytes of a masked address read so far; 0: none is open */
	VEC(PtxReloc) relocs;
} Init;

static bool take_budget(Init *in, const Token *at, size_t bytes) {
	if (bytes > in->p->init_left)
		return parser_error(in->p, at, "expected initialized variables of at most 64 MiB in one module");
	in->p->init_left -= bytes;
	return true;
}

static bool need_room(Init *in, const Token *at, size_t bytes) {
	if (in->end - in->at >= bytes) return true;
	return parser_error(in->p, at, "more initial values than the variable '%.100s' has room for", in->var->name);
}

static void put(Init *in, uint64_t bits) {
	memcpy(in->bytes + in->at, &bits, in->scalar < 8 ? in->scalar : 8);
	in->at += in->scalar;
}

static uint64_t bits_of_double(double value) {
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static uint64_t bits_of_float(float value) {
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static double double_of(const Token *number, bool negative) {
	double value;
	if (number->kind == TOK_INT) {
		value = (double)number->bits;
	} else if (number->is_f32) {
		float f;
		memcpy(&f, &number->bits, sizeof f);
		value = f;
	} else {
		memcpy(&value, &number->bits, sizeof value);
	}
	return negative ? -value : value;
}

/* Float variables take numbers by value, all others by bits. */
static uint64_t element_bits(const Init *in, const Token *number, bool negative) {
	if (in->var->type == T_F64) return bits_of_double(double_of(number, negative));
	if (in->var->type == T_F32) {
		if (number->kind == TOK_FLOAT && number->is_f32)
			return number->bits ^ (negative ? 0x80000000u : 0); /* keeps NaNs */
		return bits_of_float((float)double_of(number, negative));
	}
	if (number->kind == TOK_FLOAT && negative) return number->bits ^ (number->is_f32 ? 0x80000000u : 1ull << 63);
	return negative ? 0 - number->bits : number->bits;
}

static bool put_number(Init *in, bool negative) {
	Parser *p = in->p;
	if (p->tok.kind != TOK_INT && p->tok.kind != TOK_FLOAT) return parser_fail(p, &p->tok, "a number");
	if (!need_room(in, &p->tok, in->scalar)) return false;
	put(in, element_bits(in, &p->tok, negative));
	parser_advance(p);
	return true;
}

/* name, generic(name), each with +N or -N behind */
static bool parse_address(Init *in, PtxReloc *reloc) {
	Parser *p = in->p;
	reloc->generic = token_is(&p->tok, TOK_IDENT, "generic") && p->ahead.kind == TOK_PUNCT && p->ahead.punct == '(';
	if (reloc->generic) {
		parser_advance(p);
		parser_advance(p);
	}
	Token name;
	if (!parser_need_name(p, &name, "a symbol's name")) return false;
	const Symbol *s = scope_find(p->scope, name.text, name.len);
	if (!s || (s->kind != SYM_VAR && s->kind != SYM_FUNCTION))
		return parser_fail(p, &name, "a variable or function declared before");
	reloc->symbol = s->kind == SYM_VAR ? s->var : NULL;
	reloc->function = s->kind == SYM_FUNCTION ? s->function : NULL;
	if (reloc->generic && !parser_need(p, ')', "')' after generic(symbol")) return false;
	while (parser_at(p, '+') || parser_at(p, '-')) {
		bool minus = parser_at(p, '-');
		uint64_t value;
		parser_advance(p);
		if (!parser_need_int(p, &value, "an offset")) return false;
		reloc->addend = (int64_t)((uint64_t)reloc->addend + (minus ? 0 - value : value));
	}
	return true;
}

static bool put_address(Init *in) {
	Token at = in->p->tok;
	PtxReloc reloc = {.offset = in->at};
	if (!parse_address(in, &reloc)) return false;
	if (in->scalar != 8) return parser_error(in->p, &at, "expected a 64-bit variable to hold an address");
	if (!need_room(in, &at, 8)) return false;
	vec_push(&in->relocs, reloc);
	in->at += 8;
	return true;
}

#define MASKS_IN_ORDER "expected the eight bytes of a masked address in order"

static bool same_target(const PtxReloc *a, const PtxReloc *b) {
	return a->symbol == b->symbol && a->function == b->function && a->addend == b->addend && a->generic == b->generic;
}

/* 0xFF0000(symbol): byte 2 of its address. Byte 0 opens a relocation, bytes 1 to 7 must follow at once. */
static bool put_masked(Init *in) {
	Parser *p = in->p;
	Token at = p->tok;
	PtxReloc reloc = {.offset = in->at};
	unsigned byte = at.bits ? (unsigned)__builtin_ctzll(at.bits) / 8 : 8;
	if (byte == 8 || at.bits != 0xFFull << 8 * byte)
		return parser_error(p, &at, "expected a mask of one byte, such as 0xFF00");
	parser_advance(p);
	parser_advance(p);
	if (!parse_address(in, &reloc) || !parser_need(p, ')', "')' after the masked symbol")) return false;
	if (in->scalar != 1) return parser_error(p, &at, "expected a variable of bytes around a masked address");
	const PtxReloc *open = in->masks ? &vec_last(&in->relocs) : &reloc;
	if (byte != in->masks || open->offset + byte != in->at || !same_target(open, &reloc))
		return parser_error(p, &at, MASKS_IN_ORDER);
	if (byte == 0) {
		if (!need_room(in, &at, 8)) return false;
		vec_push(&in->relocs, reloc);
	}
	in->masks = (byte + 1) % 8;
	in->at++;
	return true;
}

static bool put_string(Init *in) {
	Parser *p = in->p;
	if (in->scalar != 1) return parser_error(p, &p->tok, "expected a variable of bytes for a string");
	if (!need_room(in, &p->tok, p->tok.len)) return false;
	memcpy(in->bytes + in->at, p->tok.text, p->tok.len);
	in->at += p->tok.len;
	parser_advance(p);
	return true;
}

static bool put_element(Init *in) {
	Parser *p = in->p;
	bool masked = p->tok.kind == TOK_INT && p->ahead.kind == TOK_PUNCT && p->ahead.punct == '(';
	if (masked) return put_masked(in);
	if (in->masks) return parser_error(p, &p->tok, MASKS_IN_ORDER);
	if (parser_take(p, '-')) return put_number(in, true);
	if (p->tok.kind == TOK_STRING) return put_string(in);
	if (p->tok.kind == TOK_IDENT) return put_address(in);
	return put_number(in, false);
}

/* A list; inside it, lists of the next dimension. Depth is bounded by the number of dimensions (and one for vectors),
 * so this is written as a loop over open braces: ends[depth] is where the open list ends. */
static bool put_lists(Init *in, size_t element, const Dimensions *dims) {
	Parser *p = in->p;
	size_t ends[MAX_DIMENSIONS + 2], strides[MAX_DIMENSIONS + 2];
	uint32_t depth = 0, deepest = dims->n + 1;
	size_t stride = in->end;
	ends[0] = in->end;
	for (uint32_t i = 0; i < deepest; i++) { /* strides[d]: bytes of one list opened at depth d */
		strides[i] = stride;
		if (i < dims->n) stride = dims->size[i] ? stride / dims->size[i] : element;
	}
	do {
		if (parser_at(p, '{')) {
			if (depth == deepest) return parser_fail(p, &p->tok, "a value, not another list");
			if (!need_room(in, &p->tok, depth ? 1 : 0)) return false;
			size_t end = in->at + strides[depth] < ends[depth] ? in->at + strides[depth] : ends[depth];
			ends[++depth] = end;
			in->end = end;
			parser_advance(p);
			if (!parser_at(p, '}')) continue;
		} else if (!put_element(in)) {
			return false;
		}
		while (depth && parser_at(p, '}')) {
			in->at = depth > 1 ? ends[depth] : in->at; /* a short row is filled with zeros */
			in->end = ends[--depth];
			parser_advance(p);
		}
		if (depth && !parser_need(p, ',', "',' or '}' in the list of values")) return false;
	} while (depth);
	return true;
}

/* x[] = {1, 2, 3}: the values decide. Elements before the closing brace are counted by their commas. */
static size_t count_elements(const Parser *p) {
	Lexer ahead = p->lexer;
	if (p->tok.kind == TOK_STRING) return p->tok.len;
	size_t count = 1;
	for (Token t = p->ahead; t.kind != TOK_END && t.kind != TOK_BAD; t = lexer_next(&ahead)) {
		if (t.kind != TOK_PUNCT) continue;
		if (t.punct == '}' || t.punct == ';') break;
		if (t.punct == ',') count++;
	}
	return count;
}

static bool settle_size(Parser *p, PtxVar *var, size_t element, Dimensions *dims) {
	if (!dims->n || dims->size[0]) return true;
	size_t bytes = element;
	dims->size[0] = count_elements(p);
	for (uint32_t i = 0; i < dims->n; i++) {
		if (__builtin_mul_overflow(bytes, dims->size[i], &bytes) || bytes > MAX_VARIABLE_BYTES)
			return parser_error(p, &p->tok, "expected a variable of at most 64 GiB");
	}
	var->bytes = bytes;
	return true;
}

bool parse_initializer(Parser *p, PtxVar *var, size_t element, Dimensions *dims) {
	if (!settle_size(p, var, element, dims)) return false;
	Init in = {.p = p, .var = var, .end = var->bytes};
	in.scalar = var->type >= T_B1 ? 8 : ptx_type_bytes(var->type);
	bool good = take_budget(&in, &p->tok, var->bytes);
	if (good) {
		in.bytes = arena_alloc(p->arena, var->bytes);
		good = put_lists(&in, element, dims) && (!in.masks || parser_error(p, &p->tok, MASKS_IN_ORDER));
	}
	if (good) {
		var->init = in.bytes;
		var->relocs = PARSER_KEEP(p, in.relocs, &var->nrelocs);
	}
	vec_free(&in.relocs);
	return good;
}
