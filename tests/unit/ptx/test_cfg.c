/* Blocks, edges, where diverged lanes meet, liveness and register pressure. Each graph is also checked against
 * definitions applied by brute force: b post-dominates a if no way from a to the exit avoids b. */
#include "check.h"

#include <stdlib.h>

#include "ptx/analysis/cfg.h"

typedef struct {
	PtxModule *m;
	Arena *arena;
	PtxCfg *cfg;
} Graph;

static Graph graph_of(const char *statements) {
	Graph g = {.m = parse_kernel(statements), .arena = arena_new()};
	g.cfg = ptx_cfg(g.arena, kernel_of(g.m));
	assert_non_null(g.cfg);
	return g;
}

static void graph_free(Graph *g) {
	arena_free(g->arena);
	ptx_free(g->m);
}

static void check_shape(const PtxCfg *cfg) {
	const PtxFunction *f = cfg->function;
	uint32_t at = 0;
	for (uint32_t b = 0; b < cfg->nblocks; b++) {
		assert_int_equal(cfg->blocks[b].first, at);
		assert_true(cfg->blocks[b].end > at);
		for (; at < cfg->blocks[b].end; at++) assert_int_equal(cfg->block_of[at], b);
		for (uint32_t k = 0; k < cfg->blocks[b].nsucc; k++) {
			const PtxBlock *to = &cfg->blocks[cfg->blocks[b].succ[k]];
			uint32_t back = 0;
			for (uint32_t p = 0; p < to->npred; p++) back += to->pred[p] == b;
			assert_int_equal(back, 1);
		}
	}
	assert_int_equal(at, f->ninstrs);
}

static void expect_succ(const Graph *g, uint32_t block, const char *want) {
	Str got = {0};
	str_add(&got, "");
	for (uint32_t k = 0; k < g->cfg->blocks[block].nsucc; k++)
		str_addf(&got, "%s%u", k ? " " : "", g->cfg->blocks[block].succ[k]);
	if (strcmp(got.text ? got.text : "", want)) fail_msg("block %u leads to %s, not %s", block, got.text, want);
	str_free(&got);
}

static void expect_ipdom(const Graph *g, uint32_t block, uint32_t want) {
	if (g->cfg->blocks[block].ipdom != want)
		fail_msg("block %u meets at %u, not %u", block, g->cfg->blocks[block].ipdom, want);
}

static void expect_meet(const Graph *g, uint32_t block, uint32_t want) {
	if (g->cfg->blocks[block].meet != want)
		fail_msg("lanes of block %u meet at %u, not %u", block, g->cfg->blocks[block].meet, want);
}

static void straight_line(void **state) {
	Graph g = graph_of("mov.u32 %r1, 1; bar.sync 0; add.s32 %r1, %r1, 1; ret;");
	assert_int_equal(g.cfg->nblocks, 1);
	expect_succ(&g, 0, "");
	expect_ipdom(&g, 0, CFG_EXIT);
	check_shape(g.cfg);
	graph_free(&g);
}

static void empty_function(void **state) {
	Graph g = graph_of("");
	assert_int_equal(g.cfg->nblocks, 0);
	assert_int_equal(g.cfg->max_live_words32, 0);
	graph_free(&g);
	PtxModule *m = parse_module(".func f;");
	Arena *arena = arena_new();
	assert_null(ptx_cfg(arena, m->functions[0]));
	arena_free(arena);
	ptx_free(m);
}

static void diamond(void **state) {
	Graph g =
		graph_of("@%p1 bra ELSE; mov.u32 %r1, 1; bra.uni JOIN; ELSE: mov.u32 %r1, 2; JOIN: add.s32 %r1, %r1, 1; ret;");
	assert_int_equal(g.cfg->nblocks, 4);
	expect_succ(&g, 0, "1 2"); /* the fall-through first */
	expect_succ(&g, 1, "3");
	expect_succ(&g, 2, "3");
	for (uint32_t b = 0; b < 3; b++) expect_ipdom(&g, b, 3);
	expect_ipdom(&g, 3, CFG_EXIT);
	check_shape(g.cfg);
	graph_free(&g);
}

static void loop_with_a_break(void **state) {
	Graph g = graph_of("mov.u32 %r1, 0;\n"                             /* 0 */
					   "TOP: setp.eq.s32 %p1, %r1, 5; @%p1 bra OUT;\n" /* 1 */
					   "setp.eq.s32 %p2, %r1, 7; @%p2 bra NEXT;\n"     /* 2 */
					   "add.s32 %r2, %r1, 1;\n"                        /* 3 */
					   "NEXT: add.s32 %r1, %r1, 1; bra TOP;\n"         /* 4 */
					   "OUT: ret;");                                   /* 5 */
	expect_succ(&g, 4, "1");
	expect_ipdom(&g, 0, 1);
	expect_ipdom(&g, 1, 5);
	expect_ipdom(&g, 2, 4);
	expect_ipdom(&g, 3, 4);
	expect_ipdom(&g, 4, 1);
	check_shape(g.cfg);
	graph_free(&g);
}

static void endless_loops(void **state) {
	Graph g = graph_of("TOP: @%p1 bra ODD;\n"             /* 0 */
					   "add.s32 %r1, %r1, 1; bra JOIN;\n" /* 1 */
					   "ODD: add.s32 %r1, %r1, 2;\n"      /* 2 */
					   "JOIN: bra TOP;");                 /* 3 */
	expect_ipdom(&g, 0, 3);                               /* lanes still meet inside */
	expect_ipdom(&g, 3, CFG_EXIT);
	check_shape(g.cfg);
	graph_free(&g);
	g = graph_of("SELF: bra SELF;");
	expect_succ(&g, 0, "0");
	expect_ipdom(&g, 0, CFG_EXIT);
	graph_free(&g);
	g = graph_of("@%p1 bra SPIN; ret; SPIN: bra SPIN;");
	expect_ipdom(&g, 0, CFG_EXIT);
	expect_ipdom(&g, 2, CFG_EXIT);
	graph_free(&g);
}

static void guarded_exits_fall_through(void **state) {
	Graph g = graph_of("@%p1 ret; @%p2 exit; @!%p3 trap; mov.u32 %r1, 1; exit; mov.u32 %r1, 2; trap; brkpt;");
	assert_int_equal(g.cfg->nblocks, 6);
	for (uint32_t b = 0; b < 3; b++) {
		char next[2] = {(char)('1' + b), 0};
		expect_succ(&g, b, next);
		expect_ipdom(&g, b, b + 1); /* lanes that stay go on together */
	}
	expect_succ(&g, 3, "");
	expect_succ(&g, 4, "");
	expect_succ(&g, 5, ""); /* past the end */
	check_shape(g.cfg);
	graph_free(&g);
}

/* In a kernel the lanes that stay meet before the end, as ptxas lets them: there is an EXIT under a predicate for each
 * branch to a return. The graph is that of a step of a bitonic sort. */
static void lanes_that_stay_meet(void **state) {
	const char *const sort = "@%p1 bra END; setp.eq.s32 %p2, %r1, 0; @%p2 bra SWAP;\n" /* 0, 1 */
							 "setp.eq.s32 %p3, %r2, 0; @%p3 bra END;\n"                /* 2 */
							 "SWAP: mov.u32 %r1, 1; END: ret;";                        /* 3, 4 */
	Graph g = graph_of(sort);
	expect_ipdom(&g, 0, 1);
	expect_ipdom(&g, 1, 3);
	expect_ipdom(&g, 2, 3);
	expect_ipdom(&g, 3, 4);
	check_shape(g.cfg);
	graph_free(&g);
	g = graph_of("@%p1 bra END; mov.u32 %r1, 1; END: mov.u32 %r1, 2; ret;"); /* there is work to do before the return */
	expect_ipdom(&g, 0, 2);
	graph_free(&g);
	g = graph_of("TOP: @%p1 bra IN; bra TOP; IN: @%p2 bra END; bra TOP; END: ret;"); /* the only way out */
	expect_ipdom(&g, 2, 4);
	graph_free(&g);
}

/* Lanes meet at a case that all lead to, apart from those that go to the end; as of SASS, those of an inner branch only
 * where it dominates the block. */
static void cases_fall_through(void **state) {
	const char *const falls = "setp.gt.u32 %p1, %r1, 2; @%p1 bra HIGH;\n"                             /* 0 */
							  "setp.eq.u32 %p2, %r1, 1; @%p2 bra ONE;\n"                              /* 1 */
							  "setp.eq.u32 %p3, %r1, 2; @%p3 bra TWO; bra.uni END;\n"                 /* 2, 3 */
							  "HIGH: setp.eq.u32 %p4, %r1, 3; @%p4 bra THREE;\n"                      /* 4 */
							  "setp.ne.u32 %p5, %r1, 4; @%p5 bra END; add.s32 %r2, %r2, 4;\n"         /* 5, 6 */
							  "THREE: add.s32 %r2, %r2, 3; TWO: add.s32 %r2, %r2, 2;\n"               /* 7, 8 */
							  "ONE: add.s32 %r2, %r2, 1; END: add.s32 %r2, %r2, 5; bar.sync 0; ret;"; /* 9, 10 */
	Graph g = graph_of(falls);
	for (uint32_t b = 0; b < 6; b++) expect_ipdom(&g, b, 10);
	expect_meet(&g, 0, 9);
	expect_meet(&g, 1, 9); /* as the branch before: block 9 is also reached from others */
	expect_meet(&g, 2, 9);
	expect_meet(&g, 3, 10); /* no branch */
	expect_meet(&g, 4, 7);
	expect_meet(&g, 5, 7);
	expect_meet(&g, 6, 7);
	check_shape(g.cfg);
	graph_free(&g);
}

static void lanes_that_break_leave_the_others(void **state) {
	Graph g = graph_of("mov.u32 %r1, 0;\n"                                                   /* 0 */
					   "TOP: setp.eq.s32 %p1, %r1, 5; @%p1 bra NEXT;\n"                      /* 1 */
					   "setp.eq.s32 %p2, %r1, 7; @%p2 bra OUT; add.s32 %r2, %r1, 1;\n"       /* 2, 3 */
					   "NEXT: add.s32 %r1, %r1, 1; setp.lt.s32 %p3, %r1, 9; @%p3 bra TOP;\n" /* 4 */
					   "OUT: mov.u32 %r1, 1; bar.sync 0; ret;");                             /* 5 */
	expect_ipdom(&g, 1, 5);
	expect_meet(&g, 1, 4);
	expect_meet(&g, 2, 4);
	expect_meet(&g, 4, 5);
	graph_free(&g);
	g = graph_of("@%p1 bra ELSE; @%p2 bra WORK; bra OUT;\n" /* 0, 1, 2 */
				 "WORK: mov.u32 %r1, 1; bra OUT;\n"         /* 3 */
				 "ELSE: mov.u32 %r1, 2;\n"                  /* 4 */
				 "OUT: mov.u32 %r2, 1; bar.sync 0; ret;");  /* 5 */
	for (uint32_t b = 0; b < 5; b++) expect_meet(&g, b, 5); /* two ways to the end that do work: no nearer place */
	graph_free(&g);
	g = graph_of("bra TEST; TOP: @%p1 bra NEXT; @%p2 bra END; NEXT: add.s32 %r1, %r1, 1;\n" /* 0, 1, 2, 3 */
				 "TEST: @%p3 bra TOP; END: ret;");                                          /* 4, 5 */
	expect_ipdom(&g, 1, 5); /* the loop has no way out but that of the lanes that leave */
	expect_meet(&g, 1, 3);
	graph_free(&g);
}

/* The work does not grow with the square of a hostile text, nor with the length of its chains of jumps. */
static void many_regions_take_little_time(void **state) {
	for (int jumps = 0; jumps <= 20000; jumps += 20000) {
		Str text = {0};
		for (int i = 0; i < 4000; i++)
			str_add(&text, "@%p1 bra J0; add.s32 %r1, %r1, 1; @%p2 bra END; mov.u32 %r2, 1;\n");
		str_add(&text, "bra END;\n");
		for (int i = 0; i < jumps; i++) str_addf(&text, "J%d: bra J%d;\n", i, i + 1);
		str_addf(&text, "J%d: add.s32 %%r1, %%r1, 2; END: mov.u32 %%r2, 1; bar.sync 0; ret;", jumps);
		Graph g = graph_of(text.text);
		assert_true(g.cfg->nblocks > 8000);
		graph_free(&g);
		str_free(&text);
	}
}

static void calls_do_not_end_blocks(void **state) {
	PtxModule *m = parse_module(".func f;\n.entry k() { call f; bar.sync 0; call f; ret; }");
	Arena *arena = arena_new();
	assert_int_equal(ptx_cfg(arena, kernel_of(m))->nblocks, 1);
	arena_free(arena);
	ptx_free(m);
}

static void branch_tables(void **state) {
	Graph g = graph_of("L: .branchtargets A, B, A, C; @%p1 brx.idx %r1, L; ret;\n" /* 0, 1 */
					   "A: mov.u32 %r2, 1; bra C; B: mov.u32 %r2, 2; C: ret;");    /* 2, 3, 4 */
	expect_succ(&g, 0, "1 2 3 4");
	expect_ipdom(&g, 0, CFG_EXIT);
	expect_ipdom(&g, 2, 4);
	check_shape(g.cfg);
	graph_free(&g);
	g = graph_of("L: .branchtargets A, END; brx.idx %r1, L; A: add.s32 %r1, %r1, 1; END:");
	expect_succ(&g, 0, "1"); /* the label at the end is a way out */
	expect_ipdom(&g, 0, CFG_EXIT);
	graph_free(&g);
}

static void a_branch_to_the_next_line_is_one_edge(void **state) {
	Graph g = graph_of("@%p1 bra NEXT; NEXT: ret;");
	expect_succ(&g, 0, "1");
	expect_ipdom(&g, 0, 1);
	graph_free(&g);
	g = graph_of("@%p1 bra END; mov.u32 %r1, 1; END:");
	expect_succ(&g, 0, "1");
	expect_ipdom(&g, 0, 1);
	expect_ipdom(&g, 1, CFG_EXIT);
	graph_free(&g);
}

static bool live(const Graph *g, const uint64_t *sets, uint32_t block, const char *name) {
	for (uint32_t r = 0; r < g->cfg->function->nregs; r++) {
		if (strcmp(g->cfg->function->regs[r].name, name) == 0)
			return sets[(size_t)block * g->cfg->live_words + r / 64] >> r % 64 & 1;
	}
	fail_msg("no register %s", name);
	return false;
}

static void liveness_over_branches(void **state) {
	Graph g = graph_of("mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u32 %r3, 3; @%p1 bra ELSE;\n" /* 0 */
					   "add.s32 %r4, %r1, 1; bra JOIN;\n"                                 /* 1 */
					   "ELSE: mov.u32 %r4, %r2;\n"                                        /* 2 */
					   "JOIN: st.global.u32 [%rd1], %r4; ret;");                          /* 3 */
	const PtxCfg *c = g.cfg;
	assert_true(live(&g, c->live_out, 0, "%r1") && live(&g, c->live_out, 0, "%r2"));
	assert_false(live(&g, c->live_out, 0, "%r3") || live(&g, c->live_out, 0, "%r4"));
	assert_true(live(&g, c->live_in, 1, "%r1") && !live(&g, c->live_in, 1, "%r2"));
	assert_true(live(&g, c->live_in, 2, "%r2") && !live(&g, c->live_in, 2, "%r1"));
	assert_true(live(&g, c->live_in, 3, "%r4") && live(&g, c->live_in, 3, "%rd1"));
	assert_true(live(&g, c->live_in, 0, "%rd1") && live(&g, c->live_in, 0, "%p1"));
	assert_false(live(&g, c->live_in, 0, "%r1"));
	graph_free(&g);
}

static void a_guarded_write_does_not_end_a_life(void **state) {
	Graph g = graph_of(
		"@%p1 mov.u32 %r1, 1; mov.u32 %r2, 1; bra NEXT; NEXT: add.s32 %r1, %r1, %r2; st.global.u32 [%rd1], %r1;");
	assert_true(live(&g, g.cfg->live_in, 0, "%r1"));
	assert_false(live(&g, g.cfg->live_in, 0, "%r2"));
	assert_true(live(&g, g.cfg->live_in, 0, "%p1"));
	graph_free(&g);
}

static void liveness_round_a_loop(void **state) {
	Graph g = graph_of(
		"mov.u32 %r1, 0; mov.u32 %r2, 9; TOP: add.s32 %r1, %r1, %r2; setp.lt.s32 %p1, %r1, 100; @%p1 bra TOP; ret;");
	assert_true(live(&g, g.cfg->live_out, 1, "%r1") && live(&g, g.cfg->live_out, 1, "%r2"));
	assert_false(live(&g, g.cfg->live_in, 2, "%r1"));
	graph_free(&g);
}

static void pressure(void **state) {
	static const struct {
		const char *text;
		uint32_t words;
	} cases[] = {
		{"mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u32 %r3, 3;", 1}, /* nobody reads them, but each is written */
		{"ld.param.u64 %rd1, [param_0]; mov.u32 %r1, 1; st.global.u32 [%rd1], %r1;", 3},
		{"ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1]; add.f32 %f1, %f1, %f2; add.f32 %f1, %f1, %f3; st.global.f32 "
		 "[%rd1], %f1;",
		 6},
		{"setp.lt.s32 %p1, %r1, %r2; @%p1 st.global.u32 [%rd1], %r1;", 4}, /* predicates are not counted */
		{"mov.b64 {%r1, %r2}, %rd1; add.s32 %r1, %r1, %r2; st.shared.b32 [%r1], %r2;", 2},
		{"shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1; @%p1 add.s32 %r2, %r1, %r2; st.shared.b32 [0], %r2;", 2},
		{"mov.f64 %fd1, %fd2; mov.u16 %rs1, %rs2; st.global.f64 [%rd1], %fd1; st.global.u16 [%rd1], %rs1;", 5},
		{"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];", 4},
		{"bar.red.popc.u32 %r1, 0, %p1; bar.sync 1, %r2; bar.warp.sync %r3; st.shared.u32 [0], %r1;", 3},
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		Graph g = graph_of(cases[i].text);
		if (g.cfg->max_live_words32 != cases[i].words) fail_msg("%s: %u", cases[i].text, g.cfg->max_live_words32);
		graph_free(&g);
	}
}

/* Random graphs: n blocks, each ending in a branch, a guarded branch, a return, or nothing. */
static void random_text(Str *text, unsigned seed, int n) {
	uint32_t state = seed * 2654435761u + 1;
	for (int b = 0; b < n; b++) {
		state = state * 1664525 + 1013904223;
		str_addf(text, "B%d: add.s32 %%r%u, %%r%u, %%r%u;\n", b, state >> 8 & 7, state >> 11 & 7, state >> 14 & 7);
		unsigned to = (state >> 20) % (unsigned)(n + 1);
		switch (state >> 17 & 7) {
		case 0: str_addf(text, "bra B%u;\n", to); break;
		case 1: str_add(text, "ret;\n"); break;
		case 2: str_add(text, "@%p1 ret;\n"); break;
		case 3: str_addf(text, "@%%p2 mov.u32 %%r%u, 3;\n", state >> 5 & 7); break;
		default: str_addf(text, "@%%p1 bra B%u;\n", to); break;
		}
	}
	str_addf(text, "B%d:", n);
}

static bool leaves(const PtxCfg *cfg, uint32_t b) {
	const PtxInstr *last = &cfg->function->instrs[cfg->blocks[b].end - 1];
	uint32_t n = cfg->function->ninstrs;
	return last->op == OP_RET || (last->op == OP_BRA && last->operands[0].target == n) ||
		   (cfg->blocks[b].end == n && (last->op != OP_BRA || last->guarded));
}

/* Some lanes leave, and others go on. No block of these graphs is a return and nothing else. */
static bool some_leave(const PtxCfg *cfg, uint32_t b) {
	return leaves(cfg, b) && cfg->function->instrs[cfg->blocks[b].end - 1].guarded && cfg->blocks[b].nsucc;
}

/* Can all lanes get to the exit from here? */
static bool all_can_leave(const PtxCfg *cfg, uint32_t from, bool *seen) {
	if (seen[from]) return false;
	seen[from] = true;
	if (leaves(cfg, from) && !some_leave(cfg, from)) return true;
	for (uint32_t k = 0; k < cfg->blocks[from].nsucc; k++) {
		if (all_can_leave(cfg, cfg->blocks[from].succ[k], seen)) return true;
	}
	return false;
}

static bool ends_for_all(const PtxCfg *cfg, uint32_t b) {
	bool seen[64] = {false};
	return leaves(cfg, b) && !(some_leave(cfg, b) && all_can_leave(cfg, b, seen));
}

/* Can the exit be reached from `from` without entering `without`? */
static bool reaches_exit(const PtxCfg *cfg, uint32_t from, uint32_t without, bool *seen) {
	if (from == without || seen[from]) return false;
	seen[from] = true;
	if (ends_for_all(cfg, from)) return true;
	for (uint32_t k = 0; k < cfg->blocks[from].nsucc; k++) {
		if (reaches_exit(cfg, cfg->blocks[from].succ[k], without, seen)) return true;
	}
	return false;
}

static bool can_leave(const PtxCfg *cfg, uint32_t from, uint32_t without) {
	bool seen[64] = {false};
	return reaches_exit(cfg, from, without, seen);
}

/* Blocks that lead to an endless loop may meet later than the ways to the exit alone would say. */
static bool may_be_endless(const PtxCfg *cfg, uint32_t from, bool *seen) {
	if (seen[from]) return false;
	seen[from] = true;
	if (!can_leave(cfg, from, UINT32_MAX)) return true;
	for (uint32_t k = 0; k < cfg->blocks[from].nsucc; k++) {
		if (may_be_endless(cfg, cfg->blocks[from].succ[k], seen)) return true;
	}
	return false;
}

static uint32_t check_post_dominators(const PtxCfg *cfg) {
	uint32_t checked = 0;
	for (uint32_t a = 0; a < cfg->nblocks; a++) {
		bool seen[64] = {false};
		if (may_be_endless(cfg, a, seen)) continue;
		checked++;
		uint32_t ipdom = cfg->blocks[a].ipdom;
		if (ipdom != CFG_EXIT) assert_false(can_leave(cfg, a, ipdom));
		for (uint32_t b = 0; b < cfg->nblocks; b++) {
			if (b == a || b == ipdom || can_leave(cfg, a, b)) continue;
			/* b post-dominates a, so it also post-dominates the nearest one */
			if (ipdom == CFG_EXIT || can_leave(cfg, ipdom, b)) fail_msg("block %u: %u lies before %u", a, b, ipdom);
		}
	}
	return checked;
}

/* Can a way from `from` get by both blocks, to where lanes end other than by a mere return? */
static bool gets_by(const PtxCfg *cfg, uint32_t from, uint32_t a, uint32_t b, bool *seen) {
	if (from == a || from == b || seen[from]) return false;
	seen[from] = true;
	const PtxBlock *block = &cfg->blocks[from];
	const PtxInstr *last = &cfg->function->instrs[block->end - 1];
	if (!block->nsucc) return block->end > block->first + 1 || last->op == OP_TRAP;
	for (uint32_t k = 0; k < block->nsucc; k++)
		if (gets_by(cfg, block->succ[k], a, b, seen)) return true;
	return false;
}

/* Lanes that part meet at `meet` or get to the post-dominator. */
static uint32_t check_meetings(const PtxCfg *cfg) {
	uint32_t early = 0;
	for (uint32_t b = 0; b < cfg->nblocks; b++) {
		const PtxBlock *block = &cfg->blocks[b];
		if (block->meet == block->ipdom) continue;
		assert_true(block->nsucc > 1 && block->ipdom != CFG_EXIT && block->meet != CFG_EXIT);
		early++;
		for (uint32_t k = 0; k < block->nsucc; k++) {
			bool seen[64] = {false};
			if (gets_by(cfg, block->succ[k], block->meet, block->ipdom, seen))
				fail_msg("block %u: a way avoids %u and %u", b, block->meet, block->ipdom);
		}
	}
	return early;
}

/* Walks every way from `from`: is the register read before it is surely written? */
static bool read_first(const PtxCfg *cfg, uint32_t from, uint32_t reg, bool *seen) {
	if (seen[from]) return false;
	seen[from] = true;
	for (uint32_t i = cfg->blocks[from].first; i < cfg->blocks[from].end; i++) {
		const PtxInstr *in = &cfg->function->instrs[i];
		if (in->guarded && in->guard == reg) return true;
		for (uint32_t k = 1; k < in->noperands; k++) {
			if (in->operands[k].kind == OPERAND_REG && in->operands[k].reg == reg) return true;
		}
		if (!in->guarded && in->noperands && in->operands[0].kind == OPERAND_REG && in->operands[0].reg == reg)
			return false;
	}
	for (uint32_t k = 0; k < cfg->blocks[from].nsucc; k++) {
		if (read_first(cfg, cfg->blocks[from].succ[k], reg, seen)) return true;
	}
	return false;
}

static void check_liveness(const PtxCfg *cfg) {
	for (uint32_t b = 0; b < cfg->nblocks; b++) {
		for (uint32_t r = 0; r < cfg->function->nregs; r++) {
			bool seen[64] = {false};
			bool in = cfg->live_in[(size_t)b * cfg->live_words + r / 64] >> r % 64 & 1;
			if (in != read_first(cfg, b, r, seen)) fail_msg("block %u, %s: %d", b, cfg->function->regs[r].name, in);
		}
	}
}

static void random_graphs_obey_the_definitions(void **state) {
	uint32_t checked = 0, early = 0;
	for (unsigned seed = 0; seed < 2000; seed++) {
		Str text = {0};
		random_text(&text, seed, 2 + (int)(seed % 20));
		Graph g = graph_of(text.text);
		check_shape(g.cfg);
		checked += check_post_dominators(g.cfg);
		early += check_meetings(g.cfg);
		check_liveness(g.cfg);
		graph_free(&g);
		str_free(&text);
	}
	assert_true(early > 200);
	assert_true(checked > 5000); /* the sample holds more than endless loops */
}

/* The meeting point is what lets a walk over the dominator tree end: no cycles. */
static void chains_of_meeting_points_end(void **state) {
	for (unsigned seed = 5000; seed < 5300; seed++) {
		Str text = {0};
		random_text(&text, seed, 40);
		Graph g = graph_of(text.text);
		for (uint32_t b = 0; b < g.cfg->nblocks; b++) {
			uint32_t steps = 0;
			for (uint32_t at = b; at != CFG_EXIT; at = g.cfg->blocks[at].ipdom) assert_true(steps++ <= g.cfg->nblocks);
		}
		graph_free(&g);
		str_free(&text);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(straight_line),
		cmocka_unit_test(empty_function),
		cmocka_unit_test(diamond),
		cmocka_unit_test(loop_with_a_break),
		cmocka_unit_test(endless_loops),
		cmocka_unit_test(guarded_exits_fall_through),
		cmocka_unit_test(lanes_that_stay_meet),
		cmocka_unit_test(cases_fall_through),
		cmocka_unit_test(lanes_that_break_leave_the_others),
		cmocka_unit_test(many_regions_take_little_time),
		cmocka_unit_test(calls_do_not_end_blocks),
		cmocka_unit_test(branch_tables),
		cmocka_unit_test(a_branch_to_the_next_line_is_one_edge),
		cmocka_unit_test(liveness_over_branches),
		cmocka_unit_test(a_guarded_write_does_not_end_a_life),
		cmocka_unit_test(liveness_round_a_loop),
		cmocka_unit_test(pressure),
		cmocka_unit_test(random_graphs_obey_the_definitions),
		cmocka_unit_test(chains_of_meeting_points_end),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
