/* Kernels written to break the checkers. Each runs without them, under each alone and under all together; the outcome
 * and what memory holds afterwards are always the same. Under the sanitizers every shadow that is left shows. */
#include "bench.h"
#include "emu/check/check.h"

typedef struct {
	const char *name;
	const char *directives; /* of the kernel */
	const char *body;
	LaunchStatus status;
	FaultKind fault;
	const char *checks; /* those that find something; "": none */
} Case;

enum { BUFFER = 4096 };

#define REGISTERS                                                                                                      \
	".reg .b16 %h<8>; .reg .b32 %r<64>; .reg .b64 %l<32>; .reg .f32 %f<8>; .reg .pred %p<8>;\n"                        \
	".shared .align 16 .b8 s[4096];\n"                                                                                 \
	"ld.param.u64 %l1, [a]; mov.u32 %r1, %tid.x; mul.wide.u32 %l2, %r1, 4; add.u64 %l3, %l1, %l2;\n"                   \
	"mov.u32 %r2, s; shl.b32 %r3, %r1, 2; add.u32 %r4, %r2, %r3; cvt.u64.u32 %l4, %r2; cvta.shared.u64 %l5, %l4;\n"
#define WRITE_SHARED "st.shared.u32 [%r4], %r1;\n"
#define MAPPED "mapa.u64 %l6, %l5, 0; add.u64 %l7, %l6, %l2;\n"
#define SYNC "barrier.cluster.arrive; barrier.cluster.wait;\n"
#define FILL_SHARED                                                                                                    \
	"mov.u32 %r10, %r4; mov.u32 %r11, 0; F: st.shared.u32 [%r10], %r11; add.u32 %r10, %r10, 128;\n"                    \
	"add.u32 %r11, %r11, 1; setp.lt.u32 %p1, %r11, 32; @%p1 bra F;\n"

static const Case cases[] = {
	{"cluster address, no clusters", "", WRITE_SHARED MAPPED "ld.volatile.u32 %r5, [%l7]; st.global.u32 [%l3], %r5;",
	 LAUNCH_OK, FAULT_NONE, ""},
	{"cluster address, clusters of one", ".reqnctapercluster 1",
	 WRITE_SHARED MAPPED "ld.volatile.u32 %r5, [%l7]; st.global.u32 [%l3], %r5;", LAUNCH_OK, FAULT_NONE, ""},
	{"cluster address, in disorder", "",
	 FILL_SHARED MAPPED "mul.lo.u32 %r6, %r1, 7; and.b32 %r6, %r6, 31; mul.wide.u32 %l8, %r6, 4;\n"
						"add.u64 %l8, %l6, %l8; ld.volatile.u32 %r5, [%l8]; st.global.u32 [%l3], %r5;",
	 LAUNCH_OK, FAULT_NONE, ""},
	{"cluster address, after the barrier", "", WRITE_SHARED SYNC MAPPED "ld.u32 %r5, [%l7]; st.global.u32 [%l3], %r5;",
	 LAUNCH_OK, FAULT_NONE, ""},
	{"cluster address, of shared memory", "",
	 WRITE_SHARED "mapa.shared::cluster.u32 %r7, %r4, 0; ld.shared::cluster.u32 %r5, [%r7];\n"
				  "st.shared::cluster.v4.u32 [%r7+1024], {%r5, %r5, %r5, %r5}; st.global.u32 [%l3], %r5;",
	 LAUNCH_FAULT, FAULT_MISALIGNED, "memory"},
	{"cluster address, stored to", "",
	 "mapa.shared::cluster.u32 %r7, %r4, 0; st.shared::cluster.u32 [%r7], %r1;\n"
	 "ld.shared.u32 %r5, [%r4]; st.global.u32 [%l3], %r5;",
	 LAUNCH_OK, FAULT_NONE, ""},
	{"cluster address, atomic", "", WRITE_SHARED MAPPED "atom.add.u32 %r5, [%l7], 3; st.global.u32 [%l3], %r5;",
	 LAUNCH_OK, FAULT_NONE, ""},
	{"cluster address, mbarrier", "",
	 "setp.eq.u32 %p1, %r1, 0; mapa.shared::cluster.u32 %r7, %r2, 0;\n"
	 "@%p1 mbarrier.init.shared.b64 [%r7], 32; bar.sync 0; mbarrier.arrive.shared::cluster.b64 _, [%r7];\n"
	 "bar.sync 0; st.global.u32 [%l3], %r1;",
	 LAUNCH_OK, FAULT_NONE, ""},
	{"cluster address, asynchronous copy", "",
	 "mapa.shared::cluster.u32 %r7, %r4, 0; cp.async.ca.shared.global [%r7], [%l3], 4; cp.async.wait_all;\n"
	 "ld.shared.u32 %r5, [%r4]; st.global.u32 [%l3], %r5;",
	 LAUNCH_OK, FAULT_NONE, ""},
	{"cluster address, no such block", "", "mapa.u64 %l6, %l5, 1; ld.u32 %r5, [%l6];", LAUNCH_FAULT, FAULT_INSTRUCTION,
	 ""},
	{"cluster window, far block", "", "add.u64 %l6, %l5, 0x4000000; ld.u32 %r5, [%l6];", LAUNCH_FAULT,
	 FAULT_OUT_OF_BOUNDS, "memory"},
	{"cluster window, its last word", "",
	 WRITE_SHARED "add.u64 %l6, %l5, 0x800ffc; ld.u32 %r5, [%l6]; st.global.u32 [%l3], %r5;", LAUNCH_OK, FAULT_NONE,
	 "init"},
	{"cluster window, past its block", "", "add.u64 %l6, %l5, 0x801000; ld.u32 %r5, [%l6];", LAUNCH_FAULT,
	 FAULT_OUT_OF_BOUNDS, "memory"},
	{"shared window, past the end", "", "st.u32 [%l5+4096], %r1;", LAUNCH_FAULT, FAULT_OUT_OF_BOUNDS, "memory"},
	{"shared address that wraps", "", "mov.u32 %r5, 0xfffffffc; st.shared.u32 [%r5], %r1;", LAUNCH_FAULT,
	 FAULT_OUT_OF_BOUNDS, "memory"},
	{"local window, past the stack", "", "mov.u64 %l6, 0x500080000; st.u32 [%l6], %r1;", LAUNCH_FAULT,
	 FAULT_OUT_OF_BOUNDS, "memory"},
	{"mbarrier at an odd address", "", "mbarrier.init.shared.b64 [%r2+4], 1;", LAUNCH_FAULT, FAULT_MISALIGNED,
	 "memory"},
	{"one matrix stored", "",
	 "shl.b32 %r5, %r1, 4; add.u32 %r5, %r2, %r5; stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r5], {%r1};\n"
	 "bar.sync 0; and.b32 %r6, %r4, 127; ld.shared.u32 %r7, [%r6]; st.global.u32 [%l3], %r7;",
	 LAUNCH_OK, FAULT_NONE, ""},
	{"rows of a matrix in one place", "",
	 "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2], {%r1}; st.global.u32 [%l3], %r1;", LAUNCH_OK, FAULT_NONE, "race"},
	{"a fragment in global and shared memory", "",
	 "setp.lt.u32 %p1, %r1, 16; selp.b64 %l6, %l1, %l5, %p1; mov.u32 %r10, 0; mov.b32 %r11, %r10; mov.b32 %r12, %r10;\n"
	 "mov.b32 %r13, %r10; wmma.store.d.sync.aligned.row.m16n16k16.f16 [%l6], {%r10, %r11, %r12, %r13}, 16;\n"
	 "bar.sync 0; wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r20, %r21, %r22, %r23, %r24, %r25, %r26, %r27},\n"
	 "[%l6], 16;",
	 LAUNCH_OK, FAULT_NONE, ""},
	{"a vote of lanes that are not there", "",
	 "setp.lt.u32 %p1, %r1, 4; @!%p1 bra E; vote.sync.ballot.b32 %r5, %p1, 0x80000001; st.global.u32 [%l3], %r5;\nE:",
	 LAUNCH_OK, FAULT_NONE, "sync"},
	{"an empty member mask", "", "bar.warp.sync 0; st.global.u32 [%l3], %r1;", LAUNCH_OK, FAULT_NONE, "sync"},
	{"one lane elected into nothing", "", "elect.sync _|%p1, -1; selp.u32 %r5, 1, 0, %p1; st.global.u32 [%l3], %r5;",
	 LAUNCH_OK, FAULT_NONE, ""},
	{"no texture", "", "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%l1, {%f0, %f1}];", LAUNCH_FAULT, FAULT_OUT_OF_BOUNDS,
	 "memory"},
	{"printf of wild arguments", "",
	 ".local .align 8 .b8 args[64]; .param .b64 pf; .param .b64 pa; .param .b32 pr; mov.u32 %r5, 0x80000000;\n"
	 "st.local.u32 [args], %r5; st.local.u32 [args+4], %r1; st.local.u32 [args+8], %r5; st.local.u32 [args+12], %r5;\n"
	 "st.local.u64 [args+16], %l1; mov.u64 %l6, 0x123456789; st.local.u64 [args+24], %l6; mov.u64 %l7, args;\n"
	 "cvta.local.u64 %l7, %l7; st.param.b64 [pa], %l7; mov.u64 %l8, format; st.param.b64 [pf], %l8;\n"
	 "call (pr), vprintf, (pf, pa); ld.param.b32 _, [pr]; st.global.u32 [%l3], %r1;",
	 LAUNCH_OK, FAULT_NONE, ""},
	{"printf past its arguments", "",
	 ".param .b64 pf; .param .b64 pa; .param .b32 pr; mov.u64 %l6, 0x500000000; st.param.b64 [pa], %l6;\n"
	 "mov.u64 %l8, format; st.param.b64 [pf], %l8; call (pr), vprintf, (pf, pa);",
	 LAUNCH_FAULT, FAULT_OUT_OF_BOUNDS, "memory"},
	{"memory of nothing", "", "mov.u64 %l6, 0xfffffffffffffffc; st.global.u32 [%l6], %r1;", LAUNCH_FAULT,
	 FAULT_OUT_OF_BOUNDS, "memory"},
	{"a buffer's last byte and past it", "", "add.u64 %l6, %l1, 4094; st.global.u16 [%l6+2], %h1;", LAUNCH_FAULT,
	 FAULT_OUT_OF_BOUNDS, "memory"},
};

/* "%*d %*.*f%n %s", which takes two ints, then two ints and a double, then a pointer. */
static const char printf_declared[] =
	".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
	".global .align 1 .b8 format[16] = {37,42,100,32,37,42,46,42,102,37,110,32,37,115,10,0};\n";

typedef struct {
	LaunchOutcome outcome;
	uint8_t memory[BUFFER];
	char found[64];
} Result;

static void note_found(const CheckSet *set, char *found, size_t size) {
	size_t n;
	const Finding *f = checks_findings(set, &n);
	for (size_t i = 0; i < n; i++) {
		const char *name = check_name(f[i].check);
		if (f[i].check == CHECK_UNUSED || strstr(found, name)) continue;
		const size_t used = strlen(found);
		snprintf(found + used, size - used, "%s%s", used ? "," : "", name);
	}
}

static void run_case(const Case *c, unsigned checks, unsigned threads, Result *r) {
	char text[8192];
	Err err = ERR_INIT;
	const Gpu *gpu = gpu_find("H200", &err);
	Machine *machine = machine_open(gpu, threads);
	EmuModule *module;
	uint64_t buffer;
	uint8_t zeros[BUFFER] = {0};
	memset(r, 0, sizeof *r);
	snprintf(text, sizeof text, "%s%s.visible .entry k(.param .u64 a) %s\n{\n%s%s\nret; }\n", PTX_HEADER,
			 printf_declared, c->directives, REGISTERS, c->body);
	PtxModule *ptx = ptx_parse(text, strlen(text), &err);
	if (!ptx) fail_msg("%s: %s", c->name, err.what);
	assert_true(machine_alloc(machine, BUFFER, "buffer", &buffer, &err));
	assert_true(machine_write(machine, buffer, zeros, BUFFER, &err));
	assert_true(machine_load(machine, ptx, &module, &err));
	CheckSet *set = checks_new(gpu, checks);
	EmuLaunch launch = {
		.config = {.grid = {2, 1, 1}, .block = {32, 1, 1}, .timeout_ms = 10000}, .params = &buffer, .param_bytes = 8};
	launch.observers = checks_observers(set, &launch.nobservers);
	const EmuKernel *k = emu_kernel(module, "k");
	if (!machine_launch(machine, k, &launch, &r->outcome, &err)) fail_msg("%s: %s", c->name, err.what);
	assert_true(machine_read(machine, buffer, r->memory, BUFFER, &err));
	note_found(set, r->found, sizeof r->found);
	checks_free(set);
	machine_close(machine);
	ptx_free(ptx);
}

/* Both blocks of the grid write the same, so that what memory holds does not hang on their order. Under the memory
 * checker a launch goes on after a bad access: of those the first run is what the next ones are compared with. */
static void expect_case(const Case *c, unsigned checks, unsigned threads, const Result *plain, Result *went_on) {
	Result r;
	run_case(c, checks, threads, &r);
	if (checks & CHECK_MEMORY && c->status == LAUNCH_FAULT) {
		if (!went_on->outcome.status) *went_on = r;
		plain = went_on;
	}
	if (r.outcome.status != c->status || r.outcome.fault.kind != c->fault)
		fail_msg("%s, checks %u: %s: %s", c->name, checks, launch_status_names[r.outcome.status], r.outcome.message);
	if (memcmp(r.memory, plain->memory, BUFFER)) fail_msg("%s, checks %u: memory differs", c->name, checks);
	const char *want = checks == (CHECK_MEMORY | CHECK_RACE | CHECK_INIT | CHECK_SYNC) ? c->checks : NULL;
	if (want && !strstr(r.found, want)) fail_msg("%s: found \"%s\", not %s", c->name, r.found, want);
}

static void same_under_every_checker(void **state) {
	static const unsigned sets[] = {CHECK_MEMORY, CHECK_RACE,   CHECK_INIT,
									CHECK_SYNC,   CHECK_UNUSED, CHECK_MEMORY | CHECK_RACE | CHECK_INIT | CHECK_SYNC,
									CHECK_ALL};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Result plain, went_on = {0};
		run_case(&cases[i], 0, 1, &plain);
		for (size_t k = 0; k < sizeof sets / sizeof *sets; k++)
			for (unsigned threads = 1; threads <= 2; threads++)
				expect_case(&cases[i], sets[k], threads, &plain, &went_on);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(same_under_every_checker)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
