/* What a launch takes of the host's memory, as the operating system counts it: each kernel runs in a child, whose peak
 * may not pass buffers + heap + 64 MiB + the shadows that the outcome names. */
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "emu/check/check.h"

enum { MIB = 1 << 20, ALLOWED = 64 * MIB, HEAP = 8 * MIB, BUFFER = 16 * MIB };

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

typedef struct {
	const char *name, *functions, *body; /* the kernel's; functions: before it */
	uint32_t grid, block, timeout_ms;
	size_t heap, shadow; /* 0: the default */
	LaunchStatus plain, checked;
	const char *says; /* checked; NULL: anything */
} Case;

#define DECLARED                                                                                                       \
	".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n"                       \
	".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"                                           \
	".global .align 1 .b8 letter[2] = {97,0};\n"
#define REGISTERS                                                                                                      \
	".reg .b32 %r<32>; .reg .b64 %l<32>; .reg .pred %p<8>;\n"                                                          \
	"ld.param.u64 %l1, [a]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n"                       \
	"mad.lo.u32 %r4, %r2, %r3, %r1; mul.wide.u32 %l2, %r4, 4; add.u64 %l3, %l1, %l2;\n"
#define MALLOC(to, bytes)                                                                                              \
	"{ .param .b64 n; .param .b64 r; st.param.b64 [n], " bytes "; call (r), malloc, (n); ld.param.b64 " to ", [r]; "   \
	"}\n"
#define FREE(p) "{ .param .b64 q; st.param.b64 [q], " p "; call free, (q); }\n"

static const char recursive[] =
	".func (.param .b32 r) down(.param .b32 n)\n{\n.local .align 8 .b8 room[256];\n.reg .b32 "
	"%r<8>; .reg .pred %p1;\nld.param.b32 %r1, [n]; st.local.u32 [room], %r1;\nadd.u32 %r2, "
	"%r1, 1; { .param .b32 m; .param .b32 s; st.param.b32 [m], %r2;\ncall (s), down, (m); "
	"ld.param.b32 %r3, [s]; } st.param.b32 [r], %r3; ret;\n}\n";

static const Case cases[] = {
	{.name = "nothing much", .body = "st.global.u32 [%l3], %r1;", .grid = 64, .block = 256},
	{.name = "malloc and free for ever",
	 .body = "M: " MALLOC("%l4", "16") FREE("%l4") "bra M;",
	 .grid = 4,
	 .block = 64,
	 .timeout_ms = 700,
	 .plain = LAUNCH_TIMEOUT,
	 .checked = LAUNCH_TIMEOUT},
	{.name = "malloc and free of many sizes",
	 .body =
		 "mov.u64 %l5, 16;\nM: " MALLOC("%l4", "%l5") FREE("%l4") "add.u64 %l5, %l5, 48; and.b64 %l5, %l5, 0xffff;\n"
																  "bra M;",
	 .grid = 4,
	 .block = 64,
	 .timeout_ms = 700,
	 .plain = LAUNCH_TIMEOUT,
	 .checked = LAUNCH_TIMEOUT},
	{.name = "malloc until there is none",
	 .body = "M: " MALLOC("%l4", "16") "setp.ne.u64 %p1, %l4, 0; @%p1 atom.global.add.u32 %r5, [%l1], 1; @%p1 bra M;",
	 .grid = 1,
	 .block = 32},
	{.name = "malloc until there is none of much",
	 .body = "M: " MALLOC("%l4", "16") "setp.ne.u64 %p1, %l4, 0; @%p1 st.u32 [%l4], %r1; @%p1 bra M;",
	 .grid = 1,
	 .block = 32,
	 .heap = 48 * MIB},
	{.name = "endless recursion",
	 .functions = recursive,
	 .body = "{ .param .b32 n; .param .b32 r; st.param.b32 [n], %r1; call (r), down, (n); ld.param.b32 %r5, [r]; }\n"
			 "st.global.u32 [%l3], %r5;",
	 .grid = 8,
	 .block = 1024,
	 .plain = LAUNCH_FAULT,
	 .checked = LAUNCH_FAULT},
	{.name = "large arrays of each thread",
	 .body = ".local .align 16 .b8 room[32768]; .local .align 4 .b8 last[4];\n st.local.u32 [room], %r1;\n"
			 "st.global.u32 [%l3], %r1;",
	 .grid = 16,
	 .block = 768},
	{.name = "arrays too large for a block",
	 .body = ".local .align 16 .b8 room[65536]; st.local.u32 [room], %r1; st.global.u32 [%l3], %r1;",
	 .grid = 4,
	 .block = 1024,
	 .plain = LAUNCH_LIMIT,
	 .checked = LAUNCH_LIMIT,
	 .says = "local memory"},
	{.name = "blocks that wait for the last one",
	 .body = ".shared .align 16 .b8 s[40000]; st.shared.u32 [s], %r1; mov.u32 %r5, %nctaid.x; sub.u32 %r5, %r5, 1;\n"
			 "setp.eq.u32 %p1, %r2, %r5; @%p1 st.volatile.global.u32 [%l1], 77; @%p1 bra E;\n"
			 "W: ld.volatile.global.u32 %r6, [%l1]; setp.ne.u32 %p2, %r6, 77; @%p2 bra W;\nE:",
	 .grid = 20000,
	 .block = 256,
	 .timeout_ms = 1000,
	 .plain = LAUNCH_TIMEOUT,
	 .checked = LAUNCH_TIMEOUT},
	{.name = "a letter from each block",
	 .body = "{ .param .b64 f; .param .b64 g; .param .b32 r; mov.u64 %l4, letter; st.param.b64 [f], %l4;\n"
			 "st.param.b64 [g], 0; call (r), vprintf, (f, g); ld.param.b32 %r5, [r]; }",
	 .grid = 400000,
	 .block = 1,
	 .timeout_ms = 60000},
	{.name = "more words than the race check has room for",
	 .body = "mov.u32 %r10, 0;\nM: mad.lo.u32 %r5, %r4, 2654435761, %r10; and.b32 %r5, %r5, 0x3fffff;\n"
			 "mul.wide.u32 %l4, %r5, 4; add.u64 %l4, %l1, %l4; ld.global.u32 %r6, [%l4]; st.global.u32 [%l4], %r6;\n"
			 "add.u32 %r10, %r10, 77777; setp.lt.u32 %p1, %r10, 70000000; @%p1 bra M;",
	 .grid = 128,
	 .block = 128,
	 .shadow = 32 * MIB,
	 .checked = LAUNCH_LIMIT,
	 .says = "race check needs more than 32 MiB"},
	{.name = "barriers for ever",
	 .body = "M: bar.sync 0; st.global.u32 [%l1], %r1; bra M;",
	 .grid = 1,
	 .block = 32,
	 .timeout_ms = 30000,
	 .shadow = 8 * MIB,
	 .plain = LAUNCH_TIMEOUT,
	 .checked = LAUNCH_LIMIT,
	 .says = "race check needs more than 8 MiB"},
};

typedef struct {
	LaunchOutcome outcome;
	size_t peak; /* bytes above what the process had before the launch */
	uint32_t first;
} Report;

static size_t peak_now(void) {
	struct rusage r;
	getrusage(RUSAGE_SELF, &r);
	return (size_t)r.ru_maxrss * 1024;
}

static void run_in_child(const Case *c, unsigned checks, Report *report) {
	Err err = ERR_INIT;
	char text[8192];
	const Gpu *gpu = gpu_find("H200", &err);
	Machine *m = machine_open(gpu, 2);
	EmuModule *module;
	uint64_t buffer;
	snprintf(text, sizeof text, "%s%s%s.visible .entry k(.param .u64 a)\n{\n%s%s\nret; }\n", PTX_HEADER, DECLARED,
			 c->functions ? c->functions : "", REGISTERS, c->body);
	PtxModule *ptx = ptx_parse(text, strlen(text), &err);
	if (!ptx || !machine_alloc(m, BUFFER, "buffer", &buffer, &err)) exit(2);
	memset(machine_host(m, buffer, BUFFER), 0, BUFFER);
	if (!machine_load(m, ptx, &module, &err)) exit(2);
	CheckSet *set = checks_new(gpu, checks);
	EmuLaunch launch = {.config = {.grid = {c->grid, 1, 1},
								   .block = {c->block, 1, 1},
								   .timeout_ms = c->timeout_ms,
								   .heap_bytes = c->heap},
						.params = &buffer,
						.param_bytes = 8,
						.shadow_bytes = c->shadow};
	launch.observers = checks_observers(set, &launch.nobservers);
	const size_t before = peak_now();
	if (!machine_launch(m, emu_kernel(module, "k"), &launch, &report->outcome, &err)) exit(3);
	report->peak = peak_now() - before;
	memcpy(&report->first, machine_host(m, buffer, 4), 4);
}

static void run(const Case *c, unsigned checks, Report *report) {
	int ends[2], status;
	assert_int_equal(pipe(ends), 0);
	const pid_t child = fork();
	assert_true(child >= 0);
	if (!child) {
		Report r = {0};
		run_in_child(c, checks, &r);
		_exit(write(ends[1], &r, sizeof r) == sizeof r ? 0 : 4);
	}
	close(ends[1]);
	const ssize_t got = read(ends[0], report, sizeof *report);
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	if (status || got != sizeof *report) fail_msg("%s: status %x", c->name, (unsigned)status);
}

static void expect(const Case *c, unsigned checks, const Report *r) {
	const LaunchStatus want = checks ? c->checked : c->plain;
	const size_t heap = c->heap ? c->heap : HEAP, most = heap + ALLOWED + r->outcome.shadow_bytes;
	if (r->outcome.status != want)
		fail_msg("%s, checks %u: %s, %s", c->name, checks, launch_status_names[r->outcome.status], r->outcome.message);
	if (checks && c->says && !strstr(r->outcome.message, c->says)) fail_msg("%s: %s", c->name, r->outcome.message);
	if (getenv("SHOW"))
		print_message("%-45s checks %2u: peak %5zu MiB, shadows %5zu MiB\n", c->name, checks, r->peak / MIB,
					  r->outcome.shadow_bytes / MIB);
	if (r->peak > most)
		fail_msg("%s, checks %u: %zu MiB, with shadows of %zu MiB", c->name, checks, r->peak / MIB,
				 r->outcome.shadow_bytes / MIB);
	if (c->shadow && r->outcome.shadow_bytes > c->shadow + 16 * MIB)
		fail_msg("%s: shadows of %zu MiB", c->name, r->outcome.shadow_bytes / MIB);
}

static void peaks(void **state) {
	(void)state;
	if (SANITIZED) return; /* they keep what was freed */
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Case c = cases[i];
		Report r;
		if (c.timeout_ms > 2000 && c.plain == LAUNCH_TIMEOUT) c.timeout_ms = 500;
		run(&c, 0, &r);
		expect(&cases[i], 0, &r);
		assert_int_equal(r.outcome.shadow_bytes, 0);
		run(&cases[i], CHECK_ALL, &r);
		expect(&cases[i], CHECK_ALL, &r);
	}
}

/* Each of 16 bytes takes 64 of the limit for its record. */
static void a_full_heap_gives_null(void **state) {
	const Case *c = &cases[3];
	Report r;
	(void)state;
	run(c, 0, &r);
	assert_int_equal(r.outcome.status, LAUNCH_OK);
	assert_int_equal(r.first, HEAP / 80);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(peaks), cmocka_unit_test(a_full_heap_gives_null)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
