/* Writes docs/reference/ptx-coverage.md: a line for each mnemonic, and by name the forms that are not covered. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "coverage.h"
#include "ptx/names.h"

typedef struct {
	size_t forms, covered;
} Tally;

static void add_row(Str *out, PtxOp op, const Tally *t) {
	char count[32];
	if (!t->forms)
		snprintf(count, sizeof count, "none");
	else if (t->covered == t->forms)
		snprintf(count, sizeof count, "all %zu", t->forms);
	else
		snprintf(count, sizeof count, "%zu of %zu", t->covered, t->forms);
	str_addf(out, "| %-14s | %-8s | %s |\n", ptx_op_name(op), count, ptx_op_help(op));
}

/* Why a form is not covered: the first row whose beginning its name has. */
static const struct {
	const char *begin, *why;
} reasons[] = {
	{"mma.sync.aligned.m8n8k4", "Volta's layout of the fragments; on later GPUs it is emulated and slow"},
	{"istypep", "opaque variables, for which CUDA C++ now has objects"},
};

static const char *reason_of(const char *name) {
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
		if (strncmp(name, reasons[i].begin, strlen(reasons[i].begin)) == 0) return reasons[i].why;
	return "";
}

/* Where the name alone does not identify the form, the operands do. */
static void add_form(Str *out, const Form *f) {
	str_addf(out, "- `%s`", f->name);
	if (f->op == OP_MOV && f->code) str_addf(out, ": `%s`", f->code);
	const char *why = reason_of(f->name);
	if (*why) str_addf(out, "\n  (%s)", why);
	str_add(out, "\n");
}

static void report(const Forms *forms, const bool *covered, Str *out) {
	Tally tally[OP_COUNT] = {0}, all = {0};
	for (size_t i = 0; i < forms->len; i++) {
		tally[forms->data[i].op].forms++;
		tally[forms->data[i].op].covered += covered[i];
		all.forms++;
		all.covered += covered[i];
	}
	str_addf(out,
			 "# PTX the emulator covers\n\n"
			 "Written by tests/forms/report.c: every form of every instruction of PTX ISA\n"
			 "9.0 for sm_90a that tests/forms spells out is lowered; one that lowers is\n"
			 "covered. Executing an instruction that is not is a fault that names it and\n"
			 "its source line. Clusters have up to 8 blocks; a kernel that asks for larger\n"
			 "ones is refused.\n\n"
			 "%zu of %zu forms are covered.\n\n"
			 "| instruction    | covered  | what it does |\n| -------------- | -------- | ------------ |\n",
			 all.covered, all.forms);
	for (int op = 1; op < OP_COUNT; op++)
		if (tally[op].forms) add_row(out, (PtxOp)op, &tally[op]);
	str_add(out, "\n## Forms that are not covered\n\n");
	for (size_t i = 0; i < forms->len; i++)
		if (!covered[i]) add_form(out, &forms->data[i]);
	if (all.covered == all.forms) str_add(out, "None.\n");
	str_add(out, "\n## Instructions no form of which is covered\n\n");
	for (int op = 1; op < OP_COUNT; op++)
		if (!tally[op].forms)
			str_addf(out, "- `%s`: %s\n  (%s)\n", ptx_op_name((PtxOp)op), ptx_op_help((PtxOp)op),
					 reason_of(ptx_op_name((PtxOp)op)));
	str_add(out, "\n## Special registers that are not covered\n\n");
	const char *name;
	for (size_t i = 0; (name = ptx_special_not_executed(i)); i++) str_addf(out, "- `%s`\n", name);
	str_add(out, "- `%pm0` and the other performance counters; `%envreg` but for 1 and 2\n"
				 "\n`%reserved_smem_offset_begin`, `_end`, `_cap`, `_0` and `_1` are of a region of\n"
				 "1 KB behind the block's own shared memory. On a GPU the region is before it.\n");
}

int main(void) {
	AUTO_ARENA Arena *arena = arena_new();
	AUTO_STR Str out = {0};
	Err err = ERR_INIT;
	const Forms forms = forms_all(arena);
	bool *covered = arena_array(arena, forms.len, sizeof *covered);
	if (!coverage_of(&forms, covered, &err)) {
		fprintf(stderr, "%s\n", err.what);
		return 1;
	}
	report(&forms, covered, &out);
	return fputs(out.text, stdout) < 0;
}
