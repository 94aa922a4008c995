-- Why a result is wrong: what is said of kernels with one mistake each, of the very run that was wrong.
local t = require "luaunit"
local cause = require "gpulab.run.cause"
local check = require "gpulab.check"
local pattern = require "gpulab.run.pattern"

local SOURCE <const> = [[
extern "C" __global__ void race(int *out, const int *in) {
	__shared__ int s[64];
	s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
	out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}
extern "C" __global__ void outside(int *out, const int *in) {
	int i = blockIdx.x * 64 + threadIdx.x;
	out[i] = in[i + 1024];
}
extern "C" __global__ void unset(int *out, const int *in) {
	__shared__ int s[64];
	if (threadIdx.x % 2) s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
	__syncthreads();
	out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];
}
extern "C" __global__ void vote(int *out, const int *in) {
	int i = blockIdx.x * 64 + threadIdx.x;
	if (threadIdx.x % 32 == 0)
		out[i] = __popc(__ballot_sync(0xffffffff, in[i] >= 0));
}
extern "C" __global__ void narrow(int *out, const int *in) {
	int i = blockIdx.x * 64 + threadIdx.x;
	unsigned char sum = in[i] + 200;
	out[i] = sum;
}
extern "C" __global__ void none(int *out, const int *in) {
	int i = blockIdx.x * 64 + threadIdx.x;
	out[i] = i % 64 ? in[i] : 0;
}
extern "C" __global__ void second(int *out, const int *in) {
	int i = blockIdx.x * 64 + threadIdx.x;
	out[i] = i % 2 ? 0 : in[i];
}
extern "C" __global__ void mixed(int *out, const int *in) {
	int i = blockIdx.x * 64 + threadIdx.x;
	out[i] = i < 512 || (i * 37 & 8) ? in[i] : 0;
}
extern "C" __global__ void part(int *out, const int *in) {
	int i = blockIdx.x * 64 + threadIdx.x;
	if (blockIdx.x < gridDim.x - 1) out[i] = in[i];
}
extern "C" __global__ void minus_one(int *out, const int *in) {
	int i = blockIdx.x * 64 + threadIdx.x;
	if (i % 4) out[i] = i % 4 == 1 ? -1 : in[i];
}
]]

local N <const> = 1024
local device = gpu.open "emu"
local module = device:compile_text(SOURCE)
local input = device:buffer("int", N, { name = "in", fill = "iota" })
local output = device:buffer("int", N, { name = "out" })

-- What is said of a kernel whose element i should be right(i).
local function said(name, right)
  local at, step = { device = device, buffers = { out = output } }, { output = "out" }
  local function items()
    input:fill "iota"
    output:fill "sentinel"
    return { { kernel = module:kernel(name), config = { grid = { N // 64 }, block = { 64 } }, args = { output, input } } }
  end
  local want = gpu.array("int", N)
  for i = 0, N - 1 do want[i] = right(i) end
  device:run(items(), { quiet = true })
  local mismatch = check.compare(output, want, { name = "out" })
  local found = cause.of(at, step, mismatch, items)
  return (cause.said(found, mismatch.message):gsub("%s+", " ")), found
end

local function same(i) return i end

TestCause = {}

function TestCause.test_what_a_checker_sees()
  local text, found = said("race", function(i) return i // 64 * 64 + 63 - i % 64 end)
  t.assertStrContains(text, "Likely cause: race at <prompt>:3: ")
  t.assertEquals(found.issue.check, "race")
  t.assertStrContains(said("outside", same), "Likely cause: invalid memory access at <prompt>:8")
  text = said("unset", same)
  t.assertStrContains(text, "Likely cause: uninitialized read at <prompt>:14")
  t.assertNotStrContains(text, "never written")
end

function TestCause.test_a_vote_of_few_lanes()
  local text, found = said("vote", function(i) return i % 32 == 0 and 32 or 0 end)
  t.assertStrContains(text, "Likely cause: barrier error at <prompt>:19: " ..
    "This instruction's mask names 32 lanes, but only 1 lane of a warp executes it.")
  t.assertStrContains(found.issue.hint, "let all lanes of the warp reach it")
end

function TestCause.test_a_type_that_is_too_small()
  t.assertStrContains(said("narrow", function(i) return i + 200 end),
    "Likely cause: overflow: the values are right in their low 8 bits, as if a type of 1 byte held them.")
end

function TestCause.test_zeros_are_of_no_type()
  t.assertStrContains(said("none", function(i) return i % 64 > 0 and i or 1 << 30 end), "Wrong: every 64th element")
end

function TestCause.test_places_where_no_checker_sees_anything()
  t.assertStrContains(said("second", same), "Wrong: every second element, from element 1.")
  local text = said("mixed", same) -- the map says where
  t.assertStrContains(text, "Parts of the vector that are right (.), wrong (X), or both (+): " .. ("."):rep(30))
  t.assertNotStrContains(text, "simple pattern")
  text = said("part", same)
  t.assertStrContains(text, "Wrong: elements 960 to 1 023, to the end.")
  t.assertStrContains(text, ("."):rep(60) .. "XXXX")
  t.assertStrContains(text, "element 960: got an element that was never written, expected 960")
end

function TestCause.test_never_written_is_said_of_those_that_nothing_stored_to()
  local text = said("minus_one", same)
  t.assertStrContains(text, "element 1: got an uninitialized value, expected 1")
  t.assertStrContains(text, "element 4: got an element that was never written, expected 4")
end

function TestCause.test_a_nan_that_was_computed()
  for _, type in ipairs { "bfloat16", "float", "double" } do
    local want = gpu.array(type, 2, 1)
    for text, fill in pairs { ["got nan"] = 0 / 0, ["never written"] = "sentinel" } do
      t.assertStrContains(check.compare(gpu.array(type, 2, fill), want).message, text)
    end
  end
end

-- Elements of a vector, or of a matrix, by a test of their index.
local function words(total, is_wrong, columns, block)
  local got, want = gpu.array("unsigned char", total), gpu.array("unsigned char", total)
  for i = 0, total - 1 do got[i], want[i] = is_wrong(i) and 1 or 0, 0 end
  return pattern.words(check.compare(got, want, { columns = columns }), block)
end

function TestCause.test_patterns_in_words()
  local function column(i) return i % 96 end
  local function row(i) return i // 96 end
  for said_so, case in pairs {
    ["all elements"] = { 64, function() return true end },
    ["element 7"] = { 64, function(i) return i == 7 end },
    ["element 63, the last one"] = { 64, function(i) return i == 63 end },
    ["elements 3 to 9"] = { 64, function(i) return i > 2 and i < 10 end },
    ["every 32nd element, from element 31"] = { 4096, function(i) return i % 32 == 31 end },
    ["elements 128 to 255 of every 256"] = { 1 << 16, function(i) return i % 256 > 127 end },
    ["elements 90 to 99 of every 100"] = { 1000, function(i) return i % 100 > 89 end, nil, 100 },
    ["every 32nd column, from column 31"] = { 96 * 64, function(i) return column(i) % 32 == 31 end, 96 },
    ["row 5"] = { 96 * 64, function(i) return row(i) == 5 end, 96 },
    ["every second row, from row 0"] = { 96 * 64, function(i) return row(i) % 2 == 0 and column(i) < 96 end, 96 },
    ["most are every 4th element, from element 1"] = { 65818, function(i) return i % 4 == 1 or i % 233 == 0 end },
    ["everything from row 31, column 5 on"] = { 96 * 64, function(i) return i >= 31 * 96 + 5 end, 96 },
    ["most from row 31, column 5 on"] = { 96 * 64, function(i) return i >= 31 * 96 + 5 and i % 50 ~= 0 end, 96 },
    ["rows 16 to 63 of every 64, with few exceptions"] = { 128 * 128, function(i) return i // 128 % 64 >= 16 and i % 211 ~= 0 end, 128 },
    ["rows 64 to 127, to the end, with few exceptions"] = { 128 * 128, function(i) return i // 128 >= 64 and i % 97 ~= 0 end, 128 },
    ["nearly all elements"] = { 128 * 128, function(i) return i ~= 1100 and i % 128 ~= 5 end, 128 },
    ["columns 90 to 95, to the end in rows 60 to 63, to the end"] =
      { 96 * 64, function(i) return column(i) > 89 and row(i) > 59 end, 96 },
  } do
    t.assertEquals(words(table.unpack(case, 1, 4)), said_so)
  end
  -- the first thousand are rows 16 to 23 of 32, or every second element: not what is wrong further on
  t.assertNil(words(128 * 128, function(i) return i // 128 == 40 or i // 128 > 15 and i // 128 < 24 or i % 7 > 3 end, 128))
  -- operands exchanged: right only on the diagonal of every 64 x 64, so that each row has as many wrong columns
  t.assertNil(words(128 * 128, function(i) return i // 128 % 64 // 16 ~= i % 64 // 16 end, 128))
  t.assertNil(words(1 << 14, function(i) return i // 4096 ~= i % 4 end))
  t.assertNil(words(1 << 16, function(i) return i % 2 == 1 or i > 4000 and i % 3 > 0 end))
  t.assertNil(words(4096, function(i) return i * i % 97 < 20 end))
end

os.exit(t.LuaUnit.run("-o", "tap"), true)
