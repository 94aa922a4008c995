-- The Tensor Memory Accelerator: copies of boxes of tensors, compiled by NVRTC from CUDA C++, under all checkers,
-- compared with the same boxes cut out here. On a GPU that has it (tests/gpu/run) the same copies run there.
local t = require "luaunit"

local HEAD <const> = [[
#include <cuda.h>
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

__device__ unsigned address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
]]

-- As in the CUDA C++ Programming Guide: load a tile, double it, store it.
local TILE <const> = HEAD .. [[
extern "C" __global__ void twice(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out,
                                 int x, int y)
{
	__shared__ alignas(128) float tile[16][32];
#pragma nv_diag_suppress static_var_with_dynamic_init
	__shared__ barrier bar;
	if (threadIdx.x == 0) {
		init(&bar, blockDim.x);
		cde::fence_proxy_async_shared_cta();
	}
	__syncthreads();
	barrier::arrival_token token;
	if (threadIdx.x == 0) {
		cde::cp_async_bulk_tensor_2d_global_to_shared(&tile, &in, x + blockIdx.x * 32, y + blockIdx.y * 16, bar);
		token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
	} else {
		token = bar.arrive();
	}
	bar.wait(std::move(token));
	for (int i = threadIdx.x; i < 16 * 32; i += blockDim.x) tile[i / 32][i % 32] *= 2;
	cde::fence_proxy_async_shared_cta();
	__syncthreads();
	if (threadIdx.x == 0) {
		cde::cp_async_bulk_tensor_2d_shared_to_global(&out, x + blockIdx.x * 32, y + blockIdx.y * 16, &tile);
		cde::cp_async_bulk_commit_group();
		cde::cp_async_bulk_wait_group_read<0>();
	}
	__syncthreads();
	if (threadIdx.x == 0) (&bar)->~barrier();
}
]]

local on_gpu = gpu.device.measures and gpu.device.cc >= 90
local device = on_gpu and gpu.device or gpu.open "emu:H100"

-- No issue of any checker, which a GPU does not have.
local function checked(kernel, config, args)
  if on_gpu then return kernel(config)(table.unpack(args)) end
  local report = device:check(kernel, config, args)
  local said = {}
  t.assertEquals(report.status, "ok", report.message)
  for _, issue in ipairs(report.findings) do said[#said + 1] = issue.message end
  t.assertEquals(said, {})
end

TestTile = {}

function TestTile.test_twice()
  local kernel = device:compile_text(TILE):kernel "twice"
  local width, height = 100, 40
  local input = device:buffer("float", width * height, { fill = "iota" })
  for _, at in ipairs { { 0, 0 }, { 8, 3 }, { 80, 30 } } do
    local output = device:buffer("float", width * height, { fill = 0 })
    local options = { dims = { width, height }, box = { 32, 16 } }
    local from, to = device:tensor_map(input, options), device:tensor_map(output, options)
    t.assertEquals(tostring(from), "tensor map float 100 x 40, box 32 x 16")
    checked(kernel, { grid = { 2, 2 }, block = 128 }, { from, to, at[1], at[2] })
    local got, wrong = output:download(), 0
    for y = 0, height - 1 do
      for x = 0, width - 1 do
        local inside = x >= at[1] and x < at[1] + 64 and y >= at[2] and y < at[2] + 32
        if got[y * width + x] ~= (inside and 2 * (y * width + x) or 0) then wrong = wrong + 1 end
      end
    end
    t.assertEquals(wrong, 0)
  end
end

-- One box, as it is in shared memory afterwards; it begins at element UNIT * at of a row, and at `at` otherwise.
local DUMP <const> = HEAD .. [[
#ifndef MULTICAST
#define MULTICAST
#define MASK
#endif
extern "C" __global__ void dump(const __grid_constant__ CUtensorMap map, unsigned *out, int at, int bytes)
{
	extern __shared__ __align__(1024) unsigned tile[];
	__shared__ alignas(8) unsigned long long bar;
	if (threadIdx.x == 0) {
		asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(&bar)) : "memory");
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(&bar)), "r"(bytes) : "memory");
		asm volatile("cp.async.bulk.tensor." DIMS "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
		             "[%1, " AT "], [%2];" ::"r"(address(tile) + OFFSET), "l"(&map), "r"(address(&bar)), "r"(UNIT * at), "r"(at) : "memory");
	}
#ifndef NO_WAIT
	asm volatile("{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra WAIT; }" ::"r"(
		address(&bar)) : "memory");
#endif
	for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x) out[i] = tile[i];
}
]]

local function dumper(dims, defines)
  local at = {}
  for i = 1, dims do at[i] = i == 1 and "%3" or "%4" end
  local all = { DIMS = '"' .. dims .. '"', AT = '"{' .. table.concat(at, ", ") .. '}"', OFFSET = 0, UNIT = 4 }
  for name, value in pairs(defines or {}) do all[name] = value end
  return device:compile_text(DUMP, { defines = all }):kernel "dump"
end

-- The bytes of the box, dense, as numbers of 32 bits; outside: what is there.
local function box_of(input, options, at, outside)
  local rank, stride, strides, count = #options.dims, 1, {}, {}
  for i = 1, rank do
    strides[i], stride = stride, stride * options.dims[i]
    local step = options.element_strides and options.element_strides[i] or 1
    count[i] = i == 1 and options.box[i] or (options.box[i] + step - 1) // step
  end
  local total = 1
  for i = 1, rank do total = total * count[i] end
  local box = {}
  for n = 0, total - 1 do
    local rest, place, inside = n, 0, true
    for i = 1, rank do
      local step = i > 1 and options.element_strides and options.element_strides[i] or 1
      local x = (i == 1 and 4 or 1) * at + rest % count[i] * step
      rest = rest // count[i]
      inside = inside and x >= 0 and x < options.dims[i]
      place = place + x * strides[i]
    end
    box[n] = inside and input[place] or outside
  end
  return box, total
end

TestBox = {}

-- Each dimension's box, at the beginning, in the middle and beyond the ends.
function TestBox.test_dimensions()
  local dims, box = { 36, 7, 6, 5, 4 }, { 8, 3, 2, 2, 2 }
  for rank = 1, 5 do
    local kernel = dumper(rank)
    local options = { dims = table.move(dims, 1, rank, 1, {}), box = table.move(box, 1, rank, 1, {}) }
    local count = 1
    for i = 1, rank do count = count * dims[i] end
    local input = device:buffer("unsigned", count, { fill = "iota" })
    local host = input:download()
    if rank > 2 then options.element_strides = { 1, 2 } end
    for _, at in ipairs { 0, 1, -1, 3, 34 } do
      local want, n = box_of(host, options, at, 0)
      local out = device:buffer("unsigned", n, { fill = 7 })
      checked(kernel, { grid = 1, block = 32, shared = 4096 }, { device:tensor_map(input, options), out, at, 4 * n })
      local got = out:download()
      for i = 0, n - 1 do t.assertEquals(got[i], want[i], rank .. " dimensions at " .. at) end
    end
  end
end

-- Chunks of 16 bytes change places within the span, by the number of the row of 128 bytes that they are in.
function TestBox.test_swizzles()
  local kernel = dumper(2)
  for name, span in pairs { ["32B"] = 32, ["64B"] = 64, ["128B"] = 128 } do
    local options = { dims = { 64, 32 }, box = { span // 4, 32 }, swizzle = name }
    local input = device:buffer("unsigned", 64 * 32, { fill = "iota" })
    local want, n = box_of(input:download(), options, 0, 0)
    local out = device:buffer("unsigned", n)
    checked(kernel, { grid = 1, block = 64, shared = 4096 }, { device:tensor_map(input, options), out, 0, 4 * n })
    local got = out:download()
    for i = 0, n - 1 do
      local row, chunk = 4 * i // 128, 4 * i // 16
      t.assertEquals(got[(chunk ~ row % (span // 16)) * 4 + i % 4], want[i], name)
    end
  end
end

function TestBox.test_not_a_number_outside()
  local kernel = dumper(2)
  local input = device:buffer("float", 64, { fill = 1 })
  local out = device:buffer("unsigned", 64)
  local map = device:tensor_map(input, { dims = { 8, 8 }, box = { 8, 8 }, fill = "nan" })
  checked(kernel, { grid = 1, block = 32, shared = 1024 }, { map, out, 1, 256 })
  local got = out:download()
  t.assertEquals(got[0], 0x3f800000)
  t.assertEquals(got[4] & 0x7fc00000, 0x7fc00000)
end

-- A tile that is added to global memory.
local ADD <const> = HEAD .. [[
extern "C" __global__ void add(const __grid_constant__ CUtensorMap map)
{
	__shared__ alignas(128) float tile[8][32];
	for (int i = threadIdx.x; i < 256; i += blockDim.x) tile[i / 32][i % 32] = i;
	cde::fence_proxy_async_shared_cta();
	__syncthreads();
	if (threadIdx.x == 0) {
		asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(
			&map), "r"(AT), "r"(0), "r"(address(tile)) : "memory");
		asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
	}
}
]]

function TestBox.test_reductions()
  local kernel = device:compile_text(ADD, { defines = { AT = 4 } }):kernel "add"
  local out = device:buffer("float", 256, { fill = 100 })
  checked(kernel, { grid = 3, block = 64 }, { device:tensor_map(out, { dims = { 32, 8 }, box = { 32, 8 } }) })
  local got = out:download()
  t.assertEquals(got[3], 100)
  t.assertEquals(got[4], 100)
  t.assertEquals(got[31], 100 + 3 * 27)
  t.assertEquals(got[36], 100 + 3 * 32)
end

-- A box beyond the tensor's end: what lies there in the tile is not stored, so nobody has to write it. A piece of 16
-- bytes that begins inside the tensor is stored whole, as an H100 showed (2026-11-23).
local PART <const> = HEAD .. [[
extern "C" __global__ void part(const __grid_constant__ CUtensorMap map)
{
	__shared__ alignas(128) float tile[8][32];
	for (int i = threadIdx.x; i < 256; i += blockDim.x)
		if (i % 32 < COLUMNS && i / 32 < 7) tile[i / 32][i % 32] = i;
	cde::fence_proxy_async_shared_cta();
	__syncthreads();
	if (threadIdx.x == 0) {
		cde::cp_async_bulk_tensor_2d_shared_to_global(&map, 0, 0, &tile);
		cde::cp_async_bulk_commit_group();
		cde::cp_async_bulk_wait_group_read<0>();
	}
}
]]

function TestBox.test_stores_whole_pieces()
  local kernel = device:compile_text(PART, { defines = { COLUMNS = 32 } }):kernel "part"
  for columns = 24, 28 do
    local out = device:buffer("float", 36 * 7, { fill = -1 })
    local map = device:tensor_map(out, { dims = { columns, 6 }, strides = { 144 }, box = { 32, 8 } })
    checked(kernel, { grid = 1, block = 64 }, { map })
    local whole <const> = (columns + 3) // 4 * 4
    for i = 0, 36 * 7 - 1 do
      t.assertEquals(out[i], i % 36 < whole and i // 36 < 6 and i // 36 * 32 + i % 36 or -1)
    end
  end
end

function TestBox.test_counters()
  if on_gpu then t.skip "counters are the emulator's" end
  local kernel = device:compile_text(PART, { defines = { COLUMNS = 32 } }):kernel "part"
  local out = device:buffer("float", 32 * 8)
  local function counted(dims)
    return device:count(kernel, { grid = 3, block = 64 }, { device:tensor_map(out, { dims = dims, box = { 32, 8 } }) }).counters
  end
  local all <const> = counted { 32, 8 }
  t.assertEquals(all.bulk_store_sectors, 3 * 8 * 4)
  t.assertEquals({ all.bulk_load_sectors, all.global_store_sectors, all.shared_load_wavefronts }, { 0, 0, 0 })
  t.assertEquals(counted({ 20, 3 }).bulk_store_sectors, 3 * (3 + 3 + 3))
end

function TestBox.test_what_lies_beyond_the_tensor_is_not_read()
  local out = device:buffer("float", 28 * 7, { fill = -1 })
  local function part(columns)
    return device:compile_text(PART, { defines = { COLUMNS = columns } }):kernel "part"
  end
  local map = device:tensor_map(out, { dims = { 26, 7 }, strides = { 112 }, box = { 32, 8 } })
  checked(part(26), { grid = 1, block = 64 }, { map })
  for i = 0, 28 * 7 - 1 do
    if i % 28 < 26 then t.assertEquals(out[i], i // 28 * 32 + i % 28) end
  end
  if on_gpu then return end
  local report = device:check(part(24), { grid = 1, block = 64 }, { map })
  t.assertEquals(#report.findings, 1)
  t.assertStrContains(report.findings[1].message, "Uninitialized read of shared memory: 8 bytes at byte 96")
end

-- Each of two blocks loads half of a tile for both.
function TestBox.test_multicast()
  local kernel = device:compile_text(HEAD .. [[
extern "C" __global__ void __cluster_dims__(2, 1, 1) both(const __grid_constant__ CUtensorMap map, unsigned *out)
{
	__shared__ alignas(128) unsigned tile[2][4][8];
	__shared__ alignas(8) unsigned long long bar;
	unsigned rank;
	asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
	if (threadIdx.x == 0) {
		asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(&bar)) : "memory");
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
		asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(address(&bar)) : "memory");
	}
	asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
	if (threadIdx.x == 0)
		asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
		             "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(address(tile[rank])), "l"(&map), "r"(0), "r"(4 * rank),
		             "r"(address(&bar)), "h"((unsigned short)3) : "memory");
	asm volatile("{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra WAIT; }" ::"r"(
		address(&bar)) : "memory");
	out[64 * rank + threadIdx.x] = tile[threadIdx.x / 32][threadIdx.x / 8 % 4][threadIdx.x % 8];
	asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}
]]):kernel "both"
  local input = device:buffer("unsigned", 64, { fill = "iota" })
  local out = device:buffer("unsigned", 128)
  kernel { grid = 2, block = 64 }(device:tensor_map(input, { dims = { 8, 8 }, box = { 8, 4 } }), out)
  local got = out:download()
  for i = 0, 127 do t.assertEquals(got[i], i % 64) end
end

TestMistakes = {}

local input = device:buffer("float", 1024, { fill = "iota", name = "input" })
local out = device:buffer("unsigned", 1024)
local good <const> = { dims = { 32, 32 }, box = { 32, 8 } }

local function refused(changes, says)
  local options = {}
  for _, from in ipairs { good, changes } do for k, v in pairs(from) do options[k] = v end end
  t.assertErrorMsgContains(says, function() device:tensor_map(input, options) end)
end

function TestMistakes.test_maps()
  refused({ box = { 3, 8 } }, "12 bytes; it must be a multiple of 16")
  refused({ box = { 32, 257 } }, "box[2] of a tensor map is 257")
  refused({ dims = { 1024, 1024 }, box = { 256, 229 } }, "234496 bytes, at most 233472")
  refused({ box = { 32 } }, "box: as many numbers as dims")
  refused({ dims = { 32, 33 } }, "beyond the buffer \"input\"")
  refused({ dims = { 0, 3 } }, "dims[1] of a tensor map is 0")
  refused({ dims = { 30, 30 } }, "strides[1] of a tensor map is 120 bytes")
  refused({ dims = { 1, 1, 1, 1, 1, 1 }, box = { 4, 1, 1, 1, 1, 1 } }, "1 to 5 numbers")
  refused({ swizzle = "64B" }, "has 128 bytes; with this swizzle it can have 64")
  refused({ swizzle = "16B" }, "swizzle")
  refused({ element_strides = { 1, 9 } }, "element_strides[2] of a tensor map is 9")
  refused({ first = 1 }, "multiple of 16")
  refused({ type = "int", fill = "nan" }, "cannot fill with NaN")
end

local function fails(kernel, map, bytes, says)
  t.assertErrorMsgContains(says, function() kernel { grid = 1, block = 32, shared = 2048 }(map, out, 0, bytes) end)
end

function TestMistakes.test_copies()
  t.skipIf(on_gpu, "a GPU reports no such mistakes")
  local map = device:tensor_map(input, good)
  fails(dumper(3), map, 1024, "A copy of 3 dimensions with a tensor map of 2")
  fails(dumper(2, { OFFSET = 64 }), map, 1024, "Declare the tile")
  fails(dumper(2, { OFFSET = 1536 }), map, 1024, "shared memory")
  fails(dumper(2), string.rep("\0", 128), 1024, "There is no tensor map")
  local narrow = device:tensor_map(input, { dims = { 32, 32 }, box = { 8, 8 }, swizzle = "128B" })
  fails(dumper(2), narrow, 256, "a swizzle of 128")
  t.assertErrorMsgContains("begins at byte -4 of a row", function()
    dumper(2, { UNIT = 1 }) { grid = 1, block = 32, shared = 2048 }(map, out, -1, 1024)
  end)
  local add = device:compile_text(ADD, { defines = { AT = -4 } }):kernel "add"
  t.assertErrorMsgContains("stores a box that begins at -4 in dimension 1", function() add { grid = 1, block = 64 }(map) end)
end

-- Bytes that never come, bytes that no thread announced, and what is read before it came.
function TestMistakes.test_waits()
  t.skipIf(on_gpu, "a GPU reports no such mistakes")
  local map = device:tensor_map(input, good)
  local outcome = dumper(2):launch({ grid = 1, block = 32, shared = 2048 }, map, out, 0, 1040)
  t.assertStrContains(outcome.message, "The kernel never ends")
  t.assertStrContains(outcome.message, "copies that it expects are missing")
  outcome = dumper(2):launch({ grid = 1, block = 32, shared = 2048 }, map, out, 0, 1008)
  t.assertStrContains(outcome.message, "its byte count is -16: more bytes arrived than were announced")
  local config = { grid = 1, block = 32, shared = 2048 }
  local report = device:check(dumper(2, { NO_WAIT = 1 }), config, { map, out, 0, 1024 }, "race")
  t.assertStrContains(report.findings[1].message, "may still be writing")
end

os.exit(t.LuaUnit.run("-o", "tap"))
