/* The transpose kernels' accesses, generated: what the emulator would report of a launch, without running it. The code
 * is that of the real PTX, of transpose.cu, so that issue and waiting are counted as for a launch. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"
#include "nvrtc.h"

enum { IN = 0x10000000, TILE = 32 };

typedef struct {
	const char *kernel;
	uint32_t n, block_x, block_y, block;
	uint64_t out;
	Observer *observer;
} Stream;

static inline PtxModule *transpose_module(void) {
	Err err = ERR_INIT;
	char *text = nvrtc_ptx(GPULAB_SOURCE_ROOT "/tests/unit/model/transpose.cu", OLDER_GENERATOR, NULL);
	PtxModule *module = ptx_parse(text, strlen(text), &err);
	if (!module) fail_msg("%s", err.what);
	free(text);
	return module;
}

static inline void report(const Stream *s, uint32_t warp, AccessKind kind, PtxSpace space, uint32_t mask,
						  const uint64_t *addr) {
	Access a = {.kind = kind, .space = space, .width = 4, .mask = mask, .addr = addr, .block = s->block, .warp = warp};
	if (mask && s->observer->ops->access) s->observer->ops->access(s->observer, &a);
}

/* copy, naive, strided: one element a thread. */
static inline void plain_warp(const Stream *s, uint32_t bx, uint32_t by, uint32_t warp) {
	uint64_t in[32], out[32];
	uint32_t mask = 0;
	for (uint32_t lane = 0; lane < 32; lane++) {
		uint32_t t = warp * 32 + lane;
		uint64_t x = bx * s->block_x + t % s->block_x, y = by * s->block_y + t / s->block_x;
		uint64_t row = y * s->n + x, column = x * s->n + y;
		in[lane] = IN + 4 * (strcmp(s->kernel, "strided") ? row : column);
		out[lane] = s->out + 4 * (strcmp(s->kernel, "copy") ? column : row);
		mask |= (uint32_t)(x < s->n) << lane;
	}
	report(s, warp, ACCESS_LOAD, SPACE_GLOBAL, mask, in);
	report(s, warp, ACCESS_STORE, SPACE_GLOBAL, mask, out);
}

/* tile_copy, tile, padded: a warp is a row of the tile, four times. */
static inline void tile_warp(const Stream *s, uint32_t bx, uint32_t by, uint32_t warp) {
	uint32_t pitch = strcmp(s->kernel, "padded") ? TILE : TILE + 1;
	bool turn = strcmp(s->kernel, "tile_copy") != 0;
	uint64_t in[32], out[32], put[32], get[32];
	for (int phase = 0; phase < 2; phase++)
		for (uint32_t i = 0; i < TILE; i += 8) {
			for (uint32_t lane = 0; lane < 32; lane++) {
				uint64_t y = warp + i, ox = turn ? by : bx, oy = turn ? bx : by;
				in[lane] = IN + 4 * ((by * TILE + y) * s->n + bx * TILE + lane);
				out[lane] = s->out + 4 * ((oy * TILE + y) * s->n + ox * TILE + lane);
				put[lane] = 4 * (y * pitch + lane);
				get[lane] = turn ? 4 * (lane * pitch + y) : put[lane];
			}
			report(s, warp, ACCESS_LOAD, phase ? SPACE_SHARED : SPACE_GLOBAL, UINT32_MAX, phase ? get : in);
			report(s, warp, ACCESS_STORE, phase ? SPACE_GLOBAL : SPACE_SHARED, UINT32_MAX, phase ? out : put);
		}
}

/* A launch over an n x n matrix as model sees it. forks > 1: blocks are dealt out to that many forks. */
static inline void stream(Model *model, const PtxModule *module, const char *kernel, uint32_t n, uint32_t block_x,
						  uint32_t block_y, uint32_t forks) {
	bool tiled = strncmp(kernel, "tile", 4) == 0 || !strcmp(kernel, "padded");
	uint32_t step_x = tiled ? TILE : block_x, step_y = tiled ? TILE : block_y;
	const PtxFunction *function = ptx_function(module, kernel);
	assert_non_null(function);
	Arena *arena = arena_new();
	uint32_t first = 0, grid_x = (n + step_x - 1) / step_x, grid_y = (n + step_y - 1) / step_y;
	LaunchInfo info = {.module = module,
					   .functions = &function,
					   .nfunctions = 1,
					   .first = &first,
					   .ninstrs = function->ninstrs,
					   .config = {.grid = {grid_x, grid_y, 1}, .block = {block_x, block_y, 1}},
					   .cfg = ptx_cfg(arena, function)};
	info.registers = info.cfg->max_live_words32;
	for (uint32_t i = 0; i < function->nlocals; i++)
		if (function->locals[i]->space == SPACE_SHARED) info.static_shared_bytes += function->locals[i]->bytes;
	uint32_t warps = (block_x * block_y + 31) / 32, *counts = malloc((info.ninstrs + 1) * sizeof *counts);
	for (uint32_t i = 0; i < info.ninstrs; i++) counts[i] = warps;

	Observer *original = model_observer(model), *fork[16];
	const ObserverOps *ops = original->ops; /* any callback may be missing */
	if (ops->launch_begin) ops->launch_begin(original, &info);
	for (uint32_t f = 0; f < forks; f++) fork[f] = original->ops->fork(original);
	for (uint32_t b = 0; b < grid_x * grid_y; b++) {
		Stream s = {kernel, n, block_x, block_y, b, IN + (4ull * n * n + 255) / 256 * 256, fork[b / 7 % forks]};
		if (ops->block_begin) ops->block_begin(s.observer, b);
		for (uint32_t w = 0; w < warps; w++) (tiled ? tile_warp : plain_warp)(&s, b % grid_x, b / grid_x, w);
		if (ops->block_end) ops->block_end(s.observer, &(BlockCounts){.block = b, .warps = counts, .threads = counts});
	}
	for (uint32_t f = 0; f < forks; f++) original->ops->join(original, fork[f]);
	if (ops->launch_end) ops->launch_end(original, &(LaunchOutcome){.status = LAUNCH_OK});
	free(counts);
	arena_free(arena);
}
