/* forms.h: templates expanded, operands' kinds, and the text of a form. */
#include "forms.h"

#include <string.h>

#include "base/vec.h"
#include "emu/code/handlers.h"
#include "ptx/names.h"

typedef struct {
	const char *name, *dst, *src, *code;
} Template;

static const Template templates[] = {
#define ROW(forms, operands, translate, kind)
#define SCALAR(forms, function, imm, d, a, b, c, e)
#define FORM(name, dst, src, code) {name, dst, src, code},
#include "forms.def"
};

/* The rows of alu.def: bytes per lane of the result and of the sources; 0: none. */
static const struct {
	const char *forms;
	uint8_t bytes[5];
} arithmetic[] = {
#define OP1(name, forms, D, A, expr) {forms, {BYTES_##D, BYTES_##A}},
#define OP2(name, forms, D, A, B, expr) {forms, {BYTES_##D, BYTES_##A, BYTES_##B}},
#define OP3(name, forms, D, A, B, C, expr) {forms, {BYTES_##D, BYTES_##A, BYTES_##B, BYTES_##C}},
#define OP4(name, forms, D, A, B, C, E, expr) {forms, {BYTES_##D, BYTES_##A, BYTES_##B, BYTES_##C, BYTES_##E}},
#define TINY2(name, forms, expr, exact) {forms, {4, 4, 4}},
#define TINY3(name, forms, expr, exact) {forms, {4, 4, 4, 4}},
#define CMP(name, forms, A, expr)
#define SEL(name, forms, D)
#include "emu/code/alu.def"
};

/* --- kinds -------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	FormKind kind;
} words[] = {
	{"pred", FORM_PRED},
	{"u8", FORM_I16},
	{"s8", FORM_I16},
	{"b16", FORM_I16},
	{"u16", FORM_I16},
	{"s16", FORM_I16},
	{"b32", FORM_I32},
	{"u32", FORM_I32},
	{"s32", FORM_I32},
	{"u16x2", FORM_I32},
	{"s16x2", FORM_I32},
	{"b64", FORM_I64},
	{"u64", FORM_I64},
	{"s64", FORM_I64},
	{"f16", FORM_F16},
	{"bf16", FORM_BF16},
	{"f16x2", FORM_F16X2},
	{"bf16x2", FORM_BF16X2},
	{"f32", FORM_F32},
	{"f64", FORM_F64},
	{"tf32", FORM_F32},
	{"count", FORM_COUNT},
	{"lane", FORM_LANE},
	{"few16", FORM_FEW16},
	{"few32", FORM_FEW32},
	{"few64", FORM_FEW64},
	{"tame_f16x2", FORM_TAME_F16X2},
	{"tame_bf16x2", FORM_TAME_BF16X2},
	{"tame_f32", FORM_TAME_F32},
	{"tame_f64", FORM_TAME_F64},
	{"offset", FORM_OFFSET},
};

static FormKind kind_named(const char *text, size_t len) {
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i].name) == len && !memcmp(words[i].name, text, len)) return words[i].kind;
	return FORM_NONE;
}

uint32_t form_bytes(FormKind kind) {
	switch (kind) {
	case FORM_I16:
	case FORM_F16:
	case FORM_BF16:
	case FORM_FEW16: return 2;
	case FORM_I64:
	case FORM_F64:
	case FORM_FEW64:
	case FORM_TAME_F64: return 8;
	case FORM_PRED: return 0;
	default: return 4;
	}
}

static FormKind integer_of(uint32_t bytes) {
	return bytes <= 2 ? FORM_I16 : bytes == 4 ? FORM_I32 : FORM_I64;
}

/* --- templates ---------------------------------------------------------------------------------------------------- */

typedef VEC(Form) FormList;

/* The types a name spells, in order: first and last. */
static void find_types(Form *form, Arena *arena, FormKind *first, FormKind *last) {
	*first = *last = FORM_NONE;
	form->last = "";
	for (const char *p = strchr(form->name, '.'); p; p = strchr(p, '.')) {
		const size_t len = strcspn(++p, ".");
		const FormKind kind = kind_named(p, len);
		if (kind == FORM_NONE || kind >= FORM_COUNT) continue;
		if (*first == FORM_NONE) *first = kind;
		*last = kind;
		form->last = arena_strndup(arena, p, len);
	}
}

static uint32_t operands(Arena *arena, const char *text, FormKind first, FormKind last, FormOperand *out) {
	uint32_t n = 0;
	while (*text && n < 4) {
		const size_t len = strcspn(text, " ");
		FormOperand o = {.kind = kind_named(text, len)};
		if (len == 1 && *text == 'T')
			o.kind = last;
		else if (len == 1 && *text == 'U')
			o.kind = first;
		else if (len == 1 && *text == 'W')
			o.kind = integer_of(2 * form_bytes(last));
		else if (len == 3 && !memcmp(text, "few", 3))
			o.kind = form_bytes(last) == 2 ? FORM_FEW16 : form_bytes(last) == 4 ? FORM_FEW32 : FORM_FEW64;
		else if (o.kind == FORM_NONE)
			o = (FormOperand){.kind = FORM_LITERAL, .text = arena_strndup(arena, text, len)};
		out[n++] = o;
		text += len;
		text += strspn(text, " ");
	}
	return n;
}

typedef void (*AddForm)(FormList *list, Arena *arena, const void *row, Form form, FormKind first, FormKind last);

static void of_template(FormList *list, Arena *arena, const void *row, Form form, FormKind first, FormKind last) {
	const Template *t = row;
	form.code = t->code;
	form.ndst = operands(arena, t->dst, first, last, form.dst);
	form.nsrc = operands(arena, t->src, first, last, form.src);
	vec_push(list, form);
}

/* Operands of the last type, or integers if they have another size. What forms.def has is not added again. */
static void of_arithmetic(FormList *list, Arena *arena, const void *row, Form form, FormKind first, FormKind last) {
	const uint8_t *bytes = row;
	(void)arena, (void)first;
	for (size_t i = 0; i < list->len; i++)
		if (!strcmp(list->data[i].name, form.name)) return;
	for (uint32_t k = 0; k < 5 && bytes[k]; k++) {
		const FormOperand o = {.kind = bytes[k] == form_bytes(last) ? last : integer_of(bytes[k])};
		if (k)
			form.src[form.nsrc++] = o;
		else
			form.dst[form.ndst++] = o;
	}
	vec_push(list, form);
}

/* The first {a|b} or [a|b] becomes each of its alternatives in turn; what then has none left is a form. */
static void expand(FormList *list, Arena *arena, const char *name, AddForm add, const void *row) {
	const size_t open = strcspn(name, "{[");
	if (!name[open]) {
		Form form = {.name = arena_strdup(arena, name), .op = ptx_op_named(name, strcspn(name, "."))};
		FormKind first, last;
		find_types(&form, arena, &first, &last);
		add(list, arena, row, form, first, last);
		return;
	}
	const char *close = name + open + strcspn(name + open, "}]");
	for (const char *p = name + open + 1; p <= close; p += strcspn(p, "|}]") + 1) {
		Str s = {0};
		str_addn(&s, name, open);
		str_addn(&s, p, strcspn(p, "|}]"));
		str_add(&s, close + 1);
		expand(list, arena, s.text, add, row);
		str_free(&s);
	}
}

Forms forms_all(Arena *arena) {
	FormList list = {0};
	for (size_t i = 0; i < sizeof templates / sizeof *templates; i++)
		expand(&list, arena, templates[i].name, of_template, &templates[i]);
	for (size_t i = 0; i < sizeof arithmetic / sizeof *arithmetic; i++)
		if (*arithmetic[i].forms) expand(&list, arena, arithmetic[i].forms, of_arithmetic, arithmetic[i].bytes);
	Forms forms = {.data = arena_array(arena, list.len, sizeof(Form)), .len = list.len};
	memcpy(forms.data, list.data, list.len * sizeof(Form));
	vec_free(&list);
	return forms;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static const char source_names[] = "abcf", result_names[] = "dehi";

static const char *bits_name(FormKind kind) {
	static const char *const names[] = {"pred", "b16", "b32", "b64"};
	const uint32_t n = form_bytes(kind);
	return names[n == 0 ? 0 : n == 2 ? 1 : n == 4 ? 2 : 3];
}

static void load_source(const Form *f, Str *out, uint32_t k, size_t vectors) {
	const FormOperand *o = &f->src[k];
	if (o->kind == FORM_LITERAL) return;
	const char c = source_names[k];
	const size_t at = form_input(o->kind, k) * vectors * 8;
	str_addf(out, "\t.reg .%s %c;\n", bits_name(o->kind), c);
	if (form_bytes(o->kind))
		str_addf(out, "\tld.global.%s %c, [%%in+%zu];\n", bits_name(o->kind), c, at);
	else
		str_addf(out, "\tld.global.b64 l, [%%in+%zu];\n\tand.b64 l, l, 1;\n\tsetp.ne.s64 %c, l, 0;\n", at, c);
}

static void store_result(const Form *f, Str *out, uint32_t k, size_t vectors, size_t at) {
	const FormKind kind = f->dst[k].kind;
	const char c = result_names[k];
	switch (form_bytes(kind)) {
	case 0: str_addf(out, "\tselp.b64 l, 1, 0, %c;\n", c); break;
	case 8: str_addf(out, "\tmov.b64 l, %c;\n", c); break;
	default: str_addf(out, "\tcvt.u64.u%u l, %c;\n", 8 * form_bytes(kind), c); break;
	}
	str_addf(out, "\tst.global.b64 [%%out+%zu], l;\n", (at + k) * vectors * 8);
}

static void add_code(const Form *f, Str *out) {
	for (const char *p = f->code; *p; p++) {
		if (*p == '@' && (p == f->code || p[-1] == ' ')) {
			str_add(out, f->name);
		} else if (*p != '$') {
			str_addn(out, p, 1);
		} else {
			switch (*++p) {
			case 'T': str_add(out, f->last); break;
			case 'B': str_add(out, bits_name(kind_named(f->last, strlen(f->last)))); break;
			case 'g': str_add(out, "%cell"); break;
			case 's': str_add(out, "%scell"); break;
			case 'w': str_add(out, "%warp"); break;
			default: str_addn(out, p, 1); break;
			}
		}
	}
}

static void plain_code(const Form *f, Str *out) {
	str_addf(out, "%s d", f->name);
	for (uint32_t k = 0; k < f->nsrc; k++) {
		str_add(out, ", ");
		if (f->src[k].kind == FORM_LITERAL)
			str_add(out, f->src[k].text);
		else
			str_addn(out, &source_names[k], 1);
	}
	str_add(out, ";");
}

void form_block(const Form *f, Str *out, size_t vectors, size_t at) {
	str_add(out, "\t{\n\t.reg .b64 l;\n");
	for (uint32_t k = 0; k < f->ndst; k++)
		str_addf(out, "\t.reg .%s %c;\n", bits_name(f->dst[k].kind), result_names[k]);
	for (uint32_t k = 0; k < f->nsrc; k++) load_source(f, out, k, vectors);
	str_add(out, "\t");
	if (f->code)
		add_code(f, out);
	else
		plain_code(f, out);
	str_add(out, "\n");
	for (uint32_t k = 0; k < f->ndst; k++) store_result(f, out, k, vectors, at);
	str_add(out, "\t}\n");
}

/* A thread's number is its vector's: %in and %out are where its first value lies. */
void form_prologue(Str *out, const char *kernel, bool first) {
	if (first) str_add(out, ".version 9.0\n.target sm_90a\n.address_size 64\n\n.func called { ret; }\n\n");
	str_addf(out,
			 ".visible .entry %s(.param .u64 inputs, .param .u64 results, .param .u64 cells)\n{\n"
			 "\t.reg .b64 %%in, %%out, %%cell, %%n8;\n\t.reg .b32 %%n, %%scell, %%warp, %%t;\n"
			 "\t.shared .align 16 .b8 cells_shared[%d];\n"
			 "\tmov.u32 %%t, %%tid.x;\n\tmov.u32 %%n, %%ctaid.x;\n\tmad.lo.u32 %%n, %%n, %d, %%t;\n"
			 "\tmul.wide.u32 %%n8, %%n, 8;\n"
			 "\tld.param.u64 %%in, [inputs];\n\tadd.u64 %%in, %%in, %%n8;\n"
			 "\tld.param.u64 %%out, [results];\n\tadd.u64 %%out, %%out, %%n8;\n"
			 "\tld.param.u64 %%cell, [cells];\n\tmad.lo.u64 %%cell, %%n8, %d, %%cell;\n"
			 "\tmov.u32 %%warp, cells_shared;\n\tmad.lo.u32 %%scell, %%t, %d, %%warp;\n"
			 "\tshr.u32 %%t, %%t, 5;\n\tmad.lo.u32 %%warp, %%t, %d, %%warp;\n",
			 kernel, FORM_BLOCK * FORM_CELL, FORM_BLOCK, FORM_CELL / 8, FORM_CELL, 32 * FORM_CELL);
}

void form_epilogue(Str *out) {
	str_add(out, "\tret;\n}\n");
}
