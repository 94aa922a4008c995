/* Every form of forms.def with an operand too few or too many: refused by the parser, or an instruction the emulator
 * says it does not cover, never one that is lowered by operands it does not have. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "coverage.h"
#include "emu/machine.h"
#include "forms.h"

enum { MOST_OPERANDS = 16 };

/* One instruction within the text of a kernel: where its operands begin and end. */
typedef struct {
	const char *text, *operand[MOST_OPERANDS + 1]; /* each ends before the comma of the next; the last is the end */
	uint32_t n;
} Site;

/* The form's own instruction: its name as a whole word. */
static const char *find_name(const char *text, const char *name) {
	const size_t len = strlen(name);
	for (const char *p = strstr(text, name); p; p = strstr(p + 1, name)) {
		const char before = p == text ? ' ' : p[-1], after = p[len];
		if (isspace((unsigned char)before) && (isspace((unsigned char)after) || after == ';')) return p;
	}
	return NULL;
}

static bool find_site(const char *text, const char *name, Site *site) {
	const char *p = find_name(text, name);
	int depth = 0;
	if (!p) return false;
	*site = (Site){.text = text};
	p += strlen(name);
	p += strspn(p, " ");
	if (*p != ';') site->operand[site->n++] = p;
	for (; *p && (*p != ';' || depth); p++) {
		depth += (*p == '{' || *p == '[' || *p == '(') - (*p == '}' || *p == ']' || *p == ')');
		if (*p == ',' && !depth && site->n < MOST_OPERANDS) site->operand[site->n++] = p + 1;
	}
	site->operand[site->n] = p;
	return true;
}

static void add_operand(Str *out, const Site *s, uint32_t i, bool first) {
	const char *from = s->operand[i], *to = i + 1 < s->n ? s->operand[i + 1] - 1 : s->operand[i + 1];
	if (!first) str_add(out, ", ");
	str_addn(out, from, (size_t)(to - from));
}

/* The text without one operand (drop < n), or with one more. */
static void change(const Site *s, uint32_t drop, const char *more, Str *out) {
	const char *begin = s->n ? s->operand[0] : s->operand[s->n];
	bool first = true;
	str_addn(out, s->text, (size_t)(begin - s->text));
	if (!s->n) str_add(out, " ");
	for (uint32_t i = 0; i < s->n; i++) {
		if (i == drop) continue;
		add_operand(out, s, i, first);
		first = false;
	}
	if (more) str_addf(out, "%s%s", first ? "" : ", ", more);
	str_add(out, s->operand[s->n]);
}

typedef struct {
	uint32_t line;
	bool found;
} Wanted;

static void note(void *user, const PtxFunction *in, const PtxInstr *instr) {
	(void)in, (void)user, (void)instr;
}

/* Is the text refused, or all of it lowered but an instruction that is not covered? */
static bool refused(const char *text) {
	Err err = ERR_INIT;
	PtxModule *ptx = ptx_parse(text, strlen(text), &err);
	if (!ptx) {
		assert_true(err.kind == ERR_COMPILE && err.what[0]);
		return true;
	}
	Machine *machine = machine_open(gpu_default(), 1);
	EmuModule *module = NULL;
	if (!machine_load(machine, ptx, &module, &err)) fail_msg("%s", err.what);
	const bool uncovered = emu_uncovered(module, note, NULL) > 0;
	machine_close(machine);
	ptx_free(ptx);
	return uncovered;
}

/* Operands that PTX itself lets a program leave out or add: an alignment, a count, a fraction, a number of bytes, a
 * time. */
static bool may_differ(const Form *form, const Site *s, uint32_t drop, const char *more) {
	static const struct {
		const char *begins;
		uint32_t operands; /* with the one that may be left out */
	} open[] = {{"alloca", 3},       {"bar.sync", 2},          {"barrier.sync", 2}, {"bar.red", 4},
				{"createpolicy", 2}, {"cp.async.ca", 4},       {"cp.async.cg", 4},  {"mbarrier.arrive", 3},
				{"mbarrier.try", 4}, {"mbarrier.arrive_d", 3}, {"wmma.load", 3},    {"wmma.store", 3}};
	const uint32_t longer = more ? s->n + 1 : s->n;
	for (size_t i = 0; i < sizeof open / sizeof *open; i++)
		if (!strncmp(form->name, open[i].begins, strlen(open[i].begins)) && longer == open[i].operands)
			return more || drop != UINT32_MAX;
	return false;
}

static uint32_t try_form(const Form *form, uint32_t *tried) {
	static const char *const more[] = {"%n", "%n8", "1"};
	Str text = {0};
	Site site = {0};
	uint32_t accepted = 0;
	form_prologue(&text, "k", true);
	form_block(form, &text, 256, 0);
	form_epilogue(&text);
	if (!find_site(text.text, form->name, &site)) fail_msg("%s is not in its own text:\n%s", form->name, text.text);
	for (uint32_t i = 0; i < site.n + sizeof more / sizeof *more; i++) {
		const uint32_t drop = i < site.n ? i : UINT32_MAX;
		const char *extra = i < site.n ? NULL : more[i - site.n];
		Str changed = {0};
		change(&site, drop, extra, &changed);
		++*tried;
		if (!refused(changed.text) && !may_differ(form, &site, drop, extra)) {
			const char *at = find_name(changed.text, form->name);
			print_message("accepted: %.*s\n", (int)strcspn(at, ";"), at);
			accepted++;
		}
		str_free(&changed);
	}
	str_free(&text);
	return accepted;
}

static void operands_dropped_and_added(void **state) {
	Arena *arena = arena_new();
	const Forms forms = forms_all(arena);
	uint32_t accepted = 0, tried = 0;
	for (size_t i = 0; i < forms.len; i++) accepted += try_form(&forms.data[i], &tried);
	arena_free(arena);
	(void)state;
	assert_true(tried > 2 * forms.len);
	assert_int_equal(accepted, 0);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(operands_dropped_and_added)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
