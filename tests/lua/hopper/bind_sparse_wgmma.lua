-- Products of warpgroups of which the left matrix is sparse, compiled by NVRTC from CUDA C++, compared with a sum on the
-- host, under all checkers. On a GPU that has them (tests/gpu/run) the same products run there.
local t = require "luaunit"

local on_gpu <const> = gpu.device.measures and gpu.device.cc >= 90
local device <const> = on_gpu and gpu.device or gpu.open "emu:H100"

-- a: 64 rows of 32 bytes, what is kept of each; b: 16 columns of 64 bytes. SPAN: the bytes of the swizzle.
local SOURCE <const> = [[
#include <cuda_fp16.h>
__device__ unsigned address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

/* Where a piece of 16 bytes is: swizzled rows, or squares of 8 by 16 bytes. */
__device__ unsigned place(int row, int piece, int pieces)
{
#if SPAN
	const unsigned at = row * SPAN + piece * 16;
	return at ^ (at >> 7 & (SPAN / 16 - 1)) << 4;
#else
	return row / 8 * (pieces * 128) + piece * 128 + row % 8 * 16;
#endif
}
__device__ void fill(unsigned char *tile, const ELEMENT *from, int rows, int pieces)
{
	const uint4 *list = reinterpret_cast<const uint4 *>(from);
	for (int i = threadIdx.x; i < rows * pieces; i += blockDim.x)
		*reinterpret_cast<uint4 *>(tile + place(i / pieces, i % pieces, pieces)) = list[i];
}
__device__ unsigned long long descriptor(const void *tile, int pieces)
{
	const unsigned long long start = (address(tile) & 0x3ffff) >> 4;
#if SPAN
	return start | 1ull << 16 | (SPAN * 8ull >> 4) << 32 | (SPAN == 128 ? 1ull : SPAN == 64 ? 2ull : 3ull) << 62;
#else
	return start | (128ull >> 4) << 16 | (pieces * 128ull >> 4) << 32;
#endif
}

extern "C" __global__ void __launch_bounds__(128) product(const ELEMENT *a, const ELEMENT *b, const unsigned *metadata, SUM *out)
{
	__shared__ alignas(1024) unsigned char ta[64 * 128], tb[16 * 128];
	fill(ta, a, 64, 2);
	fill(tb, b, 16, 4);
#ifndef NO_FENCE
	asm volatile("fence.proxy.async;" ::: "memory");
#endif
	__syncthreads();
	const int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4;
	const unsigned kept = metadata[threadIdx.x];
	unsigned r[4];
	for (int i = 0; i < 4; i++)
		r[i] = reinterpret_cast<const unsigned *>(a)[(row + i % 2 * 8) * 8 + i / 2 * 4 + lane % 4];
	SUM d[8] = {};
	asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll 8
	for (int i = 0; i < TIMES; i++)
#ifdef REGISTERS
		asm volatile("wgmma.mma_async.sp.sync.aligned." FORM " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, %12, "
		             "%13, " SELECTOR ", 1" SCALES ";"
		             : D(d[0]), D(d[1]), D(d[2]), D(d[3]), D(d[4]), D(d[5]), D(d[6]), D(d[7])
		             : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "l"(descriptor(tb, 4)), "r"(kept));
#else
		asm volatile("wgmma.mma_async.sp.sync.aligned." FORM " {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, "
		             "%10, " SELECTOR ", 1" SCALES ";"
		             : D(d[0]), D(d[1]), D(d[2]), D(d[3]), D(d[4]), D(d[5]), D(d[6]), D(d[7])
		             : "l"(descriptor(ta, 2) + START), "l"(descriptor(tb, 4)), "r"(kept));
#endif
	asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
#ifdef EARLY
	for (int i = 0; i < 8; i++) d[i] += 1;
#endif
	asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
	for (int i = 0; i < 8; i++) out[(row + i / 2 % 2 * 8) * 16 + lane % 4 * 2 + i / 4 * 8 + i % 2] = d[i];
}
]]

-- per: elements of a group, of which `kept` are; bits: of a kept element's place in a group.
local TYPES <const> = {
  half = { element = "half", c = "__half", k = 32, per = 4, kept = 2, bytes = 2, form = "m64n16k32.f32.f16.f16",
    scales = ", 1, 1, 0, 0", register_scales = ", 1, 1, 0", selectors = 2 },
  tf32 = { element = "float", c = "float", k = 16, per = 2, kept = 1, bytes = 4, form = "m64n16k16.f32.tf32.tf32",
    scales = ", 1, 1", selectors = 2 },
  int8 = { element = "char", c = "signed char", k = 64, per = 4, kept = 2, bytes = 1, form = "m64n16k64.s32.s8.s8",
    scales = "", sum = "int", selectors = 1 },
}

local function kernel(type, defines)
  local registers <const> = defines.REGISTERS
  local all = { ELEMENT = type.c, SUM = type.sum or "float", D = type.sum and '"+r"' or '"+f"', FORM = '"' .. type.form .. '"',
    SELECTOR = '"0"', SPAN = 128, START = 0, TIMES = 1 }
  all.SCALES = '"' .. (registers and type.register_scales or type.scales) .. '"'
  for name, value in pairs(defines) do all[name] = value end
  return device:compile_text(SOURCE, { defines = all }):kernel "product"
end

local state = 1
local function random(n)
  state = (state * 1103515245 + 12345) & 0x7fffffff
  return (state >> 16) % n
end

-- A row of k elements of which half are zero: what is kept, and where in its group each is.
local function sparse_row(type)
  local whole, kept, places = {}, {}, {}
  for group = 0, type.k // type.per - 1 do
    local first = random(type.per == 4 and 3 or 2)
    local chosen = { first, type.per == 4 and first + 1 + random(3 - first) or nil }
    for i = 1, type.per do whole[group * type.per + i] = 0 end
    for _, place in ipairs(chosen) do
      local value = random(9) - 4
      whole[group * type.per + place + 1] = value
      kept[#kept + 1], places[#places + 1] = value, place
    end
  end
  return whole, kept, places
end

-- The words of metadata: which thread has a kept element's, and at which bit (PTX ISA, figures of wgmma.mma_async.sp).
-- Threads that are not chosen have other bits.
local function put(words, type, selector, row, e, place)
  local below, thread, bit = row // 8 % 2, row // 16 * 32 + row % 8 * 4, e % 16 * 2
  if type.bytes == 1 then
    thread = thread + below + e // 16 * 2
  elseif type.bytes == 2 then
    thread, bit = thread + 2 * selector + e // 8, below * 16 + e % 8 * 2
  else
    thread, bit, place = thread + 2 * selector + e // 4, below * 16 + e % 4 * 4, place == 0 and 0x4 or 0xe
  end
  local mask <const> = type.bytes == 4 and 15 or 3
  words[thread + 1] = words[thread + 1] & ~(mask << bit) | place << bit
end

local function problem(type, selector)
  local a, b, words, want = {}, {}, {}, {}
  for i = 1, 128 do words[i] = random(1 << 15) << 17 | random(1 << 15) << 2 | random(4) end
  for i = 1, 16 * type.k do b[i] = random(9) - 4 end
  for row = 0, 63 do
    local whole, kept, places = sparse_row(type)
    table.move(kept, 1, #kept, #a + 1, a)
    for e, place in ipairs(places) do put(words, type, selector, row, e - 1, place) end
    for column = 0, 15 do
      local sum = 0
      for k = 1, type.k do sum = sum + whole[k] * b[column * type.k + k] end
      want[row * 16 + column] = sum
    end
  end
  return a, b, words, want
end

local function buffers(type, selector)
  local a, b, words, want = problem(type, selector)
  local left, right = device:buffer(type.element, #a), device:buffer(type.element, #b)
  local metadata = device:buffer("unsigned", 128)
  left:upload(a)
  right:upload(b)
  metadata:upload(words)
  return { left, right, metadata, device:buffer(type.sum or "float", 64 * 16, { fill = 99 }) }, want
end

local function messages(report)
  local said = {}
  for _, issue in ipairs(report.findings) do said[#said + 1] = issue.message end
  return table.concat(said, "\n")
end

local function checked(product, args)
  local config <const> = { grid = 1, block = 128 }
  if on_gpu then return product(config)(table.unpack(args)) end
  local report = device:check(product, config, args)
  t.assertEquals(report.status, "ok", report.message)
  t.assertEquals(messages(report), "")
end

TestSparse = {}

function TestSparse.test_products()
  for name, type in pairs(TYPES) do
    for selector = 0, type.selectors - 1 do
      local args, want = buffers(type, selector)
      for _, span in ipairs { 0, 64, 128 } do
        for _, registers in ipairs { false, true } do
          local defines = { SPAN = span, SELECTOR = '"' .. selector .. '"', REGISTERS = registers and 1 or nil }
          checked(kernel(type, defines), args)
          local got = args[4]:download()
          for i = 0, 64 * 16 - 1 do
            t.assertEquals(got[i], want[i], ("%s, selector %d, swizzle %d, element %d"):format(name, selector, span, i))
          end
        end
      end
    end
  end
end

TestMistakes = {}

local function found(defines, checker)
  local args = buffers(TYPES.half, 0)
  return messages(device:check(kernel(TYPES.half, defines), { grid = 1, block = 128 }, args, checker))
end

function TestMistakes.test_checkers()
  t.skipIf(on_gpu, "a GPU reports no such mistakes")
  t.assertStrContains(found({ NO_FENCE = 1 }, "race"), "no fence.proxy.async follows the write")
  t.assertStrContains(found({ EARLY = 1 }, "sync"), "before wgmma.wait_group")
end

function TestMistakes.test_outside()
  t.skipIf(on_gpu, "a GPU reports no such mistakes")
  local args = buffers(TYPES.half, 0)
  t.assertErrorMsgContains("by the descriptor of a", function()
    kernel(TYPES.half, { START = 4096 }) { grid = 1, block = 128 }(table.unpack(args))
  end)
  t.assertErrorMsgContains("differ between the threads", function()
    kernel(TYPES.half, { START = "threadIdx.x / 64" }) { grid = 1, block = 128 }(table.unpack(args))
  end)
end

-- 16 columns of 64 bytes and 64 rows of 32 from shared memory take 24 cycles, 128 bytes per cycle; columns alone take
-- fewer.
function TestSparse.test_shared_memory_limits()
  t.skipIf(on_gpu, "predictions are the emulator's")
  local cycles = {}
  for registers = 0, 1 do
    local args = buffers(TYPES.half, 0)
    local product = kernel(TYPES.half, { TIMES = 6000, REGISTERS = registers == 1 and 1 or nil })
    local report = device:count(product, { grid = 1, block = 128 }, args, { models = { "H100 SXM" } })
    cycles[registers] = report.models["H100 SXM"].ms * 1e-3 * 1.98e9 / 6000
    t.assertEquals(report.counters.shared_load_wavefronts, 0)
  end
  t.assertAlmostEquals(cycles[0] / 24, 1, 0.1)
  t.assertTrue(cycles[1] < 0.9 * cycles[0])
end

os.exit(t.LuaUnit.run("-o", "tap"))
