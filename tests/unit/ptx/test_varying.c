/* Which registers differ between lanes. */
#include "check.h"

#include <stdlib.h>

#include "ptx/analysis/varying.h"

static uint32_t register_of(const PtxFunction *f, const char *name) {
	for (uint32_t i = 0; i < f->nregs; i++)
		if (strcmp(f->regs[i].name, name) == 0) return i;
	fail_msg("no register %s", name);
	return 0;
}

static void expect_varying(const char *statements, const char *differ, const char *same) {
	PtxModule *m = parse_kernel(statements);
	Arena *arena = arena_new();
	const PtxFunction *f = kernel_of(m);
	bool *varying = ptx_varying(ptx_cfg(arena, f));
	char name[16];
	int used;
	for (const char *at = differ; sscanf(at, " %15s%n", name, &used) == 1; at += used)
		if (!varying[register_of(f, name)]) fail_msg("%s is the same for all lanes: %s", name, statements);
	for (const char *at = same; sscanf(at, " %15s%n", name, &used) == 1; at += used)
		if (varying[register_of(f, name)]) fail_msg("%s differs: %s", name, statements);
	free(varying);
	arena_free(arena);
	ptx_free(m);
}

static void values_follow_from_threads_or_do_not(void **state) {
	expect_varying("mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; add.u32 %r2, %r0, %r1; add.u32 %r3, %r1, 7; ret;",
				   "%r0 %r2", "%r1 %r3");
	expect_varying("mov.u32 %r0, %laneid; vote.sync.ballot.b32 %r1, 1, -1; shfl.sync.idx.b32 %r2, %r1, 0, 31, -1; ret;",
				   "%r0 %r2", "%r1");
	expect_varying("mov.u32 %r0, %ctaid.x; cvt.u64.u32 %rd0, %r0; ld.global.u32 %r1, [%rd0]; ld.local.u32 %r2, [%rd0];"
				   "atom.global.add.u32 %r3, [%rd0], 1; ret;",
				   "%r2 %r3", "%r1");
}

#define EITHER "mov.u32 %r2, 1; @%p0 bra OTHER; mov.u32 %r2, 2; mov.u32 %r3, 5; OTHER: mov.u32 %r1, %r2; ret;"
#define REPEAT                                                                                                         \
	"mov.u32 %r2, 0; AGAIN: mov.u32 %r3, 5; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r0; @%p1 bra AGAIN; ret;"

/* Two instructions write %r2: after a branch on a thread's index lanes hold different ones, after one on a block's they
 * do not. What one instruction writes is the same for the lanes that are there. */
static void branches_decide_what_is_held(void **state) {
	expect_varying("mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 3; " EITHER, "%r0 %r1 %r2", "%r3");
	expect_varying("mov.u32 %r0, %ctaid.x; setp.eq.u32 %p0, %r0, 3; " EITHER, "", "%r0 %r1 %r2 %r3");
	expect_varying("mov.u32 %r0, %tid.x; " REPEAT, "%r0 %r2", "%r3");
	expect_varying("mov.u32 %r0, %nctaid.x; " REPEAT, "", "%r0 %r2 %r3");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_follow_from_threads_or_do_not),
		cmocka_unit_test(branches_decide_what_is_held),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
