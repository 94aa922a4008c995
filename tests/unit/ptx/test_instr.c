/* Instructions: guards, every form of operand, modifiers, and what is refused. */
#include "base/str.h"
#include "check.h"
#include "ptx/names.h"

static const PtxInstr *first(const PtxModule *m) {
	const PtxFunction *f = kernel_of(m);
	assert_true(f->ninstrs > 0);
	return &f->instrs[0];
}

static void registers_and_guards(void **state) {
	PtxModule *m = parse_kernel("@!%p3 add.s32 \t%r1, /* sum */ %r2,\n  %r1;");
	const PtxFunction *f = kernel_of(m);
	const PtxInstr *in = first(m);
	assert_int_equal(in->op, OP_ADD);
	assert_true(in->guarded && in->guard_negated);
	assert_string_equal(register_name(f, in->guard), "%p3");
	assert_int_equal(f->regs[in->guard].type, T_PRED);
	assert_int_equal(in->noperands, 3);
	assert_int_equal(in->operands[0].kind, OPERAND_REG);
	assert_string_equal(register_name(f, in->operands[0].reg), "%r1");
	assert_string_equal(register_name(f, in->operands[1].reg), "%r2");
	assert_int_equal(in->operands[2].reg, in->operands[0].reg);
	assert_int_equal(f->regs[in->operands[0].reg].type, T_B32);
	assert_string_equal(in->text, "@!%p3 add.s32 %r1, %r2, %r1");
	assert_int_equal(in->text_line, 12);
	assert_int_equal(f->nregs, 3); /* only what is used */
	ptx_free(m);
}

static void immediates(void **state) {
	static const struct {
		const char *text;
		PtxOperandKind kind;
		uint64_t bits;
		bool is_f32;
	} cases[] = {
		{"12", OPERAND_INT, 12, false},
		{"-1", OPERAND_INT, UINT64_MAX, false},
		{"-2147483648", OPERAND_INT, (uint64_t)INT32_MIN, false},
		{"-9223372036854775808", OPERAND_INT, 1ull << 63, false},
		{"0xFFFFFFFF", OPERAND_INT, 0xFFFFFFFF, false},
		{"0b11", OPERAND_INT, 3, false},
		{"017", OPERAND_INT, 15, false},
		{"7U", OPERAND_INT, 7, false},
		{"WARP_SZ", OPERAND_INT, 32, false},
		{"WARP_SZ - 1", OPERAND_INT, 31, false},
		{"+8", OPERAND_INT, 8, false},
		{"8+4", OPERAND_INT, 12, false},
		{"8-4-2", OPERAND_INT, 2, false},
		{"8-(4-2)", OPERAND_INT, 6, false},
		{"(2+3)*4", OPERAND_INT, 20, false},
		{"2+3*4", OPERAND_INT, 14, false},
		{"8|4+16", OPERAND_INT, 28, false},
		{"49|52", OPERAND_INT, 53, false},
		{"12&10^1", OPERAND_INT, 9, false},
		{"1<<40", OPERAND_INT, 1ull << 40, false},
		{"1<<2+1", OPERAND_INT, 8, false},
		{"-8>>1", OPERAND_INT, (uint64_t)-4, false},
		{"-8U>>60", OPERAND_INT, 15, false},
		{"-7/2", OPERAND_INT, (uint64_t)-3, false},
		{"-7 % 4", OPERAND_INT, (uint64_t)-3, false},
		{"-7U % 4", OPERAND_INT, 1, false},
		{"-9223372036854775808 / -1", OPERAND_INT, 0, false}, /* the literal is unsigned */
		{"(-9223372036854775807 - 1) / -1", OPERAND_INT, 1ull << 63, false},
		{"-1 < 0", OPERAND_INT, 1, false},
		{"-1 < 0U", OPERAND_INT, 0, false},
		{"8==8", OPERAND_INT, 1, false},
		{"3 >= 4 || 2 != 2", OPERAND_INT, 0, false},
		{"1 && 2", OPERAND_INT, 1, false},
		{"1 ? 2 : 3", OPERAND_INT, 2, false},
		{"0 ? 2 : 0 ? 3 : 4", OPERAND_INT, 4, false},
		{"~7", OPERAND_INT, (uint64_t)-8, false},
		{"!5", OPERAND_INT, 0, false},
		{"-+-3", OPERAND_INT, 3, false},
		{"0fBF800000", OPERAND_FLOAT, 0xBF800000, true},
		{"-0f3F800000", OPERAND_FLOAT, 0xBF800000, true},
		{"0d4000000000000000", OPERAND_FLOAT, 0x4000000000000000, false},
		{"-1.5", OPERAND_FLOAT, 0xBFF8000000000000, false},
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[80];
		snprintf(text, sizeof text, "mov.b32 %%r1, %s;", cases[i].text);
		PtxModule *m = parse_kernel(text);
		const PtxOperand *o = &first(m)->operands[1];
		assert_int_equal(o->kind, cases[i].kind);
		if (o->bits != cases[i].bits) fail_msg("%s: %llx", cases[i].text, (unsigned long long)o->bits);
		assert_int_equal(o->is_f32, cases[i].is_f32);
		ptx_free(m);
	}
}

static void specials(void **state) {
	static const struct {
		const char *text;
		PtxSpecial special;
	} cases[] = {{"%tid.x", SR_TID},
				 {"%tid.z", SR_TID + 2},
				 {"%ntid.y", SR_NTID + 1},
				 {"%ctaid.x", SR_CTAID},
				 {"%nctaid.z", SR_NCTAID + 2},
				 {"%tid.w", SR_OTHER},
				 {"%laneid", SR_LANEID},
				 {"%warpid", SR_WARPID},
				 {"%smid", SR_SMID},
				 {"%lanemask_lt", SR_LANEMASK_LT},
				 {"%clock", SR_CLOCK},
				 {"%clock64", SR_CLOCK64},
				 {"%globaltimer_lo", SR_GLOBALTIMER_LO},
				 {"%dynamic_smem_size", SR_DYNAMIC_SMEM_SIZE},
				 {"%total_smem_size", SR_TOTAL_SMEM_SIZE},
				 {"%envreg1", SR_ENVREG1},
				 {"%envreg2", SR_ENVREG2},
				 {"%clusterid.y", SR_CLUSTERID + 1},
				 {"%nclusterid.z", SR_NCLUSTERID + 2},
				 {"%cluster_ctaid.x", SR_CLUSTER_CTAID},
				 {"%cluster_ctaid.w", SR_OTHER},
				 {"%cluster_nctaid.z", SR_CLUSTER_NCTAID + 2},
				 {"%cluster_ctarank", SR_CLUSTER_CTARANK},
				 {"%cluster_nctarank", SR_CLUSTER_NCTARANK},
				 {"%is_explicit_cluster", SR_OTHER},
				 {"%envreg3", SR_OTHER},
				 {"%envreg12", SR_OTHER},
				 {"%reserved_smem_offset_1", SR_RESERVED_1},
				 {"%reserved_smem_offset_0", SR_RESERVED_0},
				 {"%reserved_smem_offset_begin", SR_RESERVED_BEGIN},
				 {"%reserved_smem_offset_end", SR_RESERVED_END},
				 {"%reserved_smem_offset_cap", SR_RESERVED_CAP},
				 {"%pm0", SR_OTHER}};
	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[80];
		snprintf(text, sizeof text, "mov.u32 %%r1, %s;", cases[i].text);
		PtxModule *m = parse_kernel(text);
		assert_int_equal(first(m)->operands[1].kind, OPERAND_SPECIAL);
		assert_int_equal(first(m)->operands[1].special, cases[i].special);
		ptx_free(m);
	}
}

static void addresses(void **state) {
	PtxModule *m = parse_kernel("ld.param.u64 %rd1, [param_0];"
								"ld.param.b8 %rs1, [param_2+5];"
								"ld.global.u32 %r1, [%rd1];"
								"ld.global.u32 %r1, [%rd1+16];"
								"ld.global.u32 %r1, [%rd1+-4];"
								"ld.global.u32 %r1, [%rd1-4];"
								"ld.global.u32 %r1, [%rd1 + 8 + -24];"
								"ld.shared.u32 %r1, [1024];"
								"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];"
								"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
								"[%r1], [%rd1, {%r2, %r3}], [%r4];");
	const PtxFunction *f = kernel_of(m);
	const PtxOperand *o = &f->instrs[0].operands[1];
	assert_int_equal(o->kind, OPERAND_ADDRESS);
	assert_ptr_equal(o->symbol, f->params[0]);
	assert_false(o->has_base);
	assert_int_equal(f->instrs[1].operands[1].offset, 5);
	static const int offsets[] = {0, 16, -4, -4, -16};
	for (size_t i = 0; i < COUNT(offsets); i++) {
		o = &f->instrs[2 + i].operands[1];
		assert_true(o->has_base && !o->symbol);
		assert_string_equal(register_name(f, o->reg), "%rd1");
		assert_int_equal(o->offset, offsets[i]);
	}
	o = &f->instrs[7].operands[1];
	assert_true(!o->has_base && !o->symbol && o->offset == 1024);
	o = &f->instrs[8].operands[1];
	assert_true(o->has_base);
	assert_int_equal(o->nitems, 1);
	assert_int_equal(o->items[0].kind, OPERAND_VECTOR);
	assert_string_equal(register_name(f, o->items[0].items[1].reg), "%f6");
	assert_int_equal(f->instrs[9].noperands, 3);
	assert_int_equal(f->instrs[9].operands[1].items[0].nitems, 2);
	ptx_free(m);
}

static void vectors_pairs_and_sinks(void **state) {
	PtxModule *m = parse_kernel("ld.global.v4.f32 {%f1, _, %f3, %f4}, [%rd1];"
								"shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1;"
								"setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;"
								"atom.global.add.u32 _, [%rd1], %r1;"
								"shfl.sync.idx.b32 _|%p1, %r2, 1, 31, -1;"
								"mov.b64 %rd1, {%r1, -5};"
								"st.global.v2.b32 [%rd1], {0f3F800000, %r1};"
								"mov.b64 {%r1, %r2}, %rd1;");
	const PtxFunction *f = kernel_of(m);
	const PtxInstr *in = f->instrs;
	assert_int_equal(in[0].vector, 4);
	assert_int_equal(in[0].operands[0].kind, OPERAND_VECTOR);
	assert_int_equal(in[0].operands[0].nitems, 4);
	assert_int_equal(in[0].operands[0].items[1].kind, OPERAND_SINK);
	assert_string_equal(register_name(f, in[0].operands[0].items[3].reg), "%f4");
	assert_true(in[1].operands[0].has_pair);
	assert_string_equal(register_name(f, in[1].operands[0].pair), "%p1");
	assert_true(in[2].operands[3].negated && in[2].combine == BOOL_AND);
	assert_string_equal(register_name(f, in[2].operands[0].pair), "%p2");
	assert_int_equal(in[3].operands[0].kind, OPERAND_SINK);
	assert_true(in[4].operands[0].kind == OPERAND_SINK && in[4].operands[0].has_pair);
	assert_true(in[5].operands[1].items[1].bits == (uint64_t)-5);
	assert_true(in[6].operands[1].items[0].is_f32);
	assert_int_equal(in[7].operands[0].nitems, 2);
	assert_int_equal(in[7].vector, 1);
	ptx_free(m);
}

static void symbols_and_labels(void **state) {
	PtxModule *m = parse_module(".global .align 4 .b8 table[64];\n.func f;\n" KERNEL_HEAD "top: mov.u64 %rd1, table+8;"
								"mov.u64 %rd2, f; mov.u64 %rd3, k; @%p1 bra.uni end; bra top; end: }");
	const PtxFunction *f = kernel_of(m);
	const PtxOperand *o = &f->instrs[0].operands[1];
	assert_int_equal(o->kind, OPERAND_SYMBOL);
	assert_ptr_equal(o->symbol, m->globals[0]);
	assert_int_equal(o->offset, 8);
	assert_int_equal(f->instrs[1].operands[1].kind, OPERAND_FUNCTION);
	assert_ptr_equal(f->instrs[1].operands[1].function, ptx_function(m, "f"));
	assert_ptr_equal(f->instrs[2].operands[1].function, f);
	assert_int_equal(f->instrs[3].operands[0].kind, OPERAND_LABEL);
	assert_int_equal(f->instrs[3].operands[0].target, f->ninstrs);
	assert_true(f->instrs[3].mods & MOD_UNI);
	assert_int_equal(f->instrs[4].operands[0].target, 0);
	ptx_free(m);
}

typedef struct {
	const char *text;
	PtxInstr want;
	int ntypes;
} ModifierCase;

static void modifiers(void **state) {
	static const ModifierCase cases[] = {
		{"add.rn.ftz.sat.f32 %f1, %f1, %f2;",
		 {.op = OP_ADD, .types = {T_F32}, .round = ROUND_RN, .mods = MOD_FTZ | MOD_SAT},
		 1},
		{"cvt.rzi.s32.f32 %r1, %f1;", {.op = OP_CVT, .types = {T_S32, T_F32}, .round = ROUND_RZI}, 2},
		{"mul.lo.s32 %r1, %r1, %r2;", {.op = OP_MUL, .types = {T_S32}, .compare = CMP_LO}, 1},
		{"mul.hi.u32 %r1, %r1, %r2;", {.op = OP_MUL, .types = {T_U32}, .compare = CMP_HI, .mods = MOD_HI}, 1},
		{"mul.wide.s32 %rd1, %r1, %r2;", {.op = OP_MUL, .types = {T_S32}, .mods = MOD_WIDE}, 1},
		{"mad.lo.cc.u32 %r1, %r1, %r2, %r3;", {.op = OP_MAD, .types = {T_U32}, .compare = CMP_LO, .mods = MOD_CC}, 1},
		{"setp.lo.u32 %p1, %r1, %r2;", {.op = OP_SETP, .types = {T_U32}, .compare = CMP_LO}, 1},
		{"setp.hi.u32 %p1, %r1, %r2;", {.op = OP_SETP, .types = {T_U32}, .compare = CMP_HI, .mods = MOD_HI}, 1},
		{"setp.nan.f32 %p1, %f1, %f2;", {.op = OP_SETP, .types = {T_F32}, .compare = CMP_NAN}, 1},
		{"setp.geu.or.ftz.f32 %p1, %f1, %f2, %p2;",
		 {.op = OP_SETP, .types = {T_F32}, .compare = CMP_GEU, .combine = BOOL_OR, .atomic = ATOM_OR, .mods = MOD_FTZ},
		 1},
		{"set.eq.xor.u32.s32 %r1, %r2, %r3, %p1;",
		 {.op = OP_SET, .types = {T_U32, T_S32}, .compare = CMP_EQ, .combine = BOOL_XOR, .atomic = ATOM_XOR},
		 2},
		{"min.NaN.f32 %f1, %f2, %f3;", {.op = OP_MIN, .types = {T_F32}, .mods = MOD_NAN}, 1},
		{"xor.b64  %rd1, %rd2, 4;", {.op = OP_XOR, .types = {T_B64}}, 1},
		{"ld.volatile.global.u32 %r1, [%rd1];",
		 {.op = OP_LD, .types = {T_U32}, .space = SPACE_GLOBAL, .sem = SEM_VOLATILE},
		 1},
		{"ld.relaxed.gpu.global.u32 %r1, [%rd1];",
		 {.op = OP_LD, .types = {T_U32}, .space = SPACE_GLOBAL, .sem = SEM_RELAXED, .scope = SCOPE_GPU},
		 1},
		{"ld.global.nc.L1::no_allocate.L2::128B.v2.f32 {%f1, %f2}, [%rd1];",
		 {.op = OP_LD, .types = {T_F32}, .space = SPACE_GLOBAL, .cache = CACHE_NC, .vector = 2},
		 1},
		{"ld.shared::cta.u32 %r1, [%rd1];", {.op = OP_LD, .types = {T_U32}, .space = SPACE_SHARED}, 1},
		{"ld.u32 %r1, [%rd1];", {.op = OP_LD, .types = {T_U32}, .space = SPACE_GENERIC}, 1},
		{"st.global.cs.u32 [%rd1], %r1;", {.op = OP_ST, .types = {T_U32}, .space = SPACE_GLOBAL, .cache = CACHE_CS}, 1},
		{"cvta.to.global.u64 %rd1, %rd2;", {.op = OP_CVTA, .types = {T_U64}, .space = SPACE_GLOBAL, .mods = MOD_TO}, 1},
		{"cvta.shared.u64 %rd1, %rd2;", {.op = OP_CVTA, .types = {T_U64}, .space = SPACE_SHARED}, 1},
		{"isspacep.local %p1, %rd2;", {.op = OP_ISSPACEP, .space = SPACE_LOCAL}, 0},
		{"atom.acq_rel.sys.global.cas.b32 %r1, [%rd1], %r2, %r3;",
		 {.op = OP_ATOM,
		  .types = {T_B32},
		  .space = SPACE_GLOBAL,
		  .atomic = ATOM_CAS,
		  .sem = SEM_ACQ_REL,
		  .scope = SCOPE_SYS},
		 1},
		{"atom.shared.and.b32 %r1, [%rd1], %r2;",
		 {.op = OP_ATOM, .types = {T_B32}, .space = SPACE_SHARED, .combine = BOOL_AND, .atomic = ATOM_AND},
		 1},
		{"red.global.add.noftz.f16x2 [%rd1], %r1;",
		 {.op = OP_RED, .types = {T_F16X2}, .space = SPACE_GLOBAL, .atomic = ATOM_ADD},
		 1},
		{"redux.sync.max.s32 %r1, %r2, -1;",
		 {.op = OP_REDUX, .types = {T_S32}, .atomic = ATOM_MAX, .mods = MOD_SYNC},
		 1},
		{"shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;",
		 {.op = OP_SHFL, .types = {T_B32}, .shuffle = SHFL_BFLY, .mods = MOD_SYNC},
		 1},
		{"vote.sync.ballot.b32 %r1, %p1, -1;",
		 {.op = OP_VOTE, .types = {T_B32}, .vote = VOTE_BALLOT, .mods = MOD_SYNC},
		 1},
		{"vote.sync.uni.pred %p1, %p2, -1;",
		 {.op = OP_VOTE, .types = {T_PRED}, .vote = VOTE_UNI, .mods = MOD_SYNC | MOD_UNI},
		 1},
		{"match.any.sync.b32 %r1, %r2, -1;", {.op = OP_MATCH, .types = {T_B32}, .vote = VOTE_ANY, .mods = MOD_SYNC}, 1},
		{"bar.sync 0;", {.op = OP_BAR, .mods = MOD_SYNC}, 0},
		{"bar.warp.sync -1;", {.op = OP_BAR, .mods = MOD_SYNC | MOD_WARP}, 0},
		{"barrier.sync.aligned 0;", {.op = OP_BARRIER, .mods = MOD_SYNC | MOD_ALIGNED}, 0},
		{"bar.red.popc.u32 %r1, 0, %p1;", {.op = OP_BAR, .types = {T_U32}, .mods = MOD_RED}, 1},
		{"barrier.cta.red.and.pred %p2, 0, %p1;",
		 {.op = OP_BARRIER,
		  .types = {T_PRED},
		  .scope = SCOPE_CTA,
		  .combine = BOOL_AND,
		  .atomic = ATOM_AND,
		  .mods = MOD_RED},
		 1},
		{"barrier.cluster.arrive.release.aligned;",
		 {.op = OP_BARRIER, .scope = SCOPE_CLUSTER, .sem = SEM_RELEASE, .mods = MOD_ARRIVE | MOD_ALIGNED},
		 0},
		{"membar.gl;", {.op = OP_MEMBAR, .scope = SCOPE_GPU}, 0},
		{"fence.sc.cta;", {.op = OP_FENCE, .sem = SEM_SC, .scope = SCOPE_CTA}, 0},
		{"shf.l.wrap.b32 %r1, %r2, %r3, 5;", {.op = OP_SHF, .types = {T_B32}}, 1},
		{"shf.r.clamp.b32 %r1, %r2, %r3, 5;", {.op = OP_SHF, .types = {T_B32}}, 1},
		{"bfind.shiftamt.u32 %r1, %r2;", {.op = OP_BFIND, .types = {T_U32}}, 1},
		{"div.full.ftz.f32 %f1, %f2, %f3;", {.op = OP_DIV, .types = {T_F32}, .mods = MOD_FULL | MOD_FTZ}, 1},
		{"rcp.approx.ftz.f64 %fd1, %fd2;", {.op = OP_RCP, .types = {T_F64}, .mods = MOD_APPROX | MOD_FTZ}, 1},
		{"fma.rn.relu.bf16x2 %r1, %r2, %r3, %r4;",
		 {.op = OP_FMA, .types = {T_BF16X2}, .round = ROUND_RN, .mods = MOD_RELU},
		 1},
		{"dp4a.u32.s32 %r1, %r2, %r3, %r4;", {.op = OP_DP4A, .types = {T_U32, T_S32}}, 2},
		{"cp.async.ca.shared.global [%r1], [%rd1], 4;", {.op = OP_CP, .space = SPACE_SHARED, .cache = CACHE_CA}, 0},
		{"cvt.rn.satfinite.e4m3x2.f32 %rs1, %f1, %f2;",
		 {.op = OP_CVT, .types = {T_E4M3X2, T_F32}, .round = ROUND_RN, .mods = MOD_SATFINITE},
		 2},
		{"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f2}, {%r1}, {%r2}, {%f1, %f2};",
		 {.op = OP_MMA,
		  .types = {T_F32, T_TF32, T_TF32, T_F32},
		  .shape = PTX_SHAPE(16, 8, 8),
		  .mods = MOD_SYNC | MOD_ALIGNED | MOD_COL},
		 4},
		{"ld.shared::cluster.u32 %r1, [%r2];",
		 {.op = OP_LD, .types = {T_U32}, .space = SPACE_SHARED, .mods = MOD_SHARED_CLUSTER},
		 1},
		{"vabsdiff4.u32.u32.u32.add %r1, %r2, %r3, %r4;",
		 {.op = OP_VABSDIFF4, .types = {T_U32, T_U32, T_U32}, .atomic = ATOM_ADD},
		 3},
		{"vadd.u32.u32.u32 %r1, %r2.b0, %r3.h1;",
		 {.op = OP_UNKNOWN, .types = {T_U32, T_U32, T_U32}, .unknown = true},
		 3},
		{"prefetch.global.L2 [%rd1];", {.op = OP_PREFETCH, .space = SPACE_GLOBAL}, 0},
		{"frobnicate.rn.f32 %f1, %f2;", {.op = OP_UNKNOWN, .types = {T_F32}, .round = ROUND_RN}, 1},
		{"ex2.approx.ftz.f32 %f1, %f2;", {.op = OP_EX2, .types = {T_F32}, .mods = MOD_APPROX | MOD_FTZ}, 1},
		{"ret.uni;", {.op = OP_RET, .vote = VOTE_UNI, .mods = MOD_UNI}, 0},
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		PtxModule *m = parse_kernel(cases[i].text);
		const PtxInstr *got = first(m), *want = &cases[i].want;
		bool same = got->op == want->op && got->ntypes == cases[i].ntypes && got->space == want->space &&
					got->compare == want->compare && got->combine == want->combine && got->round == want->round &&
					got->atomic == want->atomic && got->shuffle == want->shuffle && got->vote == want->vote &&
					got->scope == want->scope && got->sem == want->sem && got->cache == want->cache &&
					got->mods == want->mods && got->shape == want->shape && got->unknown == want->unknown &&
					got->vector == (want->vector ? want->vector : 1) &&
					memcmp(got->types, want->types, sizeof got->types) == 0;
		if (!same) fail_msg("wrong reading of %s (modifiers %x)", cases[i].text, got->mods);
		assert_int_equal(strlen(got->text) + 1, strlen(cases[i].text) - (strstr(cases[i].text, "  ") != NULL));
		ptx_free(m);
	}
}

/* Instructions of one name have one number, whatever blanks and comments are in it. */
static void forms_are_numbered(void **state) {
	PtxModule *m = parse_kernel("prmt.b32.rc16 %r1, %r2, %r3, %r4; add.u32 %r1, %r2, %r3;"
								"@%p1 prmt /* of */ .b32 .rc16 %r4, %r3, %r2, %r1; frobnicate.x %r1;");
	const PtxInstr *in = first(m);
	assert_string_equal(m->forms[in[0].form], "prmt.b32.rc16");
	assert_string_equal(m->forms[in[1].form], "add.u32");
	assert_int_equal(in[2].form, in[0].form);
	assert_string_equal(m->forms[in[3].form], "frobnicate.x");
	assert_true(m->nforms >= 3);
	ptx_free(m);
}

static void every_opcode_is_found(void **state) {
	for (PtxOp op = OP_UNKNOWN + 1; op < OP_COUNT; op++) {
		char text[80];
		if (op == OP_BRA || op == OP_BRX || op == OP_CALL) continue; /* those need their operands */
		Str operands = {0};
		for (uint32_t i = 0; i < ptx_op_operands(op).least; i++) str_add(&operands, i ? ", %r1" : " %r1");
		snprintf(text, sizeof text, "%s%s;", ptx_op_name(op), operands.text ? operands.text : "");
		str_free(&operands);
		PtxModule *m = parse_kernel(text);
		if (first(m)->op != op) fail_msg("%s is not found: is ops.def in alphabetical order?", ptx_op_name(op));
		ptx_free(m);
	}
}

static void names_and_sizes(void **state) {
	assert_string_equal(ptx_op_name(OP_FMA), "fma");
	assert_string_equal(ptx_op_name(OP_UNKNOWN), "unknown");
	assert_int_equal(ptx_op_cost(OP_FMA), COST_FP32);
	assert_int_equal(ptx_op_cost(OP_UNKNOWN), COST_NONE);
	assert_string_equal(ptx_type_name(T_BF16X2), "bf16x2");
	assert_int_equal(ptx_type_bytes(T_BF16X2), 4);
	assert_int_equal(ptx_type_bytes(T_B128), 16);
	assert_int_equal(ptx_type_bytes(T_PRED), 1);
	assert_string_equal(ptx_space_name(SPACE_SHARED), "shared");
	assert_string_equal(ptx_space_name(SPACE_GENERIC), "generic");
}

static void refused(void **state) {
	static const struct {
		const char *text, *words;
	} cases[] = {
		{"add.s32 %r1, %r2 %r3;", "expected ',' or ';'"},
		{"add.s32 %r1, , %r3;", "expected an operand, found ','"},
		{"add.s32 %r1, %r99, %r3;", "expected a register that is declared, found '%r99'"},
		{"add.s32 %r1, %nonsense, %r3;", "expected a register that is declared"},
		{"add.s32 %r1, %r, %r3;", "expected a register that is declared"},
		{"mov.u64 %rd1, nowhere;", "expected a name that is declared, found 'nowhere'"},
		{"bra nowhere;", "expected a name that is declared"},
		{"bra %r1;", "expected a branch to a label"},
		{"bra;", "expected a branch to a label"},
		{"brx.idx %r1, 5;", "expected a branch to a label"},
		{"@%r1 bra x; x:", "expected a predicate that is declared"},
		{"@5 bra x; x:", "expected a predicate after '@'"},
		{"@%p1 ;", "expected an instruction"},
		{"ld.u32 %r1, [nowhere];", "a variable that is declared"},
		{"ld.u32 %r1, [%rd1;", "expected ']'"},
		{"ld.u32 %r1, [];", "expected an operand"},
		{"mad24.shared.u32 %r1, [%rd1+124];", "mad24 takes 4 operands (d a b c), 2 given"},
		{"add.u32 %r1, %r1, %r1, %r1;", "add takes 3 operands (d a b), 4 given"},
		{"setp.eq.u32 %p1, %r1;", "setp takes 3 to 4 operands (p a b p?), 2 given"},
		{"mma.sync %r1, %r1;", "mma takes at least 4 operands (d a b c *), 2 given"},
		{"ret %r1;", "ret takes no operands, 1 given"},
		{"nanosleep.u32;", "nanosleep takes 1 operand (a), 0 given"},
		{"ld.u32 %r1, [%rd1+%rd2];", "expected an integer"},
		{"ld.v2.u32 {%r1, %r2, [%rd1];", "expected an operand"},
		{"ld.v2.u32 {{%r1}, %r2}, [%rd1];", "expected an operand"},
		{"ld.v2.u32 {%r1 %r2}, [%rd1];", "expected ',' or '}'"},
		{"mov.u32 %r1, -;", "expected an integer"},
		{"mov.u32 %r1, (5;", "expected ')'"},
		{"mov.u32 %r1, 1 ? 2;", "expected ':'"},
		{"mov.u32 %r1, 5 +;", "expected an integer"},
		{"mov.u32 %r1, 5 + 1.5;", "expected an integer"},
		{"mov.u32 %r1, 5 / (2 - 2);", "a constant is divided by zero"},
		{"mov.u32 %r1, 5 % 0;", "a constant is divided by zero"},
		{"mov.u32 %r1, ((((((((((((((((((((((((((((((((((5;", "expected at most 32 nested signs and parentheses"},
		{"mov.u32 %r1, %tid.q;", "expected .x, .y or .z"},
		{"mov.u32 %r1, 99999999999999999999;", "an integer that does not fit"},
		{"mov.u32 %r1, 0f12;", "a float's bits"},
		{"setp.lt.s32 %p1|3, %r1, %r2;", "expected a register after '|'"},
		{"call nowhere;", "expected a call of a function that is declared"},
		{"call (%r1);", "expected a call of a function"},
		{"call;", "expected a call of a function"},
		{"5;", "expected an instruction"},
		{"\"text\";", "expected an instruction"},
		{".nonsense;", "expected an instruction or a directive"},
		{"x: ret; x: ret;", "expected a label that is not used yet"},
	};
	for (size_t i = 0; i < COUNT(cases); i++) refuse_statement(cases[i].text, cases[i].words);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_and_guards),
		cmocka_unit_test(immediates),
		cmocka_unit_test(specials),
		cmocka_unit_test(addresses),
		cmocka_unit_test(vectors_pairs_and_sinks),
		cmocka_unit_test(symbols_and_labels),
		cmocka_unit_test(modifiers),
		cmocka_unit_test(forms_are_numbered),
		cmocka_unit_test(every_opcode_is_found),
		cmocka_unit_test(names_and_sizes),
		cmocka_unit_test(refused),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
