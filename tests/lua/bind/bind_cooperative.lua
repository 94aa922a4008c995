-- Cooperative launches: the grid's barrier, their limit, and what is said without one; clusters. On whatever
-- device --device names. Needs NVRTC.
local t = require "luaunit"
local EMULATED <const> = gpu.device.backend == "emu"

if not gpu.device.nvrtc then
  print("1..0 # SKIP NVRTC is needed")
  os.exit(0)
end

local SOURCE <const> = [[
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
// Rounds of neighbours' exchanges: each value is what the one to its right was in the round before.
__global__ void shift(int *a, int *b, int rounds) {
	cg::grid_group grid = cg::this_grid();
	unsigned i = grid.thread_rank(), n = grid.num_threads();
	for (int r = 0; r < rounds; r++) {
		b[i] = a[(i + 1) % n];
		grid.sync();
		a[i] = b[i];
		grid.sync();
	}
}
__global__ void cluster(int *out) {
	__shared__ int s[64];
	cg::cluster_group c = cg::this_cluster();
	s[threadIdx.x] = threadIdx.x;
	c.sync();
	out[blockIdx.x * 64 + threadIdx.x] = c.map_shared_rank(s, 0)[63 - threadIdx.x] + 100 * c.block_rank()
		+ 1000 * c.num_blocks();
	c.sync();
}
__global__ void __cluster_dims__(2, 1, 1) two(int *out) {
	__shared__ int mine;
	cg::cluster_group c = cg::this_cluster();
	if (threadIdx.x == 0) mine = 10 * blockIdx.x + c.num_blocks();
	c.sync();
	if (threadIdx.x == 0) out[blockIdx.x] = *c.map_shared_rank(&mine, c.block_rank() ^ 1);
	c.sync();
}
__global__ void __cluster_dims__(16, 1, 1) sixteen(int *out) { out[blockIdx.x] = cg::this_cluster().num_blocks(); }
]]

local module <const> = gpu.compile_text(SOURCE, { names = { "shift", "cluster", "two", "sixteen" } })
local shift <const> = module:kernel "shift"

TestCooperative = {}

function TestCooperative.test_the_grid_waits_for_all_blocks()
  local n <const>, rounds <const> = 40 * 64, 5
  local a <const>, b <const> = gpu.buffer("int", n, { fill = "iota" }), gpu.buffer("int", n)
  shift { grid = 40, block = 64, cooperative = true } (a, b, rounds)
  for _, i in ipairs { 0, 1, 63, 64, 1000, n - rounds, n - 1 } do t.assertEquals(a[i], (i + rounds) % n) end
end

function TestCooperative.test_more_blocks_than_there_is_room_for()
  local a <const> = gpu.buffer("int", 64)
  local o = shift:launch({ grid = 1000000, block = 64, cooperative = true }, a, a, 1)
  t.assertEquals(o.status, "limit")
  t.assertStrContains(o.message, "1000000")
end

function TestCooperative.test_without_a_cooperative_launch()
  if not EMULATED then t.skip "what a GPU does then is not defined" end
  local a <const> = gpu.buffer("int", 64, { fill = 0 })
  local o = shift:launch({ grid = 1, block = 64 }, a, a, 1)
  t.assertEquals(o.status, "fault")
  t.assertStrContains(o.message, "cooperative = true")
end

function TestCooperative.test_the_race_checker_knows_the_grids_barrier()
  local n <const> = 4 * 64
  local a <const>, b <const> = gpu.buffer("int", n, { fill = 0 }), gpu.buffer("int", n, { fill = 0 })
  t.assertEquals(#gpu.check(shift, { grid = 4, block = 64, cooperative = true }, { a, b, 2 }, "race").findings, 0)
end

function TestCooperative.test_in_any_order()
  if not EMULATED then t.skip "schedules are the emulator's" end
  local n <const> = 12 * 32
  for seed = 1, 5 do
    local a <const>, b <const> = gpu.buffer("int", n, { fill = "iota" }), gpu.buffer("int", n)
    shift { grid = 12, block = 32, cooperative = true, schedule = seed } (a, b, 3)
    t.assertEquals(a[7], 10)
    t.assertEquals(a[n - 1], 2)
  end
end

function TestCooperative.test_hostile_configuration()
  local a <const> = gpu.buffer("int", 64)
  for _, wrong in ipairs { 1, "yes", {} } do
    local ok, e = pcall(shift.launch, shift, { grid = 1, block = 64, cooperative = wrong }, a, a, 1)
    t.assertFalse(ok)
    t.assertStrContains(tostring(e), "cooperative: true or false expected")
  end
end

function TestCooperative.test_no_sample_of_blocks_that_wait()
  local a <const> = gpu.buffer("int", 4 * 64, { fill = 0 })
  local ok, e = pcall(gpu.count, shift, { grid = 4, block = 64, cooperative = true }, { a, a, 1 }, { sample = 2 })
  t.assertFalse(ok)
  t.assertStrContains(tostring(e), "wait for each other")
end

function TestCooperative.test_old_gpus_have_none()
  if not EMULATED then t.skip "about an emulated GPU" end
  local old <const> = gpu.open "emu:GTX 980"
  local k <const> = old:compile_text("__global__ void f(int *p) { *p = 1; }"):kernel "f"
  local o = k:launch({ grid = 1, block = 1, cooperative = true }, old:buffer("int", 1))
  t.assertEquals(o.status, "limit")
  t.assertStrContains(o.message, "6.0")
end

function TestCooperative.test_no_prediction_for_gpus_without_them()
  local n <const> = 4 * 64
  local a <const>, b <const> = gpu.buffer("int", n, { fill = 0 }), gpu.buffer("int", n, { fill = 0 })
  local report = gpu.count(shift, { grid = 4, block = 64, cooperative = true }, { a, b, 2 },
    { models = { "GTX 280", "GTX 980", "P100", "H200" } })
  for name, cc in pairs { ["GTX 280"] = "1.3", ["GTX 980"] = "5.2" } do
    local p = report.models[name]
    t.assertEquals({ p.known, p.bound }, { false, "not supported" })
    t.assertEquals(p.note, ("cooperative launches need cc 6.0, the %s has %s"):format(name, cc))
  end
  t.assertTrue(report.models.P100.known)
  t.assertTrue(report.models.H200.known)
end

TestCluster = {}

function TestCluster.test_a_block_is_a_cluster()
  local out <const> = gpu.buffer("int", 128)
  module:kernel "cluster" { grid = 2, block = 64 } (out)
  t.assertEquals({ out[0], out[63], out[64] }, { 1063, 1000, 1063 })
end

function TestCluster.test_two_blocks()
  local out <const> = gpu.buffer("int", 4)
  module:kernel "two" { grid = 4, block = 64 } (out)
  t.assertEquals({ out[0], out[1], out[2], out[3] }, { 12, 2, 32, 22 })
end

-- One kernel, in clusters of the size that the launch gives.
function TestCluster.test_clusters_of_a_launch()
  if gpu.device.cc < 90 then t.skip "clusters need compute capability 9.0" end
  local kernel <const>, out <const> = module:kernel "cluster", gpu.buffer("int", 12 * 64)
  for _, size in ipairs { 4, 3, { 2, 1, 1 }, 1 } do
    local blocks <const> = type(size) == "table" and size[1] or size
    kernel { grid = 12, block = 64, cluster = size } (out)
    for i = 0, 12 * 64 - 1 do
      t.assertEquals(out[i], 63 - i % 64 + 100 * (i // 64 % blocks) + 1000 * blocks)
    end
  end
  local _, e = pcall(kernel.launch, kernel, { grid = 12, block = 64, cluster = 9 }, out)
  t.assertStrContains(tostring(e), "cluster")
  t.assertEquals(kernel:launch({ grid = 12, block = 64, cluster = 5 }, out).status, "limit")
  t.assertEquals(kernel:launch({ grid = { 8, 8 }, block = 64, cluster = { 8, 8 } }, out).status, "limit")
  local two <const> = module:kernel "two"
  t.assertEquals(two:launch({ grid = 12, block = 64, cluster = 4 }, out).status, "limit")
end

function TestCluster.test_what_does_not_fit_is_refused()
  if not EMULATED then t.skip "a GPU says it in its own words" end
  local o = module:kernel "two":launch({ grid = 3, block = 64 }, gpu.buffer("int", 3))
  t.assertEquals(o.status, "limit")
  t.assertStrContains(o.message, "not a multiple of the clusters' 2")
  o = module:kernel "sixteen":launch({ grid = 16, block = 64 }, gpu.buffer("int", 16))
  t.assertEquals(o.status, "limit")
  t.assertStrContains(o.message, "clusters of 16 x 1 x 1 blocks are asked for, at most 8")
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
