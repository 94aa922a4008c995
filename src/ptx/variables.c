/* Declarations: registers, parameters, and variables of every space, with their layout. */
#include <string.h>

#include "ptx/names.h"
#include "ptx/parser.h"

/* The part before the names: .align 8 .v2 .f32 */
typedef struct {
	PtxType type;
	size_t align;   /* 0: natural */
	size_t element; /* bytes, vectors included */
} DeclType;

bool parser_space(const Parser *p, PtxSpace *out) {
	static const struct {
		const char *word;
		PtxSpace space;
	} spaces[] = {{"param", SPACE_PARAM}, {"global", SPACE_GLOBAL}, {"shared", SPACE_SHARED},
				  {"local", SPACE_LOCAL}, {"const", SPACE_CONST},   {"tex", SPACE_TEX}};
	for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
		if (parser_at_dot(p, spaces[i].word)) {
			*out = spaces[i].space;
			return true;
		}
	}
	return false;
}

static bool parse_align(Parser *p, size_t *align) {
	Token at = p->tok;
	uint64_t value;
	if (!parser_need_int(p, &value, "an alignment in bytes")) return false;
	if (value == 0 || value > (1 << 20) || (value & (value - 1)))
		return parser_error(p, &at, "expected an alignment that is a power of two of at most 1 MiB");
	*align = value;
	return true;
}

/* .ptr .global .align 16: what a pointer parameter points to; nothing to lay out. */
static bool skip_pointer_note(Parser *p) {
	PtxSpace space;
	size_t align;
	if (parser_space(p, &space)) parser_advance(p);
	return !parser_take_dot(p, "align") || parse_align(p, &align);
}

static bool parse_decl_type(Parser *p, DeclType *d) {
	size_t vector = 1;
	*d = (DeclType){0};
	for (; p->tok.kind == TOK_DOT;) {
		if (parser_take_dot(p, "align")) {
			if (!parse_align(p, &d->align)) return false;
		} else if (parser_at_dot(p, "attribute")) {
			if (!parser_skip_directive(p)) return false;
		} else if (parser_take_dot(p, "ptr")) {
			if (!skip_pointer_note(p)) return false;
		} else if (parser_take_dot(p, "v2")) {
			vector = 2;
		} else if (parser_take_dot(p, "v4")) {
			vector = 4;
		} else if (d->type == T_NONE && ptx_type_named(p->tok.text, p->tok.len, &d->type)) {
			parser_advance(p);
		} else {
			return parser_fail(p, &p->tok, "a type such as .b32");
		}
	}
	if (d->type == T_NONE) return parser_fail(p, &p->tok, "a type such as .b32");
	/* .texref and its kin are handles of 8 bytes. */
	d->element = vector * (d->type >= T_B1 ? 8 : ptx_type_bytes(d->type));
	return true;
}

/* [4][8], [] */
static bool parse_dimensions(Parser *p, Dimensions *dims) {
	dims->n = 0;
	while (parser_take(p, '[')) {
		uint64_t size = 0;
		Token at = p->tok;
		if (dims->n == MAX_DIMENSIONS)
			return parser_error(p, &at, "expected at most %d array dimensions", MAX_DIMENSIONS);
		if (!parser_at(p, ']') && !parser_need_int(p, &size, "an array size")) return false;
		if (size > MAX_VARIABLE_BYTES) return parser_error(p, &at, "expected an array of at most 64 GiB");
		if (!parser_need(p, ']', "']' after the array size")) return false;
		dims->size[dims->n++] = size;
	}
	return true;
}

static bool size_of(Parser *p, const Token *at, const DeclType *d, const Dimensions *dims, size_t *bytes) {
	size_t total = d->element;
	for (uint32_t i = 0; i < dims->n; i++) {
		if (__builtin_mul_overflow(total, dims->size[i], &total) || total > MAX_VARIABLE_BYTES)
			return parser_error(p, at, "expected a variable of at most 64 GiB");
	}
	*bytes = total;
	return true;
}

/* Puts var at the end of a frame of `*end` bytes. */
static bool place(Parser *p, const Token *at, PtxVar *var, size_t *end) {
	size_t offset = (*end + var->align - 1) & ~(var->align - 1);
	if (offset + var->bytes > MAX_VARIABLE_BYTES)
		return parser_error(p, at, "expected variables of at most 64 GiB together");
	var->offset = offset;
	*end = offset + var->bytes;
	return true;
}

static PtxVar *new_var(Parser *p, const Token *name, PtxSpace space, const DeclType *d) {
	PtxVar *var = arena_alloc(p->arena, sizeof *var);
	var->name = parser_copy(p, name);
	var->space = space;
	var->type = d->type;
	var->align = d->align ? d->align : d->element ? d->element : 1;
	return var;
}

static bool declare_var(Parser *p, const Token *name, PtxVar *var) {
	Symbol *s = scope_declare(p->scope, SYM_VAR, name->text, name->len);
	if (!s)
		return parser_error(p, name, "'%.*s' is declared twice", (int)(name->len < 100 ? name->len : 100), name->text);
	s->var = var;
	return true;
}

static bool parse_parameter(Parser *p, uint32_t index, size_t *end, PtxVar **out) {
	DeclType d;
	Dimensions dims;
	Token name;
	if (!parser_take_dot(p, "param")) return parser_fail(p, &p->tok, ".param");
	if (!parse_decl_type(p, &d) || !parser_need_name(p, &name, "a parameter's name")) return false;
	PtxVar *var = new_var(p, &name, SPACE_PARAM, &d);
	var->index = index;
	if (!parse_dimensions(p, &dims) || !size_of(p, &name, &d, &dims, &var->bytes) || !place(p, &name, var, end))
		return false;
	*out = var;
	return true;
}

bool parse_parameters(Parser *p, PtxVar ***out, uint32_t *count, size_t *bytes) {
	VEC(PtxVar *) list = {0};
	bool good = true;
	*bytes = 0;
	while (good && !parser_at(p, ')')) {
		PtxVar *var = NULL;
		good = parse_parameter(p, (uint32_t)list.len, bytes, &var);
		if (good) vec_push(&list, var);
		if (good && !parser_take(p, ',') && !parser_at(p, ')'))
			good = parser_fail(p, &p->tok, "',' or ')' after a parameter");
	}
	if (good) {
		parser_advance(p);
		*out = PARSER_KEEP(p, list, count);
	}
	vec_free(&list);
	return good;
}

bool declare_parameters(Parser *p, const Token *function, PtxVar **vars, uint32_t n) {
	for (uint32_t i = 0; i < n; i++) {
		Symbol *s = scope_declare(p->scope, SYM_VAR, vars[i]->name, strlen(vars[i]->name));
		if (!s) return parser_error(p, function, "two parameters are called '%.100s'", vars[i]->name);
		s->var = vars[i];
	}
	return true;
}

static bool parse_range_count(Parser *p, uint32_t *count) {
	Token at = p->tok;
	uint64_t value;
	if (!parser_need_int(p, &value, "the number of registers")) return false;
	if (value > MAX_RANGE) return parser_error(p, &at, "expected at most %d registers in a range", MAX_RANGE);
	*count = (uint32_t)value;
	return parser_need(p, '>', "'>' after the number of registers");
}

static uint32_t add_register(Parser *p, const Token *name, PtxType type) {
	vec_push(&p->body.regs, (PtxReg){.name = parser_copy(p, name), .type = type});
	return (uint32_t)p->body.regs.len - 1;
}

/* .reg .b32 %r<20>, %SP; only registers that are used, or named one by one, get a number. */
bool parse_registers(Parser *p) {
	Token at = p->tok;
	DeclType d;
	if (!parse_decl_type(p, &d)) return false;
	if (d.element != ptx_type_bytes(d.type))
		return parser_error(p, &at, "expected a scalar type: vector registers are not supported");
	if (parser_take(p, ';')) return true; /* ".reg .b32 ;", which NVIDIA's assembler accepts */
	do {
		Token name;
		uint32_t count = 0;
		if (!parser_need_name(p, &name, "a register's name")) return false;
		bool range = parser_take(p, '<');
		if (range && !parse_range_count(p, &count)) return false;
		Symbol *s = scope_declare(p->scope, range ? SYM_RANGE : SYM_REG, name.text, name.len);
		if (!s)
			return parser_error(p, &name, "'%.*s' is declared twice", (int)(name.len < 100 ? name.len : 100),
								name.text);
		s->type = d.type;
		s->count = count;
		s->index = range ? ++p->body.nranges : add_register(p, &name, d.type);
	} while (parser_take(p, ','));
	return parser_need(p, ';', "';' after the registers");
}

static uint32_t range_register(Parser *p, const Token *name, const Symbol *range, uint32_t number) {
	uint64_t *reg = number_map_at(&p->body.range_map, (uint64_t)range->index << 32 | number);
	if (!*reg) *reg = add_register(p, name, range->type) + UINT64_C(1);
	return (uint32_t)(*reg - 1);
}

/* The range that "%r17" belongs to: any split into a declared stem and a number below its count. */
static const Symbol *find_range(Parser *p, const Token *name, uint32_t *number) {
	uint32_t value = 0, scale = 1;
	for (size_t digits = 1; digits < name->len && digits <= 7; digits++, scale *= 10) {
		char c = name->text[name->len - digits];
		if (c < '0' || c > '9') break;
		value += scale * (uint32_t)(c - '0');
		const Symbol *s = scope_find(p->scope, name->text, name->len - digits);
		for (; s; s = scope_hidden(p->scope, s)) { /* a shorter inner range leaves the rest of an outer one in sight */
			if (s->kind != SYM_RANGE || value >= s->count) continue;
			*number = value;
			return s;
		}
	}
	return NULL;
}

bool find_register(Parser *p, const Token *name, uint32_t *out) {
	const Symbol *exact = scope_find(p->scope, name->text, name->len);
	uint32_t number, depth = exact ? exact->depth : 0;
	const Symbol *range = find_range(p, name, &number);
	if (range && (!exact || range->depth > depth)) {
		*out = range_register(p, name, range, number);
		return true;
	}
	if (!exact || exact->kind != SYM_REG) return false;
	*out = exact->index;
	return true;
}

/* Frames: .local and .shared of a function are consecutive; parameters of calls only while their block is open. */
static bool place_local(Parser *p, const Token *name, PtxVar *var) {
	Body *b = &p->body;
	switch (var->space) {
	case SPACE_LOCAL: return place(p, name, var, &b->f->local_bytes);
	case SPACE_SHARED: return var->external || place(p, name, var, &b->f->shared_bytes);
	case SPACE_PARAM:
		if (!place(p, name, var, &b->call_bytes)) return false;
		if (b->call_bytes > b->f->call_bytes) b->f->call_bytes = b->call_bytes;
		return true;
	default: return true;
	}
}

static void add_var(Parser *p, PtxVar *var) {
	bool own = p->body.f && (var->space == SPACE_LOCAL || var->space == SPACE_SHARED || var->space == SPACE_PARAM);
	if (p->body.f) var->owner = p->body.f;
	if (own) {
		var->index = (uint32_t)p->body.locals.len;
		vec_push(&p->body.locals, var);
	} else {
		var->index = (uint32_t)p->globals.len;
		vec_push(&p->globals, var);
	}
}

static bool parse_variable(Parser *p, PtxSpace space, const DeclType *d, bool external) {
	Token name;
	Dimensions dims;
	if (!parser_need_name(p, &name, "a variable's name")) return false;
	PtxVar *var = new_var(p, &name, space, d);
	var->external = external;
	if (!parse_dimensions(p, &dims) || !size_of(p, &name, d, &dims, &var->bytes)) return false;
	if (!declare_var(p, &name, var)) return false;
	add_var(p, var);
	if (parser_take(p, '=') && !parse_initializer(p, var, d->element, &dims)) return false;
	return !p->body.f || place_local(p, &name, var);
}

bool parse_variables(Parser *p, PtxSpace space, bool external) {
	DeclType d;
	if (!parse_decl_type(p, &d)) return false;
	do {
		if (!parse_variable(p, space, &d, external)) return false;
	} while (parser_take(p, ','));
	return parser_need(p, ';', "';' after a variable");
}
