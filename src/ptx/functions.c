/* Functions: header, then a body of nested blocks read in one loop. Each `{` opens a scope for registers, call
 * parameters and labels; branches to labels are settled when the scope that holds the label closes. */
#include <string.h>

#include "ptx/parser.h"

static bool find_or_add(Parser *p, const Token *name, bool entry, PtxFunction **out) {
	Symbol *s = scope_find(p->scope, name->text, name->len);
	if (s && s->kind != SYM_FUNCTION) return parser_fail(p, name, "a name that is not a variable's");
	if (!s) {
		PtxFunction *f = arena_alloc(p->arena, sizeof *f);
		f->name = parser_copy(p, name);
		f->external = true;
		f->entry = entry;
		f->index = (uint32_t)p->functions.len;
		vec_push(&p->functions, f);
		s = scope_declare(p->scope, SYM_FUNCTION, name->text, name->len);
		s->function = f;
	}
	*out = s->function;
	return true;
}

typedef struct {
	PtxVar **vars;
	uint32_t n;
	size_t bytes;
} ParamList;

static bool parse_param_list(Parser *p, ParamList *list) {
	*list = (ParamList){0};
	return !parser_take(p, '(') || parse_parameters(p, &list->vars, &list->n, &list->bytes);
}

static void own(PtxFunction *f, const ParamList *list) {
	for (uint32_t i = 0; i < list->n; i++) list->vars[i]->owner = f;
}

static void set_signature(PtxFunction *f, const ParamList *returns, const ParamList *params) {
	own(f, returns);
	own(f, params);
	f->returns = returns->vars;
	f->nreturns = returns->n;
	f->params = params->vars;
	f->nparams = params->n;
	f->param_bytes = params->bytes;
}

/* .maxntid 256, 1, 1: also .reqntid, which is a limit as well */
static bool parse_product(Parser *p, uint32_t *out) {
	uint64_t product = 1, value;
	do {
		Token at = p->tok;
		if (!parser_need_int(p, &value, "a number of threads")) return false;
		if (value > UINT32_MAX || __builtin_mul_overflow(product, value, &product) || product > UINT32_MAX)
			return parser_fail(p, &at, "a smaller number of threads");
	} while (parser_take(p, ','));
	*out = (uint32_t)product;
	return true;
}

/* .maxnreg 64 */
static bool parse_limit(Parser *p, uint32_t *out) {
	const Token at = p->tok;
	uint64_t value;
	if (!parser_need_int(p, &value, "a number")) return false;
	if (value > UINT16_MAX) return parser_fail(p, &at, "a smaller number");
	*out = (uint32_t)value;
	return true;
}

/* 2, 1, 1: what is left out is 1 */
static bool parse_extents(Parser *p, uint32_t out[3]) {
	uint32_t n = 0;
	do {
		Token at = p->tok;
		uint64_t value;
		if (!parser_need_int(p, &value, "a number of blocks")) return false;
		if (n == 3 || !value || value > UINT16_MAX) return parser_fail(p, &at, "up to three numbers of blocks");
		out[n++] = (uint32_t)value;
	} while (parser_take(p, ','));
	while (n < 3) out[n++] = 1;
	return true;
}

/* .noreturn .pragma "nounroll"; .attribute(.unified(1, 2)) ...: hints to ptxas */
static bool parse_header_directives(Parser *p, PtxFunction *f) {
	bool good = true;
	while (good && p->tok.kind == TOK_DOT) {
		if (parser_take_dot(p, "maxntid") || parser_take_dot(p, "reqntid"))
			good = parse_product(p, &f->max_threads);
		else if (parser_take_dot(p, "reqnctapercluster"))
			good = parse_extents(p, f->cluster);
		else if (parser_take_dot(p, "pragma"))
			good = parser_skip_statement(p);
		else if (parser_take_dot(p, "maxnreg"))
			good = parse_limit(p, &f->max_registers);
		else if (parser_take_dot(p, "minnctapersm"))
			good = parse_limit(p, &f->min_blocks);
		else
			good = parser_skip_directive(p);
	}
	return good;
}

/* name : .callprototype (.param .b32 _) _ (.param .b64 _); as a function without a body */
static bool parse_prototype(Parser *p, const Token *name) {
	PtxFunction *f = arena_alloc(p->arena, sizeof *f);
	ParamList returns, params;
	Token ignored;
	f->name = parser_copy(p, name);
	f->index = UINT32_MAX;
	f->external = true;
	if (!parse_param_list(p, &returns) || !parser_need_name(p, &ignored, "'_' in a prototype") ||
		!parse_param_list(p, &params) || !parse_header_directives(p, f) ||
		!parser_need(p, ';', "';' after a prototype"))
		return false;
	set_signature(f, &returns, &params);
	Symbol *s = scope_declare(p->scope, SYM_PROTOTYPE, name->text, name->len);
	if (!s) return parser_fail(p, name, "a name that is not used yet");
	s->function = f;
	return true;
}

/* name : .branchtargets A, B, C; */
static bool parse_targets(Parser *p, const Token *name) {
	VEC(Token) names = {0};
	bool good = true;
	do {
		Token target;
		good = parser_need_name(p, &target, "a label");
		if (good) vec_push(&names, target);
	} while (good && parser_take(p, ','));
	good = good && parser_need(p, ';', "';' after the list of labels");
	Symbol *s = good ? scope_declare(p->scope, SYM_TARGETS, name->text, name->len) : NULL;
	if (good && !s) good = parser_fail(p, name, "a label that is not used yet");
	if (good) {
		uint32_t *list = arena_array(p->arena, names.len, sizeof *list);
		for (size_t i = 0; i < names.len; i++)
			vec_push(&p->body.pending, (PendingLabel){.slot = &list[i], .name = names.data[i]});
		s->index = (uint32_t)p->body.targets.len;
		vec_push(&p->body.targets, list);
		vec_push(&p->body.ntargets, (uint32_t)names.len);
	}
	vec_free(&names);
	return good;
}

static bool parse_label(Parser *p) {
	Token name = p->tok;
	parser_advance(p);
	parser_advance(p);
	if (parser_take_dot(p, "callprototype")) return parse_prototype(p, &name);
	if (parser_take_dot(p, "branchtargets")) return parse_targets(p, &name);
	Symbol *s = scope_declare(p->scope, SYM_LABEL, name.text, name.len);
	if (!s) return parser_fail(p, &name, "a label that is not used yet");
	s->index = (uint32_t)p->body.instrs.len;
	vec_push(&p->body.labels, (PtxNamed){parser_copy(p, &name), s->index});
	return true;
}

/* False: nothing in the scope about to close; an outer one may have it. */
static bool resolve(Parser *p, const PendingLabel *use) {
	const Symbol *s = scope_find(p->scope, use->name.text, use->name.len);
	if (!s) return false;
	if (use->slot) {
		if (s->kind == SYM_LABEL) *use->slot = s->index;
		return s->kind == SYM_LABEL;
	}
	switch (s->kind) {
	case SYM_LABEL: use->operand->target = s->index; return true;
	case SYM_TARGETS:
		use->operand->kind = OPERAND_INT;
		use->operand->bits = s->index;
		return true;
	case SYM_PROTOTYPE:
		use->operand->kind = OPERAND_FUNCTION;
		use->operand->function = s->function;
		return true;
	default: return false;
	}
}

static bool close_block(Parser *p) {
	Body *b = &p->body;
	Block block = vec_last(&b->blocks);
	bool outermost = --b->blocks.len == 0;
	size_t kept = block.first_pending;
	for (size_t i = block.first_pending; i < b->pending.len; i++) {
		if (resolve(p, &b->pending.data[i])) continue;
		if (outermost) return parser_fail(p, &b->pending.data[i].name, "a name that is declared");
		b->pending.data[kept++] = b->pending.data[i];
	}
	b->pending.len = kept;
	b->call_bytes = block.call_bytes;
	scope_leave(p->scope);
	parser_advance(p);
	return true;
}

static bool open_block(Parser *p) {
	Body *b = &p->body;
	if (b->blocks.len == MAX_BLOCK_DEPTH)
		return parser_error(p, &p->tok, "blocks are nested more than %d deep", MAX_BLOCK_DEPTH);
	vec_push(&b->blocks, (Block){.call_bytes = b->call_bytes, .first_pending = b->pending.len});
	scope_enter(p->scope);
	parser_advance(p);
	return true;
}

static bool parse_pragma(Parser *p) {
	static const char name[] = "nounroll";
	const Token *t = &p->tok;
	p->body.nounroll |= t->kind == TOK_STRING && t->len == sizeof name - 1 && !memcmp(t->text, name, t->len);
	return parser_skip_statement(p);
}

static bool parse_body_directive(Parser *p) {
	PtxSpace space;
	if (parser_take_dot(p, "reg")) return parse_registers(p);
	if (parser_take_dot(p, "loc")) return parse_loc(p);
	if (parser_take_dot(p, "pragma")) return parse_pragma(p);
	if (parser_take_dot(p, "file")) return parse_file(p);
	bool external = parser_take_dot(p, "extern");
	if (parser_space(p, &space)) {
		parser_advance(p);
		return parse_variables(p, space, external);
	}
	return parser_fail(p, &p->tok, "an instruction or a directive (.reg, .param, .local, .shared, .loc ...)");
}

static bool parse_statement(Parser *p) {
	if (parser_at(p, '{')) return open_block(p);
	if (parser_at(p, '}')) return close_block(p);
	if (parser_take(p, ';')) return true;
	if (p->tok.kind == TOK_DOT) return parse_body_directive(p);
	if (p->tok.kind == TOK_IDENT && p->ahead.kind == TOK_PUNCT && p->ahead.punct == ':') return parse_label(p);
	return parse_instruction(p);
}

static void finish_body(Parser *p) {
	Body *b = &p->body;
	PtxFunction *f = b->f;
	f->locals = PARSER_KEEP(p, b->locals, &f->nlocals);
	f->regs = PARSER_KEEP(p, b->regs, &f->nregs);
	f->instrs = PARSER_KEEP(p, b->instrs, &f->ninstrs);
	f->labels = PARSER_KEEP(p, b->labels, &f->nlabels);
	f->branch_targets = PARSER_KEEP(p, b->targets, &f->nbranch_lists);
	f->nbranch_targets = PARSER_KEEP(p, b->ntargets, &f->nbranch_lists);
}

void body_free(Body *b) {
	vec_free(&b->regs);
	vec_free(&b->instrs);
	vec_free(&b->labels);
	vec_free(&b->locals);
	vec_free(&b->targets);
	vec_free(&b->ntargets);
	vec_free(&b->pending);
	vec_free(&b->blocks);
	number_map_free(&b->range_map);
	*b = (Body){0};
}

/* Passes over the code rely on a bra with one label and a brx with one list. */
static bool check_branch(Parser *p, const PtxInstr *in) {
	bool good = true;
	if (in->op == OP_BRA) good = in->noperands == 1 && in->operands[0].kind == OPERAND_LABEL;
	if (in->op == OP_BRX)
		good = in->noperands == 2 && in->operands[1].kind == OPERAND_INT && in->operands[1].bits < p->body.targets.len;
	if (good) return true;
	Token at = {.line = in->text_line, .text = in->text};
	return parser_error(p, &at, "expected a branch to a label, found '%.100s'", in->text);
}

/* The graph of the function has to stay in proportion to its text. */
static bool check_size(Parser *p) {
	const Body *b = &p->body;
	uint64_t edges = 0, blocks = 1 + (uint64_t)b->labels.len; /* at most */
	for (size_t i = 0; i < b->instrs.len; i++) {
		const PtxInstr *in = &b->instrs.data[i];
		blocks += ptx_op_cost(in->op) == COST_CONTROL && in->op != OP_CALL;
		if (in->op == OP_BRX) edges += b->ntargets.data[in->operands[1].bits];
	}
	if (edges > MAX_TABLE_EDGES)
		return parser_error(p, &p->tok, "the tables of indexed branches have more than %d targets", MAX_TABLE_EDGES);
	if (blocks * (b->regs.len / 64 + 1) > MAX_LIVE_WORDS)
		return parser_error(p, &p->tok, "the function '%.100s' is too large to analyze: %zu registers, %llu blocks",
							b->f->name, b->regs.len, (unsigned long long)blocks);
	return true;
}

static bool check_code(Parser *p) {
	for (size_t i = 0; i < p->body.instrs.len; i++) {
		if (!check_branch(p, &p->body.instrs.data[i])) return false;
	}
	return check_size(p);
}

static bool parse_body(Parser *p, PtxFunction *f) {
	if (!f->external) return parser_error(p, &p->tok, "the function '%.100s' is defined twice", f->name);
	f->external = false;
	p->body = (Body){.f = f};
	if (!open_block(p)) return false;
	while (p->body.blocks.len) {
		if (p->tok.kind == TOK_END) return parser_fail(p, &p->tok, "'}' at the end of the function");
		if (!parse_statement(p)) return false;
	}
	if (!check_code(p)) return false;
	finish_body(p);
	body_free(&p->body);
	return true;
}

/* .func (returns) name (params) directives, then ; or a body. The parameters' scope encloses the body's; a
 * declaration only adds the function's name. */
bool parse_function(Parser *p) {
	bool entry = parser_at_dot(p, "entry");
	PtxFunction *f = NULL;
	ParamList returns, params;
	Token name;
	parser_advance(p);
	if (!parse_param_list(p, &returns) || !parser_need_name(p, &name, "the function's name") ||
		!parse_param_list(p, &params) || !find_or_add(p, &name, entry, &f) || !parse_header_directives(p, f))
		return false;
	bool body = parser_at(p, '{');
	if (body || f->external) set_signature(f, &returns, &params);
	if (!body) return parser_need(p, ';', "'{' or ';' after the function's header");
	scope_enter(p->scope);
	if (!declare_parameters(p, &name, returns.vars, returns.n) ||
		!declare_parameters(p, &name, params.vars, params.n) || !parse_body(p, f))
		return false;
	scope_leave(p->scope);
	return true;
}

/* Aliases follow the function they name, but their bodies may be read later than the .alias line. */
bool parse_aliases(Parser *p) {
	for (size_t i = 0; i < p->aliases.len; i++) {
		const Alias *a = &p->aliases.data[i];
		const Symbol *s = scope_find(p->scope, a->target.text, a->target.len);
		if (!s || s->kind != SYM_FUNCTION || s->function->external)
			return parser_fail(p, &a->target, "a function with a body");
		const PtxFunction own = *a->alias;
		*a->alias = *s->function;
		a->alias->name = own.name;
		a->alias->index = own.index;
	}
	return true;
}
