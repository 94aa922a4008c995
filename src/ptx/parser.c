/* Module-level directives. The files of the parser are listed in parser.h. */
#include "ptx/parser.h"

#include <stdio.h>
#include <string.h>

/* .version 9.0: the lexer sees one float. */
static bool parse_version(Parser *p) {
	unsigned major = 0, minor = 0;
	char text[16] = "";
	if (p->tok.len < sizeof text) memcpy(text, p->tok.text, p->tok.len);
	if (p->tok.kind != TOK_FLOAT || sscanf(text, "%3u.%3u", &major, &minor) != 2)
		return parser_fail(p, &p->tok, "a version such as 8.7");
	p->m->version_major = major;
	p->m->version_minor = minor;
	parser_advance(p);
	return true;
}

/* .target sm_90a, debug */
static bool parse_target(Parser *p) {
	do {
		Token name;
		if (!parser_need_name(p, &name, "a target such as sm_90")) return false;
		if (name.len > 3 && memcmp(name.text, "sm_", 3) == 0) {
			p->m->target = 0;
			p->m->target_name = parser_copy(p, &name);
			for (size_t i = 3; i < name.len && i < 8 && name.text[i] >= '0' && name.text[i] <= '9'; i++)
				p->m->target = p->m->target * 10 + (uint32_t)(name.text[i] - '0');
		}
	} while (parser_take(p, ','));
	return true;
}

static bool parse_address_size(Parser *p) {
	Token at = p->tok;
	uint64_t bits;
	if (!parser_need_int(p, &bits, "an address size")) return false;
	return bits == 64 || parser_error(p, &at, "expected an address size of 64, found %llu", (unsigned long long)bits);
}

/* .alias f, g; f becomes what g is once all is read. */
static bool parse_alias(Parser *p) {
	Alias alias = {0};
	if (!parser_need_name(p, &alias.name, "the alias's name") || !parser_need(p, ',', "','") ||
		!parser_need_name(p, &alias.target, "the name of the function it stands for") || !parser_need(p, ';', "';'"))
		return false;
	Symbol *s = scope_find(p->scope, alias.name.text, alias.name.len);
	if (!s || s->kind != SYM_FUNCTION) return parser_fail(p, &alias.name, "a function declared before");
	alias.alias = s->function;
	vec_push(&p->aliases, alias);
	return true;
}

/* .visible .extern .weak .common: only .extern matters here. */
static bool parse_declaration(Parser *p) {
	bool external = false;
	for (;;) {
		if (parser_take_dot(p, "extern"))
			external = true;
		else if (!parser_take_dot(p, "visible") && !parser_take_dot(p, "weak") && !parser_take_dot(p, "common"))
			break;
	}
	PtxSpace space;
	if (parser_at_dot(p, "func") || parser_at_dot(p, "entry")) return parse_function(p);
	if (parser_space(p, &space) && space != SPACE_PARAM && space != SPACE_LOCAL) {
		parser_advance(p);
		return parse_variables(p, space, external);
	}
	return parser_fail(p, &p->tok, "a directive (.func, .entry, .global, .const, .shared ...)");
}

/* Ours, at the end of a text: .pragma "gpulab.at NAME 0x10000000300"; The variable has to be at that address of an
 * emulator (exec/kept.h). Assemblers ignore what they do not know. */
static bool parse_pragma(Parser *p) {
	char text[600], name[512];
	unsigned long long at;
	const Token *t = &p->tok;
	if (t->kind == TOK_STRING && t->len < sizeof text) {
		memcpy(text, t->text, t->len);
		text[t->len] = 0;
		const bool ours = sscanf(text, "gpulab.at %511s %llx", name, &at) == 2;
		const Symbol *symbol = ours ? scope_find(p->scope, name, strlen(name)) : NULL;
		if (symbol && symbol->kind == SYM_VAR) symbol->var->at = at;
	}
	return parser_skip_statement(p);
}

static bool parse_directive(Parser *p) {
	if (parser_take_dot(p, "version")) return parse_version(p);
	if (parser_take_dot(p, "target")) return parse_target(p);
	if (parser_take_dot(p, "address_size")) return parse_address_size(p);
	if (parser_take_dot(p, "file")) return parse_file(p);
	if (parser_take_dot(p, "section")) return parse_section(p);
	if (parser_take_dot(p, "pragma")) return parse_pragma(p);
	if (parser_take_dot(p, "alias")) return parse_alias(p);
	if (parser_take(p, ';')) return true;
	return parse_declaration(p);
}

static bool parse_module(Parser *p) {
	if (!parser_at_dot(p, "version")) return parser_fail(p, &p->tok, ".version, with which PTX begins");
	while (p->tok.kind != TOK_END) {
		if (!parse_directive(p)) return false;
	}
	return parse_aliases(p);
}

/* .file is at the end of the text, so only now can places with an unknown file be found: they are cleared. */
static void forget_unknown_files(PtxModule *m) {
	for (uint32_t f = 0; f < m->nfunctions; f++) {
		PtxFunction *fn = m->functions[f];
		if (fn->file >= m->nfiles) fn->file = fn->line = 0;
		for (uint32_t i = 0; i < fn->ninstrs; i++) {
			PtxInstr *in = &fn->instrs[i];
			if (in->file >= m->nfiles) in->file = in->line = in->inlined_at = 0;
		}
	}
	for (uint32_t i = 0; i < m->ninlined; i++)
		if (m->inlined[i].file >= m->nfiles) m->inlined[i].file = m->inlined[i].line = 0;
}

static void note_call(const PtxModule *m, const PtxFunction *caller, const PtxInstr *call) {
	for (uint32_t i = 0; i < call->noperands; i++) {
		const PtxOperand *o = &call->operands[i];
		if (o->kind != OPERAND_FUNCTION || o->function->index >= m->nfunctions) continue;
		PtxFunction *f = m->functions[o->function->index];
		if (f->caller || f == caller) continue;
		f->caller = caller;
		f->called_at = call;
	}
}

static void find_callers(const PtxModule *m) {
	for (uint32_t f = 0; f < m->nfunctions; f++)
		for (uint32_t i = 0; i < m->functions[f]->ninstrs; i++)
			if (m->functions[f]->instrs[i].op == OP_CALL) note_call(m, m->functions[f], &m->functions[f]->instrs[i]);
}

static void finish_module(Parser *p) {
	PtxModule *m = p->m;
	m->globals = PARSER_KEEP(p, p->globals, &m->nglobals);
	m->functions = PARSER_KEEP(p, p->functions, &m->nfunctions);
	m->sections = PARSER_KEEP(p, p->sections, &m->nsections);
	m->files = PARSER_KEEP(p, p->files, &m->nfiles);
	m->forms = PARSER_KEEP(p, p->forms, &m->nforms);
	lines_finish(p);
	forget_unknown_files(m);
	find_callers(m);
}

static void parser_free(Parser *p) {
	body_free(&p->body);
	lines_free(&p->lines);
	scope_free(p->scope);
	vec_free(&p->globals);
	vec_free(&p->functions);
	vec_free(&p->sections);
	vec_free(&p->files);
	vec_free(&p->forms);
	vec_free(&p->drafts);
	map_free(p->form_numbers);
	str_free(&p->form);
	vec_free(&p->aliases);
	vec_free(&p->operands);
	vec_free(&p->items);
}

PtxModule *ptx_parse(const char *text, size_t len, Err *err) {
	Arena *arena = arena_new();
	Parser p = {
		.arena = arena, .begin = text, .end = text + len, .err = err, .scope = scope_new(), .form_numbers = map_new()};
	p.m = arena_alloc(arena, sizeof *p.m);
	p.m->arena = arena;
	p.m->users = 1;
	p.init_left = MAX_INIT_BYTES + 8 * len;
	lexer_start(&p.lexer, text, len);
	parser_advance(&p);
	parser_advance(&p);
	bool good = parse_module(&p);
	if (good) finish_module(&p);
	parser_free(&p);
	if (good) return p.m;
	arena_free(arena);
	return NULL;
}

PtxModule *ptx_share(PtxModule *module) {
	if (module) module->users++;
	return module;
}

void ptx_free(PtxModule *module) {
	if (module && --module->users == 0) arena_free(module->arena);
}

const PtxFunction *ptx_function(const PtxModule *module, const char *name) {
	for (uint32_t i = 0; i < module->nfunctions; i++) {
		if (strcmp(module->functions[i]->name, name) == 0) return module->functions[i];
	}
	return NULL;
}
