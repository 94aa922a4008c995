-- Copies of pixels by im2col tensor maps, compiled by NVRTC from CUDA C++, under all checkers, compared with the same pixels
-- collected here. On a GPU that has them (tests/gpu/run) the same copies run there.
local t = require "luaunit"

local on_gpu <const> = gpu.device.measures and gpu.device.cc >= 90
local device <const> = on_gpu and gpu.device or gpu.open "emu:H100"

-- A word that is no element, and does not look like one that is filled in.
local SENTINEL <const> = 0x5eadbeef

local SOURCE <const> = [[
#include <cuda.h>
__device__ unsigned address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

struct Place {
	int at[5];
	int offset[3];
};
#define AT(p) "r"((p).at[0]), "r"((p).at[1]), "r"((p).at[2]), "r"((p).at[3]), "r"((p).at[4])
#define OFFSET(p) "h"((unsigned short)(p).offset[0]), "h"((unsigned short)(p).offset[1]), "h"((unsigned short)(p).offset[2])

__device__ void begin(unsigned long long *bar, unsigned *tile, int bytes)
{
	for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x) tile[i] = 0x5eadbeef;
	if (threadIdx.x == 0) {
		asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(bar)) : "memory");
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
		asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(bar)), "r"(bytes) : "memory");
	}
	asm volatile("fence.proxy.async;" ::: "memory");
	__syncthreads();
}
/* Ends, although bytes are missing. */
__device__ int wait(unsigned long long *bar)
{
	int done = 0;
	for (int i = 0; i < 1000 && !done; i++)
		asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0, 10000; selp.b32 %0, 1, 0, p; }"
		             : "=r"(done) : "r"(address(bar)) : "memory");
	return done;
}

extern "C" __global__ void load(const __grid_constant__ CUtensorMap map, unsigned *out, Place p, int bytes)
{
	extern __shared__ __align__(1024) unsigned tile[];
	__shared__ alignas(8) unsigned long long bar;
	begin(&bar, tile, bytes);
	if (threadIdx.x == 0) {
		asm volatile("cp.async.bulk.prefetch.tensor." DIMS "d.L2.global.im2col [%0, {" COORDINATES "}], {" OFFSETS "};"
		             ::"l"(&map), "r"(0), "r"(0), AT(p), OFFSET(p) : "memory");
		asm volatile("cp.async.bulk.tensor." DIMS "d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%1], "
		             "[%0, {" COORDINATES "}], [%2], {" OFFSETS "};"
		             ::"l"(&map), "r"(address(tile) + START), "r"(address(&bar)), AT(p), OFFSET(p) : "memory");
	}
#ifndef NO_WAIT
	const int done = wait(&bar);
	if (threadIdx.x == 0) out[bytes / 4] = done;
#endif
	for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x) out[i] = tile[i];
}

extern "C" __global__ void store(const __grid_constant__ CUtensorMap map, Place p, int bytes)
{
	extern __shared__ __align__(1024) unsigned tile[];
	for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x) tile[i] = 1000000 + i;
	asm volatile("fence.proxy.async;" ::: "memory");
	__syncthreads();
	if (threadIdx.x == 0) {
		asm volatile(STORE "." DIMS "d.global.shared::cta" OPERATION ".im2col_no_offs.bulk_group [%0, {" COORDINATES "}], [%1];"
		             ::"l"(&map), "r"(address(tile)), "r"(0), AT(p) : "memory");
		asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
	}
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) both(const __grid_constant__ CUtensorMap map, unsigned *out, Place p,
                                                          int bytes)
{
	extern __shared__ __align__(1024) unsigned tile[];
	__shared__ alignas(8) unsigned long long bar;
	unsigned rank;
	asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
	begin(&bar, tile, bytes);
	asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
	if (threadIdx.x == 0 && rank == 1)
		asm volatile("cp.async.bulk.tensor." DIMS "d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes."
		             "multicast::cluster [%1], [%0, {" COORDINATES "}], [%2], {" OFFSETS "}, %11;"
		             ::"l"(&map), "r"(address(tile)), "r"(address(&bar)), AT(p), OFFSET(p), "h"((unsigned short)3) : "memory");
	wait(&bar);
	for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x) out[rank * bytes / 4 + i] = tile[i];
	asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}
]]

local kernels = {}

local function kernel(name, rank, defines)
  local coordinates, offsets, key = {}, {}, { name, rank }
  for i = 1, rank do coordinates[i] = "%" .. i + 2 end
  for i = 1, rank - 2 do offsets[i] = "%" .. i + 7 end
  local function text(s) return '"' .. s .. '"' end
  local all = { DIMS = text(rank), COORDINATES = text(table.concat(coordinates, ", ")), START = 0,
    OFFSETS = text(table.concat(offsets, ", ")), STORE = text "cp.async.bulk.tensor", OPERATION = text "" }
  for word, value in pairs(defines or {}) do
    all[word] = value
    key[#key + 1] = word .. value
  end
  local id <const> = table.concat(key, " ")
  kernels[id] = kernels[id] or device:compile_text(SOURCE, { defines = all }):kernel(name)
  return kernels[id]
end

-- No issue of any checker, which a GPU does not have.
local function checked(what, config, args)
  if on_gpu then return what(config)(table.unpack(args)) end
  local report = device:check(what, config, args)
  local said = {}
  t.assertEquals(report.status, "ok", report.message)
  for _, issue in ipairs(report.findings) do said[#said + 1] = issue.message end
  t.assertEquals(said, {})
end

-- dims, channels and at[1] are in words of 4 bytes; each: bytes of an element.
local function options_of(case)
  local each, options = case.each or 4, {}
  for _, key in ipairs { "lower_corner", "upper_corner", "element_strides", "swizzle", "fill" } do options[key] = case[key] end
  options.dims = table.move(case.dims, 1, #case.dims, 1, {})
  options.dims[1] = case.dims[1] * 4 // each
  options.channels_per_pixel = case.channels * 4 // each
  options.pixels_per_column = case.pixels
  options.type = case.type
  return options
end

-- A Place as the kernels have it.
local function packed(at, offset)
  local list = { 0, 0, 0, 0, 0, 0, 0, 0 }
  for i, x in ipairs(at) do list[i] = x end
  for i, x in ipairs(offset or {}) do list[5 + i] = x end
  return string.pack("<" .. ("i4"):rep(8), table.unpack(list))
end

local function place_of(case)
  local at = { table.unpack(case.at) }
  at[1] = at[1] * 4 // (case.each or 4)
  return packed(at, case.offset)
end

local function words_of(case)
  local n = 1
  for _, count in ipairs(case.dims) do n = n * count end
  return n
end

-- The pixels that a copy is about, in its order, in the tensor's coordinates: those of the window of the first image from
-- the first pixel on, then those of the next ones.
local function pixels_of(case)
  local rank, list = #case.dims, {}
  local function step(i) return case.element_strides and case.element_strides[i] or 1 end
  local function lower(i) return case.lower_corner and case.lower_corner[i - 1] or 0 end
  local function upper(i) return case.dims[i] + (case.upper_corner and case.upper_corner[i - 1] or 0) end
  -- All positions of dimension i and those inside it, from the first pixel's if `first`.
  local function visit(i, first, outer)
    if i == 1 then
      list[#list + 1] = outer
      return #list < case.pixels
    end
    local x <const> = first and case.at[i] or i == rank and 0 or lower(i)
    local from, more = x, true
    while more and (i == rank or from == x or from < upper(i)) do
      local place = { table.unpack(outer, 1, rank) }
      place[i] = from + (i < rank and case.offset and case.offset[i - 1] or 0)
      more = visit(i - 1, first and from == x, place)
      from = from + step(i)
    end
    return more
  end
  visit(rank, true, {})
  return list
end

-- The number of the word that channel c of a pixel is; nil: outside the tensor.
local function word_of(case, place, c)
  if c < 0 or c >= case.dims[1] then return nil end
  local at, stride = c, case.dims[1]
  for i = 2, #case.dims do
    if place[i] < 0 or place[i] >= case.dims[i] then return nil end
    at, stride = at + place[i] * stride, stride * case.dims[i]
  end
  return at
end

-- For whoever has to find out what a GPU did: the pixels that these words are of.
local function decoded(case, got)
  local list = {}
  for p = 0, case.pixels - 1 do
    local v = got[p * case.channels]
    local text = v == 0 and "0" or v == SENTINEL and "-" or ("%x?"):format(v)
    if v > 0 and v <= words_of(case) then
      local rest, places = v - 1, {}
      for i = 1, #case.dims do places[i], rest = rest % case.dims[i], rest // case.dims[i] end
      text = table.concat(places, ".")
    end
    list[#list + 1] = text
  end
  return table.concat(list, " ")
end

local SPANS <const> = { ["32B"] = 32, ["64B"] = 64, ["128B"] = 128 }

-- Where word i of the dense tile is with a swizzle.
local function swizzled(case, i)
  local span = SPANS[case.swizzle]
  if not span then return i end
  return (i // 4 ~ i // 32 % (span // 16)) * 4 + i % 4
end

local function load(case, name)
  local n <const> = case.pixels * case.channels
  local input = device:buffer("unsigned", words_of(case))
  input:upload((function(list)
    for i = 1, words_of(case) do list[i] = i end
    return list
  end) {})
  local blocks <const> = name == "both" and 2 or 1
  local out = device:buffer("unsigned", blocks * n + 1, { fill = 7 })
  local map = device:tensor_map(input, options_of(case))
  local config <const> = { grid = blocks, block = 64, shared = 4 * n + 1024, timeout = 5000 }
  checked(kernel(name or "load", #case.dims), config, { map, out, place_of(case), 4 * n })
  local got, list = out:download(), {}
  for i = 0, blocks * n - 1 do list[i] = got[i // n * n + swizzled(case, i % n)] end
  return list, got[n]
end

local function wrong_of(case, got, first)
  local outside <const> = case.fill == "nan" and 0x7fffffff or 0
  for p, place in ipairs(pixels_of(case)) do
    for c = 0, case.channels - 1 do
      local word = word_of(case, place, case.at[1] + c)
      local want <const>, v <const> = word and word + 1 or outside, got[first + (p - 1) * case.channels + c]
      local nan <const> = not word and case.fill == "nan" and v & 0x7f800000 == 0x7f800000 and v & 0x7fffff ~= 0
      if v ~= want and not nan then return ("pixel %d, word %d is %x, not %x"):format(p - 1, c, v, want) end
    end
  end
  return nil
end

local function check_load(case, name)
  local got, done = load(case, name)
  local what <const> = case.name or "load"
  for first = 0, name == "both" and case.pixels * case.channels or 0, case.pixels * case.channels do
    local wrong = wrong_of(case, got, first)
    if wrong then
      print("# " .. what .. ": " .. decoded(case, got))
      print("# " .. what .. (", all bytes came: %s"):format(done))
    end
    t.assertNil(wrong, what)
  end
end

TestLoad = {}

local FLAT <const> = { 8, 9, 4 }         -- channels, width, images
local IMAGE <const> = { 8, 7, 5, 3 }     -- and height
local SOLID <const> = { 8, 5, 4, 3, 2 }  -- and depth

local function cases(list)
  for _, case in ipairs(list) do
    case.channels = case.channels or 8
    check_load(case)
  end
end

function TestLoad.test_whole_images()
  cases {
    { name = "row", dims = FLAT, pixels = 36, at = { 0, 0, 0 } },
    { name = "image", dims = IMAGE, pixels = 105, at = { 0, 0, 0, 0 } },
    { name = "solid", dims = SOLID, pixels = 120, at = { 0, 0, 0, 0, 0 } },
  }
end

-- From the middle of an image on, and beyond the last one.
function TestLoad.test_goes_on_in_the_next_image()
  cases {
    { name = "row", dims = FLAT, pixels = 30, at = { 0, 4, 1 } },
    { name = "image", dims = IMAGE, pixels = 64, at = { 0, 3, 2, 1 } },
    { name = "solid", dims = SOLID, pixels = 96, at = { 0, 2, 1, 1, 0 } },
    { name = "behind all", dims = IMAGE, pixels = 16, at = { 0, 0, 0, 3 } },
    { name = "before all", dims = IMAGE, pixels = 48, at = { 0, 0, 0, -1 } },
  }
end

-- The window is moved by offsets, as a filter over its image with a border.
function TestLoad.test_windows()
  for w = 0, 2 do
    for h = 0, 2 do
      cases {
        { name = "3 x 3 filter " .. w .. h, dims = IMAGE, pixels = 105, at = { 0, -1, -1, 0 }, offset = { w, h },
          lower_corner = { -1, -1 }, upper_corner = { -1, -1 } },
        { name = "uneven window " .. w .. h, dims = IMAGE, pixels = 40, at = { 0, 1, -1, 0 }, offset = { w, 2 * h },
          lower_corner = { 1, -2 }, upper_corner = { -2, 1 } },
      }
    end
  end
  cases {
    { name = "row", dims = FLAT, pixels = 30, at = { 0, 2, 0 }, offset = { 3 }, lower_corner = { -2 }, upper_corner = { -4 } },
    { name = "far", dims = FLAT, pixels = 9, at = { 0, -300, 0 }, offset = { 300 }, lower_corner = { -300 },
      upper_corner = { -300 } },
    { name = "solid", dims = SOLID, pixels = 100, at = { 0, -1, 0, 1, 0 }, offset = { 2, 1, 3 },
      lower_corner = { -1, 0, -2 }, upper_corner = { -2, -1, 1 } },
    { name = "all offsets", dims = SOLID, pixels = 30, at = { 0, -3, -3, -3, 0 }, offset = { 4, 3, 5 },
      lower_corner = { -3, -3, -3 }, upper_corner = { -2, -3, -4 } },
  }
end

function TestLoad.test_traversal_strides()
  cases {
    { name = "row by 2", dims = FLAT, pixels = 20, at = { 0, 0, 0 }, element_strides = { 1, 2, 1 } },
    { name = "row by 3, from 1", dims = FLAT, pixels = 12, at = { 0, 1, 0 }, element_strides = { 1, 3, 1 } },
    { name = "image by 2 and 3", dims = IMAGE, pixels = 20, at = { 0, 2, 0, 0 }, element_strides = { 1, 2, 3, 1 } },
    { name = "filter by 2", dims = IMAGE, pixels = 24, at = { 0, -1, -1, 0 }, offset = { 2, 1 }, element_strides = { 1, 2, 2, 1 },
      lower_corner = { -1, -1 }, upper_corner = { -1, -1 } },
    { name = "solid by 2, 2 and 2", dims = SOLID, pixels = 24, at = { 0, 0, 0, 0, 0 }, element_strides = { 1, 2, 2, 2, 1 } },
  }
end

function TestLoad.test_channels()
  local dims <const> = { 20, 7, 5, 3 }
  cases {
    { name = "the first", dims = dims, channels = 4, pixels = 40, at = { 0, 0, 0, 0 } },
    { name = "in the middle", dims = dims, channels = 8, pixels = 40, at = { 8, 3, 1, 0 } },
    { name = "beyond the end", dims = dims, channels = 8, pixels = 40, at = { 16, 3, 1, 0 } },
    { name = "before the beginning", dims = dims, channels = 8, pixels = 40, at = { -4, 3, 1, 0 } },
    { name = "none", dims = dims, channels = 8, pixels = 8, at = { 20, 3, 1, 0 } },
  }
end

function TestLoad.test_types()
  for type, each in pairs { ["unsigned char"] = 1, half = 2, int = 4, double = 8 } do
    cases { { name = type, dims = IMAGE, type = type, each = each, pixels = 50, at = { 0, -1, -1, 0 }, offset = { 1, 2 },
      lower_corner = { -1, -1 }, upper_corner = { -1, -1 } } }
  end
  cases { { name = "NaN", dims = IMAGE, type = "float", fill = "nan", pixels = 50, at = { 0, -1, -1, 0 }, offset = { 0, 2 },
    lower_corner = { -1, -1 }, upper_corner = { -1, -1 } } }
end

function TestLoad.test_swizzles()
  for name, span in pairs(SPANS) do
    cases { { name = name, dims = { 32, 7, 5, 3 }, channels = span // 4, swizzle = name, pixels = 50, at = { 0, 2, 1, 0 },
      offset = { 1, 0 } } }
  end
end

function TestLoad.test_multicast()
  check_load({ name = "multicast", dims = IMAGE, channels = 8, pixels = 30, at = { 0, 3, 1, 1 }, offset = { 1, 0 } }, "both")
end

TestStore = {}

local function check_store(case, operation)
  local n <const> = case.pixels * case.channels
  local out = device:buffer("unsigned", words_of(case), { fill = 5 })
  local defines = operation and { STORE = '"cp.reduce.async.bulk.tensor"', OPERATION = '".' .. operation .. '"' }
  checked(kernel("store", #case.dims, defines), { grid = 1, block = 64, shared = 4 * n },
    { device:tensor_map(out, options_of(case)), place_of(case), 4 * n })
  local got, want = out:download(), {}
  for p, place in ipairs(pixels_of(case)) do
    for c = 0, case.channels - 1 do
      local word = word_of(case, place, case.at[1] + c)
      local value <const> = 1000000 + (p - 1) * case.channels + c
      if word then want[word] = operation == "add" and 5 + value or value end
    end
  end
  local differ = 0
  for i = 0, words_of(case) - 1 do
    if got[i] ~= (want[i] or 5) then
      differ = differ + 1
      if differ <= 40 then print(("# %s: word %d is %d, not %d"):format(case.name, i, got[i], want[i] or 5)) end
    end
  end
  t.assertEquals(differ, 0, case.name)
end

local STORES <const> = {
  { name = "store a row", dims = FLAT, channels = 8, pixels = 20, at = { 0, 3, 1 } },
  { name = "store over images", dims = IMAGE, channels = 8, pixels = 60, at = { 0, 3, 1, 0 } },
  { name = "store solids", dims = SOLID, channels = 8, pixels = 60, at = { 0, 2, 1, 1, 0 } },
  { name = "store in a window", dims = IMAGE, channels = 8, pixels = 20, at = { 0, 1, 1, 0 }, lower_corner = { 1, 1 },
    upper_corner = { -2, -1 } },
  { name = "store by 2", dims = IMAGE, channels = 8, pixels = 16, at = { 0, 0, 0, 0 }, element_strides = { 1, 2, 2, 1 } },
  { name = "store beyond the last image", dims = IMAGE, channels = 8, pixels = 60, at = { 0, 3, 1, 2 } },
  { name = "store beyond the last channel", dims = { 12, 7, 5, 3 }, channels = 8, pixels = 60, at = { 8, 3, 1, 0 } },
}

function TestStore.test_stores()
  for _, case in ipairs(STORES) do check_store(case) end
end

function TestStore.test_reductions()
  for _, case in ipairs(STORES) do check_store(case, "add") end
end

TestMistakes = {}

local image = device:buffer("float", 8 * 7 * 5 * 3, { fill = "iota", name = "image" })
local good <const> = { dims = IMAGE, channels_per_pixel = 8, pixels_per_column = 16 }

local function options_with(changes)
  local options = {}
  for _, from in ipairs { good, changes } do for k, v in pairs(from) do options[k] = v end end
  return options
end

local function refused(changes, says)
  t.assertErrorMsgContains(says, function() device:tensor_map(image, options_with(changes)) end)
end

function TestMistakes.test_maps()
  refused({ channels_per_pixel = 257 }, "channels_per_pixel of a tensor map is 257; it must be 1 to 256")
  refused({ pixels_per_column = 1025 }, "pixels_per_column of a tensor map is 1025; it must be 1 to 1024")
  refused({ pixels_per_column = 0 }, "pixels_per_column of a tensor map is 0")
  refused({ channels_per_pixel = 3 }, "12 bytes; it must be a multiple of 16")
  refused({ lower_corner = { 0, -129 } }, "lower_corner[2] of a tensor map is -129; with 4 dimensions it must be -128 to 127")
  refused({ upper_corner = { 128, 0 } }, "upper_corner[1] of a tensor map is 128")
  refused({ lower_corner = { 0, 40000 } }, "-32768 to 32767")
  refused({ lower_corner = { 0 } }, "lower_corner: two numbers less than dims has expected")
  refused({ upper_corner = { 0, 0, 0 } }, "upper_corner: two numbers less than dims has expected")
  refused({ lower_corner = { 7, 0 } }, "the window of a tensor map is empty in dimension 2")
  refused({ lower_corner = { 2, 0 }, upper_corner = { -5, 0 } }, "the window of a tensor map is empty in dimension 2")
  refused({ dims = { 8, 7 } }, "an im2col tensor map has 3 to 5 dimensions, not 2")
  refused({ dims = { 8, 7, 5, 4 } }, "beyond the buffer \"image\"")
  refused({ box = { 8, 1, 1, 1 } }, "box: an im2col map has channels_per_pixel")
  refused({ element_strides = { 1, 9 } }, "element_strides[2] of a tensor map is 9")
  refused({ strides = { 32, 224, 1 } }, "strides[3] of a tensor map is 1 bytes")
  refused({ swizzle = "32B", channels_per_pixel = 16 }, "with this swizzle it can have 32")
  local tile <const> = { dims = IMAGE, box = { 8, 1, 1, 1 }, lower_corner = { 0, 0 } }
  t.assertErrorMsgContains("lower_corner: only an im2col map has it", function() device:tensor_map(image, tile) end)
  t.assertErrorMsgContains("channels_per_pixel: a number expected", function()
    device:tensor_map(image, { dims = IMAGE, pixels_per_column = 16 })
  end)
  t.assertEquals(tostring(device:tensor_map(image, good)), "tensor map float 8 x 7 x 5 x 3, im2col 8 x 16")
end

local function fails(what, map, place, says, bytes)
  t.assertErrorMsgContains(says, function()
    local args = { map, place, bytes or 512 }
    if what ~= kernel("store", 4) then table.insert(args, 2, device:buffer("unsigned", 4096)) end
    what { grid = 1, block = 32, shared = 1024, timeout = 2000 }(table.unpack(args))
  end)
end

function TestMistakes.test_copies()
  t.skipIf(on_gpu, "a GPU reports no such mistakes")
  local map = device:tensor_map(image, good)
  local origin <const> = packed {}
  local tiled = device:tensor_map(image, { dims = IMAGE, box = { 8, 1, 1, 1 } })
  fails(kernel("load", 3), map, origin, "A copy of 3 dimensions with a tensor map of 4")
  fails(kernel("load", 4), tiled, origin, "An im2col copy with a tensor map of tiles")
  fails(kernel("load", 4, { START = 64 }), map, origin, "Declare the tile")
  fails(kernel("load", 4, { START = 1024 }), map, origin, "shared memory")
  fails(kernel("load", 4), map, packed({}, { 256 }), "the offset 256 in dimension 2; with 4 dimensions it can be")
  fails(kernel("load", 4), map, packed({}, { 0, 65535 }), "the offset 65535 in dimension 3")
  fails(kernel("load", 4), map, packed { 1 }, "begins at byte 4 of a row")
  fails(kernel("store", 4), map, packed { 0, -1 }, "stores a box that begins at -1 in dimension 2")
  local thin = device:tensor_map(image, options_with { channels_per_pixel = 4, swizzle = "64B" })
  fails(kernel("load", 4), thin, origin, "a swizzle of 64")
end

-- Coordinates from one end of 32 bits to the other are outside, and nothing else.
function TestMistakes.test_far_outside()
  for _, far in ipairs { -2 ^ 31, 2 ^ 31 - 1 } do
    for dimension = 2, 4 do
      local at = { 0, 0, 0, 0 }
      at[dimension] = math.tointeger(far)
      if not on_gpu or dimension == 4 then
        check_load { name = "far outside", dims = IMAGE, channels = 8, pixels = 8, at = at }
      end
    end
  end
end

function TestMistakes.test_waits()
  t.skipIf(on_gpu, "a GPU reports no such mistakes")
  local report = device:check(kernel("load", 4, { NO_WAIT = 1 }), { grid = 1, block = 32, shared = 1024 },
    { device:tensor_map(image, good), device:buffer("unsigned", 4096), packed {}, 512 }, "race")
  t.assertStrContains(report.findings[1].message, "may still be writing")
end

function TestMistakes.test_counters()
  t.skipIf(on_gpu, "counters are the emulator's")
  local map = device:tensor_map(image, options_with { pixels_per_column = 20, lower_corner = { -1, 0 } })
  local report = device:count(kernel("load", 4), { grid = 3, block = 64, shared = 1024 },
    { map, device:buffer("unsigned", 4096), packed { 0, -1 }, 640 })
  -- rows of 8 pixels, of which the first is outside; one sector each
  t.assertEquals(report.counters.bulk_load_sectors, 3 * (20 - 3))
end

os.exit(t.LuaUnit.run("-o", "tap"))
