/* Sections: bytes, and the names that stand for some of them.
 *
 *     .section .debug_str { $L__info_string0: .b8 97,98,0 }      .b64 $L__tmp5      .b32 .debug_loc+96 */
#include <string.h>

#include "ptx/parser.h"

typedef struct {
	VEC(uint8_t) bytes;
	VEC(PtxNamed) labels, names;
} Draft;

static bool parse_value(Parser *p, Draft *d, unsigned size) {
	uint64_t bits = 0;
	if (size < 4 || (p->tok.kind != TOK_IDENT && p->tok.kind != TOK_DOT)) {
		if (!parser_need_int(p, &bits, size == 1 ? "a byte" : "a number or a name")) return false;
	} else {
		vec_push(&d->names, (PtxNamed){parser_copy(p, &p->tok), d->bytes.len});
		parser_advance(p);
		if (parser_take(p, '+') && !parser_need_int(p, &bits, "an offset")) return false;
	}
	for (unsigned i = 0; i < size; i++) vec_push(&d->bytes, (uint8_t)(bits >> 8 * i));
	return true;
}

/* A label, or values of one size. */
static bool parse_items(Parser *p, Draft *d) {
	if (p->tok.kind == TOK_IDENT && p->ahead.kind == TOK_PUNCT && p->ahead.punct == ':') {
		vec_push(&d->labels, (PtxNamed){parser_copy(p, &p->tok), d->bytes.len});
		parser_advance(p);
		parser_advance(p);
		return true;
	}
	unsigned size = 0;
	if (parser_take_dot(p, "b8")) size = 1;
	if (parser_take_dot(p, "b16")) size = 2;
	if (parser_take_dot(p, "b32")) size = 4;
	if (parser_take_dot(p, "b64")) size = 8;
	if (!size) return parser_fail(p, &p->tok, "a label, .b8 or '}' at the end of the section");
	do {
		if (!parse_value(p, d, size)) return false;
	} while (parser_take(p, ','));
	return true;
}

bool parse_section(Parser *p) {
	PtxSection s = {0};
	Draft d = {0};
	if (p->tok.kind != TOK_DOT && p->tok.kind != TOK_IDENT) return parser_fail(p, &p->tok, "a section's name");
	s.name = parser_copy(p, &p->tok);
	parser_advance(p);
	bool good = parser_need(p, '{', "'{'");
	while (good && !parser_take(p, '}')) good = parse_items(p, &d);
	vec_push(&d.bytes, 0); /* ends a text that lacks its zero */
	s.bytes = PARSER_KEEP(p, d.bytes, &s.nbytes);
	s.nbytes--;
	s.labels = PARSER_KEEP(p, d.labels, &s.nlabels);
	s.names = PARSER_KEEP(p, d.names, &s.nnames);
	vec_push(&p->sections, s);
	vec_free(&d.bytes);
	vec_free(&d.labels);
	vec_free(&d.names);
	return good;
}

const PtxSection *ptx_section(const PtxModule *module, const char *name) {
	for (uint32_t i = 0; i < module->nsections; i++)
		if (strcmp(module->sections[i].name, name) == 0) return &module->sections[i];
	return NULL;
}
