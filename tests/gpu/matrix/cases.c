/* cases.h */
#include "cases.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_KERNELS = 400, MOST_CASES = 3000 };

uint32_t product_threads(const ProductKernel *kernel) {
	return kernel->kind == PRODUCT_WGMMA ? 128 : 32;
}

static uint32_t thread_words(const ProductKernel *k) {
	return k->na + k->nb + k->nc + 1;
}

uint32_t product_input_words(const ProductCase *c) {
	return c->image / 4 + product_threads(c->kernel) * thread_words(c->kernel);
}
uint32_t product_result_words(const ProductCase *c) {
	return product_threads(c->kernel) * c->kernel->nc;
}

/* --- inputs ------------------------------------------------------------------------------------------------------- */

/* Of 2 of 4 elements: which; of tf32: which of 2. Both are pairs of numbers in ascending order. */
static uint32_t metadata(const ProductKernel *k, uint32_t seed, uint32_t i) {
	static const uint32_t two_of_four[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0xe};
	uint32_t word = 0;
	for (uint32_t n = 0; n < 8; n++) {
		const uint32_t r = element_random(seed, 8 * i + n);
		word |= (k->a == E_TF32 ? (r & 1 ? 0xe : 0x4) : two_of_four[r % 6]) << 4 * n;
	}
	return word;
}

/* Rows 0 to 15 of a in registers, of 16-bit elements. */
static uint32_t identity_word(uint32_t thread, uint32_t reg) {
	const uint32_t row = thread % 32 / 4 + reg % 2 * 8, column = thread % 4 * 2 + reg / 2 * 8;
	if (thread >= 32) return 0;
	return row == column ? 0x3c00u : row == column + 1 ? 0x3c000000u : 0;
}

/* The 16 x 16 identity matrix at the image's end: squares of 8 x 8 that lie 128 bytes apart. */
static void identity_image(uint32_t *words, uint32_t image) {
	uint16_t *at = (uint16_t *)words + image / 2 - 256;
	memset(at, 0, 512);
	for (uint32_t i = 0; i < 8; i++) at[9 * i] = at[192 + 9 * i] = 0x3c00;
}

void product_inputs(const ProductCase *c, uint32_t block, uint32_t *words) {
	const ProductKernel *k = c->kernel;
	const uint32_t seed = c->seed * 64 + block, each = thread_words(k), threads = product_threads(k);
	uint32_t *at = words + c->image / 4;
	if (c->image) element_words(k->b, c->b, 8 * seed, words, c->image / 4);
	if (k->a_shared && c->a == FILL_PLACES) identity_image(words, c->image);
	for (uint32_t t = 0; t < threads; t++, at += each) {
		uint32_t *a = at, *b = a + k->na, *sum = b + k->nb;
		const uint32_t own = (8 * seed + 1) * 256 + t;
		element_words(k->a, c->a, own, a, k->na);
		for (uint32_t r = 0; c->a == FILL_IDENTITY && r < k->na; r++) a[r] = identity_word(t, r);
		element_words(k->b, c->b, own + 0x40000000, b, k->nb);
		element_words(k->c, c->c, own + 0x80000000, sum, k->nc);
		sum[k->nc] = metadata(k, own, 1);
	}
}

/* --- kernels as PTX ----------------------------------------------------------------------------------------------- */

void product_prologue(FILE *out) {
	fprintf(out, ".version 8.7\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 tile[];\n");
}

static void list(FILE *out, const char *reg, uint32_t n) {
	fprintf(out, "{");
	for (uint32_t i = 0; i < n; i++) fprintf(out, "%s%s%u", i ? ", " : "", reg, i);
	fprintf(out, "}");
}

static void sync_product(const ProductKernel *k, FILE *out) {
	fprintf(out, "\t%s ", k->instruction);
	list(out, "%c", k->nc);
	fprintf(out, ", ");
	list(out, "%a", k->na);
	fprintf(out, ", ");
	list(out, "%b", k->nb);
	fprintf(out, ", ");
	list(out, "%c", k->nc);
	if (k->kind == PRODUCT_SPARSE) fprintf(out, ", %%e, %u", k->selector);
	fprintf(out, ";\n");
}

static void async_product(const ProductKernel *k, FILE *out) {
	fprintf(out, "\t%s ", k->instruction);
	list(out, "%c", k->nc);
	fprintf(out, ", ");
	if (k->a_shared)
		fprintf(out, "%%da");
	else
		list(out, "%a", k->na);
	fprintf(out, ", %%db, %%scale");
	if (k->floats) fprintf(out, ", %d, %d", k->negate_a ? -1 : 1, k->negate_b ? -1 : 1);
	if (k->columns_b >= 0 && k->a_shared) fprintf(out, ", %d", k->columns_a);
	if (k->columns_b >= 0) fprintf(out, ", %d", k->columns_b);
	fprintf(out, ";\n");
}

static void products(const ProductKernel *k, FILE *out) {
	const int group = k->kind == PRODUCT_WGMMA;
	if (group) fprintf(out, "\twgmma.fence.sync.aligned;\n");
	for (uint32_t i = 0; i < k->repeat; i++) group ? async_product(k, out) : sync_product(k, out);
	if (group) fprintf(out, "\twgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;\n");
}

static void loads(const ProductKernel *k, FILE *out) {
	const struct {
		const char *name;
		uint32_t n;
	} parts[] = {{"a", k->na}, {"b", k->nb}, {"c", k->nc}};
	uint32_t at = 0;
	for (uint32_t p = 0; p < 3; p++)
		for (uint32_t i = 0; i < parts[p].n; i++, at += 4)
			fprintf(out, "\tld.global.b32 %%%s%u, [%%in+%u];\n", parts[p].name, i, at);
	fprintf(out, "\tld.global.b32 %%e, [%%in+%u];\n", at);
}

/* A block's inputs and results begin at %in and %out; then the image goes to shared memory. */
static const char block_ptx[] = "\tld.param.u64 %in, [in];\n"
								"\tld.param.u64 %out, [out];\n"
								"\tld.param.u64 %da, [da];\n"
								"\tld.param.u64 %db, [db];\n"
								"\tld.param.u32 %image, [image];\n"
								"\tmov.u32 %t, %tid.x;\n"
								"\tmov.u32 %w, %ctaid.x;\n"
								"\tld.param.u32 %i, [inbytes];\n"
								"\tmul.wide.u32 %x, %w, %i;\n"
								"\tadd.u64 %in, %in, %x;\n"
								"\tld.param.u32 %i, [outbytes];\n"
								"\tmul.wide.u32 %x, %w, %i;\n"
								"\tadd.u64 %out, %out, %x;\n"
								"\tshl.b32 %i, %t, 4;\n"
								"fill:\n"
								"\tsetp.ge.u32 %more, %i, %image;\n"
								"\t@%more bra filled;\n"
								"\tcvt.u64.u32 %x, %i;\n"
								"\tadd.u64 %x, %in, %x;\n"
								"\tld.global.v4.b32 {%v0, %v1, %v2, %v3}, [%x];\n"
								"\tmov.u32 %w, tile;\n"
								"\tadd.u32 %w, %w, %i;\n"
								"\tst.shared.v4.b32 [%w], {%v0, %v1, %v2, %v3};\n"
								"\tadd.u32 %i, %i, 2048;\n"
								"\tbra fill;\n"
								"filled:\n"
								"\tcvt.u64.u32 %x, %image;\n"
								"\tadd.u64 %in, %in, %x;\n"
								"\tfence.proxy.async;\n"
								"\tbar.sync 0;\n"
								"\tmov.u32 %w, tile;\n"
								"\tshr.u32 %w, %w, 4;\n"
								"\tcvt.u64.u32 %x, %w;\n"
								"\tadd.u64 %da, %da, %x;\n"
								"\tadd.u64 %db, %db, %x;\n";

void product_ptx(const ProductKernel *k, FILE *out) {
	fprintf(out,
			".visible .entry %s(.param .u64 in, .param .u64 out, .param .u64 da, .param .u64 db, .param .u32 image,\n"
			"\t.param .u32 inbytes, .param .u32 outbytes) .maxntid %u\n{\n",
			k->name, product_threads(k));
	fprintf(out, "\t.reg .pred %%more, %%scale;\n	.reg .b32 %%t, %%i, %%w, %%e, %%image, %%v<4>;\n");
	fprintf(out, "\t.reg .b64 %%in, %%out, %%x, %%da, %%db;\n");
	fprintf(out, "\t.reg .b32 %%a<%u>, %%b<%u>;\n	.reg .%s %%c<%u>;\n", k->na + 1, k->nb + 1,
			k->c == E_F32 ? "f32" : "b32", k->nc);
	fputs(block_ptx, out);
	fprintf(out, "\tmul.wide.u32 %%x, %%t, %u;\n	add.u64 %%in, %%in, %%x;\n", 4 * thread_words(k));
	fprintf(out, "\tmul.wide.u32 %%x, %%t, %u;\n	add.u64 %%out, %%out, %%x;\n", 4 * k->nc);
	fprintf(out, "\tsetp.%s.u32 %%scale, %%t, %%t;\n", k->zero_sum ? "ne" : "eq");
	loads(k, out);
	products(k, out);
	for (uint32_t i = 0; i < k->nc; i++) fprintf(out, "\tst.global.b32 [%%out+%u], %%c%u;\n", 4 * i, i);
	fprintf(out, "\tret;\n}\n");
}

/* --- the list of kernels ------------------------------------------------------------------------------------------ */

typedef struct {
	ElementFill a, b, c;
	const char *name;
} Mix;

static const Mix mixes[] = {{FILL_TAME, FILL_TAME, FILL_TAME, "tame"},
							{FILL_TAME, FILL_TAME, FILL_ZERO, "alone"},
							{FILL_WIDE, FILL_WIDE, FILL_WIDE, "wide"},
							{FILL_POWERS, FILL_POWERS, FILL_POWERS, "powers"},
							{FILL_POWERS, FILL_POWERS, FILL_ZERO, "products"},
							{FILL_CANCEL, FILL_CANCEL, FILL_CANCEL, "cancel"},
							{FILL_SPECIAL, FILL_SPECIAL, FILL_SPECIAL, "special"},
							{FILL_SMALL, FILL_WIDE, FILL_SMALL, "small"}};
enum { MIXES = sizeof mixes / sizeof *mixes };
static const Mix integers[] = {{FILL_ANY, FILL_ANY, FILL_ANY, "any"}, {FILL_ANY, FILL_ANY, FILL_WHOLE, "low"}};

static uint32_t words_of(Element t, uint32_t elements, uint32_t threads) {
	return elements * element_bits_of(t) / 32 / threads;
}

static const char *sum_name(Element c) {
	return c == E_S32 ? "s32" : element_name[c];
}

static ProductKernel *add_kernel(ProductList *l, ProductKernel k, const char *extra) {
	const uint32_t threads = product_threads(&k);
	k.nc = words_of(k.c, k.m * k.n, threads);
	if (k.kind == PRODUCT_WGMMA) {
		k.na = k.a_shared ? 0 : words_of(k.a, k.m * k.k, threads);
		k.floats = k.c != E_S32;
	} else {
		k.na = words_of(k.a, k.m * k.k / (k.kind == PRODUCT_SPARSE ? 2 : 1), threads);
		k.nb = words_of(k.b, k.k * k.n, threads);
	}
	if (!k.repeat) k.repeat = 1;
	snprintf(k.name, sizeof k.name, "%s_m%un%uk%u_%s_%s_%s%s%s",
			 k.kind == PRODUCT_WGMMA ? "wgmma"
			 : k.kind == PRODUCT_MMA ? "mma"
									 : "sparse",
			 k.m, k.n, k.k, sum_name(k.c), element_name[k.a], element_name[k.b], k.a_shared ? "_shared" : "", extra);
	l->kernels[l->nkernels] = k;
	return &l->kernels[l->nkernels++];
}

static int integer(Element t) {
	return t == E_S8 || t == E_U8 || t == E_S4 || t == E_U4;
}

static ProductKernel *sync_kernel(ProductList *l, const char *form, ProductKernel k, int saturate, const char *extra) {
	snprintf(k.instruction, sizeof k.instruction, "%s.sync.aligned.m%un%uk%u.row.col%s.%s.%s.%s.%s", form, k.m, k.n,
			 k.k, saturate ? ".satfinite" : "", sum_name(k.c), element_name[k.a], element_name[k.b], sum_name(k.c));
	char name[48];
	snprintf(name, sizeof name, "%s%s", saturate ? "_sat" : "", extra);
	return add_kernel(l, k, name);
}

static ProductKernel *group_kernel(ProductList *l, ProductKernel k, const char *extra) {
	const int sat = strstr(extra, "_sat") != NULL;
	k.kind = PRODUCT_WGMMA;
	k.m = 64;
	snprintf(k.instruction, sizeof k.instruction, "wgmma.mma_async.sync.aligned.m64n%uk%u%s.%s.%s.%s%s", k.n, k.k,
			 sat ? ".satfinite" : "", sum_name(k.c), element_name[k.a], element_name[k.b],
			 k.a == E_B1 ? ".and.popc" : "");
	if (k.a != E_F16 && k.a != E_BF16) k.columns_a = k.columns_b = -1;
	return add_kernel(l, k, extra);
}

/* --- the list of launches ----------------------------------------------------------------------------------------- */

static ProductCase *add_case(ProductList *l, const ProductKernel *k, const Mix *mix, uint32_t blocks) {
	ProductCase *c = &l->cases[l->ncases++];
	*c = (ProductCase){.kernel = k,
					   .a = mix->a,
					   .b = mix->b,
					   .c = mix->c,
					   .seed = (uint32_t)l->ncases,
					   .blocks = blocks,
					   .kept = product_threads(k)};
	snprintf(c->name, sizeof c->name, "%s_%s", k->name, mix->name);
	return c;
}

static void all_mixes(ProductList *l, const ProductKernel *k, uint32_t blocks) {
	for (uint32_t i = 0; i < MIXES; i++) add_case(l, k, &mixes[i], blocks);
}
static void both_integers(ProductList *l, const ProductKernel *k, uint32_t blocks) {
	for (uint32_t i = 0; i < 2; i++) add_case(l, k, &integers[i], blocks);
}

static const Element eights[] = {E_E4M3, E_E5M2}, bytes[] = {E_S8, E_U8}, fours[] = {E_S4, E_U4};

static void sync_products(ProductList *l) {
	for (uint32_t i = 0; i < 4; i++)
		for (uint32_t k = 16; k <= 32; k += 16) {
			const ProductKernel p = {
				.kind = PRODUCT_MMA, .m = 16, .n = 8, .k = k, .a = eights[i / 2], .b = eights[i % 2], .c = E_F32};
			all_mixes(l, sync_kernel(l, "mma", p, 0, ""), 12);
		}
	const Element sums[] = {E_F32, E_F16};
	for (uint32_t i = 0; i < 2; i++)
		for (uint32_t k = 8; k <= 16; k *= 2) {
			const ProductKernel p = {
				.kind = PRODUCT_MMA, .m = 16, .n = 8, .k = k, .a = E_F16, .b = E_F16, .c = sums[i]};
			all_mixes(l, sync_kernel(l, "mma", p, 0, ""), 6);
		}
	const ProductKernel bf = {.kind = PRODUCT_MMA, .m = 16, .n = 8, .k = 16, .a = E_BF16, .b = E_BF16, .c = E_F32};
	all_mixes(l, sync_kernel(l, "mma", bf, 0, ""), 6);
	const ProductKernel tf = {.kind = PRODUCT_MMA, .m = 16, .n = 8, .k = 8, .a = E_TF32, .b = E_TF32, .c = E_F32};
	all_mixes(l, sync_kernel(l, "mma", tf, 0, ""), 6);
}

#define ORDERED "mma.sp::ordered_metadata"

static void sparse(ProductList *l, Element a, Element b, Element c, uint32_t k, uint32_t selectors, int sat) {
	ProductKernel p = {.kind = PRODUCT_SPARSE, .m = 16, .n = 8, .k = k, .a = a, .b = b, .c = c};
	for (p.selector = 0; p.selector < selectors; p.selector++) {
		char extra[16];
		snprintf(extra, sizeof extra, "_of%u", p.selector);
		const ProductKernel *kernel = sync_kernel(l, ORDERED, p, sat, extra);
		const uint32_t blocks = p.selector ? 3 : 10;
		if (integer(a))
			both_integers(l, kernel, blocks / 3);
		else if (p.selector)
			add_case(l, kernel, &mixes[0], blocks);
		else
			all_mixes(l, kernel, blocks);
	}
	p.selector = 0;
	const ProductKernel *plain = sync_kernel(l, "mma.sp", p, sat, "_plain");
	add_case(l, plain, integer(a) ? &integers[0] : &mixes[0], 3);
}

static void sparse_products(ProductList *l) {
	sparse(l, E_F16, E_F16, E_F32, 16, 4, 0);
	sparse(l, E_F16, E_F16, E_F32, 32, 2, 0);
	sparse(l, E_F16, E_F16, E_F16, 16, 4, 0);
	sparse(l, E_F16, E_F16, E_F16, 32, 2, 0);
	sparse(l, E_BF16, E_BF16, E_F32, 16, 4, 0);
	sparse(l, E_BF16, E_BF16, E_F32, 32, 2, 0);
	sparse(l, E_TF32, E_TF32, E_F32, 8, 4, 0);
	sparse(l, E_TF32, E_TF32, E_F32, 16, 2, 0);
	for (uint32_t i = 0; i < 4; i++) {
		sparse(l, eights[i / 2], eights[i % 2], E_F32, 64, 1, 0);
		for (int sat = 0; sat < 2; sat++) {
			sparse(l, bytes[i / 2], bytes[i % 2], E_S32, 32, 2, sat);
			sparse(l, bytes[i / 2], bytes[i % 2], E_S32, 64, 1, sat);
			sparse(l, fours[i / 2], fours[i % 2], E_S32, 64, 2, sat);
			sparse(l, fours[i / 2], fours[i % 2], E_S32, 128, 1, sat);
		}
	}
}

/* Fields of a descriptor, in bytes. swizzle: 0 none, 1 of 128 bytes, 2 of 64, 3 of 32. */
static uint64_t descriptor(uint32_t start, uint32_t leading, uint32_t stride, uint32_t base, uint32_t swizzle) {
	return (uint64_t)(start >> 4 & 0x3fff) | (uint64_t)(leading >> 4 & 0x3fff) << 16 |
		   (uint64_t)(stride >> 4 & 0x3fff) << 32 | (uint64_t)(base & 7) << 49 | (uint64_t)swizzle << 62;
}

static void plain_descriptors(ProductCase *c) {
	c->descriptor_a = descriptor(8192, 128, 256, 0, 0);
	c->descriptor_b = descriptor(0, 128, 256, 0, 0);
	c->image = 8192 + (c->kernel->a_shared ? 8192 : 0);
}

static void group_mixes(ProductList *l, const ProductKernel *k, uint32_t blocks) {
	const size_t before = l->ncases;
	if (integer(k->a) || k->a == E_B1)
		both_integers(l, k, blocks);
	else
		all_mixes(l, k, blocks);
	for (size_t i = before; i < l->ncases; i++) plain_descriptors(&l->cases[i]);
}

static void group_arithmetic(ProductList *l) {
	static const struct {
		Element a, b, c;
		uint32_t k;
	} forms[] = {{E_F16, E_F16, E_F32, 16},   {E_F16, E_F16, E_F16, 16},   {E_BF16, E_BF16, E_F32, 16},
				 {E_TF32, E_TF32, E_F32, 8},  {E_E4M3, E_E4M3, E_F32, 32}, {E_E4M3, E_E5M2, E_F32, 32},
				 {E_E5M2, E_E4M3, E_F32, 32}, {E_E5M2, E_E5M2, E_F32, 32}, {E_E4M3, E_E4M3, E_F16, 32},
				 {E_E4M3, E_E5M2, E_F16, 32}, {E_E5M2, E_E4M3, E_F16, 32}, {E_E5M2, E_E5M2, E_F16, 32},
				 {E_S8, E_S8, E_S32, 32},     {E_S8, E_U8, E_S32, 32},     {E_U8, E_S8, E_S32, 32},
				 {E_U8, E_U8, E_S32, 32},     {E_B1, E_B1, E_S32, 256}};
	for (uint32_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		ProductKernel p = {.n = 16, .k = forms[i].k, .a = forms[i].a, .b = forms[i].b, .c = forms[i].c};
		const uint32_t blocks = p.c == E_S32 ? 1 : 6;
		group_mixes(l, group_kernel(l, p, ""), blocks);
		p.a_shared = 1;
		group_mixes(l, group_kernel(l, p, ""), 1);
		p.repeat = 4;
		group_mixes(l, group_kernel(l, p, "_four"), 1);
		p.repeat = 1;
		p.zero_sum = 1;
		group_mixes(l, group_kernel(l, p, "_new"), 1);
		p.zero_sum = 0;
		if (p.c == E_S32 && p.a != E_B1) group_mixes(l, group_kernel(l, p, "_sat"), 1);
		if (p.c == E_S32) continue;
		p.negate_a = 1;
		group_mixes(l, group_kernel(l, p, "_minusA"), 1);
		p.negate_b = 1;
		group_mixes(l, group_kernel(l, p, "_minusAB"), 1);
		p.negate_a = p.a_shared = 0;
		group_mixes(l, group_kernel(l, p, "_minusB"), 1);
	}
}

/* Where a descriptor says that elements are: each is a number of its own, and the other matrix is the identity. */
static void places_b(ProductList *l, const ProductKernel *k, const uint64_t d) {
	static const Mix mix = {FILL_IDENTITY, FILL_PLACES, FILL_ZERO, "places"};
	ProductCase *c = add_case(l, k, &mix, 1);
	c->descriptor_b = d;
	c->image = 62 * 1024 * 2;
	c->kept = 32;
	snprintf(c->name + strlen(c->name), sizeof c->name - strlen(c->name), "_%llx", (unsigned long long)d);
}
static void places_a(ProductList *l, const ProductKernel *k, const uint64_t d) {
	static const Mix mix = {FILL_PLACES, FILL_PLACES, FILL_ZERO, "places"};
	ProductCase *c = add_case(l, k, &mix, 1);
	c->image = 62 * 1024 * 2 + 512;
	c->descriptor_a = d;
	c->descriptor_b = descriptor(62 * 1024 * 2, 128, 256, 0, 0);
	snprintf(c->name + strlen(c->name), sizeof c->name - strlen(c->name), "_%llx", (unsigned long long)d);
}

typedef void PlacesOf(ProductList *l, const ProductKernel *k, uint64_t d);

static void sweep(ProductList *l, const ProductKernel *k, PlacesOf *places, int wide) {
	static const uint32_t offsets[][2] = {{128, 256}, {256, 128}, {16, 1024},  {1024, 2048}, {2048, 1024},
										  {0, 512},   {512, 0},   {4096, 512}, {144, 2064},  {16, 16}};
	const uint32_t some = wide ? 3 : sizeof offsets / sizeof *offsets;
	for (uint32_t s = 0; s < 4; s++) {
		for (uint32_t i = 0; i < some; i++)
			places(l, k, descriptor(0, offsets[i + (wide ? 2 : 0)][0], offsets[i + (wide ? 2 : 0)][1], 0, s));
		if (wide) continue;
		for (uint32_t start = 16; start <= 2048; start *= 2) places(l, k, descriptor(start, 2048, 1024, 0, s));
		places(l, k, descriptor(48, 4096, 1024, 0, s));
		places(l, k, descriptor(96, 4096, 1024, 0, s));
		places(l, k, descriptor(640, 4096, 1024, 0, s));
		for (uint32_t base = 1; base < 8; base++) {
			places(l, k, descriptor(0, 4096, 1024, base, s));
			places(l, k, descriptor(128 * base, 4096, 1024, base, s));
		}
	}
}

static void group_places(ProductList *l) {
	for (int columns = 0; columns < 2; columns++) {
		const char *extra = columns ? "_columns" : "_rows";
		ProductKernel p = {.n = 16, .k = 16, .a = E_F16, .b = E_F16, .c = E_F16, .columns_b = columns};
		char name[32];
		p.n = 64;
		snprintf(name, sizeof name, "_b%s", extra);
		sweep(l, group_kernel(l, p, name), places_b, 0);
		p.n = 256;
		sweep(l, group_kernel(l, p, name), places_b, 1);
		p.n = 24;
		sweep(l, group_kernel(l, p, name), places_b, 1);
		p = (ProductKernel){.n = 16, .k = 16, .a = E_F16, .b = E_F16, .c = E_F16, .columns_a = columns, .a_shared = 1};
		snprintf(name, sizeof name, "_a%s", extra);
		sweep(l, group_kernel(l, p, name), places_a, 0);
	}
}

/* Other widths, and other types with every swizzle. */
static void group_shapes(ProductList *l) {
	static const struct {
		Element a, c;
		uint32_t k;
	} forms[] = {{E_BF16, E_F32, 16}, {E_TF32, E_F32, 8}, {E_E4M3, E_F32, 32}, {E_U8, E_S32, 32}, {E_B1, E_S32, 256}};
	static const uint32_t widths[] = {8, 32, 64, 256};
	static const Mix floats = {FILL_TAME, FILL_TAME, FILL_TAME, "tame"};
	for (uint32_t i = 0; i < sizeof forms / sizeof *forms; i++)
		for (uint32_t w = 0; w < 4; w++) {
			const ProductKernel p = {
				.n = widths[w], .k = forms[i].k, .a = forms[i].a, .b = forms[i].a, .c = forms[i].c, .a_shared = 1};
			const ProductKernel *k = group_kernel(l, p, "_shape");
			for (uint32_t s = 0; s < (widths[w] == 32 ? 4 : 1); s++) {
				ProductCase *c = add_case(l, k, p.c == E_S32 ? &integers[0] : &floats, 1);
				const uint32_t swizzle = widths[w] == 32 ? s : 1;
				c->image = 65536;
				c->descriptor_a = descriptor(32768, 1024, 1024, 0, swizzle);
				c->descriptor_b = descriptor(32, 128, 1024, 0, swizzle);
				c->kept = widths[w] == 256 ? 32 : 128;
				snprintf(c->name + strlen(c->name), sizeof c->name - strlen(c->name), "_s%u", swizzle);
			}
		}
}

ProductList product_list(void) {
	ProductList l = {.kernels = (ProductKernel *)calloc(MOST_KERNELS, sizeof *l.kernels),
					 .cases = (ProductCase *)calloc(MOST_CASES, sizeof *l.cases)};
	sync_products(&l);
	sparse_products(&l);
	group_arithmetic(&l);
	group_places(&l);
	group_shapes(&l);
	return l;
}

void product_list_free(ProductList *list) {
	free(list->kernels);
	free(list->cases);
}
