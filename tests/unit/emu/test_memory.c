/* Allocations, addresses, faults that belong to them, and the record of written bytes. */
#include "bench.h"
#include "emu/machine/internal.h"
#include "emu/memory/memory.h"

static void apart(void **state) {
	Memory *m = memory_new(0);
	Err err = ERR_INIT;
	Allocation *last = NULL;
	for (int i = 0; i < 50; i++) {
		char name[16];
		snprintf(name, sizeof name, "b%d", i);
		Allocation *a = memory_add(m, i % 3 ? ALLOC_BUFFER : ALLOC_GLOBAL, (size_t)(i * 37 % 500), name, &err);
		assert_non_null(a);
		assert_int_equal(a->base % 256, 0);
		if (last) assert_true(a->base >= last->base + last->bytes + 4096);
		if (a->bytes) {
			assert_ptr_equal(memory_find(m, a->base), a);
			assert_ptr_equal(memory_find(m, a->base + a->bytes - 1), a);
			assert_int_equal(a->host[a->bytes - 1], 0xff);
		}
		assert_null(memory_find(m, a->base + a->bytes));
		assert_ptr_equal(memory_nearest(m, a->base + a->bytes + 8), a);
		last = a;
	}
	assert_null(memory_find(m, 0));
	assert_null(memory_find(m, UINT64_MAX));
	memory_free(m);
}

/* Each kind has its range, and those that are mapped are apart from each other, too. */
static void ranges(void **state) {
	uint8_t bytes[3][256];
	Memory *m = memory_new(0);
	Err err = ERR_INIT;
	const Allocation *mapped[3],
		*placed = memory_add_over(m, ALLOC_BUFFER, 256, "placed", bytes[0], PLACED_BASE + 4096, &err);
	for (int i = 0; i < 3; i++) {
		mapped[i] = memory_add_over(m, ALLOC_MAPPED, 256, "mapped", bytes[i], 0, &err);
		assert_non_null(mapped[i]);
		if (i) assert_true(mapped[i]->base >= mapped[i - 1]->base + 4096);
	}
	const Allocation *plain = memory_add(m, ALLOC_BUFFER, 256, "plain", &err);
	assert_int_equal(placed->base, PLACED_BASE + 4096);
	assert_true(plain->base < PLACED_BASE && mapped[0]->base > HEAP_BASE);
	memory_free(m);
}

static void freed(void **state) {
	Memory *m = memory_new(0);
	Err err = ERR_INIT;
	Allocation *a = memory_add(m, ALLOC_BUFFER, 100, "gone", &err);
	uint64_t base = a->base;
	assert_false(memory_release(m, base + 4, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_true(memory_release(m, base, &err));
	assert_true(memory_find(m, base)->freed);
	assert_int_equal(memory_find(m, base)->reach, 0);
	assert_string_equal(memory_find(m, base)->name, "gone");
	err_clear(&err);
	assert_false(memory_release(m, base, &err));
	assert_non_null(strstr(err.what, "freed before"));
	memory_free(m);
}

static void limits(void **state) {
	Memory *m = memory_new(1000);
	Err err = ERR_INIT;
	assert_non_null(memory_add(m, ALLOC_BUFFER, 900, "a", &err));
	assert_null(memory_add(m, ALLOC_BUFFER, 101, "b", &err));
	assert_int_equal(err.kind, ERR_SETUP);
	assert_true(err.hint[0] != '\0');
	memory_free(m);
	m = memory_new(0);
	err_clear(&err);
	assert_null(memory_add(m, ALLOC_BUFFER, SIZE_MAX, "all", &err));
	assert_int_equal(err.kind, ERR_SETUP);
	memory_free(m);
}

/* What kernels get by malloc has a limit of its own, and leaves nothing behind once freed. */
static void device_heap(void **state) {
	Memory *m = memory_new(0);
	Allocation *a = memory_malloc(m, 3 << 20);
	assert_non_null(a);
	assert_int_equal(a->base % 256, 0);
	assert_null(memory_malloc(m, 6 << 20));
	assert_non_null(memory_add(m, ALLOC_BUFFER, 5 << 20, "a buffer", NULL));
	const uint64_t base = a->base;
	memory_retire(m, a);
	assert_true(memory_find(m, base)->freed);
	assert_non_null(memory_malloc(m, 4 << 20));
	assert_true(memory_find(m, base)->freed); /* it lies elsewhere */
	memory_sweep(m);
	assert_null(memory_find(m, base));
	assert_null(memory_malloc(m, SIZE_MAX));
	memory_free(m);
}

/* As on a GPU. */
static void nothing_has_an_address(void **state) {
	Memory *m = memory_new(0);
	Allocation *a = memory_malloc(m, 0), *b = memory_malloc(m, 0);
	assert_true(a && b && a->base != b->base);
	assert_ptr_equal(memory_find(m, b->base), b);
	memory_retire(m, a);
	memory_retire(m, b);
	assert_false(memory_has_heap(m));
	memory_free(m);
}

static void heap_put_back_as_it_was(void **state) {
	enum { OBJECTS = 500 };
	Memory *m = memory_new(0);
	Arena *arena = arena_new();
	uint64_t base[OBJECTS];
	const HeapImage *empty = memory_heap_save(m, arena);
	for (size_t i = 0; i < OBJECTS; i++) {
		Allocation *a = memory_malloc(m, i * 7 % 90);
		base[i] = a->base;
		memset(a->host, (int)i, a->bytes);
	}
	for (size_t i = 0; i < OBJECTS; i += 3) memory_retire(m, memory_find(m, base[i]));
	memory_sweep(m);
	const HeapImage *image = memory_heap_save(m, arena);
	for (int round = 0; round < 2; round++) {
		for (size_t i = 1; i < OBJECTS; i += 3) memory_retire(m, memory_find(m, base[i]));
		while (memory_malloc(m, 3000)) {
		}
		memory_heap_put_back(m, image);
		for (size_t i = 0; i < OBJECTS; i++) {
			const Allocation *a = memory_find(m, base[i]);
			assert_int_equal(a != NULL, i % 3 != 0);
			for (size_t k = 0; a && k < i * 7 % 90; k++) assert_int_equal(a->host[k], (uint8_t)i);
			assert_true(!a || (!a->freed && a->bytes == i * 7 % 90));
		}
	}
	const uint64_t next = memory_malloc(m, 16)->base;
	memory_heap_put_back(m, image);
	assert_int_equal(memory_malloc(m, 16)->base, next);
	memory_heap_put_back(m, empty);
	assert_false(memory_has_heap(m));
	assert_int_equal(memory_malloc(m, 1)->base, base[0]);
	arena_free(arena);
	memory_free(m);
}

/* Objects of many sizes come and go: no two that live share a byte, nor does one that was freed and is still known. */
static void heap_objects_are_apart(void **state) {
	enum { LIVE = 600, STEPS = 20000 };
	static Allocation *live[LIVE];
	static uint8_t mark[LIVE];
	Memory *m = memory_new(0);
	uint32_t x = 1, full = 0;
	memset(live, 0, sizeof live);
	for (uint32_t i = 0; i < STEPS; i++) {
		x = x * 1664525 + 1013904223;
		const uint32_t k = (x >> 8) % LIVE;
		const size_t bytes = 1 + (x >> 20) % 4096 * ((x >> 4) % 12 ? 1 : 40);
		if (live[k]) {
			for (size_t b = 0; b < live[k]->bytes; b++) assert_int_equal(live[k]->host[b], mark[k]);
			assert_ptr_equal(memory_find(m, live[k]->base + live[k]->bytes - 1), live[k]);
			const uint64_t base = live[k]->base;
			memory_retire(m, live[k]);
			assert_true(memory_find(m, base)->freed && !memory_find(m, base)->reach);
		}
		live[k] = memory_malloc(m, bytes);
		full += !live[k];
		if (!live[k]) continue;
		assert_int_equal(live[k]->host[bytes - 1], 0xff);
		mark[k] = (uint8_t)x;
		memset(live[k]->host, mark[k], bytes);
	}
	assert_true(full > 0 && full < STEPS / 2);
	memory_free(m);
}

/* cudaLimitMallocHeapSize: at will while it is empty; afterwards it grows, and what lives moves along unseen. */
static void heap_limit_set(void **state) {
	Memory *m = memory_new(0);
	assert_true(memory_heap_limit(m, 1 << 20));
	assert_null(memory_malloc(m, 2 << 20));
	Allocation *a = memory_malloc(m, 1000);
	const uint64_t base = a->base;
	a->host[999] = 7;
	assert_false(memory_heap_limit(m, 1 << 19));
	assert_true(memory_heap_limit(m, 4 << 20));
	assert_ptr_equal(memory_find(m, base + 999), a);
	assert_int_equal(a->host[999], 7);
	assert_non_null(memory_malloc(m, 2 << 20));
	assert_false(memory_heap_limit(m, SIZE_MAX));
	memory_retire(m, a);
	memory_free(m);
}

static void written_bytes(void **state) {
	Memory *m = memory_new(0);
	Err err = ERR_INIT;
	Allocation *untracked = memory_add(m, ALLOC_BUFFER, 64, "u", &err);
	Allocation *a = memory_add(m, ALLOC_BUFFER, 64, "a", &err);
	memory_track_fresh(m, a);
	assert_true(allocation_written(untracked, 0, 64));
	assert_false(allocation_written(a, 0, 1));
	allocation_mark(a, 5, 18);
	assert_true(allocation_written(a, 5, 18));
	assert_false(allocation_written(a, 4, 2));
	assert_false(allocation_written(a, 22, 2));
	allocation_mark(a, 0, 64);
	assert_true(allocation_written(a, 0, 64));
	memory_free(m);
}

static void host_access(void **state) {
	Err err = ERR_INIT;
	Machine *m = machine_open(gpu_find("H200", &err), 1);
	uint64_t addr;
	uint32_t data[4] = {1, 2, 3, 4}, back[4] = {0};
	assert_true(machine_alloc(m, 16, "x", &addr, &err));
	assert_true(machine_read(m, addr, back, 16, &err));
	assert_int_equal(back[3], 0xffffffff);
	assert_true(machine_write(m, addr, data, 16, &err));
	assert_true(machine_read(m, addr + 8, back, 8, &err));
	assert_int_equal(back[0], 3);
	assert_non_null(machine_host(m, addr, 16));
	assert_null(machine_host(m, addr, 17));
	assert_null(machine_host(m, addr + 16, 1));
	assert_false(machine_write(m, addr + 12, data, 8, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_true(machine_write(m, 0, data, 0, &err));
	assert_true(machine_release(m, addr, &err));
	assert_false(machine_read(m, addr, back, 4, &err));
	assert_null(machine_host(m, addr, 1));
	machine_close(m);
}

/* --- what kernels do to memory ------------------------------------------------------------------------------------ */

#define BODY(text)                                                                                                     \
	PTX_HEADER ".visible .entry k(.param .u64 p0) { .reg .b32 %r<8>; .reg .b64 %l<8>; .reg .pred %p<4>;\n" text        \
			   "\nret; }\n"

static Bench *run_one(const char *text, uint64_t param, uint32_t threads) {
	Bench *b = bench_open();
	Err err = ERR_INIT;
	LaunchConfig config = {.grid = {1, 1, 1}, .block = {threads, 1, 1}, .timeout_ms = 10000};
	if (!bench_launch(b, text, config, &param, 8, &err)) fail_msg("%s", err.what);
	return b;
}

static void expect_fault(const char *text, uint64_t param, FaultKind kind, const char *says) {
	Bench *b = run_one(text, param, 32);
	assert_int_equal(b->outcome.status, LAUNCH_FAULT);
	assert_int_equal(b->outcome.fault.kind, kind);
	if (!strstr(b->outcome.message, says)) fail_msg("\"%s\" does not say \"%s\"", b->outcome.message, says);
	bench_close(b);
}

/* What alloca gives ends where it ends, for each lane; what stackrestore takes back is nobody's. */
static void stack_that_grows(void **state) {
	uint64_t lanes[32];
	Bench *b = bench_open();
	for (uint64_t l = 0; l < 32; l++) lanes[l] = l;
	bench_run(b,
			  ".local .b64 first; mad.lo.u64 %l1, %la, 4, 4; alloca.u64 %l2, %l1, 4; and.b64 %l3, %l2, 7;\n"
			  "add.u64 %l4, %l2, %l1; st.local.u32 [%l4+-4], 7; stacksave.u64 %l5; alloca.u64 %l6, 32, 64;\n"
			  "and.b64 %l7, %l6, 63; st.local.u64 [%l6+24], %la; stackrestore.u64 %l5; stacksave.u64 %l8;\n"
			  "ld.local.u32 %r1, [%l4+-4]; cvt.u64.u32 %ld, %r1; add.u64 %ld, %ld, %l3; add.u64 %ld, %ld, %l7;\n"
			  "sub.u64 %l8, %l8, %l5; add.u64 %ld, %ld, %l8;",
			  lanes, NULL, NULL, 32);
	for (unsigned l = 0; l < 32; l++) assert_int_equal(b->out[l], 7);
	bench_close(b);
	expect_fault(BODY("alloca.u64 %l1, 20; st.local.u32 [%l1+20], 1;"), 0, FAULT_OUT_OF_BOUNDS, "20 bytes");
	expect_fault(BODY("mov.u32 %r1, %laneid; cvt.u64.u32 %l2, %r1; and.b64 %l2, %l2, 1; shl.b64 %l2, %l2, 3;\n"
					  "add.u64 %l2, %l2, 8; alloca.u64 %l1, %l2; ld.local.u32 %r1, [%l1+8];"),
				 0, FAULT_OUT_OF_BOUNDS, "8 bytes");
	expect_fault(BODY("stacksave.u64 %l2; alloca.u64 %l1, 20; stackrestore.u64 %l2; ld.local.u32 %r1, [%l1];"), 0,
				 FAULT_OUT_OF_BOUNDS, "0 bytes");
	expect_fault(BODY("mov.u64 %l1, -8; alloca.u64 %l2, %l1;"), 0, FAULT_STACK, "18446744073709551608");
	expect_fault(BODY("mov.u32 %r1, 0x10001; alloca.u32 %r2, %r1;"), 0, FAULT_STACK, "65537");
	expect_fault(BODY("L: alloca.u64 %l1, 1; st.local.u8 [%l1], 0; alloca.u64 %l1, 0, 4096; bra L;"), 0, FAULT_STACK,
				 "exhausted");
	expect_fault(BODY("alloca.u64 %l1, 64, 8388608; alloca.u64 %l1, 64, 8388608;"), 0, FAULT_STACK, "exhausted");
	expect_fault(BODY("stacksave.u64 %l1; add.u64 %l1, %l1, 8; stackrestore.u64 %l1;"), 0, FAULT_STACK, "stacksave");
	expect_fault(BODY("alloca.u64 %l1, 8, 24;"), 0, FAULT_INSTRUCTION, "alloca");
	expect_fault(BODY("alloca.u64 %l1, 8, %r1;"), 0, FAULT_INSTRUCTION, "alloca");
	expect_fault(BODY("alloca.u64 %l1, 8, 16777216;"), 0, FAULT_INSTRUCTION, "alloca");
}

/* Two and four words of shared memory at once: by all lanes and by some, in any order, and only where they lie. */
static void words_of_shared_memory(void **state) {
	uint64_t lanes[32], turned[32];
	Bench *b = bench_open();
	for (uint64_t l = 0; l < 32; l++) {
		lanes[l] = l;
		turned[l] = l * 7 % 32;
	}
	bench_run(b,
			  ".shared .align 16 .b8 s[512]; mov.u64 %l1, s; shl.b64 %l2, %lb, 4; add.u64 %l2, %l1, %l2;\n"
			  "add.u32 %r1, %a, 100; add.u32 %r2, %a, 200; add.u32 %r3, %a, 300; mov.u32 %r4, 0;\n"
			  "st.shared.v4.u32 [%l2], {%a, %r1, %r2, %r3}; bar.sync 0;\n"
			  "and.b32 %r5, %a, 1; setp.eq.u32 %p1, %r5, 1; @!%p1 bra EVEN;\n"
			  "add.u32 %r6, %a, 1000; add.u32 %r7, %a, 2000; st.shared.v2.u32 [%l2+8], {%r6, %r7};\n"
			  "ld.shared.v2.u32 {%r8, %r9}, [%l2]; mad.lo.u32 %r4, %r8, 7, %r9;\n"
			  "EVEN: bar.sync 0; shl.b64 %l3, %la, 4; add.u64 %l3, %l1, %l3;\n"
			  "ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%l3]; mad.lo.u32 %r5, %r6, 3, %r5;\n"
			  "mad.lo.u32 %r5, %r7, 5, %r5; mad.lo.u32 %r5, %r8, 11, %r5; add.u32 %r5, %r5, %r4; cvt.u64.u32 %ld, %r5;",
			  lanes, turned, NULL, 32);
	for (uint64_t l = 0; l < 32; l++) {
		uint64_t of = 0;
		while (turned[of] != l) of++; /* whose words lie there */
		const uint64_t third = of & 1 ? of + 1000 : of + 200, fourth = of & 1 ? of + 2000 : of + 300;
		assert_int_equal(b->out[l], of + 3 * (of + 100) + 5 * third + 11 * fourth + (l & 1 ? 7 * l + l + 100 : 0));
	}
	bench_close(b);
#define SHARED(text) BODY(".shared .align 16 .b8 s[64]; mov.u64 %l1, s;" text)
	expect_fault(SHARED("ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%l1+8];"), 0, FAULT_MISALIGNED, "multiple of 16");
	expect_fault(SHARED("st.shared.v2.u32 [%l1+4], {%r1, %r2};"), 0, FAULT_MISALIGNED, "multiple of 8");
	expect_fault(SHARED("ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%l1+64];"), 0, FAULT_OUT_OF_BOUNDS, "16 bytes");
	expect_fault(SHARED("st.shared.v2.u32 [%l1+-8], {%r1, %r2};"), 0, FAULT_OUT_OF_BOUNDS, "shared");
#undef SHARED
}

/* Lane 5 alone is wrong, by so much; addresses in registers of 32 and of 64 bits, and 64 below or above what is
 * meant. */
static void one_lane_past_shared_memory(void **state) {
	static const struct {
		const char *by;
		FaultKind kind;
	} wrong[] = {{"0", 0},
				 {"2", FAULT_MISALIGNED},
				 {"236", FAULT_OUT_OF_BOUNDS},
				 {"-24", FAULT_OUT_OF_BOUNDS},
				 {"0x7fffff00", FAULT_OUT_OF_BOUNDS},
				 {"0xffffff00", FAULT_OUT_OF_BOUNDS}};
	static const char *const accesses[] = {"st.shared.u32 [%s+%d], %%r2;", "ld.shared.u32 %%r2, [%s+%d];",
										   "ld.shared.u32 %%r1, [%s+%d];"};
	static const char head[] =
		".visible .entry k(.param .u64 p0) { .reg .b32 %r<8>; .reg .b64 %l<8>; .reg .pred %p<4>;\n"
		".shared .align 16 .b8 s[256]; mov.u32 %r1, %laneid; mov.u32 %r2, 0;\n"
		"setp.eq.u32 %p1, %r1, 5; shl.b32 %r1, %r1, 2;";
	for (size_t i = 0; i < 12 * sizeof wrong / sizeof *wrong; i++) {
		const size_t w = i / 12;
		const int off = i % 4 < 2 ? 64 : -64;
		char access[80], text[700];
		snprintf(access, sizeof access, accesses[i % 12 / 4], i % 2 ? "%l1" : "%r1", off);
		snprintf(text, sizeof text,
				 "%s%s @%%p1 mov.u32 %%r2, %s; add.u32 %%r1, %%r1, %d; add.u32 %%r1, %%r1, %%r2;\n"
				 "cvt.s64.s32 %%l1, %%r1; %s\nret; }\n",
				 PTX_HEADER, head, wrong[w].by, -off, access);
		Bench *b = run_one(text, 0, 32);
		assert_int_equal(b->outcome.fault.kind, wrong[w].kind);
		if (wrong[w].kind) {
			assert_int_equal(b->outcome.fault.threads, 1);
			assert_int_equal(b->outcome.fault.thread[0], 5);
		}
		bench_close(b);
	}
}

/* Registers of 128 bits: 16 bytes at a multiple of 16, or a fault; forms PTX does not have are no moves of half of
 * it. */
static void sixteen_bytes(void **state) {
#define WIDE(text) BODY(".shared .align 16 .b8 s[32]; .reg .b128 %q<4>; mov.b64 %l1, 5; mov.b128 %q1, {%l1, %l1};" text)
	expect_fault(WIDE("st.shared.b128 [s+8], %q1;"), 0, FAULT_MISALIGNED, "multiple of 16");
	expect_fault(WIDE("st.shared.b128 [s+32], %q1;"), 0, FAULT_OUT_OF_BOUNDS, "16 bytes");
	expect_fault(WIDE("ld.relaxed.gpu.global.b128 %q1, [%l1];"), 0, FAULT_MISALIGNED, "multiple of 16");
	expect_fault(WIDE("atom.shared.exch.b128 %q2, [s+24], %q1;"), 0, FAULT_MISALIGNED, "multiple of 16");
	expect_fault(WIDE("atom.global.cas.b128 %q2, [64], %q1, %q1;"), 0, FAULT_OUT_OF_BOUNDS, "null pointer");
	expect_fault(WIDE("atom.shared.add.b128 %q2, [s], %q1;"), 0, FAULT_INSTRUCTION, "atom.shared.add.b128");
	expect_fault(WIDE("mov.b128 %q1, {%l1, %l1, %l1};"), 0, FAULT_INSTRUCTION, "mov.b128");
	expect_fault(WIDE("mov.b128 %q1, %l1;"), 0, FAULT_INSTRUCTION, "mov.b128");
	expect_fault(WIDE("mov.b128 {%l1, %r1}, %q1;"), 0, FAULT_INSTRUCTION, "mov.b128");
	expect_fault(WIDE("mov.b64 %l1, %q1;"), 0, FAULT_INSTRUCTION, "mov.b64");
	expect_fault(WIDE("st.shared.v2.b128 [s], {%q1, %q1};"), 0, FAULT_INSTRUCTION, "v2.b128");
	expect_fault(WIDE("ld.param.b128 %q1, [p0];"), 0, FAULT_INSTRUCTION, "ld.param");
#undef WIDE
}

/* A local array ends where the function's frame does, also where the thread's memory goes on. */
static void past_a_local_array(void **state) {
	expect_fault(BODY(".local .align 4 .b8 row[32]; mov.u64 %l1, row; ld.local.u32 %r1, [%l1+32];"), 0,
				 FAULT_OUT_OF_BOUNDS, "32 bytes");
}

static void bad_accesses(void **state) {
	expect_fault(BODY("ld.param.u64 %l1, [p0]; ld.global.u32 %r1, [%l1];"), 0x123456780, FAULT_OUT_OF_BOUNDS,
				 "no allocation is near");
	expect_fault(BODY("ld.param.u64 %l1, [p0]; st.global.u8 [%l1], 5;"), 8, FAULT_OUT_OF_BOUNDS, "null pointer");
	expect_fault(BODY("mov.u64 %l1, 4; ld.shared.u32 %r1, [%l1];"), 0, FAULT_OUT_OF_BOUNDS, "shared");
	expect_fault(BODY("mov.u64 %l1, 0xfffffffffffffffc; st.shared.u32 [%l1], %r1;"), 0, FAULT_OUT_OF_BOUNDS, "shared");
	expect_fault(BODY("mov.u64 %l1, 1000000; st.local.u32 [%l1], 1;"), 0, FAULT_OUT_OF_BOUNDS, "local");
	expect_fault(BODY("mov.u64 %l1, 0x500000000; ld.global.u32 %r1, [%l1];"), 0, FAULT_WRONG_SPACE, "local memory");
	expect_fault(BODY("mov.u64 %l1, 0x400000000; atom.global.add.u32 %r1, [%l1], 1;"), 0, FAULT_WRONG_SPACE,
				 "shared memory");
	expect_fault(BODY("ld.param.u64 %l1, [p0]; ld.u32 %r1, [%l1+2];"), 0x10000000000, FAULT_MISALIGNED,
				 "not a multiple of 4");
	expect_fault(BODY("ld.param.u64 %l1, [p0]; ld.param.u32 %r1, [%l1+64];"), 0, FAULT_OUT_OF_BOUNDS, "param");
}

static void freed_buffer(void **state) {
	Bench *b = bench_open();
	Err err = ERR_INIT;
	uint64_t addr;
	assert_true(machine_alloc(b->machine, 128, "old", &addr, &err));
	assert_true(machine_release(b->machine, addr, &err));
	const uint64_t param = addr + 8;
	assert_true(bench_launch(b, BODY("ld.param.u64 %l1, [p0]; st.global.u64 [%l1], 5;"),
							 (LaunchConfig){.grid = {1, 1, 1}, .block = {4, 1, 1}}, &param, 8, &err));
	assert_int_equal(b->outcome.fault.kind, FAULT_FREED);
	assert_string_equal(b->outcome.fault.buffer, "old");
	assert_int_equal(b->outcome.fault.offset, 8);
	assert_int_equal(b->outcome.fault.threads, 4);
	bench_close(b);
}

static void constants_are_read_only(void **state) {
	const char *text = PTX_HEADER ".const .align 4 .b8 table[8] = {1, 0, 0, 0, 2};\n.visible .entry k(.param .u64 p0) "
								  "{ .reg .b64 %l<3>; .reg .b32 %r<2>;"
								  "mov.u64 %l1, table; cvta.const.u64 %l2, %l1; st.u32 [%l2], 7; ret; }\n";
	expect_fault(text, 0, FAULT_WRONG_SPACE, "table");
}

static bool written(const Machine *m, uint64_t addr, size_t bytes) {
	const Allocation *a = memory_find(machine_memory(m), addr);
	return allocation_written(a, (size_t)(addr - a->base), bytes);
}

/* Kernels' stores are remembered too, whatever handler makes them. */
static void tracked_stores(void **state) {
	Bench *b = bench_open();
	Err err = ERR_INIT;
	uint64_t addr;
	assert_true(machine_alloc(b->machine, 4096, "out", &addr, &err));
	machine_track_fresh(b->machine, addr);
	const char *text =
		BODY("ld.param.u64 %l1, [p0]; mov.u32 %r1, %tid.x; mul.wide.u32 %l2, %r1, 4; add.s64 %l3, %l1, %l2;\n"
			 "st.global.u32 [%l3+256], %r1; mul.wide.u32 %l4, %r1, 16; add.s64 %l5, %l1, %l4; st.global.u8 [%l5+1024], "
			 "%r1;\n"
			 "setp.eq.u32 %p1, %r1, 3; @%p1 red.global.add.u32 [%l1], 1;");
	assert_true(bench_launch(b, text, (LaunchConfig){.grid = {1, 1, 1}, .block = {32, 1, 1}}, &addr, 8, &err));
	assert_int_equal(b->outcome.status, LAUNCH_OK);
	assert_true(written(b->machine, addr, 4));
	assert_false(written(b->machine, addr + 4, 1));
	assert_true(written(b->machine, addr + 256, 128));
	assert_false(written(b->machine, addr + 255, 2));
	assert_false(written(b->machine, addr + 384, 1));
	assert_true(written(b->machine, addr + 1024 + 31 * 16, 1));
	assert_false(written(b->machine, addr + 1024 + 31 * 16, 2));
	bench_close(b);
}

static void module_variables(void **state) {
	Err err = ERR_INIT;
	Machine *m = machine_open(gpu_find("H200", &err), 1);
	const char *text = PTX_HEADER ".global .align 4 .u32 number = 42;\n.global .align 8 .u64 pointer[2] = {0, "
								  "number};\n.visible .entry k() { ret; }\n";
	PtxModule *ptx = ptx_parse(text, strlen(text), &err);
	if (!ptx) fail_msg("%s", err.what);
	EmuModule *module;
	assert_true(machine_load(m, ptx, &module, &err));
	uint64_t number, pointer, value;
	size_t bytes;
	assert_true(emu_symbol(module, "number", &number, &bytes));
	assert_int_equal(bytes, 4);
	assert_true(emu_symbol(module, "pointer", &pointer, &bytes));
	assert_true(machine_read(m, pointer + 8, &value, 8, &err));
	assert_int_equal(value, number);
	assert_false(emu_symbol(module, "nothing", &number, &bytes));
	machine_unload(m, module);
	assert_false(machine_read(m, number, &value, 4, &err));
	machine_close(m);
	ptx_free(ptx);
}

/* Several host threads copy it. */
static void a_large_one_is_put_back(void **state) {
	enum { BYTES = (21 << 20) + 123 };
	Err err = ERR_INIT;
	for (unsigned threads = 1; threads <= 7; threads += 3) {
		Machine *m = machine_open(gpu_find("H200", &err), threads);
		uint64_t at;
		assert_true(machine_alloc(m, BYTES, "large", &at, &err));
		uint8_t *live = machine_host(m, at, BYTES);
		for (size_t i = 0; i < BYTES; i++) live[i] = (uint8_t)(i * 2654435761u >> 24);
		Snapshot *s = snapshot_new(m, false);
		assert_true(snapshot_add(s, at, &err));
		memset(live, 7, BYTES);
		snapshot_put_back(s);
		for (size_t i = 0; i < BYTES; i++)
			if (live[i] != (uint8_t)(i * 2654435761u >> 24)) fail_msg("%u threads: byte %zu", threads, i);
		machine_close(m);
	}
}

static void what_was_taken_is_put_back(void **state) {
	Err err = ERR_INIT;
	Machine *m = machine_open(gpu_find("H200", &err), 1);
	uint64_t tracked, plain, surface;
	const uint32_t before[2] = {1, 2}, after[2] = {3, 4};
	uint32_t got[2];
	assert_true(machine_alloc(m, 8, "tracked", &tracked, &err));
	machine_track_fresh(m, tracked);
	assert_true(machine_alloc(m, 8, "plain", &plain, &err));
	const TextureDesc desc = {.surface = true, .type = ELEM_I32, .channels = 1, .width = 2};
	assert_true(machine_texture(m, &desc, "s", &surface, &err));
	assert_true(machine_write(m, tracked, before, 4, &err) && machine_write(m, plain, before, 8, &err));
	memcpy(machine_texture_host(m, surface, NULL), before, 8);

	Snapshot *s = snapshot_new(m, false);
	assert_true(snapshot_add(s, tracked, &err) && snapshot_add(s, plain, &err) && snapshot_add(s, surface, &err));
	assert_true(machine_write(m, tracked, after, 8, &err) && machine_write(m, plain, after, 8, &err));
	memcpy(machine_texture_host(m, surface, NULL), after, 8);
	assert_true(snapshot_add(s, plain, &err)); /* a second time changes nothing */
	assert_true(written(m, tracked, 8));
	assert_false(snapshot_add(s, 64, &err));
	snapshot_put_back(s);

	assert_true(machine_read(m, plain, got, 8, &err));
	assert_memory_equal(got, before, 8);
	assert_memory_equal(machine_texture_host(m, surface, NULL), before, 8);
	assert_true(machine_read(m, tracked, got, 8, &err));
	assert_int_equal(got[0], 1);
	assert_int_equal(got[1], UINT32_MAX);
	assert_true(written(m, tracked, 4));
	assert_false(written(m, tracked + 4, 1));
	assert_true(written(m, plain, 8));
	machine_close(m);
}

/* --- several lanes store to one address --------------------------------------------------------------------------- */

typedef struct {
	const char *store, *value; /* instruction, operand */
	uint32_t width, at_once;   /* at_once: lanes of which the lowest one's stays */
} StoreForm;

static const StoreForm store_forms[] = {{"u8", "%r2", 1, 32},
										{"u16", "%rs", 2, 32},
										{"u32", "%r2", 4, 32},
										{"v2.u16", "{%rs, %rs}", 4, 32},
										{"u64", "%rd4", 8, 16},
										{"v2.u32", "{%r2, %r2}", 8, 16},
										{"v4.u32", "{%r2, %r2, %r2, %r2}", 16, 8},
										{"v2.u64", "{%rd4, %rd4}", 16, 8}};

static uint32_t expected_lane(const StoreForm *form, uint32_t mask, uint32_t parity) {
	uint32_t lane = 0;
	for (uint32_t from = 0; from < 32; from += form->at_once)
		for (uint32_t l = from + form->at_once; l-- > from;)
			if (mask >> l & 1 && l % 2 == parity) lane = l + 1;
	return lane;
}

/* Even lanes store to one element, odd lanes to the next. */
static void of_one_store(Bench *b, const StoreForm *form, const char *space, const char *base, uint32_t mask) {
	char text[2048];
	Err err = ERR_INIT;
	uint64_t addr;
	uint32_t out[128] = {0};
	snprintf(text, sizeof text,
			 PTX_HEADER
			 ".visible .entry k(.param .u64 p0) {\n"
			 ".shared .align 16 .b8 s[64]; .reg .b16 %%rs; .reg .b32 %%r<8>; .reg .b64 %%rd<8>; .reg .pred %%p;"
			 "ld.param.u64 %%rd1, [p0]; mov.u32 %%r1, %%tid.x; add.u32 %%r2, %%r1, 1; cvt.u16.u32 %%rs, %%r2;"
			 "cvt.u64.u32 %%rd4, %%r2; and.b32 %%r3, %%r1, 1; mov.u64 %%rd2, s;\n"
			 "mad.wide.u32 %%rd3, %%r3, %u, %s; mov.u32 %%r4, %u; shr.u32 %%r4, %%r4, %%r1; and.b32 %%r4, %%r4, 1;"
			 "setp.ne.u32 %%p, %%r4, 0; @%%p st%s.%s [%%rd3], %s; bar.warp.sync 0xffffffff;\n"
			 "ld%s.u8 %%r5, [%%rd3]; mad.wide.u32 %%rd5, %%r1, 4, %%rd1; st.global.u32 [%%rd5+256], %%r5; ret; }",
			 form->width, base, mask, space, form->store, form->value, space);
	assert_true(machine_alloc(b->machine, sizeof out, "out", &addr, &err));
	assert_true(machine_write(b->machine, addr, out, sizeof out, &err));
	const LaunchConfig config = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
	if (!bench_launch(b, text, config, &addr, sizeof addr, &err)) fail_msg("%s", err.what);
	assert_true(machine_read(b->machine, addr, out, sizeof out, &err));
	assert_true(machine_release(b->machine, addr, &err));
	for (uint32_t parity = 0; parity < 2; parity++)
		if (out[64 + parity] != expected_lane(form, mask, parity))
			fail_msg("st%s.%s, mask %08x: %u", space, form->store, mask, out[64 + parity]);
}

static void stores_of_several_lanes(void **state) {
	const uint32_t masks[] = {0xffffffff, 0x0000fffc, 0x30f00ff0, 0x000000fc, 0x80000003, 0x00c00300};
	Bench *b = bench_open();
	(void)state;
	for (size_t f = 0; f < sizeof store_forms / sizeof *store_forms; f++)
		for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
			of_one_store(b, &store_forms[f], ".global", "%rd1", masks[m]);
			of_one_store(b, &store_forms[f], ".shared", "%rd2", masks[m]);
			of_one_store(b, &store_forms[f], "", "%rd1", masks[m]);
		}
	bench_close(b);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(apart),
									   cmocka_unit_test(ranges),
									   cmocka_unit_test(freed),
									   cmocka_unit_test(limits),
									   cmocka_unit_test(device_heap),
									   cmocka_unit_test(nothing_has_an_address),
									   cmocka_unit_test(heap_put_back_as_it_was),
									   cmocka_unit_test(heap_objects_are_apart),
									   cmocka_unit_test(heap_limit_set),
									   cmocka_unit_test(written_bytes),
									   cmocka_unit_test(host_access),
									   cmocka_unit_test(stack_that_grows),
									   cmocka_unit_test(past_a_local_array),
									   cmocka_unit_test(words_of_shared_memory),
									   cmocka_unit_test(stores_of_several_lanes),
									   cmocka_unit_test(one_lane_past_shared_memory),
									   cmocka_unit_test(sixteen_bytes),
									   cmocka_unit_test(bad_accesses),
									   cmocka_unit_test(freed_buffer),
									   cmocka_unit_test(constants_are_read_only),
									   cmocka_unit_test(tracked_stores),
									   cmocka_unit_test(module_variables),
									   cmocka_unit_test(what_was_taken_is_put_back),
									   cmocka_unit_test(a_large_one_is_put_back)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("emu memory", tests, NULL, NULL);
}
