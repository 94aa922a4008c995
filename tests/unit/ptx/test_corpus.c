/* What both code generators of NVRTC make of the sources in tests/ptx/corpus. */
#include "check.h"

#include <stdlib.h>

#include "nvrtc.h"
#include "ptx/analysis/cfg.h"

typedef struct {
	const char *name;
	uint32_t cc; /* for the older generator */
	const char *kernels[4], *names[3];
} Program;

static const Program programs[] = {
	{"calls", 80, {"_Z4kernIfEvPT_PKS0_i3Ops3Big", "_Z4kernIiEvPT_PKS0_i3Ops3Big"}, {"kern<float>", "kern<int>"}},
	{"control",
	 75,
	 {"_Z5loopsPiiPKi", "_Z7foreverPi", "_Z5applyIiEv6ParamsPT_", "_Z6sampleyyP6float4ff"},
	 {"apply<int>", "apply<double>"}},
	{"math",
	 80,
	 {"_Z8integersPiPjPxPsPcPy", "_Z6floatsPfPdPiPj", "_Z6halvesP6__halfP7__half2P13__nv_bfloat16P14__nv_bfloat162Pf"},
	 {NULL}},
	{"tensor", 90, {"_Z8matricesPK6__halfS1_Pf", "_Z6copiesPK4int4PS_", "_Z8clustersPi"}, {NULL}},
	{"warp", 90, {"_Z4warpPiPjPfPdPyi"}, {NULL}},
};

enum { CALLS, CONTROL, GENERATORS = 2 };

static PtxModule *load(const Program *program, int generator) {
	char path[500];
	Err err = ERR_INIT;
	snprintf(path, sizeof path, "%s/tests/ptx/corpus/%s.cu", GPULAB_SOURCE_ROOT, program->name);
	char *text = nvrtc_ptx(path, generator ? NEWER_GENERATOR : program->cc, program->names[0] ? program->names : NULL);
	PtxModule *m = ptx_parse(text, strlen(text), &err);
	if (!m) fail_msg("%s: %s", path, err.what);
	free(text); /* the module must not need it */
	return m;
}

static void check_operand(const PtxFunction *f, const PtxOperand *o) {
	assert_int_not_equal(o->kind, OPERAND_NONE);
	if (o->kind == OPERAND_REG || (o->kind == OPERAND_ADDRESS && o->has_base)) assert_true(o->reg < f->nregs);
	if (o->has_pair) assert_true(o->pair < f->nregs);
	if (o->kind == OPERAND_LABEL) assert_true(o->target <= f->ninstrs);
	if (o->kind == OPERAND_SYMBOL) assert_non_null(o->symbol);
	if (o->kind == OPERAND_FUNCTION) assert_non_null(o->function);
	for (uint32_t i = 0; i < o->nitems; i++) check_operand(f, &o->items[i]);
}

static void check_instr(const PtxModule *m, const Program *program, const PtxFunction *f, const PtxInstr *in) {
	if (in->op == OP_UNKNOWN) fail_msg("%s: unknown: %s", program->name, in->text);
	if (in->unknown) fail_msg("%s: a new modifier: %s", program->name, in->text);
	if (in->guarded) assert_int_equal(f->regs[in->guard].type, T_PRED);
	if (in->file) assert_true(in->file < m->nfiles && m->files[in->file][0]);
	assert_true(in->inlined_at <= m->ninlined);
	for (uint32_t i = 0; i < in->noperands; i++) check_operand(f, &in->operands[i]);
}

static void check_function(const PtxModule *m, const Program *program, const PtxFunction *f) {
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		check_instr(m, program, f, &f->instrs[i]);
		/* mathematical functions and compiler-made destructors have no lines */
		if (f->entry && !f->instrs[i].line) fail_msg("%s has no line: %s", f->name, f->instrs[i].text);
	}
	if (!f->external) assert_true(f->ninstrs > 0);
}

static void check_cfg(const PtxFunction *f) {
	Arena *arena = arena_new();
	PtxCfg *cfg = ptx_cfg(arena, f);
	assert_int_equal(cfg == NULL, f->external);
	if (cfg) {
		assert_true(cfg->nblocks > 0);
		assert_true(cfg->max_live_words32 >= (f->nregs ? 1u : 0u) && cfg->max_live_words32 <= 255);
		for (uint32_t r = 0; r < cfg->live_words; r++) { /* compilers read nothing they have not written */
			uint64_t entry = cfg->live_in[r];
			if (entry) fail_msg("%s reads %s unset", f->name, f->regs[r * 64 + (uint32_t)__builtin_ctzll(entry)].name);
		}
	}
	arena_free(arena);
}

static void everything_is_understood(void **state) {
	for (size_t i = 0; i < COUNT(programs); i++) {
		for (int v = 0; v < GENERATORS; v++) {
			PtxModule *m = load(&programs[i], v);
			for (int k = 0; k < 4 && programs[i].kernels[k]; k++) {
				const PtxFunction *f = ptx_function(m, programs[i].kernels[k]);
				if (!f || !f->entry || f->external) fail_msg("%s: no %s", programs[i].name, programs[i].kernels[k]);
			}
			for (uint32_t f = 0; f < m->nfunctions; f++) {
				check_function(m, &programs[i], m->functions[f]);
				check_cfg(m->functions[f]);
			}
			for (uint32_t n = 0; n < m->ninlined; n++) {
				assert_true(m->inlined[n].function[0] != 0);
				assert_true(m->inlined[n].inlined_at <= n);
			}
			ptx_free(m);
		}
	}
}

static const PtxVar *global(const PtxModule *m, const char *name) {
	for (uint32_t i = 0; i < m->nglobals; i++) {
		if (strcmp(m->globals[i]->name, name) == 0) return m->globals[i];
	}
	fail_msg("no variable %s", name);
	return NULL;
}

static void initial_values_are_the_sources(void **state) {
	for (int v = 0; v < GENERATORS; v++) {
		PtxModule *m = load(&programs[CALLS], v);
		static const int32_t anchor[4] = {1, -2, 3, 0};
		static const float weights[3] = {1.5f, -2.0f, 0};
		assert_int_equal(global(m, "anchor")->bytes, sizeof anchor);
		assert_memory_equal(global(m, "anchor")->init, anchor, sizeof anchor);
		assert_memory_equal(global(m, "weights")->init, weights, sizeof weights);
		assert_int_equal(global(m, "weights")->space, SPACE_CONST);
		const PtxVar *packed = global(m, "packed"), *table = global(m, "table"), *mixed = global(m, "mixed");
		assert_int_equal(packed->bytes, 22);
		assert_int_equal(packed->nrelocs, 2);
		assert_int_equal(packed->relocs[0].offset, 1);
		assert_int_equal(packed->relocs[0].addend, 4);
		assert_ptr_equal(packed->relocs[1].symbol, global(m, "anchor"));
		assert_int_equal((int8_t)packed->init[9], -3);
		assert_string_equal(table->relocs[1].function->name, "_Z6thricei");
		assert_int_equal(mixed->nrelocs, 2);
		assert_string_equal((const char *)mixed->relocs[1].symbol->init, "beta");
		ptx_free(m);
	}
}

static bool was_inlined(const PtxModule *m, const char *function, uint32_t line) {
	for (uint32_t i = 0; i < m->ninlined; i++) {
		if (strcmp(m->inlined[i].function, function) == 0 && m->inlined[i].line == line) return true;
	}
	return false;
}

static void inlined_functions_have_names(void **state) {
	for (int v = 0; v < GENERATORS; v++) {
		PtxModule *m = load(&programs[CALLS], v);
		assert_true(was_inlined(m, "_Z6helperf", 28));  /* in helper2 */
		assert_true(was_inlined(m, "_Z7helper2f", 62)); /* in kern */
		const PtxFunction *f = ptx_function(m, "_Z3fibi");
		assert_int_equal(f->line, 31);
		assert_true(text_ends(m->files[f->file], "calls.cu"));
		ptx_free(m);
	}
}

static void lanes_meet_inside_the_endless_loop(void **state) {
	for (int v = 0; v < GENERATORS; v++) {
		PtxModule *m = load(&programs[CONTROL], v);
		Arena *arena = arena_new();
		PtxCfg *cfg = ptx_cfg(arena, ptx_function(m, "_Z7foreverPi"));
		uint32_t diverging = 0;
		for (uint32_t b = 0; b < cfg->nblocks; b++) {
			if (cfg->blocks[b].nsucc < 2) continue;
			diverging++;
			assert_int_not_equal(cfg->blocks[b].ipdom, CFG_EXIT);
		}
		assert_true(diverging > 0);
		arena_free(arena);
		ptx_free(m);
	}
}

int main(int argc, char **argv) {
	nvrtc_begin(argc, argv);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_is_understood),
		cmocka_unit_test(initial_values_are_the_sources),
		cmocka_unit_test(inlined_functions_have_names),
		cmocka_unit_test(lanes_meet_inside_the_endless_loop),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
