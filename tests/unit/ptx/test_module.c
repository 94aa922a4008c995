/* What stands around instructions: directives, functions, calls, scopes, variables and their initial values, layout. */
#include "check.h"

static void header_lines(void **state) {
	PtxModule *m = parse_text("// comment\n.version 8.7\n.target sm_90a, texmode_independent, debug\n.address_size 64\n"
							  ".file 2 \"dir/b.cu\", 170, 12\n.file 1 \"a.cu\"\n.pragma \"x\";\n");
	assert_int_equal(m->version_major, 8);
	assert_int_equal(m->version_minor, 7);
	assert_int_equal(m->target, 90);
	assert_int_equal(m->nfiles, 3);
	assert_string_equal(m->files[1], "a.cu");
	assert_string_equal(m->files[2], "dir/b.cu");
	assert_null(ptx_function(m, "k"));
	ptx_free(m);
	ptx_free(NULL);
}

static void function_headers(void **state) {
	PtxModule *m = parse_module(".extern .func (.param .b32 func_retval0) vprintf\n(\n.param .b64 "
								"vprintf_param_0,\n.param .b64 vprintf_param_1\n)\n;\n"
								".func nothing;\n"
								".visible .entry bounded(.param .u64 .ptr .global .align 16 a)\n.maxntid 32, 8, "
								"2\n.minnctapersm 2\n.maxnreg 64\n{ ret; }\n"
								".weak .entry required()\n.reqntid 128\n.explicitcluster\n.reqnctapercluster 2, 1, "
								"1\n.pragma \"nounroll\";\n{ ret; }\n"
								".visible .func (.param .align 16 .b8 r[32]) late(.param .b32 x) .noreturn "
								".attribute(.unified(1, 2)) { trap; }\n");
	const PtxFunction *f = ptx_function(m, "vprintf");
	assert_true(f->external && !f->entry);
	assert_int_equal(f->nparams, 2);
	assert_int_equal(f->nreturns, 1);
	assert_int_equal(f->param_bytes, 16);
	assert_ptr_equal(f->params[1]->owner, f);
	assert_true(ptx_function(m, "nothing")->external);
	f = ptx_function(m, "bounded");
	assert_true(f->entry && !f->external);
	assert_int_equal(f->max_threads, 512);
	assert_int_equal(f->param_bytes, 8);
	assert_int_equal(ptx_function(m, "required")->max_threads, 128);
	f = ptx_function(m, "late");
	assert_int_equal(f->returns[0]->bytes, 32);
	assert_int_equal(f->returns[0]->align, 16);
	assert_int_equal(m->nfunctions, 5);
	ptx_free(m);
}

static void a_declaration_and_its_body_are_one_function(void **state) {
	PtxModule *m = parse_module(".func (.param .b32 r) f(.param .b32 a);\n"
								".global .align 8 .u64 table[1] = {f};\n"
								".func (.param .b32 r) f(.param .b32 b) { ret; }\n"
								".func (.param .b32 r) f(.param .b32 c);\n");
	assert_int_equal(m->nfunctions, 1);
	const PtxFunction *f = m->functions[0];
	assert_false(f->external);
	assert_string_equal(f->params[0]->name, "b");
	assert_ptr_equal(m->globals[0]->relocs[0].function, f);
	ptx_free(m);
}

static void aliases(void **state) {
	PtxModule *m = parse_module(".func first;\n.func f { ret; }\n.alias first, f;\n");
	const PtxFunction *f = ptx_function(m, "first");
	assert_false(f->external);
	assert_int_equal(f->ninstrs, 1);
	assert_string_equal(f->name, "first");
	ptx_free(m);
	refuse_module(".func f { ret; } .alias nowhere, f;", "expected a function declared before, found 'nowhere'");
	refuse_module(".func f; .alias f, nowhere;", "expected a function with a body");
}

static void parameters_lie_as_the_abi_says(void **state) {
	PtxModule *m =
		parse_module(".entry e(.param .u8 a, .param .u64 b, .param .u16 c, .param .align 16 .b8 d[20], .param .f32 g,"
					 " .param .v2 .f32 h, .param .b8 i) { ret; }");
	static const size_t offsets[] = {0, 8, 16, 32, 52, 56, 64}, bytes[] = {1, 8, 2, 20, 4, 8, 1};
	const PtxFunction *f = ptx_function(m, "e");
	assert_int_equal(f->nparams, COUNT(offsets));
	for (size_t i = 0; i < COUNT(offsets); i++) {
		assert_int_equal(f->params[i]->offset, offsets[i]);
		assert_int_equal(f->params[i]->bytes, bytes[i]);
		assert_int_equal(f->params[i]->index, i);
		assert_int_equal(f->params[i]->space, SPACE_PARAM);
	}
	assert_int_equal(f->param_bytes, 65);
	ptx_free(m);
}

static void frames(void **state) {
	PtxModule *m = parse_module(
		".extern .shared .align 16 .b8 dynamic[];\n.shared .align 4 .b8 common[12];\n.func f(.param .b64 a);\n"
		".entry k() { .local .align 8 .b8 depot[20]; .shared .align 4 .b8 tile[33];\n"
		"{ .param .b32 param0; .param .b64 param1; { .param .b8 inner[3]; } .param .b16 after; }\n"
		"{ .param .align 16 .b8 param0[48]; }\n.shared .f64 next; .local .u16 small; ret; }");
	const PtxFunction *f = kernel_of(m);
	static const struct {
		const char *name;
		PtxSpace space;
		size_t offset, bytes;
	} locals[] = {{"depot", SPACE_LOCAL, 0, 20},  {"tile", SPACE_SHARED, 0, 33}, {"param0", SPACE_PARAM, 0, 4},
				  {"param1", SPACE_PARAM, 8, 8},  {"inner", SPACE_PARAM, 16, 3}, {"after", SPACE_PARAM, 16, 2},
				  {"param0", SPACE_PARAM, 0, 48}, {"next", SPACE_SHARED, 40, 8}, {"small", SPACE_LOCAL, 20, 2}};
	assert_int_equal(f->nlocals, COUNT(locals));
	for (size_t i = 0; i < COUNT(locals); i++) {
		assert_string_equal(f->locals[i]->name, locals[i].name);
		assert_int_equal(f->locals[i]->space, locals[i].space);
		assert_int_equal(f->locals[i]->offset, locals[i].offset);
		assert_int_equal(f->locals[i]->bytes, locals[i].bytes);
		assert_int_equal(f->locals[i]->index, i);
		assert_ptr_equal(f->locals[i]->owner, f);
	}
	assert_int_equal(f->local_bytes, 22);
	assert_int_equal(f->shared_bytes, 48);
	assert_int_equal(f->call_bytes, 48);
	assert_true(m->globals[0]->external && m->globals[0]->bytes == 0 && m->globals[0]->align == 16);
	assert_int_equal(m->globals[0]->space, SPACE_SHARED);
	assert_true(!m->globals[1]->external && m->globals[1]->bytes == 12 && !m->globals[1]->owner);
	ptx_free(m);
}

static void calls(void **state) {
	PtxModule *m = parse_module(
		".func (.param .b32 r) f(.param .b32 a, .param .b32 b);\n.func g;\n" KERNEL_HEAD
		"{ // callseq 0, 0\n.reg .b32 temp_param_reg;\n.param .b32 param0;\nst.param.b32 [param0+0], %r1;\n.param .b32 "
		"param1;\n"
		".param .b32 retval0;\ncall.uni (retval0), \nf, \n(\nparam0, \nparam1\n);\nld.param.b32 %r2, [retval0+0];\n}\n"
		"call.uni g;\ncall g, ();\n"
		"{ .param .b32 retval0; .param .b32 param0;\nprototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _, "
		".param .b64 _) .noreturn;\n"
		"call (retval0), %rd1, (param0), prototype_0; }\n"
		"{ prototype_0 : .callprototype ()_ ();\ncall %rd1, prototype_0; }\n}");
	const PtxFunction *f = kernel_of(m);
	const PtxInstr *in = &f->instrs[1];
	assert_int_equal(in->op, OP_CALL);
	assert_true(in->mods & MOD_UNI);
	assert_int_equal(in->noperands, 3);
	assert_ptr_equal(in->operands[0].items[0].symbol, f->locals[2]);
	assert_ptr_equal(in->operands[1].function, ptx_function(m, "f"));
	assert_int_equal(in->operands[2].nitems, 2);
	assert_ptr_equal(in->operands[2].items[1].symbol, f->locals[1]);
	assert_string_equal(in->text, "call.uni (retval0), f, ( param0, param1 )");
	for (int i = 3; i <= 4; i++) {
		in = &f->instrs[i];
		assert_int_equal(in->noperands, 3);
		assert_int_equal(in->operands[0].kind, OPERAND_VECTOR);
		assert_int_equal(in->operands[0].nitems + in->operands[2].nitems, 0);
		assert_ptr_equal(in->operands[1].function, ptx_function(m, "g"));
	}
	in = &f->instrs[5];
	assert_int_equal(in->noperands, 4);
	assert_int_equal(in->operands[1].kind, OPERAND_REG);
	assert_int_equal(in->operands[3].kind, OPERAND_FUNCTION);
	assert_int_equal(in->operands[3].function->nparams, 2);
	assert_int_equal(in->operands[3].function->param_bytes, 16);
	assert_int_equal(in->operands[3].function->returns[0]->bytes, 4);
	in = &f->instrs[6];
	assert_int_equal(in->noperands, 4);
	assert_int_equal(in->operands[2].kind, OPERAND_VECTOR);
	assert_int_equal(in->operands[3].function->nparams, 0);
	ptx_free(m);
}

static void inner_names_hide_outer_ones(void **state) {
	PtxModule *m = parse_kernel(
		".reg .b32 t; mov.u32 t, 0; mov.u32 %r5, 1;\n"
		"{ .reg .b64 t; .reg .b16 %r<6>; mov.u64 t, 1; mov.u16 %r5, 2; { mov.u64 t, 2; } mov.u32 %r7, 1; }\n"
		"mov.u32 t, 3; mov.u32 %r5, 4; mov.u32 %r7, 5;\n"
		"{ .reg .b32 %r5; mov.u32 %r5, 6; }");
	const PtxFunction *f = kernel_of(m);
	uint32_t r[10];
	for (uint32_t i = 0; i < 10; i++) r[i] = f->instrs[i].operands[0].reg;
	assert_int_equal(f->ninstrs, 10);
	assert_int_equal(f->regs[r[0]].type, T_B32);
	assert_int_equal(f->regs[r[2]].type, T_B64); /* the inner t */
	assert_int_equal(f->regs[r[3]].type, T_B16); /* the inner %r5 */
	assert_int_equal(r[4], r[2]);
	assert_int_equal(f->regs[r[5]].type, T_B32); /* %r7 is only in the outer range */
	assert_int_equal(r[6], r[0]);
	assert_int_equal(r[7], r[1]);
	assert_int_equal(r[8], r[5]);
	assert_int_not_equal(r[9], r[1]);
	ptx_free(m);
}

static void labels_belong_to_their_block(void **state) {
	PtxModule *m = parse_kernel("{ bra DONE; ret; DONE: }\n"                /* 0, 1 */
								"{ bra DONE; ret; DONE: }\n"                /* 2, 3 */
								"{ { bra OUT; } ret; OUT: }\n"              /* 4, 5 */
								"AGAIN: { bra AGAIN; AGAIN: bra AGAIN; }\n" /* 6, 7 */
								"bra AGAIN;");                              /* 8 */
	static const uint32_t instr[] = {0, 2, 4, 6, 7, 8}, target[] = {2, 4, 6, 7, 7, 6};
	const PtxFunction *f = kernel_of(m);
	for (size_t i = 0; i < COUNT(instr); i++) assert_int_equal(f->instrs[instr[i]].operands[0].target, target[i]);
	ptx_free(m);
	refuse_statement("{ x: ret; } bra x;", "expected a name that is declared, found 'x'");
}

static void branch_tables(void **state) {
	PtxModule *m =
		parse_kernel("L0: .branchtargets A, B, A;\nbrx.idx %r1, L0;\nA: bra.uni C;\nB: ret;\nC: brx.idx.uni %r2, L1;\n"
					 "L1: .branchtargets C;\n");
	const PtxFunction *f = kernel_of(m);
	assert_int_equal(f->nbranch_lists, 2);
	assert_int_equal(f->nbranch_targets[0], 3);
	assert_int_equal(f->branch_targets[0][0], 1);
	assert_int_equal(f->branch_targets[0][1], 2);
	assert_int_equal(f->branch_targets[0][2], 1);
	assert_int_equal(f->instrs[0].operands[1].kind, OPERAND_INT);
	assert_int_equal(f->instrs[0].operands[1].bits, 0);
	assert_int_equal(f->instrs[3].operands[1].bits, 1);
	assert_int_equal(f->branch_targets[1][0], 3);
	assert_int_equal(f->instrs[3].mods, MOD_UNI);
	ptx_free(m);
	refuse_statement("L: .branchtargets nowhere; brx.idx %r1, L;", "expected a name that is declared");
	refuse_statement("L: .branchtargets L; brx.idx %r1, L;", "expected a name that is declared");
}

static void range_names(void **state) {
	PtxModule *m = parse_kernel(".reg .b64 %x1<5>, plain, w<12>; mov.u64 %x13, 0; mov.u64 plain, w11;");
	const PtxFunction *f = kernel_of(m);
	assert_string_equal(register_name(f, f->instrs[0].operands[0].reg), "%x13");
	assert_string_equal(register_name(f, f->instrs[1].operands[1].reg), "w11");
	ptx_free(m);
	refuse_statement(".reg .b64 w<12>; mov.u64 w12, 0; ", "expected");
	refuse_statement(".reg .b32 a; .reg .b64 a;", "'a' is declared twice");
	refuse_statement(".reg .v4 .f32 a;", "vector registers are not supported");
	refuse_statement(".reg .b32 %q<4000000000>;", "expected at most 4194304 registers");
	refuse_statement(".reg .b32 %q<-1>;", "expected at most 4194304 registers");
	refuse_statement(".reg .b32 %q<5;", "expected '>'");
	refuse_statement(".reg %q;", "expected a type such as .b32");
	refuse_statement(".reg .bogus %q;", "expected a type such as .b32, found '.bogus'");
}

typedef struct {
	const char *text;
	size_t bytes;
	uint8_t init[24];
} InitCase;

static void initial_values(void **state) {
	static const InitCase cases[] = {
		{".b8 v[6] = {97, 0x62, -1};", 6, {97, 98, 255}},
		{".u32 v = 258;", 4, {2, 1}},
		{".s64 v = -2;", 8, {254, 255, 255, 255, 255, 255, 255, 255}},
		{".b16 v[2] = {0xABCD, 1};", 4, {0xCD, 0xAB, 1, 0}},
		{".f32 v[2] = {0f3F800000, 0d4000000000000000};", 8, {0, 0, 0x80, 0x3F, 0, 0, 0, 0x40}},
		{".f32 v = 1.5;", 4, {0, 0, 0xC0, 0x3F}},
		{".f32 v = -0f7FC00001;", 4, {1, 0, 0xC0, 0xFF}},
		{".f64 v = 0f3F800000;", 8, {0, 0, 0, 0, 0, 0, 0xF0, 0x3F}},
		{".f64 v = -2;", 8, {0, 0, 0, 0, 0, 0, 0, 0xC0}},
		{".b32 v = 0f3F800000;", 4, {0, 0, 0x80, 0x3F}},
		{".b8 v[2][3] = {{1, 2}, {3, 4, 5}};", 6, {1, 2, 0, 3, 4, 5}},
		{".b8 v[2][2][2] = {{{1}, {2}}, {{3, 4}}};", 8, {1, 0, 2, 0, 3, 4, 0, 0}},
		{".b8 v[2][3] = {{}, {7}};", 6, {0, 0, 0, 7}},
		{".u16 v[] = {1, 2, 3};", 6, {1, 0, 2, 0, 3, 0}},
		{".b8 v[] = \"abc\";", 3, "abc"},
		{".v2 .u16 v[2] = {{1, 2}, {3, 4}};", 8, {1, 0, 2, 0, 3, 0, 4, 0}},
		{".b8 v = {5};", 1, {5}},
		{".b128 v = 7;", 16, {7}},
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[200];
		snprintf(text, sizeof text, ".global .align 8 %s", cases[i].text);
		PtxModule *m = parse_module(text);
		const PtxVar *v = m->globals[0];
		if (v->bytes != cases[i].bytes || !v->init || memcmp(v->init, cases[i].init, v->bytes))
			fail_msg("wrong: %s", text);
		assert_int_equal(v->nrelocs, 0);
		ptx_free(m);
	}
	PtxModule *m = parse_module(".global .u32 a, b = 3; .const .f32 c; .global .texref t;");
	assert_null(m->globals[0]->init);
	assert_int_equal(m->globals[1]->init[0], 3);
	assert_int_equal(m->globals[2]->space, SPACE_CONST);
	assert_int_equal(m->globals[3]->bytes, 8);
	assert_int_equal(m->globals[3]->index, 3);
	ptx_free(m);
}

static void addresses_as_initial_values(void **state) {
	PtxModule *m = parse_module(
		".func f;\n.global .align 4 .b8 anchor[16];\n"
		".global .align 8 .u64 v[4] = {generic(anchor)+8, f, 5, anchor-4};\n"
		".global .align 1 .b8 packed[12] = {7, 0XFF(generic(anchor)+4), 0xFF00(generic(anchor)+4), "
		"0xFF0000(generic(anchor)+4), "
		"0xFF000000(generic(anchor)+4), 0xFF00000000(generic(anchor)+4), 0xFF0000000000(generic(anchor)+4), "
		"0xFF000000000000(generic(anchor)+4), 0xFF00000000000000(generic(anchor)+4), 9};\n");
	const PtxVar *anchor = m->globals[0], *v = m->globals[1], *packed = m->globals[2];
	assert_int_equal(v->nrelocs, 3);
	assert_ptr_equal(v->relocs[0].symbol, anchor);
	assert_true(v->relocs[0].generic && v->relocs[0].addend == 8 && v->relocs[0].offset == 0);
	assert_ptr_equal(v->relocs[1].function, m->functions[0]);
	assert_true(!v->relocs[1].generic && v->relocs[1].offset == 8);
	assert_true(v->relocs[2].addend == -4 && v->relocs[2].offset == 24);
	assert_int_equal(v->init[16], 5);
	assert_int_equal(packed->nrelocs, 1);
	assert_true(packed->relocs[0].offset == 1 && packed->relocs[0].generic && packed->relocs[0].addend == 4);
	assert_int_equal(packed->init[0], 7);
	assert_int_equal(packed->init[9], 9);
	ptx_free(m);
}

static void refused(void **state) {
	static const struct {
		const char *text, *words;
	} cases[] = {
		{".global .b8 x[1000000000000000000];", "expected an array of at most 64 GiB"},
		{".global .b64 x[9000000000];", "expected a variable of at most 64 GiB"},
		{".global .b8 x[100000][100000][100000];", "expected a variable of at most 64 GiB"},
		{".global .b8 x[-1];", "expected an array of at most 64 GiB"},
		{".global .b8 x[][60000000000][60000000000] = {1};", "expected a variable of at most 64 GiB"},
		{".global .b8 x[1][1][1][1][1][1][1][1][1];", "expected at most 8 array dimensions"},
		{".global .b8 x[68000000000] = {1};", "initialized variables of at most 64 MiB"},
		{".global .b8 x[2] = {1, 2, 3};", "more initial values than the variable 'x' has room for"},
		{".global .b8 x[2][2] = {{1, 2, 3}};", "more initial values"},
		{".global .b8 x[2] = {{1}, {{2}}};", "expected a value, not another list"},
		{".global .b8 x = ;", "expected a number"},
		{".global .b8 x[2] = {1 2};", "expected ',' or '}'"},
		{".global .b8 x[2] = {1, };", "expected a number"},
		{".global .u64 x = nowhere;", "expected a variable or function declared before"},
		{".global .u64 x = generic(nowhere);", "expected a variable or function declared before"},
		{".global .u32 a; .global .u32 x = a;", "expected a 64-bit variable to hold an address"},
		{".global .u32 a; .global .b8 x[8] = {0xFF00(a)};", "expected the eight bytes of a masked address in order"},
		{".global .u32 a; .global .b8 x[8] = {0xFF(a), 5};", "expected the eight bytes of a masked address in order"},
		{".global .u32 a; .global .b8 x[8] = {0xFF(a), 0xFF00(a)};", "expected the eight bytes of a masked address"},
		{".global .u32 a, b; .global .b8 x[8] = {0xFF(a), 0xFF00(b)};", "expected the eight bytes of a masked address"},
		{".global .u32 a; .global .b8 x[8] = {0xF0(a)};", "expected a mask of one byte"},
		{".global .u32 a; .global .b8 x[8] = {0(a)};", "expected a mask of one byte"},
		{".global .u32 a; .global .b8 x[7] = {0xFF(a)};", "more initial values"},
		{".global .u32 a; .global .u64 x[8] = {0xFF(a)};", "expected a variable of bytes around a masked address"},
		{".global .u32 x = \"abcd\";", "expected a variable of bytes for a string"},
		{".global .u32 a; .global .f32 a;", "'a' is declared twice"},
		{".global .align 3 .u32 a;", "expected an alignment that is a power of two"},
		{".global .align 0 .u32 a;", "expected an alignment that is a power of two"},
		{".global .u32;", "expected a variable's name"},
		{".global .u32 a", "expected ';'"},
		{".local .u32 a;", "expected a directive"},
		{".func f(.param .b32 a, .param .b32 a) { ret; }", "two parameters are called 'a'"},
		{".func f(.reg .b32 a);", "expected .param"},
		{".func f(.param .b32 a", "expected ',' or ')'"},
		{".func f { ret; } .func f { ret; }", "the function 'f' is defined twice"},
		{".global .u32 f; .func f;", "expected a name that is not a variable's"},
		{".func f { ret;", "expected '}' at the end of the function"},
		{".func f } ", "expected '{' or ';'"},
		{".entry f() .maxntid 70000, 70000 { ret; }", "expected a smaller number of threads"},
		{".entry f() .attribute( ", "expected the end of a directive"},
		{".version x", "expected a version such as 8.7"},
		{".target 75", "expected a target such as sm_90"},
		{".address_size 32", "expected an address size of 64, found 32"},
		{".file 0 \"x\"", "expected a file number from 1"},
		{".file 4000000000 \"x\"", "expected a file number"},
		{".file 1 x", "expected a file name in quotes"},
		{".section .debug_info {", "'}' at the end of the section"},
		{".section 5", "expected a section's name"},
		{"add.s32 %r1, %r1, %r1;", "expected a directive"},
		{"}", "expected a directive"},
	};
	for (size_t i = 0; i < COUNT(cases); i++) refuse_module(cases[i].text, cases[i].words);
	refuse("", 1, "expected .version, with which PTX begins, found the end of the text");
	refuse("ELF", 1, "expected .version");
	refuse_statement(".local .b8 a[40000000000]; .local .b8 b[40000000000];", "variables of at most 64 GiB together");
}

static void errors_show_the_place(void **state) {
	Err err = ERR_INIT;
	const char *text = ".version 8.0\n\t.globl x;\n";
	assert_null(ptx_parse(text, strlen(text), &err));
	assert_string_equal(
		err.what, "PTX line 2: expected a directive (.func, .entry, .global, .const, .shared ...), found '.globl'\n"
				  "     .globl x;\n"
				  "      ^");
	assert_string_equal(err.where, "PTX:2");
	assert_null(ptx_parse(text, strlen(text), NULL));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(header_lines),
		cmocka_unit_test(function_headers),
		cmocka_unit_test(a_declaration_and_its_body_are_one_function),
		cmocka_unit_test(aliases),
		cmocka_unit_test(parameters_lie_as_the_abi_says),
		cmocka_unit_test(frames),
		cmocka_unit_test(calls),
		cmocka_unit_test(inner_names_hide_outer_ones),
		cmocka_unit_test(labels_belong_to_their_block),
		cmocka_unit_test(branch_tables),
		cmocka_unit_test(range_names),
		cmocka_unit_test(initial_values),
		cmocka_unit_test(addresses_as_initial_values),
		cmocka_unit_test(refused),
		cmocka_unit_test(errors_show_the_place),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
