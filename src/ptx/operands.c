/* One instruction: @!%p1 opcode.modifiers operands; */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "ptx/names.h"
#include "ptx/parser.h"

/* Takes what was pushed to p->items since `first`. */
static void close_list(Parser *p, size_t first, PtxOperand *out) {
	out->nitems = (uint32_t)(p->items.len - first);
	out->items = parser_keep(p, out->nitems ? &p->items.data[first] : NULL, out->nitems, sizeof *out->items);
	p->items.len = first;
}

/* %tid.x: the component is a token of its own */
static bool parse_special(Parser *p, const Token *name, PtxOperand *out) {
	PtxSpecial special;
	if (!ptx_special_named(name->text, name->len, &special)) return parser_fail(p, name, "a register that is declared");
	out->kind = OPERAND_SPECIAL;
	if (p->tok.kind == TOK_DOT) {
		const char *at = p->tok.len == 1 ? strchr("xyzw", *p->tok.text) : NULL;
		if (!at) return parser_fail(p, &p->tok, ".x, .y or .z");
		unsigned component = (unsigned)(at - "xyzw");
		special = ptx_special_has_component(special) && component < 3 ? special + component : SR_OTHER;
		parser_advance(p);
	} else if (ptx_special_has_component(special)) {
		special = SR_OTHER; /* the whole vector */
	}
	out->special = special;
	return true;
}

/* +8 -4, or "+" and any constant expression */
static bool parse_offset(Parser *p, int64_t *offset) {
	uint64_t value;
	if (!parser_take(p, '+') && !parser_at(p, '-')) return true;
	if (!parse_constant(p, &value)) return false;
	*offset = (int64_t)((uint64_t)*offset + value);
	return true;
}

/* A name that is no register: a variable, a function, a special register, or a label, which is left for
 * later. */
static bool parse_symbol(Parser *p, const Token *name, PtxOperand *out) {
	const Symbol *s = scope_find(p->scope, name->text, name->len);
	if (s && s->kind == SYM_VAR) {
		out->kind = OPERAND_SYMBOL;
		out->symbol = s->var;
		return parse_offset(p, &out->offset);
	}
	if (s && s->kind == SYM_FUNCTION) {
		out->kind = OPERAND_FUNCTION;
		out->function = s->function;
		return true;
	}
	if (*name->text == '%') return parse_special(p, name, out);
	out->kind = OPERAND_LABEL;
	return true;
}

static bool parse_name(Parser *p, PtxOperand *out) {
	Token name = p->tok;
	parser_advance(p);
	if (token_is(&name, TOK_IDENT, "_")) {
		out->kind = OPERAND_SINK;
		return true;
	}
	if (!find_register(p, &name, &out->reg)) return parse_symbol(p, &name, out);
	out->kind = OPERAND_REG;
	return true;
}

/* 1.5, -1.5, or a constant expression; -%p is a register. */
static bool parse_number(Parser *p, PtxOperand *out) {
	const bool negative = parser_at(p, '-');
	const TokenKind next = negative ? p->ahead.kind : p->tok.kind;
	if (next == TOK_FLOAT || (negative && next == TOK_IDENT && !token_is(&p->ahead, TOK_IDENT, "WARP_SZ"))) {
		if (negative) parser_advance(p);
		if (next == TOK_IDENT) {
			out->negated = true;
			return parse_name(p, out);
		}
		*out = (PtxOperand){.kind = OPERAND_FLOAT, .is_f32 = p->tok.is_f32, .bits = p->tok.bits};
		if (negative) out->bits ^= out->is_f32 ? 0x80000000u : 1ull << 63;
		parser_advance(p);
		return true;
	}
	out->kind = OPERAND_INT;
	return parse_constant(p, &out->bits);
}

static bool parse_scalar(Parser *p, PtxOperand *out) {
	*out = (PtxOperand){0};
	if (parser_at(p, '!') && p->ahead.kind == TOK_IDENT) {
		parser_advance(p);
		out->negated = true;
	}
	if (p->tok.kind == TOK_IDENT && !token_is(&p->tok, TOK_IDENT, "WARP_SZ")) return parse_name(p, out);
	if (p->tok.kind == TOK_IDENT || p->tok.kind == TOK_INT || p->tok.kind == TOK_FLOAT) return parse_number(p, out);
	if (p->tok.kind == TOK_PUNCT && strchr("-+~!(", p->tok.punct)) return parse_number(p, out);
	return parser_fail(p, &p->tok, "an operand");
}

/* {a, b} and (a, b), inside of which there are only scalars */
static bool parse_list(Parser *p, char close, PtxOperand *out) {
	size_t first = p->items.len;
	*out = (PtxOperand){.kind = OPERAND_VECTOR};
	parser_advance(p);
	while (!parser_at(p, close)) {
		PtxOperand item;
		Token at = p->tok;
		if (!parse_scalar(p, &item)) return false;
		if (item.kind == OPERAND_LABEL) return parser_fail(p, &at, "a name that is declared");
		vec_push(&p->items, item);
		if (!parser_take(p, ',') && !parser_at(p, close))
			return parser_fail(p, &p->tok, close == '}' ? "',' or '}'" : "',' or ')'");
	}
	parser_advance(p);
	close_list(p, first, out);
	return true;
}

/* What may follow a texture or a tensor map inside the brackets: [tex, {x, y}] */
static bool parse_coordinates(Parser *p, PtxOperand *out) {
	size_t first = p->items.len;
	while (parser_take(p, ',')) {
		PtxOperand item;
		Token at = p->tok;
		if (parser_at(p, '{') ? !parse_list(p, '}', &item) : !parse_scalar(p, &item)) return false;
		if (item.kind == OPERAND_LABEL) return parser_fail(p, &at, "a name that is declared");
		vec_push(&p->items, item);
	}
	close_list(p, first, out);
	return true;
}

/* [%rd1+16], [symbol+4], [1024], [%rd1 + -4] */
static bool parse_address(Parser *p, PtxOperand *out) {
	PtxOperand base;
	Token at;
	*out = (PtxOperand){.kind = OPERAND_ADDRESS};
	parser_advance(p);
	at = p->tok;
	if (!parse_scalar(p, &base)) return false;
	switch (base.kind) {
	case OPERAND_REG:
		out->has_base = true;
		out->reg = base.reg;
		break;
	case OPERAND_SYMBOL:
		out->symbol = base.symbol;
		out->offset = base.offset;
		break;
	case OPERAND_INT: out->offset = (int64_t)base.bits; break;
	default: return parser_fail(p, &at, "a register, a variable that is declared, or a number as the address");
	}
	if (!parse_offset(p, &out->offset) || !parse_coordinates(p, out)) return false;
	return parser_need(p, ']', "']' after the address");
}

/* d|p, and the byte and half selectors of video instructions (%r1.b0), which only the text keeps */
static bool parse_suffix(Parser *p, PtxInstr *instr, PtxOperand *out) {
	if (parser_take(p, '|')) {
		Token name = p->tok;
		if (p->tok.kind != TOK_IDENT) return parser_fail(p, &p->tok, "a register after '|'");
		parser_advance(p);
		if (token_is(&name, TOK_IDENT, "_")) return true;
		out->has_pair = find_register(p, &name, &out->pair);
		return out->has_pair || parser_fail(p, &name, "a register that is declared");
	}
	if (out->kind == OPERAND_REG && p->tok.kind == TOK_DOT) {
		instr->unknown = true;
		parser_advance(p);
	}
	return true;
}

static bool parse_operand(Parser *p, PtxInstr *instr, PtxOperand *out) {
	if (parser_at(p, '{')) return parse_list(p, '}', out);
	if (parser_at(p, '(') && instr->op == OP_CALL) return parse_list(p, ')', out);
	if (parser_at(p, '[')) return parse_address(p, out);
	return parse_scalar(p, out) && parse_suffix(p, instr, out);
}

/* Labels keep the place their operand will have in the arena, so this runs on the final copies. */
static void remember_labels(Parser *p, PtxInstr *instr, const Token *names) {
	for (uint32_t i = 0; i < instr->noperands; i++) {
		if (instr->operands[i].kind == OPERAND_LABEL)
			vec_push(&p->body.pending, (PendingLabel){.operand = &instr->operands[i], .name = *names++});
	}
}

/* call (returns), callee, (arguments), prototype with absent lists filled in as empty ones */
static bool complete_call(Parser *p, const Token *at) {
	PtxOperand empty = {.kind = OPERAND_VECTOR};
	size_t n = p->operands.len;
	if (n && p->operands.data[0].kind != OPERAND_VECTOR) {
		vec_push(&p->operands, empty);
		memmove(p->operands.data + 1, p->operands.data, n * sizeof *p->operands.data);
		p->operands.data[0] = empty;
		n++;
	}
	if (n == 2) {
		vec_push(&p->operands, empty);
		n++;
	}
	if (n == 3 && p->operands.data[2].kind != OPERAND_VECTOR) { /* callee, prototype without arguments */
		vec_push(&p->operands, p->operands.data[2]);
		p->operands.data[2] = empty;
	}
	PtxOperandKind callee = n > 1 ? p->operands.data[1].kind : OPERAND_NONE;
	if (callee == OPERAND_FUNCTION || callee == OPERAND_REG) return true;
	return parser_fail(p, at, "a call of a function that is declared, or through a register");
}

/* Later stages rely on an instruction having the operands of ops.def. Calls are complete already, and branches are
 * checked with the function. */
static bool check_count(Parser *p, const PtxInstr *instr, const Token *at) {
	const PtxOperandCount n = ptx_op_operands(instr->op);
	const uint32_t given = instr->noperands;
	char takes[40] = "no operands";
	if (instr->op == OP_CALL || instr->op == OP_BRA || instr->op == OP_BRX) return true;
	if (given >= n.least && given <= n.most) return true;
	if (n.most == UINT32_MAX)
		snprintf(takes, sizeof takes, "at least %u operands", n.least);
	else if (n.least != n.most)
		snprintf(takes, sizeof takes, "%u to %u operands", n.least, n.most);
	else if (n.most)
		snprintf(takes, sizeof takes, "%u operand%s", n.most, n.most == 1 ? "" : "s");
	return parser_error(p, at, "%s takes %s%s%s%s, %u given", ptx_op_name(instr->op), takes, n.most ? " (" : "",
						n.most ? n.names : "", n.most ? ")" : "", given);
}

static bool parse_operands(Parser *p, PtxInstr *instr, const Token *at) {
	VEC(Token) labels = {0};
	bool good = true;
	p->operands.len = p->items.len = 0;
	while (good && !parser_at(p, ';')) {
		PtxOperand operand;
		Token name = p->tok;
		good = parse_operand(p, instr, &operand);
		if (!good) break;
		vec_push(&p->operands, operand);
		if (operand.kind == OPERAND_LABEL) vec_push(&labels, name);
		if (!parser_take(p, ',') && !parser_at(p, ';')) good = parser_fail(p, &p->tok, "',' or ';' after an operand");
	}
	if (good && instr->op == OP_CALL) good = complete_call(p, at);
	if (good) {
		instr->noperands = (uint32_t)p->operands.len;
		instr->operands = parser_keep(p, p->operands.data, p->operands.len, sizeof *p->operands.data);
		remember_labels(p, instr, labels.data);
		good = check_count(p, instr, at);
	}
	vec_free(&labels);
	return good;
}

/* The text from one token to another with every run of blanks and comments as one space. */
static const char *copy_text(Parser *p, const char *from, const char *to) {
	char *copy = arena_alloc(p->arena, (size_t)(to - from) + 1), *out = copy;
	uint32_t ignored = 0;
	while (from < to) {
		const char *next = lexer_skip_blanks(from, to, &ignored);
		if (next > from) {
			if (next < to) *out++ = ' ';
			from = next;
		} else {
			*out++ = *from++;
		}
	}
	*out = 0;
	return copy;
}

typedef struct {
	bool given, negated;
	uint32_t reg;
} Guard;

static bool parse_guard(Parser *p, Guard *guard) {
	if (!parser_take(p, '@')) return true;
	guard->negated = parser_take(p, '!');
	Token name;
	if (!parser_need_name(p, &name, "a predicate after '@'")) return false;
	if (!find_register(p, &name, &guard->reg) || p->body.regs.data[guard->reg].type != T_PRED)
		return parser_fail(p, &name, "a predicate that is declared");
	guard->given = true;
	return true;
}

static PtxInstr new_form(Parser *p) {
	const char *name = parser_keep(p, p->form.text, p->form.len + 1, 1);
	size_t len = strcspn(name, ".");
	PtxInstr instr = {.op = ptx_op_named(name, len), .form = (uint32_t)p->forms.len};
	for (const char *word = name + len; *word; word += len) {
		len = strcspn(++word, ".");
		apply_modifier(&instr, word, len);
	}
	if (!instr.vector) instr.vector = 1;
	vec_push(&p->forms, name);
	vec_push(&p->drafts, instr);
	return instr;
}

/* opcode.modifiers: what an instruction of this name has in common with all others. */
static PtxInstr parse_form(Parser *p, const Token *opcode) {
	str_clear(&p->form);
	str_addn(&p->form, opcode->text, opcode->len);
	for (; p->tok.kind == TOK_DOT; parser_advance(p)) {
		str_addn(&p->form, ".", 1);
		str_addn(&p->form, p->tok.text, p->tok.len);
	}
	const uint32_t number = map_number_of(p->form_numbers, p->form.text, p->form.len);
	return number > p->forms.len ? new_form(p) : p->drafts.data[number - 1];
}

bool parse_instruction(Parser *p) {
	const Token first = p->tok;
	Guard guard = {0};
	Token opcode;
	if (!parse_guard(p, &guard) || !parser_need_name(p, &opcode, "an instruction")) return false;
	PtxInstr instr = parse_form(p, &opcode);
	instr.guarded = guard.given;
	instr.guard_negated = guard.negated;
	instr.guard = guard.reg;
	instr.text_line = first.line;
	if (!parse_operands(p, &instr, &opcode)) return false;
	instr.file = p->body.place.file;
	instr.line = p->body.place.line;
	instr.inlined_at = p->body.place.inlined_at;
	instr.text = copy_text(p, first.text, p->tok.text);
	instr.nounroll = p->body.nounroll;
	p->body.nounroll = false;
	vec_push(&p->body.instrs, instr);
	parser_advance(p);
	return true;
}
