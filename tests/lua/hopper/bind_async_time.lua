-- How long models wait for asynchronous copies: cp.async by groups, bulk copies by mbarriers. One block on one SM, so that
-- nothing hides what it waits for.
local t = require "luaunit"

local SOURCE <const> = [[
#include <cuda_pipeline.h>
enum { TILES = 32, TILE = 256, STAGES = 4 };

/* AHEAD tiles are under way while one is read. */
template <int AHEAD> __global__ void copies(float *out, const float *in)
{
	__shared__ float tile[STAGES][TILE];
	float sum = 0;
	for (int i = 0; i < AHEAD; i++) {
		__pipeline_memcpy_async(&tile[i][threadIdx.x], &in[i * TILE + threadIdx.x], 4);
		__pipeline_commit();
	}
	for (int i = 0; i < TILES; i++) {
		if (i + AHEAD < TILES)
			__pipeline_memcpy_async(&tile[(i + AHEAD) % STAGES][threadIdx.x], &in[(i + AHEAD) * TILE + threadIdx.x], 4);
		__pipeline_commit();
		__pipeline_wait_prior(AHEAD);
		__syncthreads();
		sum += tile[i % STAGES][threadIdx.x ^ 1];
		__syncthreads();
	}
	out[threadIdx.x] = sum;
}

__device__ static unsigned shared(void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ static void fetch(float *tile, const float *from, unsigned bar)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" ::"r"(bar) : "memory");
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];" ::"r"(shared(tile)),
	             "l"(from), "r"(bar) : "memory");
}

template <int AHEAD> __global__ void bulk(float *out, const float *in)
{
	__shared__ alignas(128) float tile[STAGES][TILE];
	__shared__ alignas(8) unsigned long long bars[STAGES];
	float sum = 0;
	if (!threadIdx.x) {
		for (int i = 0; i < STAGES; i++) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared(&bars[i])) : "memory");
		for (int i = 0; i < AHEAD; i++) fetch(tile[i], in + i * TILE, shared(&bars[i]));
	}
	__syncthreads();
	for (int i = 0; i < TILES; i++) {
		const int next = i + AHEAD;
		if (!threadIdx.x && next < TILES) fetch(tile[next % STAGES], in + next * TILE, shared(&bars[next % STAGES]));
		asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra again; }"
		             ::"r"(shared(&bars[i % STAGES])), "r"(i / STAGES % 2) : "memory");
		sum += tile[i % STAGES][threadIdx.x ^ 1];
		__syncthreads();
	}
	out[threadIdx.x] = sum;
}
]]
local TILES <const>, TILE <const> = 32, 256

local device <const> = gpu.open "emu:H100"
local names <const> = { "copies<0>", "copies<1>", "copies<3>", "bulk<0>", "bulk<1>", "bulk<3>" }
local module = device:compile_text(SOURCE, { names = names })

local function predict(name)
  local out, input = device:buffer("float", TILE), device:buffer("float", TILES * TILE, { fill = 1 })
  local report = device:count(module:kernel(name), { grid = 1, block = TILE }, { out, input }, { models = { "H100" } })
  t.assertEquals(out:download():sum(), TILES * TILE)
  return report.models["H100 SXM"] or report.models.H100, report
end

local function cycles(p) return (p.ms * 1e3 - gpu.model("H100").launch_us) * 1e3 * gpu.model("H100").shader_ghz end

local function most(p)
  local best
  for name, n in pairs(p.stalls) do
    if name ~= "selected" and (not best or n > p.stalls[best]) then best = name end
  end
  return best
end

TestAsyncTime = {}

-- A copy that nothing hides takes DRAM's latency each time.
function TestAsyncTime.test_each_wait_takes_the_latency()
  local latency <const> = gpu.model("H100").latency_dram
  for _, name in ipairs { "copies<0>", "bulk<0>" } do
    local p = predict(name)
    t.assertEquals(most(p), "long_scoreboard", name)
    t.assertTrue(cycles(p) > 0.9 * TILES * latency, ("%s: %.0f cycles"):format(name, cycles(p)))
  end
end

function TestAsyncTime.test_copies_ahead_hide_it()
  for _, kind in ipairs { "copies", "bulk" } do
    local none, one, three = predict(kind .. "<0>"), predict(kind .. "<1>"), predict(kind .. "<3>")
    t.assertTrue(cycles(one) < 0.7 * cycles(none), kind)
    t.assertTrue(cycles(three) < 0.7 * cycles(one), kind)
  end
end

function TestAsyncTime.test_the_line_is_the_one_that_waits()
  local p = predict "bulk<0>"
  t.assertEquals(p.stalled[1].why, "long_scoreboard")
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
