/* A bench for single instructions: a kernel around a few lines of PTX, run for one warp on operands from memory.
 * Each lane l gets %a, %b, %c (or %la, %lb, %lc with 64 bits, %sa.. with 16) and leaves its result in %d (%ld, %sd);
 * the expectation is what a C function of the test makes of the same operands. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "emu/machine.h"

typedef struct {
	Machine *machine;
	LaunchOutcome outcome;
	uint64_t out[64]; /* what the lanes left, zero-extended */
} Bench;

#define PTX_HEADER ".version 8.0\n.target sm_90\n.address_size 64\n"

static inline Bench *bench_open(void) {
	Bench *b = calloc(1, sizeof *b);
	Err err = ERR_INIT;
	b->machine = machine_open(gpu_find("H200", &err), 1);
	return b;
}

static inline void bench_close(Bench *b) {
	machine_close(b->machine);
	free(b);
}

/* Loads text and launches its kernel "k" with the given parameters; err and outcome tell how it went. */
static inline bool bench_launch(Bench *b, const char *text, LaunchConfig config, const void *params, size_t bytes,
								Err *err) {
	PtxModule *ptx = ptx_parse(text, strlen(text), err);
	if (!ptx) fail_msg("%s\n%s", err->what, text);
	EmuModule *module = NULL;
	bool ok = machine_load(b->machine, ptx, &module, err);
	if (ok) {
		const EmuKernel *k = emu_kernel(module, "k");
		assert_non_null(k);
		EmuLaunch launch = {.config = config, .params = params, .param_bytes = bytes};
		ok = machine_launch(b->machine, k, &launch, &b->outcome, err);
		machine_unload(b->machine, module);
	}
	ptx_free(ptx);
	return ok;
}

/* body for lanes 0..n-1 with operands a[l], b[l], c[l]; n at most 64. */
static inline void bench_run(Bench *b, const char *body, const uint64_t *a, const uint64_t *bb, const uint64_t *c,
							 unsigned n) {
	char text[8192];
	snprintf(
		text, sizeof text,
		PTX_HEADER
		".visible .entry k(.param .u64 p0)\n{\n"
		".reg .pred %%p<8>; .reg .b16 %%sa, %%sb, %%sc, %%sd, %%s<8>; .reg .b32 %%a, %%b, %%c, %%d, %%i, %%r<12>;\n"
		".reg .f32 %%f<8>; .reg .f64 %%fd<4>; .reg .b64 %%la, %%lb, %%lc, %%ld, %%base, %%at, %%l<12>;\n"
		"ld.param.u64 %%base, [p0];\nmov.u32 %%i, %%tid.x;\nmad.wide.u32 %%at, %%i, 8, %%base;\n"
		"ld.global.u64 %%la, [%%at];\nld.global.u64 %%lb, [%%at+512];\nld.global.u64 %%lc, [%%at+1024];\n"
		"cvt.u32.u64 %%a, %%la;\ncvt.u32.u64 %%b, %%lb;\ncvt.u32.u64 %%c, %%lc;\n"
		"cvt.u16.u64 %%sa, %%la;\ncvt.u16.u64 %%sb, %%lb;\ncvt.u16.u64 %%sc, %%lc;\n"
		"mov.b64 %%ld, 0;\nmov.b32 %%d, 0xdddddddd;\nmov.b16 %%sd, 0xdddd;\n"
		"%s\nst.global.u64 [%%at+1536], %%ld;\nret;\n}\n",
		body);
	Err err = ERR_INIT;
	uint64_t addr, rows[4][64] = {{0}};
	for (unsigned l = 0; l < n; l++) {
		rows[0][l] = a[l];
		rows[1][l] = bb ? bb[l] : 0;
		rows[2][l] = c ? c[l] : 0;
	}
	assert_true(machine_alloc(b->machine, sizeof rows, "rows", &addr, &err));
	assert_true(machine_write(b->machine, addr, rows, sizeof rows, &err));
	LaunchConfig config = {.grid = {1, 1, 1}, .block = {n, 1, 1}, .timeout_ms = 10000};
	if (!bench_launch(b, text, config, &addr, 8, &err)) fail_msg("%s", err.what);
	if (b->outcome.status != LAUNCH_OK) fail_msg("%s\n%s", b->outcome.message, body);
	assert_true(machine_read(b->machine, addr, rows, sizeof rows, &err));
	memcpy(b->out, rows[3], n * sizeof *b->out);
	assert_true(machine_release(b->machine, addr, &err));
}
