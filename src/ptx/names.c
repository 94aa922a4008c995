/* The tables behind names.h and the naming functions of module.h. */
#include "ptx/names.h"

#include <string.h>

typedef struct {
	const char *mnemonic, *operands, *help;
	PtxOp op;
	PtxCost cost;
} OpRow;

/* In the order of ops.def, which is alphabetical (a test checks it): row i describes PtxOp i + 1. */
static const OpRow op_rows[] = {
#define OP(id, mnemonic, operands, cost, help) {mnemonic, operands, help, OP_##id, cost},
#include "ptx/ops.def"
#undef OP
};

typedef struct {
	const char *name;
	uint8_t bytes;
} TypeRow;

static const TypeRow type_rows[] = {
	[T_NONE] = {"", 0},         [T_PRED] = {"pred", 1},   [T_B8] = {"b8", 1},         [T_B16] = {"b16", 2},
	[T_B32] = {"b32", 4},       [T_B64] = {"b64", 8},     [T_B128] = {"b128", 16},    [T_U8] = {"u8", 1},
	[T_U16] = {"u16", 2},       [T_U32] = {"u32", 4},     [T_U64] = {"u64", 8},       [T_S8] = {"s8", 1},
	[T_S16] = {"s16", 2},       [T_S32] = {"s32", 4},     [T_S64] = {"s64", 8},       [T_F16] = {"f16", 2},
	[T_BF16] = {"bf16", 2},     [T_F16X2] = {"f16x2", 4}, [T_BF16X2] = {"bf16x2", 4}, [T_TF32] = {"tf32", 4},
	[T_F32] = {"f32", 4},       [T_F64] = {"f64", 8},     [T_B1] = {"b1", 0},         [T_U2] = {"u2", 0},
	[T_S2] = {"s2", 0},         [T_U4] = {"u4", 0},       [T_S4] = {"s4", 0},         [T_U16X2] = {"u16x2", 0},
	[T_S16X2] = {"s16x2", 0},   [T_E4M3] = {"e4m3", 0},   [T_E5M2] = {"e5m2", 0},     [T_E4M3X2] = {"e4m3x2", 0},
	[T_E5M2X2] = {"e5m2x2", 0}, [T_OTHER] = {"other", 0},
};

static const char *const other_types[] = {
	"b4",     "b6",        "f32x2",     "e3m2",    "e2m3",   "e2m1",  "e3m2x2", "e2m3x2",     "e2m1x2",
	"e4m3x4", "e5m2x4",    "e3m2x4",    "e2m3x4",  "e2m1x4", "ue4m3", "ue8m0",  "ue8m0x2",    "ue4m3x2",
	"b4x16",  "b4x16_p64", "b6x16_p32", "b6p2x16", "u8x4",   "s8x4",  "texref", "samplerref", "surfref",
};

typedef struct {
	const char *name;
	PtxSpecial special;
} SpecialRow;

static const SpecialRow special_rows[] = {
	{"%tid", SR_TID},
	{"%ntid", SR_NTID},
	{"%ctaid", SR_CTAID},
	{"%nctaid", SR_NCTAID},
	{"%laneid", SR_LANEID},
	{"%warpid", SR_WARPID},
	{"%nwarpid", SR_NWARPID},
	{"%smid", SR_SMID},
	{"%nsmid", SR_NSMID},
	{"%gridid", SR_GRIDID},
	{"%lanemask_eq", SR_LANEMASK_EQ},
	{"%lanemask_le", SR_LANEMASK_LE},
	{"%lanemask_lt", SR_LANEMASK_LT},
	{"%lanemask_ge", SR_LANEMASK_GE},
	{"%lanemask_gt", SR_LANEMASK_GT},
	{"%clock", SR_CLOCK},
	{"%clock_hi", SR_CLOCK_HI},
	{"%clock64", SR_CLOCK64},
	{"%globaltimer", SR_GLOBALTIMER},
	{"%globaltimer_lo", SR_GLOBALTIMER_LO},
	{"%globaltimer_hi", SR_GLOBALTIMER_HI},
	{"%dynamic_smem_size", SR_DYNAMIC_SMEM_SIZE},
	{"%total_smem_size", SR_TOTAL_SMEM_SIZE},
	{"%envreg1", SR_ENVREG1},
	{"%envreg2", SR_ENVREG2},
	{"%clusterid", SR_CLUSTERID},
	{"%nclusterid", SR_NCLUSTERID},
	{"%cluster_ctaid", SR_CLUSTER_CTAID},
	{"%cluster_nctaid", SR_CLUSTER_NCTAID},
	{"%cluster_ctarank", SR_CLUSTER_CTARANK},
	{"%cluster_nctarank", SR_CLUSTER_NCTARANK},
	{"%is_explicit_cluster", SR_OTHER},
	{"%aggr_smem_size", SR_OTHER},
	{"%current_graph_exec", SR_OTHER},
	{"%reserved_smem_offset_begin", SR_RESERVED_BEGIN},
	{"%reserved_smem_offset_end", SR_RESERVED_END},
	{"%reserved_smem_offset_cap", SR_RESERVED_CAP},
	{"%reserved_smem_offset_0", SR_RESERVED_0},
	{"%reserved_smem_offset_1", SR_RESERVED_1},
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static bool same(const char *name, const char *text, size_t len) {
	return strncmp(name, text, len) == 0 && name[len] == 0;
}

PtxOp ptx_op_named(const char *text, size_t len) {
	size_t low = 0, high = COUNT(op_rows);
	while (low < high) {
		size_t mid = (low + high) / 2;
		const char *name = op_rows[mid].mnemonic;
		int order = strncmp(name, text, len);
		if (order == 0 && name[len]) order = 1;
		if (order == 0) return op_rows[mid].op;
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return OP_UNKNOWN;
}

bool ptx_type_named(const char *text, size_t len, PtxType *out) {
	if (len < 2) return false;
	for (size_t i = T_PRED; i < T_OTHER; i++) {
		if (same(type_rows[i].name, text, len)) {
			*out = (PtxType)i;
			return true;
		}
	}
	for (size_t i = 0; i < COUNT(other_types); i++) {
		if (same(other_types[i], text, len)) {
			*out = T_OTHER;
			return true;
		}
	}
	return false;
}

/* %envreg0 .. %envreg31, %pm0 .. %pm7, %pm0_64 */
static bool numbered_special(const char *text, size_t len) {
	static const char *const stems[] = {"%envreg", "%pm"};
	for (size_t i = 0; i < COUNT(stems); i++) {
		size_t stem = strlen(stems[i]);
		if (len > stem && memcmp(text, stems[i], stem) == 0 && text[stem] >= '0' && text[stem] <= '9') return true;
	}
	return false;
}

bool ptx_special_named(const char *text, size_t len, PtxSpecial *out) {
	if (len < 2 || text[0] != '%') return false;
	for (size_t i = 0; i < COUNT(special_rows); i++) {
		if (same(special_rows[i].name, text, len)) {
			*out = special_rows[i].special;
			return true;
		}
	}
	*out = SR_OTHER;
	return numbered_special(text, len);
}

const char *ptx_special_not_executed(size_t i) {
	for (size_t k = 0; k < COUNT(special_rows); k++)
		if (special_rows[k].special == SR_OTHER && !i--) return special_rows[k].name;
	return NULL;
}

bool ptx_special_has_component(PtxSpecial special) {
	return special < SR_LANEID || (special >= SR_CLUSTERID && special < SR_OTHER);
}

const char *ptx_op_name(PtxOp op) {
	return op > OP_UNKNOWN && op < OP_COUNT ? op_rows[op - 1].mnemonic : "unknown";
}

const char *ptx_op_help(PtxOp op) {
	return op > OP_UNKNOWN && op < OP_COUNT ? op_rows[op - 1].help : "";
}

PtxOperandCount ptx_operand_count(const char *names) {
	PtxOperandCount n = {.most = UINT32_MAX, .names = names};
	uint32_t words = 0;
	bool any = false;
	for (const char *p = n.names; *p; p += strspn(p, " ")) {
		const size_t len = strcspn(p, " ");
		any |= *p == '*';
		words++;
		n.least += *p != '*' && p[len - 1] != '?';
		p += len;
	}
	if (!any) n.most = words;
	return n;
}

PtxOperandCount ptx_op_operands(PtxOp op) {
	return ptx_operand_count(op > OP_UNKNOWN && op < OP_COUNT ? op_rows[op - 1].operands : "*");
}

bool ptx_op_has_result(PtxOp op) {
	const char first = op > OP_UNKNOWN && op < OP_COUNT ? *op_rows[op - 1].operands : '*';
	return first == 'd' || first == 'p';
}

PtxCost ptx_op_cost(PtxOp op) {
	return op > OP_UNKNOWN && op < OP_COUNT ? op_rows[op - 1].cost : COST_NONE;
}

/* SASS has atomics on words of 32 bits, of integers, and exchanges of 64; the others are loops there. */
bool ptx_atomic_loops(const PtxInstr *in) {
	if ((in->op != OP_ATOM && in->op != OP_RED) || !in->ntypes) return false;
	if (in->atomic == ATOM_CAS || in->atomic == ATOM_EXCH) return ptx_type_bytes(in->types[0]) < 4;
	return in->types[0] != T_U32 && in->types[0] != T_S32 && in->types[0] != T_B32;
}

const char *ptx_type_name(PtxType t) {
	return t <= T_OTHER ? type_rows[t].name : "?";
}

size_t ptx_type_bytes(PtxType t) {
	return t <= T_OTHER ? type_rows[t].bytes : 0;
}

const char *const ptx_space_names[] = {"generic", "reg", "param", "global", "shared", "local", "const", "tex", NULL};

const char *ptx_space_name(PtxSpace s) {
	return s <= SPACE_TEX ? ptx_space_names[s] : "?";
}
