/* What instructions cost and what warps wait for, on small pieces of PTX. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "model/code/code.h"
#include "model/code/issue_order.h"
#include "model/code/polling.h"
#include "model/code/sequence.h"
#include "model/code/unroll.h"

typedef struct {
	PtxModule *module;
	Arena *arena;
	const PtxFunction *function;
	uint32_t first;
	LaunchInfo info;
} Code;

static void parse(Code *code, const char *body) {
	Str text = {0};
	Err err = ERR_INIT;
	str_addf(&text,
			 ".version 9.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
			 ".reg .pred %%p<4>;\n.reg .b16 %%rs<4>;\n.reg .b32 %%r<20>;\n.reg .f32 %%f<20>;\n.reg .b64 "
			 "%%rd<20>;\n.reg .f64 %%fd<4>;\n"
			 ".shared .align 4 .b8 s[1024];\n%s\nret;\n}\n",
			 body);
	code->module = ptx_parse(text.text, text.len, &err);
	if (!code->module) fail_msg("%s (%s)", err.what, err.where);
	str_free(&text);
	code->arena = arena_new();
	code->function = ptx_function(code->module, "k");
	code->first = 0;
	code->info = (LaunchInfo){.module = code->module,
							  .functions = &code->function,
							  .nfunctions = 1,
							  .first = &code->first,
							  .ninstrs = code->function->ninstrs,
							  .cfg = ptx_cfg(code->arena, code->function)};
}

static void release(Code *code) {
	arena_free(code->arena);
	ptx_free(code->module);
}

/* Costs of body's instructions on gpu; the caller frees. */
static InstrCost *costs_of(const char *gpu, const char *body) {
	Code code;
	parse(&code, body);
	InstrCost *costs = code_costs(gpu_find(gpu, NULL), &code.info);
	release(&code);
	return costs;
}

static float issue_of(const char *gpu, const char *instruction) {
	InstrCost *costs = costs_of(gpu, instruction);
	float issue = costs[0].issue;
	free(costs);
	return issue;
}

static void addresses_and_arguments_are_free(void **state) {
	const char *const free_ones[] = {"ld.param.u64 %rd1, [p];", "cvta.to.global.u64 %rd1, %rd2;",
									 "mov.u32 %r1, %ctaid.x;",  "mov.u64 %rd1, s;",
									 "cvt.u64.u32 %rd1, %r1;",  "cvt.s64.s32 %rd1, %r1;"};
	for (size_t i = 0; i < sizeof free_ones / sizeof free_ones[0]; i++) {
		assert_true(issue_of("GTX 280", free_ones[i]) == 0);
		assert_true(issue_of("H200", free_ones[i]) == 0);
	}
}

static void clocks_of_gt200(void **state) {
	const struct {
		const char *instruction;
		float clocks;
	} known[] = {
		{"add.s32 %r1, %r2, %r3;", 4},          {"add.s64 %rd1, %rd2, %rd3;", 4}, /* an address there: 32 bits */
		{"mul.wide.s32 %rd1, %r2, 4;", 4},                                        /* a shift */
		{"fma.rn.f32 %f1, %f2, %f3, %f4;", 4},  {"mul.lo.s32 %r1, %r2, %r3;", 16},
		{"mad.lo.s32 %r1, %r2, %r3, %r4;", 16}, {"mul24.lo.s32 %r1, %r2, %r3;", 4},
		{"rsqrt.approx.f32 %f1, %f2;", 16},     {"fma.rn.f64 %fd1, %fd2, %fd3, %fd1;", 32},
		{"cvt.rn.f32.s32 %f1, %r1;", 4},        {"ld.global.f32 %f1, [%rd1];", 4},
		{"setp.lt.s32 %p1, %r1, %r2;", 4},      {"rem.u32 %r1, %r2, %r3;", 128},
		{"div.s32 %r1, %r2, %r3;", 128},        {"rem.u64 %rd1, %rd2, %rd3;", 360},
	};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (issue_of("GTX 280", known[i].instruction) != known[i].clocks)
			fail_msg("%s: %g clocks", known[i].instruction, (double)issue_of("GTX 280", known[i].instruction));
	/* block and thread indices have 16 bits: one 24-bit multiplication */
	InstrCost *costs = costs_of("GTX 280", "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n"
										   "mad.lo.s32 %r4, %r1, %r2, %r3;\nmad.lo.s32 %r5, %r4, %r2, %r3;");
	assert_true(costs[3].issue == 4);
	assert_true(costs[4].issue == 16);
	free(costs);
}

/* The lecturer's measurements: a + s[i] 4 clocks a warp, a + a*s[i] 5, a + b*s[i] 6. */
static void shared_operands_are_fused(void **state) {
	InstrCost *c = costs_of("GTX 280", "ld.shared.f32 %f1, [s];\nadd.f32 %f2, %f3, %f1;\nst.global.f32 [%rd1], %f2;");
	assert_true(c[0].issue + c[1].issue == 4);
	free(c);
	c = costs_of("GTX 280", "ld.shared.f32 %f1, [s];\nfma.rn.f32 %f2, %f3, %f1, %f3;\nst.global.f32 [%rd1], %f2;");
	assert_true(c[0].issue + c[1].issue == 5);
	free(c);
	c = costs_of("GTX 280", "ld.shared.f32 %f1, [s];\nfma.rn.f32 %f2, %f3, %f1, %f4;\nst.global.f32 [%rd1], %f2;");
	assert_true(c[0].issue + c[1].issue == 6);
	free(c);
	/* the second operand from shared memory is an explicit load */
	c = costs_of("GTX 280", "ld.shared.f32 %f1, [s];\nld.shared.f32 %f2, [s+4];\nfma.rn.f32 %f3, %f1, %f2, %f3;\n"
							"st.global.f32 [%rd1], %f3;");
	assert_true(c[0].issue + c[1].issue + c[2].issue == 10);
	free(c);
	/* not an operand: stored, used twice, changed in between, behind a barrier, too wide; and never on later GPUs */
	const char *const explicit_loads[] = {
		"ld.shared.f32 %f1, [s];\nst.global.f32 [%rd1], %f1;",
		"ld.shared.f32 %f1, [s];\nadd.f32 %f2, %f1, %f3;\nadd.f32 %f4, %f1, %f2;",
		"ld.shared.f32 %f1, [s];\nst.shared.f32 [s], %f3;\nadd.f32 %f2, %f1, %f3;",
		"ld.shared.f32 %f1, [s];\nbar.sync 0;\nadd.f32 %f2, %f1, %f3;",
		"ld.shared.f64 %fd1, [s];\nadd.f64 %fd2, %fd1, %fd3;",
	};
	for (size_t i = 0; i < sizeof explicit_loads / sizeof explicit_loads[0]; i++) {
		c = costs_of("GTX 280", explicit_loads[i]);
		assert_true(c[0].issue == 4);
		free(c);
	}
	c = costs_of("H200", "ld.shared.f32 %f1, [s];\nadd.f32 %f2, %f3, %f1;");
	assert_true(c[0].issue == 1 && c[1].issue == 1);
	free(c);
}

/* A constant of 128 bytes and more does not fit an instruction of cc 1.x: as in the lecture's disassembly, an
 * addition. */
static void far_shared_words_take_an_addition(void **state) {
	InstrCost *c = costs_of("GTX 280", "ld.shared.f32 %f1, [%rd1+124];\nst.shared.f32 [%rd1], %f1;\n"
									   "ld.shared.f32 %f2, [%rd1+128];\nst.shared.f32 [%rd1+252], %f2;\n"
									   "ld.shared.f32 %f3, [%rd1+4];\nst.shared.f32 [%rd1+256], %f3;");
	assert_true(c[0].issue == 4 && c[1].issue == 4); /* within the base's 128 bytes */
	assert_true(c[2].issue == 8 && c[3].issue == 4); /* 128 bytes from the sum on */
	assert_true(c[4].issue == 4 && c[5].issue == 8);
	free(c);
	/* in a loop an address that stays is kept in a register, */
	c = costs_of("GTX 280", "L1:\nld.shared.f32 %f1, [%rd1+512];\nst.global.f32 [%rd2], %f1;\n@%p1 bra L1;");
	assert_true(c[0].issue == 4);
	free(c);
	/* one that moves along cannot be, */
	c = costs_of(
		"GTX 280",
		"L1:\nld.shared.f32 %f1, [%rd1+512];\nst.global.f32 [%rd2], %f1;\nadd.s64 %rd1, %rd1, 4;\n@%p1 bra L1;");
	assert_true(c[0].issue == 8);
	free(c);
	/* and of ten that stay six are. */
	Str body = {0};
	str_addf(&body, "L1:\n");
	for (int i = 0; i < 10; i++)
		str_addf(&body, "ld.shared.f32 %%f%d, [%%rd1+%d];\nst.global.f32 [%%rd2], %%f%d;\n", i, 128 + 256 * i, i);
	str_addf(&body, "@%%p1 bra L1;");
	c = costs_of("GTX 280", body.text);
	int additions = 0;
	for (int i = 0; i < 10; i++) additions += c[2 * i].issue == 8;
	assert_int_equal(additions, 4);
	free(c);
	str_free(&body);
	c = costs_of("H200", "ld.shared.f32 %f1, [%rd1+128];");
	assert_true(c[0].issue == 1);
	free(c);
}

static void branches_that_may_split_a_warp_cost_more(void **state) {
	const char *const by_thread = "mov.u32 %r1, %tid.x;\nadd.s32 %r2, %r1, 1;\nsetp.lt.s32 %p1, %r2, 7;\n@%p1 bra "
								  "L1;\nL1: add.s32 %r3, %r2, 1;\n";
	const char *const by_block = "mov.u32 %r1, %ctaid.x;\nadd.s32 %r2, %r1, 1;\nsetp.lt.s32 %p1, %r2, 7;\n@%p1 bra "
								 "L1;\nL1: add.s32 %r3, %r2, 1;\n";
	const char *const loaded = "mov.u32 %r1, %tid.x;\ncvt.u64.u32 %rd1, %r1;\nld.global.u32 %r1, [%rd1];\n"
							   "setp.lt.s32 %p1, %r1, 7;\n@%p1 bra L1;\nL1: add.s32 %r3, %r1, 1;\n";
	const char *const loaded_alike = "ld.global.u32 %r1, [%rd1];\nsetp.lt.s32 %p1, %r1, 7;\n@%p1 bra L1;\n"
									 "L1: add.s32 %r3, %r1, 1;\n";
	InstrCost *c = costs_of("GTX 280", by_thread);
	assert_true(c[3].issue == 8); /* the place of the join is pushed; joining is part of the instruction there */
	free(c);
	c = costs_of("GTX 280", by_block);
	assert_true(c[3].issue == 4);
	free(c);
	c = costs_of("GTX 280", loaded);
	assert_true(c[4].issue == 8);
	free(c);
	c = costs_of("GTX 280", loaded_alike);
	assert_true(c[2].issue == 4);
	free(c);
	c = costs_of("H200", by_thread);
	assert_true(c[3].issue == 1);
	free(c);
}

static void joins_and_exits_are_modifiers_on_cc_1(void **state) {
	const struct {
		const char *body;
		uint32_t instr;
		float cycles;
	} known[] = {
		/* before a barrier an instruction has to join */
		{"mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 7;\n@%p1 bra L1;\nL1: bar.sync 0;", 2, 12},
		/* a branch that leaves the kernel, one back to a loop's beginning, and a return */
		{"mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 7;\n@%p1 bra L1;\nadd.u32 %r2, %r1, 1;\nL1:", 2, 4},
		{"mov.u32 %r1, %tid.x;\nL1: add.u32 %r1, %r1, 9;\nsetp.lt.u32 %p1, %r1, 7;\n@%p1 bra L1;", 3, 4},
		{"add.u32 %r2, %r1, 1;", 1, 0},
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		InstrCost *c = costs_of("GTX 280", known[i].body);
		if (c[known[i].instr].issue != known[i].cycles)
			fail_msg("%s: %g cycles", known[i].body, (double)c[known[i].instr].issue);
		free(c);
	}
}

static void results_are_compared_with_zero_for_nothing_on_cc_1(void **state) {
	const struct {
		const char *body;
		float cycles; /* of the comparison, the second instruction */
	} known[] = {
		{"shr.u32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r1, 0;", 0}, {"and.b32 %r1, %r2, 31;\nsetp.eq.s32 %p1, %r1, 0;", 0},
		{"shr.u32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r1, 1;", 4}, {"shr.u32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r2, 0;", 4},
		{"mov.u32 %r1, %tid.x;\nsetp.ne.s32 %p1, %r1, 0;", 4},
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		InstrCost *c = costs_of("GTX 280", known[i].body);
		if (c[1].issue != known[i].cycles) fail_msg("%s: %g cycles", known[i].body, (double)c[1].issue);
		free(c);
	}
}

static void where_a_shared_variable_is_is_a_constant_on_cc_1(void **state) {
	InstrCost *c = costs_of("GTX 280", "mov.u64 %rd1, s;\nadd.s64 %rd3, %rd1, %rd2;\nadd.s64 %rd4, %rd3, %rd2;");
	assert_true(c[1].issue == 0 && c[2].issue == 4);
	free(c);
}

/* One shift of 32 bits: n * 8 floats in bytes. */
static void a_shifted_index_becomes_bytes_for_nothing_on_cc_1(void **state) {
	static const struct {
		const char *body;
		float first, second;
	} known[] = {
		{"shl.b32 %r2, %r1, 3;\nmul.wide.s32 %rd1, %r2, 4;", 0, 4},
		{"mul.lo.s32 %r2, %r1, 8;\nmul.wide.u32 %rd1, %r2, 4;", 0, 4},
		{"shl.b32 %r2, %r1, 3;\nmul.wide.s32 %rd1, %r2, 12;", 4, 16},
		{"mul.hi.s32 %r2, %r1, 8;\nmul.wide.s32 %rd1, %r2, 4;", 4, 4},
		{"shl.b32 %r2, %r1, %r3;\nmul.wide.s32 %rd1, %r2, 4;", 4, 4},
		{"add.s32 %r2, %r1, 3;\nmul.wide.s32 %rd1, %r2, 4;", 4, 4},
		/* read again, or something else than a distance in bytes */
		{"shl.b32 %r2, %r1, 3;\nmul.wide.s32 %rd1, %r2, 4;\nst.global.u32 [%rd1], %r2;", 4, 4},
		{"shl.b32 %r2, %r1, 3;\nshl.b32 %r3, %r2, 2;", 4, 4},
	};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		InstrCost *c = costs_of("GTX 280", known[i].body);
		if (c[0].issue != known[i].first || c[1].issue != known[i].second)
			fail_msg("%s: %g and %g", known[i].body, (double)c[0].issue, (double)c[1].issue);
		free(c);
	}
}

static void a_threads_index_is_unpacked_on_cc_1(void **state) {
	assert_true(issue_of("GTX 280", "mov.u32 %r1, %tid.x;") == 4);
	assert_true(issue_of("GTX 280", "mov.u32 %r1, %tid.y;") == 8);
	assert_true(issue_of("GTX 280", "mov.u32 %r1, %tid.z;") == 4);
	assert_true(issue_of("H200", "mov.u32 %r1, %tid.y;") == 0);
}

static float total_waits(const char *body, float *clocks) {
	Code code;
	parse(&code, body);
	InstrCost *costs = code_costs(gpu_find("H200", NULL), &code.info);
	float waits = 0;
	*clocks = 0;
	for (uint32_t i = 0; i < code.info.ninstrs; i++) waits += costs[i].global_waits, *clocks += costs[i].wait;
	free(costs);
	release(&code);
	return waits;
}

/* One lane adds for its warp where all lanes name one word, as far as the assembler sees. */
static void lanes_that_name_one_word_are_added_first(void **state) {
	static const struct {
		const char *gpu, *body;
		bool want;
	} cases[] = {
		{"H200", "red.global.add.u32 [%rd0], 1;", true},
		{"GTX 1080", "red.global.add.u32 [%rd0], 1;", false},
		{"H200", "mov.u32 %r0, %tid.x; red.global.add.u32 [%rd0], %r0;", true},
		{"RTX 2080 Ti", "mov.u32 %r0, %tid.x; red.global.add.u32 [%rd0], %r0;", false},
		{"RTX 2080 Ti", "mov.u32 %r0, %ctaid.x; red.global.add.u32 [%rd0], %r0;", true},
		{"H200", "mov.u32 %r0, %tid.x; cvt.u64.u32 %rd1, %r0; red.global.add.u32 [%rd1], 1;", false},
		{"H200", "atom.global.add.u32 %r1, [%rd0], 1; st.global.u32 [%rd0], %r1;", true},
		{"H200", "atom.global.max.u32 %r1, [%rd0], 1; st.global.u32 [%rd0], %r1;", false},
		{"H200", "red.global.max.u32 [%rd0], %r2;", true},
		{"H200", "mov.u32 %r0, %tid.x; cvt.u64.u32 %rd1, %r0; red.global.add.u64 [%rd0], %rd1;", false},
		{"H200", "red.global.add.f32 [%rd0], 0f3F800000;", false},
		{"H200", "atom.global.exch.b32 %r1, [%rd0], 1;", false},
		{"H200", "red.shared.add.u32 [%r3], 5;", true},
	};
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		Code code = {0};
		parse(&code, cases[k].body);
		InstrCost *costs = code_costs(gpu_find(cases[k].gpu, NULL), &code.info);
		bool any = false;
		for (uint32_t i = 0; i < code.info.ninstrs; i++) any |= costs[i].aggregated;
		if (any != cases[k].want) fail_msg("%s, %s: aggregated %d", cases[k].gpu, cases[k].body, any);
		free(costs);
		release(&code);
	}
}

static void loads_wait_together_unless_dependent(void **state) {
	float clocks, latency = (float)gpu_find("H200", NULL)->latency_dram;
	assert_true(total_waits("add.s32 %r1, %r2, %r3;", &clocks) == 0);
	assert_true(total_waits("ld.global.f32 %f1, [%rd1];\nst.shared.f32 [s], %f1;\nld.global.f32 %f2, [%rd2];\n"
							"st.shared.f32 [s+4], %f2;",
							&clocks) == 1);
	assert_true(clocks > latency && clocks < 1.2f * latency);
	/* a pointer read before what it points to */
	assert_true(total_waits("ld.global.u64 %rd1, [%rd2];\nld.global.f32 %f1, [%rd1];", &clocks) == 2);
	assert_true(clocks >= 2 * latency);
	/* a barrier, and a label, hold the second one back */
	assert_true(total_waits("ld.global.f32 %f1, [%rd1];\nbar.sync 0;\nld.global.f32 %f2, [%rd2];", &clocks) == 2);
	assert_true(total_waits("ld.global.f32 %f1, [%rd1];\nL1:\nld.global.f32 %f2, [%rd2];\n@%p1 bra L1;", &clocks) == 2);
	assert_true(total_waits("ld.shared.f32 %f1, [s];", &clocks) == 0);
}

/* Registers that a body needs beside the sum and the addresses, which are there from its start to its end. */
static uint32_t registers_of_loads(const char *body) {
	Code code;
	Str text = {0};
	str_addf(&text,
			 "ld.global.u64 %%rd1, [p];\nld.global.u64 %%rd2, [p];\nmov.f32 %%f9, 0f00000000;\nbar.sync "
			 "0;\n%s\nbar.sync 0;\n"
			 "st.global.f32 [%%rd1], %%f9;\nst.global.f32 [%%rd2], %%f9;",
			 body);
	parse(&code, text.text);
	const uint32_t n = code_registers_32bit(code.info.cfg) - 3;
	release(&code);
	str_free(&text);
	return n;
}

static void loads_that_wait_together_have_a_register_each_on_cc_1(void **state) {
	assert_int_equal(
		registers_of_loads("ld.global.f32 %f1, [%rd1];\nadd.f32 %f9, %f9, %f1;\nld.global.f32 %f2, [%rd1+4];\n"
						   "add.f32 %f9, %f9, %f2;\nld.global.f32 %f3, [%rd1+8];\nadd.f32 %f9, %f9, %f3;"),
		3);
	/* nothing moves up past a barrier, */
	assert_int_equal(registers_of_loads("ld.global.f32 %f1, [%rd1];\nadd.f32 %f9, %f9, %f1;\nbar.sync 0;\n"
										"ld.global.f32 %f2, [%rd1+4];\nadd.f32 %f9, %f9, %f2;"),
					 1);
	/* and who needs another's result does not wait together with it */
	assert_int_equal(
		registers_of_loads("ld.global.u64 %rd3, [%rd1];\nld.global.f32 %f1, [%rd3];\nadd.f32 %f9, %f9, %f1;"), 1);
	/* shared memory is near enough */
	assert_int_equal(registers_of_loads("ld.shared.f32 %f1, [s];\nadd.f32 %f9, %f9, %f1;\nld.shared.f32 %f2, [s+4];\n"
										"add.f32 %f9, %f9, %f2;"),
					 1);
	assert_int_equal(registers_of_loads("ld.global.f64 %fd1, [%rd1];\nld.global.f64 %fd2, [%rd2];\n"
										"st.shared.f64 [s], %fd1;\nst.shared.f64 [s+8], %fd2;"),
					 4);
}

static void addresses_take_one_register_on_cc_1(void **state) {
	Code code;
	parse(&code,
		  "ld.param.u64 %rd1, [p];\nld.param.u64 %rd2, [p];\nadd.s64 %rd3, %rd1, %rd2;\nld.global.f32 %f1, [%rd3];\n"
		  "add.s64 %rd4, %rd1, 4;\nst.global.f32 [%rd4], %f1;");
	assert_int_equal(code_registers_32bit(code.info.cfg), 2); /* rd1 and rd2, then rd1 and rd3 in its place, ... */
	assert_int_equal(code.info.cfg->max_live_words32, 4);
	release(&code);
	parse(&code, "mov.f64 %fd1, 0d0000000000000000;\nmov.f64 %fd2, 0d0000000000000000;\nadd.f64 %fd3, %fd1, %fd2;\n"
				 "st.shared.f64 [s], %fd3;");
	assert_true(code_registers_32bit(code.info.cfg) >= 4); /* a double takes two there, too */
	release(&code);
}

static InstrCost *check_wide(const char *body, const uint8_t *wide, uint32_t n) {
	InstrCost *c = costs_of("H200", body);
	for (uint32_t i = 0; i < n; i++) {
		const bool joined = wide[i] == 1;
		if (c[i].wide != (joined ? 0 : wide[i]) || c[i].joined != joined || (c[i].issue > 0) == joined)
			fail_msg("%s\ninstruction %u: wide %u, joined %d", body, i, c[i].wide, c[i].joined);
	}
	return c;
}

/* 1: part of an earlier load. */
static void neighbouring_words_are_loaded_at_once(void **state) {
	const struct {
		const char *body;
		uint8_t wide[8];
		uint32_t n;
	} known[] = {
		{"ld.shared.f32 %f1, [s+16];\nld.shared.f32 %f2, [s+20];\nld.shared.f32 %f3, [s+28];\nld.shared.f32 %f4, "
		 "[s+24];",
		 {16, 1, 1, 1},
		 4},
		/* two and two: the middle pair is not aligned */
		{"ld.shared.f32 %f1, [s+4];\nld.shared.f32 %f2, [s+8];\nld.shared.f32 %f3, [s+12];", {0, 8, 1}, 3},
		{"ld.shared.f32 %f1, [s+4];\nld.shared.f32 %f2, [s+8];", {0, 0}, 2},
		/* what is known of a base: 16 times something is aligned, 4 and 132 times something are not */
		{"mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 4;\nld.shared.f32 %f1, [%r2];\nld.shared.f32 %f2, [%r2+4];",
		 {0, 0, 8, 1},
		 0},
		{"mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\nld.shared.f32 %f1, [%r2];\nld.shared.f32 %f2, [%r2+4];",
		 {0, 0, 0, 0},
		 0},
		{"mov.u32 %r1, %tid.x;\nmul.lo.s32 %r2, %r1, 132;\nld.shared.f32 %f1, [%r2];\nld.shared.f32 %f2, [%r2+4];",
		 {0},
		 0},
		/* a store between them, another base, one that is read again and again */
		{"ld.shared.f32 %f1, [s];\nst.shared.f32 [s+64], %f1;\nld.shared.f32 %f2, [s+4];", {0, 0, 0}, 3},
		{"ld.shared.f32 %f1, [s];\nbar.sync 0;\nld.shared.f32 %f2, [s+4];", {0, 0, 0}, 3},
		{"ld.volatile.shared.f32 %f1, [s];\nld.volatile.shared.f32 %f2, [s+4];", {0, 0}, 2},
	};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		free(check_wide(known[i].body, known[i].wide, known[i].n));
	InstrCost *c = costs_of("H200", known[3].body);
	assert_true(c[2].wide == 8 && c[3].joined);
	free(c);
	for (size_t i = 4; i < 6; i++) {
		c = costs_of("H200", known[i].body);
		assert_true(c[2].wide == 0 && !c[3].joined);
		free(c);
	}
	/* a base that moves on */
	c = costs_of("H200",
				 "mov.u32 %r1, 0;\nL1:\nld.shared.f32 %f1, [%r1];\nadd.s32 %r1, %r1, 16;\nld.shared.f32 %f2, [%r1+4];\n"
				 "ld.shared.f32 %f3, [%r1];\n@%p1 bra L1;");
	assert_true(c[1].wide == 0 && c[4].wide == 8 && c[3].joined);
	free(c);
	c = costs_of("GTX 280", known[0].body);
	assert_true(c[0].wide == 0 && !c[1].joined);
	free(c);
}

static void three_registers_take_two_clocks(void **state) {
	const char *const body = "fma.rn.f32 %f1, %f1, %f2, %f3;\n" /* three registers */
							 "fma.rn.f32 %f4, %f4, %f2, %f3;\n" /* two of them are still there */
							 "fma.rn.f32 %f4, %f4, %f2, %f3;\n" /* waits, and another warp has come in between */
							 "fma.rn.f32 %f5, %f5, %f5, %f6;\n" /* two */
							 "add.f32 %f7, %f8, %f9;\n"         /* two */
							 "mov.f32 %f10, 0f3F800000;\n"
							 "fma.rn.f32 %f11, %f12, %f10, %f13;\n" /* a constant inside the instruction */
							 "fma.rn.f64 %fd1, %fd2, %fd3, %fd1;";
	const float conflicts[] = {1, 0, 1, 0, 0, 0, 0, 0};
	InstrCost *c = costs_of("H200", body), *older = costs_of("V100", body);
	for (size_t i = 0; i < sizeof conflicts / sizeof conflicts[0]; i++) {
		assert_true(c[i].bank_conflicts == conflicts[i]);
		assert_true(older[i].bank_conflicts == 0); /* takes two clocks anyway */
	}
	free(c);
	free(older);
}

static void units_of_today(void **state) {
	const struct {
		const char *gpu, *instruction;
		Pipe pipe;
		float issue, use;
	} known[] = {
		{"H200", "add.s32 %r1, %r2, %r3;", PIPE_ADD, 1, 1},
		{"Tesla K40", "add.s32 %r1, %r2, %r3;", PIPE_INT, 1, 1},
		{"H200", "and.b32 %r1, %r2, %r3;", PIPE_INT, 1, 1},
		{"H200", "mul.lo.s32 %r1, %r2, %r3;", PIPE_MULTIPLY, 1, 1},
		{"H200", "add.s64 %rd1, %rd2, %rd3;", PIPE_ADD, 2, 2},
		{"H200", "div.u32 %r1, %r2, %r3;", PIPE_SFU, 18, 3},
		{"H200", "rem.s32 %r1, %r2, %r3;", PIPE_SFU, 24, 3},
		{"H200", "div.rn.f32 %f1, %f2, %f3;", PIPE_SFU, 11, 2},
		{"H200", "sqrt.rn.f32 %f1, %f2;", PIPE_SFU, 11, 1},
		{"H200", "rcp.approx.ftz.f32 %f1, %f2;", PIPE_SFU, 1, 1},
		{"H200", "cvt.rn.f32.u32 %f1, %r1;", PIPE_CONVERT, 1, 1},
		{"H200", "cvt.f64.f32 %fd1, %f1;", PIPE_FP64, 1, 4},
		{"RTX 3090", "cvt.f64.f32 %fd1, %f1;", PIPE_FP64, 1, 1},
		{"RTX 3090", "cvt.sat.f64.f64 %fd1, %fd2;", PIPE_FP64, 1, 2},
	};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		InstrCost *c = costs_of(known[i].gpu, known[i].instruction);
		if (c->pipe != known[i].pipe || c->issue != known[i].issue || c->pipe_use != known[i].use)
			fail_msg("%s on %s: pipe %d, issue %g, use %g", known[i].instruction, known[i].gpu, c->pipe,
					 (double)c->issue, (double)c->pipe_use);
		free(c);
	}
}

/* The same half twice is an operand of one of the two units for packed halves only. */
/* Addresses of shared memory: 64 bits cost what 32 do, unless something else reads all of them. */
static void addresses_of_shared_memory_have_32_bits(void **state) {
	const struct {
		const char *code;
		float issue; /* of the second instruction */
	} known[] = {
		{"mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2; ld.shared.f32 %f1, [%rd1];", 1},
		{"shl.b32 %r2, %r1, 2; add.s32 %r3, %r3, %r2; ld.shared.f32 %f1, [%r3];", 1},
		{"mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2; ld.global.f32 %f1, [%rd1];", 2},
		{"mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2; st.shared.u64 [%rd2], %rd1;", 2},
		{"mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2; shr.u64 %rd1, %rd1, 1; ld.shared.f32 %f1, [%rd1];", 2},
	};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		InstrCost *c = costs_of("H200", known[i].code);
		if (c[1].issue != known[i].issue) fail_msg("%s: issue %g", known[i].code, (double)c[1].issue);
		free(c);
	}
}

static void halves_alternate_between_units(void **state) {
	const char *body = "mov.b32 %r1, {%rs1, %rs1};\nmov.b32 %r2, {%rs1, %rs2};\n"
					   "fma.rn.f16x2 %r3, %r3, %r1, %r2;\nfma.rn.f16x2 %r4, %r4, %r2, %r5;";
	InstrCost *c = costs_of("H200", body), *older = costs_of("A100", body);
	assert_true(c[2].pipe == PIPE_FP16 && c[2].pipe_use == 2 && c[3].pipe_use == 1);
	assert_true(older[2].pipe_use == 1);
	free(c);
	free(older);
}

/* --- barriers ----------------------------------------------------------------------------------------------------- */

static void barriers_of_some_warps(void **state) {
	static const ReplayBarrier want[] = {
		{0, 0, false}, {3, 2, false}, {3, 2, true}, {REPLAY_GROUP, 4, false}, {0, 0, false}};
	Code code;
	parse(&code, "bar.sync 0;\nbar.warp.sync -1;\nbar.sync 3, 64;\nbar.arrive 3, 64;\nbar.sync %r1, 128;\n"
				 "barrier.cluster.arrive;\nbarrier.cluster.wait;");
	InstrCost *costs = code_costs(gpu_find("H200", NULL), &code.info);
	Lifted *lifted = lift(gpu_find("H200", NULL), &code.info, costs);
	size_t n = 0;
	for (uint32_t i = 0; i < lifted->code.blocks[0].end; i++) {
		const ReplayOp *op = &lifted->code.ops[i];
		if (op->unit != UNIT_BARRIER) continue;
		assert_true(n < sizeof want / sizeof *want);
		assert_int_equal(op->barrier.id, want[n].id);
		assert_int_equal(op->barrier.warps, want[n].warps);
		assert_int_equal(op->barrier.arrives, want[n].arrives);
		n++;
	}
	assert_int_equal(n, sizeof want / sizeof *want);
	lift_free(lifted);
	free(costs);
	release(&code);
}

/* --- polling loops ------------------------------------------------------------------------------------------------ */

/* The number of the loop's instructions; 0: none that polls. */
static uint32_t polled(const char *body) {
	Code code;
	uint32_t n = 0;
	parse(&code, body);
	uint32_t *loops = poll_loops(&code.info);
	for (uint32_t i = 0; loops && i < code.info.ninstrs; i++) n += loops[i] != 0;
	free(loops);
	release(&code);
	return n;
}

static void loops_that_poll_a_flag(void **state) {
	assert_int_equal(polled("L: ld.volatile.shared.u32 %r1, [s];\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra L;"), 3);
	assert_int_equal(
		polled("L: ld.acquire.gpu.global.u32 %r1, [%rd1];\nxor.b32 %r2, %r1, %r3;\nmembar.gl;\nsetp.gt.s32 %p1, "
			   "%r2, -1;\n@%p1 bra L;"),
		5);
	assert_int_equal(polled("L: atom.global.cas.b32 %r1, [%rd1], 0, 1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra L;"), 3);
	assert_int_equal(polled("L: nanosleep.u32 32;\nld.relaxed.gpu.global.u32 %r1, [%rd1];\n"
							"setp.eq.s32 %p1, %r1, 0;\n@%p1 bra L;"),
					 4);
	assert_int_equal(polled("L: mbarrier.try_wait.parity.shared::cta.b64 %p1, [s], %r1;\n@!%p1 bra L;"), 2);
	assert_int_equal(polled("L: mbarrier.try_wait.parity.shared::cta.b64 %p1, [s], %r1;\n@%p1 bra D;\nbra.uni L;\nD:"),
					 3);
	/* as cuda::barrier waits: a few tries, then it sleeps */
	assert_int_equal(polled("mov.u32 %r2, 0;\nbra.uni L;\nM: add.s32 %r2, %r2, 1;\n"
							"L: mbarrier.try_wait.shared.b64 %p1, [s], %rd1;\n@!%p1 bra N;\nbra.uni D;\n"
							"N: setp.lt.s32 %p1, %r2, 16;\n@%p1 bra M;\nmov.u64 %rd2, %globaltimer;\nnanosleep.u32 "
							"40;\nbra.uni L;\nD:"),
					 9);
}

static void other_loops_do_not(void **state) {
	const char *const others[] = {
		/* no other thread's store is awaited; it counts; it stores; it adds; a barrier; not a loop */
		"L: ld.shared.u32 %r1, [s];\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra L;",
		"L: ld.volatile.shared.u32 %r1, [s];\nadd.s32 %r2, %r2, %r1;\nsetp.lt.s32 %p1, %r2, 9;\n@%p1 bra L;",
		"L: ld.volatile.shared.u32 %r1, [s];\nst.shared.u32 [s+4], %r1;\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra L;",
		"L: atom.global.add.u32 %r1, [%rd1], 1;\nsetp.lt.u32 %p1, %r1, 9;\n@%p1 bra L;",
		"L: bar.sync 0;\nld.volatile.shared.u32 %r1, [s];\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra L;",
		"ld.volatile.shared.u32 %r1, [s];\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra L;\nL:",
		"L: mbarrier.arrive.shared.b64 %rd2, [s];\nmbarrier.test_wait.shared.b64 %p1, [s], %rd2;\n@!%p1 bra L;",
		/* it counts its iterations, for what follows or for its end */
		("L: mbarrier.test_wait.shared.b64 %p1, [s], %rd2;\n@%p1 bra D;\nadd.s32 %r2, %r2, 1;\nbra.uni L;\nD: "
		 "st.shared.u32 [s], %r2;"),
		"L: ld.volatile.shared.u32 %r1, [s];\nadd.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, 9;\n@%p1 bra L;",
		/* atomicMax for floats, from compare-and-swap: the next iteration begins with what this one read */
		"L: atom.global.cas.b32 %r1, [%rd1], %r2, %r3;\nsetp.ne.s32 %p1, %r1, %r2;\nmov.u32 %r2, %r1;\n@%p1 bra L;",
	};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (polled(others[i])) fail_msg("%s", others[i]);
}

/* Two warps: the first goes around three times, leaves, and comes back; the other once. */
static void iterations_count_once(void **state) {
	const uint32_t loops[] = {0, 2, 2, 2, 0};
	uint64_t issued[5] = {0};
	NumberMap last = {0};
	const struct {
		uint32_t warp, instr;
		bool again;
	} way[] = {{0, 0, false}, {0, 1, false}, {0, 2, false}, {1, 1, false}, {0, 1, true}, {0, 2, true},
			   {0, 1, true},  {0, 2, true},  {1, 4, false}, {0, 4, false}, {0, 1, false}};
	for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
		const Access a = {.block = 7, .warp = way[i].warp, .instr = way[i].instr};
		assert_int_equal(poll_again(loops, &last, &a, issued), way[i].again);
	}
	for (uint32_t i = 0; i < 5; i++) assert_int_equal(issued[i], i >= 1 && i <= 3 ? 3 : 0);
	number_map_free(&last);
}

/* --- loops that ptxas unrolls ------------------------------------------------------------------------------------- */

/* A loop with `n` FMAs and more, and its last three instructions. */
static UnrollRole role_of_loop(const char *gpu, uint32_t n, const char *more, const char *counting) {
	Str body = {0};
	Code code;
	str_add(&body, "ld.param.u32 %r9, [n];\n$L:\n");
	str_add(&body, more);
	for (uint32_t i = 0; i < n; i++) str_add(&body, "fma.rn.f32 %f1, %f1, %f2, %f3;\n");
	str_add(&body, counting);
	parse(&code, body.text);
	AUTO_FREE InstrCost *costs = code_costs(gpu_find(gpu, NULL), &code.info);
	AUTO_FREE uint8_t *role = code_unrolled(gpu_find(gpu, NULL), code.info.cfg, costs);
	const UnrollRole of_body = role[1], of_branch = role[code.function->ninstrs - 2];
	assert_int_equal(of_branch, of_body == UNROLL_NOT ? UNROLL_NOT : UNROLL_ONCE);
	assert_int_equal(costs[code.function->ninstrs - 2].issue == 0.25f, of_branch == UNROLL_ONCE);
	release(&code);
	str_free(&body);
	return of_body;
}

#define COUNTS "add.s32 %r1, %r1, 4;\nsetp.ne.s32 %p1, %r1, %r9;\n@%p1 bra $L;"

static void short_loops_that_count_are_unrolled(void **state) {
	assert_int_equal(role_of_loop("H200", 4, "", COUNTS), UNROLL_COPIED);
	assert_int_equal(role_of_loop("GTX 1080", 4, "", COUNTS), UNROLL_COPIED);
	assert_int_equal(role_of_loop("GTX 280", 4, "", COUNTS), UNROLL_NOT);
	assert_int_equal(role_of_loop("H200", 18, "", COUNTS), UNROLL_COPIED);
	assert_int_equal(role_of_loop("H200", 19, "", COUNTS), UNROLL_NOT);
	assert_int_equal(role_of_loop("H200", 18, "", "add.s64 %rd1, %rd1, 16;\n" COUNTS), UNROLL_COPIED);
	assert_int_equal(role_of_loop("H200", 18, "", "add.s64 %rd1, %rd1, %rd2;\n" COUNTS), UNROLL_NOT);
	assert_int_equal(role_of_loop("H200", 4, "", "add.s32 %r1, %r1, -1;\nsetp.gt.s32 %p1, %r9, %r1;\n@%p1 bra $L;"),
					 UNROLL_COPIED);
}

static void other_loops_are_not_unrolled(void **state) {
	const struct {
		const char *more, *counting;
	} other[] = {
		{".pragma \"nounroll\";\n", COUNTS},
		{"bar.sync 0;\n", COUNTS},
		{"mov.u32 %r9, %r2;\n", COUNTS}, /* the limit changes */
		{"", "add.s32 %r1, %r1, %r2;\nsetp.ne.s32 %p1, %r1, %r9;\n@%p1 bra $L;"},
		{"", "add.s64 %rd1, %rd1, 1;\nsetp.ne.s64 %p1, %rd1, %rd2;\n@%p1 bra $L;"},
		{"", "add.s32 %r1, %r1, 1;\nadd.s32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r1, %r9;\n@%p1 bra $L;"},
		{"", "add.s32 %r1, %r1, 1;\nsetp.lt.f32 %p1, %f1, %f2;\n@%p1 bra $L;"},
		{"", "@%p2 bra $M;\nadd.s32 %r1, %r1, 1;\n$M:\nsetp.ne.s32 %p1, %r1, %r9;\n@%p1 bra $L;"},
	};
	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		if (role_of_loop("H200", 4, other[i].more, other[i].counting) != UNROLL_NOT)
			fail_msg("%s%s", other[i].more, other[i].counting);
}

/* Its loads come first, each with registers and the access of its own; it counts once. */
static void iterations_become_one(void **state) {
	Code code;
	parse(&code, "$L:\nld.global.f32 %f2, [%rd1];\nadd.f32 %f1, %f1, %f2;\nadd.s64 %rd1, %rd1, 4;\n"
				 "add.s32 %r1, %r1, -1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra $L;");
	const Gpu *gpu = gpu_find("H200", NULL);
	AUTO_FREE InstrCost *costs = code_costs(gpu, &code.info);
	Lifted *lifted = lift(gpu, &code.info, costs);
	const uint32_t unrolled = lifted->unrolled[lifted->block_at[0]];
	assert_int_not_equal(unrolled, UINT32_MAX);
	const ReplayBlock *block = &lifted->code.blocks[unrolled];
	uint32_t loads = 0, written[UNROLL], branches = 0, sums = 0;
	for (uint32_t i = block->first; i < block->end; i++) {
		const ReplayOp *op = &lifted->code.ops[i];
		branches += op->unit == UNIT_BRANCH;
		sums += op->unit == UNIT_FP32;
		if (op->unit != UNIT_GLOBAL) continue;
		assert_int_equal(sums, 0);
		assert_int_equal(op->copy, loads);
		written[loads++] = lifted->code.registers[op->writes];
	}
	assert_int_equal(loads, UNROLL);
	assert_int_equal(sums, UNROLL);
	assert_int_equal(branches, 1);
	assert_int_equal(lifted->code.ops[block->end - 1].unit, UNIT_BRANCH);
	for (uint32_t i = 1; i < UNROLL; i++) assert_int_not_equal(written[i], written[i - 1]);
	for (uint32_t i = 0; i < UNROLL; i++) assert_true(written[i] < lifted->code.nregisters);
	assert_int_equal(lifted->unrolled[unrolled], UINT32_MAX);
	lift_free(lifted);
	release(&code);
}

/* --- sequences, divisions ----------------------------------------------------------------------------------------- */

static InstrCost cost_of_instr(const char *body, uint32_t i) {
	Code code;
	parse(&code, body);
	InstrCost *costs = code_costs(gpu_find("H200", NULL), &code.info);
	const InstrCost cost = costs[i];
	free(costs);
	release(&code);
	return cost;
}

/* What comes behind a root in the code comes behind all of its pieces, be it as far as a load. */
static void nothing_crosses_a_root(void **state) {
	Code code;
	(void)state;
	parse(&code, "add.f32 %f1, %f2, %f3;\nsqrt.rn.f32 %f4, %f1;\nld.global.f32 %f5, [%rd1];\n"
				 "add.f32 %f6, %f5, %f4;");
	const Gpu *gpu = gpu_find("H200", NULL);
	AUTO_FREE InstrCost *costs = code_costs(gpu, &code.info);
	Lifted *lifted = lift(gpu, &code.info, costs);
	uint32_t pieces = 0, slots = 0, last = 0, load = 0, sum = 0;
	for (uint32_t i = 0; i < lifted->code.blocks[0].end; i++) {
		const ReplayOp *op = &lifted->code.ops[i];
		if (op->instr == 1) pieces++, slots += op->slots, last = i;
		if (op->unit == UNIT_GLOBAL) load = i;
		if (op->instr == 3) sum = i;
	}
	assert_true(pieces > 4 && last < load && load < sum);
	assert_true((float)slots == costs[1].issue);
	const ReplayOp *adds = &lifted->code.ops[sum], *root = &lifted->code.ops[last - 1]; /* before the lanes meet */
	bool waits = false;
	for (uint32_t k = 0; k < adds->nreads; k++)
		waits |= lifted->code.registers[adds->reads + k] == lifted->code.registers[root->writes];
	assert_true(waits);
	lift_free(lifted);
	release(&code);
}

static void each_sequence_has_one_result(void **state) {
	static const char *const bodies[] = {
		"sqrt.rn.f32 %f1, %f2;",        "rcp.rn.f32 %f1, %f2;",      "div.rn.f32 %f1, %f2, %f3;",
		"sqrt.rn.f64 %fd1, %fd2;",      "rcp.rn.f64 %fd1, %fd2;",    "div.rn.f64 %fd1, %fd2, %fd3;",
		"rsqrt.approx.f64 %fd1, %fd2;", "div.s64 %rd1, %rd2, %rd3;", "rem.u64 %rd1, %rd2, %rd3;"};
	(void)state;
	for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
		Code code;
		uint32_t n = 0, results = 0;
		parse(&code, bodies[k]);
		const SequencePiece *pieces = code_sequence(&code.function->instrs[0], &n);
		if (!pieces || n > SEQUENCE_MOST) fail_msg("%s", bodies[k]);
		for (uint32_t i = 0; i < n; i++) {
			results += pieces[i].last;
			assert_true(pieces[i].slots > 0 && pieces[i].gap > 0 && pieces[i].after <= i);
		}
		assert_int_equal(results, 1);
		release(&code);
	}
	static const char *const others[] = {"sqrt.approx.f32 %f1, %f2;",        "div.full.f32 %f1, %f2, %f3;",
										 "rsqrt.approx.ftz.f64 %fd1, %fd2;", "rsqrt.approx.f32 %f1, %f2;",
										 "div.s32 %r1, %r2, %r3;",           "ret;"};
	for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
		Code code;
		uint32_t n;
		parse(&code, others[k]);
		if (code_sequence(&code.function->instrs[0], &n)) fail_msg("%s", others[k]);
		release(&code);
	}
}

static void a_loops_divisor_is_inverted_once(void **state) {
	static const char loop[] =
		"$L:\ndiv.%s %%r2, %%r1, %%r%u;\nadd.s32 %%r1, %%r1, 1;\nsetp.ne.s32 %%p1, %%r1, %%r9;\n@%%p1 bra $L;";
	char body[256];
	(void)state;
	snprintf(body, sizeof body, loop, "u32", 8);
	const InstrCost kept = cost_of_instr(body, 0);
	snprintf(body, sizeof body, loop, "u32", 1);
	const InstrCost changes = cost_of_instr(body, 0);
	snprintf(body, sizeof body, loop, "s32", 8);
	const InstrCost is_signed = cost_of_instr(body, 0);
	assert_true(kept.issue < changes.issue && kept.issue < is_signed.issue);
	assert_true(kept.wait > 0 && kept.wait < changes.wait); /* which is found after the division's cost */
	assert_int_equal(kept.pipe, PIPE_INT);
	assert_int_not_equal(changes.pipe, PIPE_INT);
	assert_true(cost_of_instr("div.u32 %r2, %r1, %r8;", 0).issue == changes.issue);
}

/* ptxas does not put all loads first: a use comes before there are many more. */
static void some_loads_wait_for_a_use(void **state) {
	Str body = {0};
	Code code;
	str_add(&body, ".reg .f32 %x<40>;\n");
	for (uint32_t i = 0; i < 40; i++)
		str_addf(&body, "ld.global.f32 %%x%u, [%%rd1+%u];\nadd.f32 %%f1, %%f1, %%x%u;\n", i, 4 * i, i);
	parse(&code, body.text);
	str_free(&body);
	const Gpu *gpu = gpu_find("H200", NULL);
	AUTO_FREE InstrCost *costs = code_costs(gpu, &code.info);
	Lifted *lifted = lift(gpu, &code.info, costs);
	uint32_t waiting = 0, most = 0;
	for (uint32_t i = 0; i < lifted->code.blocks[0].end; i++) {
		const ReplayOp *op = &lifted->code.ops[i];
		if (op->unit == UNIT_GLOBAL) waiting++;
		if (op->unit == UNIT_FP32) waiting--;
		most = waiting > most ? waiting : most;
	}
	assert_int_equal(waiting, 0);
	assert_true(most <= 12);
	lift_free(lifted);
	release(&code);
}

/* Two loads, each behind conditions of its own, and what uses them: where the second load and the first store are. */
static void place_guarded(const char *guarded, uint32_t conditions, uint32_t *load, uint32_t *store) {
	Str body = {0};
	Code code;
	for (uint32_t i = 0; i < 2; i++) {
		str_addf(&body, "mov.f32 %%f%u, 0f00000000;\n", i);
		for (uint32_t k = 0; k < conditions; k++) str_addf(&body, "@%%p%u bra $J%u;\n%s\n", i + k, i, guarded);
		str_addf(&body, "ld.global.f32 %%f%u, [%%rd%u];\n$J%u:\nst.shared.f32 [%%r1+%u], %%f%u;\n", i, i, i, 4 * i, i);
	}
	parse(&code, body.text);
	str_free(&body);
	const Gpu *gpu = gpu_find("H200", NULL);
	AUTO_FREE InstrCost *costs = code_costs(gpu, &code.info);
	Lifted *lifted = lift(gpu, &code.info, costs);
	*store = UINT32_MAX;
	for (uint32_t b = 0, at = 0; b < lifted->code.nblocks; b++)
		for (uint32_t i = lifted->code.blocks[b].first; i < lifted->code.blocks[b].end; i++, at++) {
			const ReplayOp *op = &lifted->code.ops[i];
			if (op->unit == UNIT_GLOBAL) *load = at;
			if (op->unit == UNIT_SHARED && *store == UINT32_MAX) *store = at;
		}
	lift_free(lifted);
	release(&code);
}

static void loads_behind_conditions_are_issued_together(void **state) {
	uint32_t load, store;
	(void)state;
	place_guarded("", 1, &load, &store);
	assert_true(load < store);
	place_guarded("add.s32 %r2, %r2, %r3;", 2, &load, &store);
	assert_true(load < store);
	/* Not where the assembler keeps the branch: a barrier, or too much for predicates. */
	place_guarded("bar.sync 0;", 1, &load, &store);
	assert_true(load > store);
	place_guarded("add.s32 %r2,%r2,%r3;mul.lo.s32 %r4,%r2,%r3;xor.b32 %r5,%r4,%r2;add.s32 %r6,%r5,%r4;\n"
				  "xor.b32 %r7,%r6,%r5;add.s32 %r8,%r7,%r6;xor.b32 %r9,%r8,%r7;add.s32 %r10,%r9,%r8;",
				  1, &load, &store);
	assert_true(load > store);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_behind_conditions_are_issued_together),
		cmocka_unit_test(addresses_and_arguments_are_free),
		cmocka_unit_test(clocks_of_gt200),
		cmocka_unit_test(shared_operands_are_fused),
		cmocka_unit_test(lanes_that_name_one_word_are_added_first),
		cmocka_unit_test(loads_wait_together_unless_dependent),
		cmocka_unit_test(addresses_take_one_register_on_cc_1),
		cmocka_unit_test(loads_that_wait_together_have_a_register_each_on_cc_1),
		cmocka_unit_test(far_shared_words_take_an_addition),
		cmocka_unit_test(neighbouring_words_are_loaded_at_once),
		cmocka_unit_test(three_registers_take_two_clocks),
		cmocka_unit_test(units_of_today),
		cmocka_unit_test(addresses_of_shared_memory_have_32_bits),
		cmocka_unit_test(halves_alternate_between_units),
		cmocka_unit_test(branches_that_may_split_a_warp_cost_more),
		cmocka_unit_test(joins_and_exits_are_modifiers_on_cc_1),
		cmocka_unit_test(results_are_compared_with_zero_for_nothing_on_cc_1),
		cmocka_unit_test(where_a_shared_variable_is_is_a_constant_on_cc_1),
		cmocka_unit_test(a_shifted_index_becomes_bytes_for_nothing_on_cc_1),
		cmocka_unit_test(a_threads_index_is_unpacked_on_cc_1),
		cmocka_unit_test(barriers_of_some_warps),
		cmocka_unit_test(loops_that_poll_a_flag),
		cmocka_unit_test(other_loops_do_not),
		cmocka_unit_test(iterations_count_once),
		cmocka_unit_test(nothing_crosses_a_root),
		cmocka_unit_test(each_sequence_has_one_result),
		cmocka_unit_test(a_loops_divisor_is_inverted_once),

		cmocka_unit_test(short_loops_that_count_are_unrolled),
		cmocka_unit_test(other_loops_are_not_unrolled),
		cmocka_unit_test(iterations_become_one),
		cmocka_unit_test(some_loads_wait_for_a_use),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
