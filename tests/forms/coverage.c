/* coverage.h: forms as kernels, parsed and lowered as any other module. */
#include "coverage.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "emu/code/handlers.h"

size_t emu_uncovered(const EmuModule *module, void (*found)(void *user, const PtxFunction *in, const PtxInstr *instr),
					 void *user) {
	const Handler uncovered = handler(H_uncovered);
	size_t n = 0;
	for (uint32_t f = 0; f < module->ptx->nfunctions; f++) {
		const EmuFunction *fn = module->functions[f];
		for (uint32_t i = 0; i < fn->nops; i++) {
			if (fn->ops[i].run != uncovered) continue;
			n++;
			if (found) found(user, fn->ptx, &fn->ptx->instrs[fn->ops[i].instr]);
		}
	}
	return n;
}

/* --- forms -------------------------------------------------------------------------------------------------------- */

enum { GROUP = 64 }; /* forms in a kernel */

typedef struct {
	bool *covered;
	uint32_t *last_line; /* by form: the last line of its text */
	size_t n;
} Lines;

static void count_lines(const char *text, size_t len, uint32_t *line) {
	for (size_t i = 0; i < len; i++) *line += text[i] == '\n';
}

static void mark(void *user, const PtxFunction *in, const PtxInstr *instr) {
	Lines *lines = user;
	size_t i = 0;
	(void)in;
	while (i < lines->n && lines->last_line[i] < instr->text_line) i++;
	if (i < lines->n) lines->covered[i] = false;
}

static bool check(const char *text, size_t len, Lines *lines, Err *err) {
	PtxModule *ptx = ptx_parse(text, len, err);
	if (!ptx) return false;
	Machine *machine = machine_open(gpu_default(), 1);
	EmuModule *module = NULL;
	const bool ok = machine_load(machine, ptx, &module, err);
	if (ok) emu_uncovered(module, mark, lines);
	machine_close(machine);
	ptx_free(ptx);
	return ok;
}

bool coverage_of(const Forms *forms, bool *covered, Err *err) {
	AUTO_STR Str text = {0};
	uint32_t line = 1;
	Lines lines = {.covered = covered, .n = forms->len};
	lines.last_line = xcalloc(forms->len, sizeof *lines.last_line);
	for (size_t i = 0; i < forms->len; i++) {
		const size_t from = text.len;
		char kernel[32];
		snprintf(kernel, sizeof kernel, "forms_%zu", i / GROUP);
		if (i % GROUP == 0) form_prologue(&text, kernel, i == 0);
		form_block(&forms->data[i], &text, 256, 0);
		count_lines(text.text + from, text.len - from, &line);
		if (i % GROUP == GROUP - 1 || i + 1 == forms->len) {
			form_epilogue(&text);
			line += 2;
		}
		covered[i] = true;
		lines.last_line[i] = line - 1;
	}
	const bool ok = check(text.text, text.len, &lines, err);
	free(lines.last_line);
	return ok;
}
