/* ptxas.h. */
#include "compile/worker/ptxas.h"

#include <string.h>

#include "base/str.h"
#include "ptx/module.h"

bool ptxas_checks_source(const char *text) {
	return strstr(text, "asm") || strstr(text, "##");
}

/* "-I DIR" of two words is not among them. */
bool ptxas_reads_option(const char *option) {
	static const char *const others[] = {"-D",
										 "--define-macro=",
										 "-U",
										 "--undefine-macro=",
										 "-I",
										 "--include-path=",
										 "-std=",
										 "--std=",
										 "-fmad=",
										 "--fmad=",
										 "-ftz=",
										 "--ftz=",
										 "-use_fast_math",
										 "--use_fast_math"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (text_starts(option, others[i])) return ptxas_checks_source(option);
	return true;
}

/* These are there on every device. */
static bool has_body_elsewhere(const PtxFunction *f) {
	return text_has_word("vprintf malloc free __assertfail", f->name, strlen(f->name));
}

static void add_bytes(PtxVar *const *vars, uint32_t n, size_t *shared, size_t *constant) {
	for (uint32_t i = 0; i < n; i++) {
		if (vars[i]->space == SPACE_SHARED) *shared += vars[i]->bytes;
		if (vars[i]->space == SPACE_CONST) *constant += vars[i]->bytes;
	}
}

/* Votes and shuffles without a mask, which no GPU from cc 7.0 on has. */
static bool has_no_mask(const PtxFunction *f) {
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		if ((in->op == OP_VOTE || in->op == OP_SHFL) && !(in->mods & MOD_SYNC)) return true;
	}
	return false;
}

bool ptxas_may_refuse(const char *ptx) {
	enum { SHARED = 48 << 10, CONST = 64 << 10 };
	PtxModule *module = ptx_parse(ptx, strlen(ptx), NULL);
	size_t shared = 0, constant = 0;
	bool missing = !module;
	if (module) add_bytes(module->globals, module->nglobals, &shared, &constant);
	for (uint32_t i = 0; module && i < module->nfunctions; i++) {
		const PtxFunction *f = module->functions[i];
		add_bytes(f->locals, f->nlocals, &shared, &constant);
		missing = missing || (f->external && !has_body_elsewhere(f)) || has_no_mask(f);
	}
	ptx_free(module);
	return missing || shared > SHARED || constant > CONST;
}
