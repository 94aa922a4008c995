/* Which accesses the counters take as one: what a cubin's SASS says, and what of the PTX it is about. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <elf.h>

#include "base/err.h"
#include "emu/count/fused.h"

enum { LDS = 0x984, STS = 0x388, LDG = 0x981, STG = 0x986, W32 = 4, W64 = 5, W128 = 6 };
enum { LEAVE = 0x894d, EXIT = 0x794d }; /* @!P0 EXIT; EXIT */

typedef struct {
	uint32_t operation, width, count;
} Made;

enum { NAMES = 1, CODE, STRINGS, SYMBOLS, INFO, NSECTIONS, REGISTERS = 42 };

/* A cubin with one kernel, k, of these instructions and with so many registers. */
typedef struct {
	Elf64_Ehdr head;
	Elf64_Shdr sections[NSECTIONS];
	char names[32], strings[8];
	Elf64_Sym symbols[2];
	uint32_t info[6]; /* two attributes: the stack of k, and its registers */
	uint64_t code[64][2];
} Cubin;

static Cubin cubin_of(const Made *made, size_t n) {
	Cubin c = {.head = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64},
						.e_machine = 190,
						.e_shoff = offsetof(Cubin, sections),
						.e_shentsize = sizeof(Elf64_Shdr),
						.e_shnum = NSECTIONS,
						.e_shstrndx = NAMES},
			   .names = "\0.names\0.text.k\0.nv.info",
			   .strings = "\0f\0k",
			   .symbols = {{.st_name = 1}, {.st_name = 3}},
			   .info = {0x081104, 1, 0, 0x082f04, 1, REGISTERS}};
	size_t instrs = 0;
	for (size_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < made[i].count; k++, instrs++) {
			c.code[instrs][0] = made[i].operation;
			c.code[instrs][1] = (uint64_t)made[i].width << 9;
		}
#define SECTION(name, type, member)                                                                                    \
	(Elf64_Shdr){.sh_name = (name), .sh_type = (type), .sh_offset = offsetof(Cubin, member), .sh_size = sizeof c.member}
	c.sections[NAMES] = SECTION(1, SHT_STRTAB, names);
	c.sections[CODE] = SECTION(8, SHT_PROGBITS, code);
	c.sections[CODE].sh_size = instrs * sizeof c.code[0];
	c.sections[STRINGS] = SECTION(0, SHT_STRTAB, strings);
	c.sections[SYMBOLS] = SECTION(0, SHT_SYMTAB, symbols);
	c.sections[SYMBOLS].sh_link = STRINGS;
	c.sections[INFO] = SECTION(16, SHT_LOUSER, info);
	c.sections[INFO].sh_link = SYMBOLS;
#undef SECTION
	return c;
}

/* The PTX of a kernel k with shared memory s, in which %r1 is a multiple of 16, and %r2 of 4. */
static PtxModule *module_of(const char *body) {
	static char text[4096];
	Err err = ERR_INIT;
	snprintf(
		text, sizeof text,
		".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a) {\n"
		".reg .b32 %%r<20>; .reg .b16 %%h<8>; .reg .b64 %%l<20>; .reg .f32 %%f<40>; .reg .f64 %%d<8>; .reg .pred "
		"%%p<4>;\n"
		".shared .align 16 .b8 s[1024]; .shared .align 4 .b8 one[4]; .shared .align 4 .b8 two[4];\n"
		"mov.u32 %%r3, %%tid.x; shl.b32 %%r1, %%r3, 4; shl.b32 %%r2, %%r3, 2; ld.param.u64 %%l1, [a];\n%s\nret;\n}\n",
		body);
	PtxModule *m = ptx_parse(text, strlen(text), &err);
	if (!m) fail_msg("%s", err.what);
	return m;
}

/* joined: how many accesses of the kernel are joined to others. */
static Fused fused_of(const char *body, const Made *made, size_t nmade, uint32_t *joined) {
	Cubin cubin = cubin_of(made, nmade);
	PtxModule *m = module_of(body);
	const PtxFunction *f = ptx_function(m, "k");
	PtxAdjacent *of = calloc(f->ninstrs + 1, sizeof *of);
	SassAccesses sass;
	assert_true(sass_accesses(&cubin, sizeof cubin, "k", &sass));
	const Fused result = fused_accesses(f, &sass, of);
	*joined = 0;
	for (uint32_t i = 0; i < f->ninstrs; i++) *joined += of[i].joined;
	free(of);
	ptx_free(m);
	return result;
}

static void check(const char *body, const Made *made, size_t nmade, SassKind kind, bool fused, bool counted,
				  uint32_t joined) {
	uint32_t n;
	const Fused result = fused_of(body, made, nmade, &n);
	if (result.kinds[kind].fused != fused || result.kinds[kind].counted != counted || n != joined)
		fail_msg("%s\nfused %d, counted %d, %u joined", body, result.kinds[kind].fused, result.kinds[kind].counted, n);
}

/* SASS with so many of loads and STG before a branch at which lanes leave, and behind it. */
static void check_moved(const char *body, uint32_t load, const uint32_t before[2], const uint32_t behind[2],
						uint32_t moved) {
	const Made made[] = {{load, W32, before[0]}, {STG, W32, before[1]}, {LEAVE, 0, 1},
						 {load, W32, behind[0]}, {STG, W32, behind[1]}, {EXIT, 0, 1}};
	const SassKind kind = load == LDS ? SASS_LDS : SASS_LDG;
	uint32_t joined;
	const Fused result = fused_of(body, made, sizeof made / sizeof *made, &joined);
	if (result.kinds[kind].moved != moved) fail_msg("%s\n%u moved, not %u", body, result.kinds[kind].moved, moved);
}
#define N(loads, stores) ((const uint32_t[]){loads, stores})

#define LOADS                                                                                                          \
	"ld.shared.f32 %f1, [%r1]; ld.shared.f32 %f2, [%r1+4]; ld.shared.f32 %f3, [%r1+8]; ld.shared.f32 %f4, [%r1+12];"

static void loads(void **unused) {
	(void)unused;
	check(LOADS, (Made[]){{LDS, W128, 1}}, 1, SASS_LDS, true, true, 3);
	check(LOADS, (Made[]){{LDS, W32, 4}}, 1, SASS_LDS, false, false, 0);
	check(LOADS, (Made[]){{LDS, W64, 2}}, 1, SASS_LDS, true, false, 0); /* in another way: counted as in the PTX */
	check("ld.shared.f64 %d1, [%r1]; ld.shared.f64 %d2, [%r1+8]; ld.shared.f32 %f1, [%r2];",
		  (Made[]){{LDS, W128, 1}, {LDS, W32, 1}}, 2, SASS_LDS, true, true, 1);
	check("ld.shared.f32 %f1, [%r1]; st.shared.f32 [%r2], %f1; ld.shared.f32 %f2, [%r1+4];",
		  (Made[]){{LDS, W32, 2}, {STS, W32, 1}}, 2, SASS_LDS, false, false, 0);
}

#define LOOP(body) "LOOP: " body " add.u32 %r2, %r2, 4; setp.lt.u32 %p3, %r2, 999; @%p3 bra LOOP;"

/* SASS may have more accesses only where the PTX has a loop, which is unrolled. */
static void of_an_unrolled_loop(void **unused) {
	(void)unused;
	check(LOOP(LOADS), (Made[]){{LDS, W128, 4}}, 1, SASS_LDS, true, true, 3);
	check(LOADS, (Made[]){{LDS, W128, 4}}, 1, SASS_LDS, true, false, 0);
	check(LOADS LOOP("ld.shared.f32 %f9, [%r2];"), (Made[]){{LDS, W128, 1}, {LDS, W32, 4}}, 2, SASS_LDS, true, true, 3);
	check(LOADS LOOP("ld.shared.f32 %f9, [%r2];"), (Made[]){{LDS, W128, 2}, {LDS, W32, 4}}, 2, SASS_LDS, true, false,
		  0);
}

/* Of bytes, ptxas loads one half by itself and once more with its neighbors: that is no joining. */
static void loaded_twice(void **unused) {
	(void)unused;
	const char *bytes = "ld.shared.u8 %r5, [%r1+1]; ld.shared.u16 %h1, [%r1+8]; ld.shared.u16 %h2, [%r1+10]; "
						"ld.shared.u16 %h3, [%r1+14]; ld.shared.u16 %h4, [%r1+12];";
	check(bytes, (Made[]){{LDS, W32, 1}, {LDS, W64, 1}}, 2, SASS_LDS, true, true, 3);
	check(bytes, (Made[]){{LDS, W32, 2}, {LDS, W64, 1}}, 2, SASS_LDS, true, false, 0);
}

/* A load that one branch skips is joined to those before the branch, if the SASS agrees. */
static void across_a_branch(void **unused) {
	(void)unused;
	const char *guarded =
		"ld.shared.f32 %f1, [s+32]; setp.eq.u32 %p1, %r3, 9; @%p1 bra END; ld.shared.f32 %f2, [s+36]; "
		"END: ";
	check(guarded, (Made[]){{LDS, W64, 1}}, 1, SASS_LDS, true, true, 1);
	check(guarded, (Made[]){{LDS, W32, 2}}, 1, SASS_LDS, false, false, 0);
	check(
		"ld.shared.f32 %f1, [s+32]; setp.eq.u32 %p1, %r3, 9; @%p1 bra ELSE; bra END; ELSE: ld.shared.f32 %f2, [s+36]; "
		"END: ",
		(Made[]){{LDS, W64, 1}}, 1, SASS_LDS, true, false, 0);
}

/* A root that is rounded becomes a call for some operands: loads are not moved over it. */
static void around_a_root(void **unused) {
	(void)unused;
	const char *root = "ld.shared.f32 %f1, [%r1]; ld.shared.f32 %f2, [%r1+4]; sqrt.rn.f32 %f9, %f1; ld.shared.f32 "
					   "%f3, [%r1+8]; ld.shared.f32 %f4, [%r1+12];",
			   *approximate = "ld.shared.f32 %f1, [%r1]; ld.shared.f32 %f2, [%r1+4]; sqrt.approx.f32 %f9, %f1; "
							  "ld.shared.f32 %f3, [%r1+8]; ld.shared.f32 %f4, [%r1+12];";
	check(root, (Made[]){{LDS, W64, 2}}, 1, SASS_LDS, true, true, 2);
	check(root, (Made[]){{LDS, W128, 1}}, 1, SASS_LDS, true, true, 3);
	check(approximate, (Made[]){{LDS, W64, 2}}, 1, SASS_LDS, true, false, 0);
}

/* One load of 128 bits gives three words, too, if the four are aligned. */
static void three_of_four(void **unused) {
	(void)unused;
	const char *last = "ld.shared.f32 %f1, [s+4]; ld.shared.f32 %f2, [s+8]; ld.shared.f32 %f3, [s+12];",
			   *first = "ld.shared.f32 %f1, [%r1]; ld.shared.f32 %f2, [%r1+4]; ld.shared.f32 %f3, [%r1+8];",
			   *parted = "ld.shared.f32 %f1, [s+8]; ld.shared.f32 %f2, [s+12]; ld.shared.f32 %f3, [s+16];";
	check(last, (Made[]){{LDS, W128, 1}}, 1, SASS_LDS, true, true, 2);
	check(first, (Made[]){{LDS, W128, 1}}, 1, SASS_LDS, true, true, 2);
	check(first, (Made[]){{LDS, W64, 1}, {LDS, W32, 1}}, 2, SASS_LDS, true, true, 1);
	check(parted, (Made[]){{LDS, W128, 1}}, 1, SASS_LDS, true, false, 0);
}

static void four_halves(void **unused) {
	(void)unused;
	check("ld.shared.u16 %h1, [s]; ld.shared.u16 %h2, [s+2]; ld.shared.u16 %h3, [s+4]; ld.shared.u16 %h4, [s+6];",
		  (Made[]){{LDS, W64, 1}}, 1, SASS_LDS, true, true, 3);
}

static void stores(void **unused) {
	(void)unused;
	check("st.shared.f32 [%r1], %f1; st.shared.f32 [%r1+4], %f1;", (Made[]){{STS, W64, 1}}, 1, SASS_STS, true, true, 1);
	check("st.shared.f32 [one], %f1; st.shared.f32 [two], %f1;", (Made[]){{STS, W64, 1}}, 1, SASS_STS, true, true, 1);
	check("st.shared.f32 [%r1], %f1; ld.shared.f32 %f2, [%r2]; st.shared.f32 [%r1+4], %f1;",
		  (Made[]){{STS, W32, 2}, {LDS, W32, 1}}, 2, SASS_STS, false, false, 0);
	check("setp.eq.u32 %p1, %r1, 0; st.shared.f32 [%r1], %f1; @%p1 st.shared.f32 [%r1], %f2;", (Made[]){{STS, W32, 1}},
		  1, SASS_STS, true, false, 0); /* both values by a select, then one store */
}

static void the_same_words(void **unused) {
	(void)unused;
	const char *twice = "ld.global.nc.f32 %f1, [%l1]; ld.global.nc.f32 %f2, [%l1]; ld.global.nc.f32 %f3, [%l1+4];";
	check(twice, (Made[]){{LDG, W32, 2}}, 1, SASS_LDG, true, true, 1);
	check("ld.global.nc.f32 %f1, [%l1]; add.u64 %l1, %l1, 4; ld.global.nc.f32 %f2, [%l1];", (Made[]){{LDG, W32, 2}}, 1,
		  SASS_LDG, false, false, 0);
}

/* A branch around a store, so that the branch at which lanes leave is in another block than what is before, and STORE
 * behind it. */
#define BRANCHES(store) "@%p1 bra SKIP; st.global.f32 [%l1], %f9; SKIP: @%p2 bra END; " store " END: "
#define STORE "st.global.f32 [%l1+4], %f1;"

static void moved_behind_a_branch(void **unused) {
	(void)unused;
	const char *load = "ld.shared.f32 %f1, [%r1]; " BRANCHES(STORE),
			   *two = "ld.shared.u32 %r4, [%r1]; ld.shared.f32 %f1, [%r4]; " BRANCHES(STORE);
	char text[160];
	uint32_t joined;
	check_moved(load, LDS, N(0, 1), N(1, 1), 1);
	check_moved(load, LDS, N(1, 1), N(0, 1), 0);
	check_moved(load, LDS, N(0, 1), N(2, 1), 0); /* more than can be moved */
	check_moved(load, LDS, N(0, 0), N(1, 2), 0); /* another branch: both stores are behind it */
	check_moved("ld.shared.f32 %f2, [%r1]; add.f32 %f1, %f2, %f2; " BRANCHES(STORE), LDS, N(0, 1), N(1, 1), 1);
	check_moved(two, LDS, N(0, 1), N(2, 1), 2);
	check_moved(two, LDS, N(1, 1), N(1, 1), 1);
	check_moved("ld.shared.f32 %f1, [%r1]; @%p2 ret; " STORE, LDS, N(0, 0), N(1, 1), 1);
	const Fused fused = fused_of(two, (Made[]){{STG, W32, 1}, {LEAVE, 0, 1}, {LDS, W32, 2}, {STG, W32, 1}}, 4, &joined);
	fused_moved_text(&fused, SASS_LDS, text, sizeof text);
	assert_string_equal(text, "2 LDS are behind the branch at which threads leave, in the PTX they are before it");
}

/* SASS alone does not show that a load was moved. */
static void not_moved(void **unused) {
	(void)unused;
	check_moved("ld.shared.f32 %f9, [%r1]; mov.f32 %f1, %f9; " BRANCHES(STORE), LDS, N(0, 1), N(1, 1), 0);
	check_moved("ld.volatile.shared.f32 %f1, [%r1]; " BRANCHES(STORE), LDS, N(0, 1), N(1, 1), 0);
	check_moved("ld.shared.f32 %f1, [%r1]; bar.sync 0; " BRANCHES(STORE), LDS, N(0, 1), N(1, 1), 0);
	check_moved("ld.shared.f32 %f1, [%r1]; st.shared.f32 [%r2], %f9; " BRANCHES(STORE), LDS, N(0, 1), N(1, 1), 0);
	check_moved("ld.shared.f32 %f1, [%r1]; @%p3 bra OTHER; @%p2 bra END; " STORE " END: ret; OTHER: " STORE, LDS,
				N(0, 0), N(1, 2), 0); /* a way that is not behind the branch uses it */
	check_moved("ld.shared.f32 %f1, [%r1]; @%p1 bra ELSE; " STORE " bra END; ELSE: st.global.f32 [%l1], %f9; END: ",
				LDS, N(0, 0), N(1, 2), 0); /* no lane leaves */
}

/* A loop is unrolled: only the side of the branch without one shows what was moved. */
static void moved_beside_a_loop(void **unused) {
	(void)unused;
	const char *behind = "ld.shared.f32 %f1, [%r1]; " BRANCHES(
				   "LOOP: ld.shared.f32 %f2, [%r2]; add.f32 %f1, %f1, %f2; add.u32 %r2, %r2, 4; "
				   "setp.lt.u32 %p3, %r2, 999; @%p3 bra LOOP; " STORE),
			   *last = "ld.shared.f32 %f1, [%r1]; " BRANCHES("LOOP: " STORE " @%p3 bra LOOP;"),
			   *both = "AGAIN: @%p3 bra AGAIN; ld.shared.f32 %f1, [%r1]; " BRANCHES("LOOP: " STORE " @%p3 bra LOOP;"),
			   *twice = "ld.shared.f32 %f1, [%r1]; ld.shared.f32 %f2, [%r1]; " BRANCHES(
				   "LOOP: " STORE " st.global.f32 [%l1], %f2; @%p3 bra LOOP;");
	check_moved(behind, LDS, N(0, 1), N(5, 1), 1);
	check_moved(behind, LDS, N(1, 1), N(2, 1), 0);
	check_moved(last, LDS, N(0, 1), N(1, 2), 1);
	check_moved(both, LDS, N(0, 1), N(1, 2), 0);
	check_moved(twice, LDS, N(1, 1), N(0, 2), 0); /* one load is left out: the counter is named for that */
}

static void moved_through_the_read_only_path(void **unused) {
	(void)unused;
	check_moved("ld.global.nc.f32 %f1, [%l1]; bar.sync 0; " BRANCHES(STORE), LDG, N(0, 1), N(1, 1), 1);
	check_moved("ld.global.f32 %f1, [%l1]; " BRANCHES(STORE), LDG, N(0, 1), N(1, 1), 0);
}

static void registers(void **unused) {
	(void)unused;
	const Cubin cubin = cubin_of((Made[]){{LDS, W32, 1}}, 1);
	assert_int_equal(sass_registers(&cubin, sizeof cubin, "k"), REGISTERS);
	assert_int_equal(sass_registers(&cubin, sizeof cubin, "f"), 0); /* it has a stack, but no such attribute */
	assert_int_equal(sass_registers(&cubin, sizeof cubin, "g"), 0);
	assert_int_equal(sass_registers(NULL, 0, "k"), 0);
}

static void damaged(void **unused) {
	(void)unused;
	const Cubin good = cubin_of((Made[]){{LDS, W128, 3}}, 1);
	SassAccesses sass;
	assert_true(sass_accesses(&good, sizeof good, "k", &sass) && sass.count[SASS_LDS][2] == 3);
	assert_false(sass_accesses(&good, sizeof good, "kernel", &sass));
	assert_false(sass_accesses(NULL, 0, "k", &sass));
	for (size_t bytes = 0; bytes < sizeof good; bytes++) {
		sass_accesses(&good, bytes, "k", &sass);
		sass_registers(&good, bytes, "k");
	}
	for (size_t i = 0; i < offsetof(Cubin, code); i++)
		for (uint32_t value = 0; value < 256; value += 51) {
			Cubin *c = malloc(sizeof *c);
			*c = good;
			((uint8_t *)c)[i] = (uint8_t)value;
			sass_accesses(c, sizeof *c, "k", &sass);
			sass_registers(c, sizeof *c, "k");
			free(c);
		}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads),
		cmocka_unit_test(of_an_unrolled_loop),
		cmocka_unit_test(loaded_twice),
		cmocka_unit_test(four_halves),
		cmocka_unit_test(stores),
		cmocka_unit_test(the_same_words),
		cmocka_unit_test(damaged),
		cmocka_unit_test(across_a_branch),
		cmocka_unit_test(registers),
		cmocka_unit_test(around_a_root),
		cmocka_unit_test(three_of_four),
		cmocka_unit_test(moved_behind_a_branch),
		cmocka_unit_test(not_moved),
		cmocka_unit_test(moved_beside_a_loop),
		cmocka_unit_test(moved_through_the_read_only_path),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("emu fused", tests, NULL, NULL);
}
