-- generations and partitions: a small transposition on every GPU, by the real models.
local lu = require "luaunit"
local generations = require "gpulab.show.generations"
local step_record = require "gpulab.record.step"
local lab = require "gpulab.lab"
local runner = require "gpulab.run.runner"
local text = require "gpulab.base.text"

local SOURCE <const> = [[
template <int PITCH> __global__ void turn(float *out, const float *in, int n) {
	__shared__ float tile[32][PITCH];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8) out[(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
}
__global__ void naive(float *out, const float *in, int n) {
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
	out[x * n + y] = in[y * n + x];
}
__global__ void counted(float *out, const float *in, int n) {
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
	if (in[y * n + x] < 0) atomicAdd((int *)out, 1);
}
]]

local N <const> = 1056 -- no power of two: those camp on one partition of a GTX 280

local function defined()
  local path = os.tmpname()
  local file = assert(io.open(path, "w"))
  file:write(SOURCE)
  file:close()
  local function transposed(_, host) return host["in"]:transpose(N, N) end
  local function step(id, name, rows, extra)
    local made = { id = id, title = id, text = "A step.", group = "turned", kernel = { file = path, name = name },
      grid = { N // 32, N // rows }, block = { 32, 8 }, args = { "out", "in", N }, output = "out", reference = transposed,
      useful_bytes = function() return 8 * N * N end }
    for key, v in pairs(extra or {}) do made[key] = v end
    if made.useful_flops then made.useful_bytes = nil end
    return made
  end
  return lab.define { number = 97, id = "turns", title = "Turns", intro = "A matrix is turned.",
    groups = { { id = "turned", title = "turned" }, { id = "another", title = "another" }, { id = "wide", title = "wide" } },
    buffers = { out = { type = "float", count = N * N }, ["in"] = { type = "float", count = N * N, fill = "iota" } },
    steps = { step("naive", "naive", 8), step("tile", "turn<32>", 32), step("padded", "turn<33>", 32),
      step("alone", "turn<33>", 32, { group = "another", useful_flops = function() return N end }),
      step("wide", "naive", 8, { group = "wide", block = { 1024, 1 }, grid = { 1, 1 },
        reference = function(_, host) return host["in"] end }),
      step("counted", "counted", 8, { group = "wide" }),
      { id = "library", title = "library", text = "Another's.", group = "turned", output = "out",
        reference = transposed, useful_bytes = function() return 8 * N * N end,
        library = { name = "sgemm", args = { "out", "in", "in", N } } },
      { id = "table", title = "table", text = "No launch.", figure = function()
        return { columns = { "a" }, rows = { { "1" } } }
      end } } }, path
end

TestGenerations = {}

function TestGenerations:setUp()
  self.lab, self.path = defined()
  self.at = runner.context(self.lab, gpu.device, {})
end

function TestGenerations:record(id, at) return step_record.of({ step = self.lab:step(id) }, at or self.at) end

function TestGenerations:tearDown()
  self.at:close()
  os.remove(self.path)
end

function TestGenerations:test_a_gpu_without_the_feature_has_no_prediction()
  local result = generations.study(self:record "counted")
  for _, row in ipairs(result.rows) do
    lu.assertEquals(row.known, row.gpu ~= "8800 GTX", row.gpu)
    if not row.known then lu.assertEquals(row.note, "atomics need cc 1.1, the 8800 GTX has 1.0") end
  end
end

function TestGenerations:test_the_axis_names_the_gpus()
  local lines = generations.lines(generations.study(self:record "tile"))
  local last = table.concat(lines, "\n", #lines - 6)
  for _, model in ipairs(gpu.models()) do lu.assertStrContains(last, (model.name:gsub("^Tesla ", ""))) end
  for _, line in ipairs(lines) do lu.assertTrue(text.width(line) <= 80, line) end
end

local function row(result, name)
  for _, one in ipairs(result.rows) do
    if one.gpu == name then return one end
  end
end

function TestGenerations:test_every_gpu_has_a_row()
  local result = generations.study(self:record "naive")
  lu.assertEquals(#result.rows, #gpu.models())
  lu.assertEquals({ result.other.id, result.unit }, { "padded", "GB/s" })
  for _, one in ipairs(result.rows) do
    lu.assertTrue(one.known, one.gpu)
    lu.assertTrue(one.factor > 1, one.gpu)
    lu.assertTrue(one.share > 0 and one.share < 1, one.gpu)
  end
  lu.assertEquals(row(result, "GTX 280").verdict, "matters")
  lu.assertTrue(row(result, "GTX 280").factor > row(result, "RTX 4090").factor)
end

function TestGenerations:test_the_gpu_at_hand_has_a_row_in_its_place()
  local device <close> = gpu.open "emu:RTX 3060"
  local at = runner.context(self.lab, device, {})
  local rows = generations.study(self:record("naive", at)).rows
  at:close()
  lu.assertEquals(#rows, #gpu.models() + 1)
  for i, one in ipairs(rows) do
    if one.gpu == "RTX 3060" then lu.assertEquals({ rows[i - 1].gpu, rows[i + 1].gpu }, { "RTX 3090", "RTX 4090" }) end
  end
  lu.assertTrue(row({ rows = rows }, "RTX 3060").known)
end

-- A page of DRAM is shared by blocks of several rows of the grid, of which a sample has too few: it would be 4 % off.
function TestGenerations:test_a_row_has_the_number_of_the_run_before_and_after_it()
  local at = runner.context(self.lab, gpu.device, {}, { models = { "GTX 280" } })
  local begun, shown = {}, {}
  for _, id in ipairs { "naive", "padded" } do shown[id] = step_record.run(at, self.lab:step(id)) end
  for _, record in ipairs { self:record("naive", at), shown.naive } do
    local result = generations.study(record, function(...) begun[#begun + 1] = { ... } end)
    lu.assertNotNil(result.sampled)
    for _, name in ipairs { "GTX 280", gpu.device.model } do
      local naive, padded = shown.naive.report.models[name].ms, shown.padded.report.models[name].ms
      lu.assertEquals({ row(result, name).ms, row(result, name).factor }, { naive, naive / padded })
    end
    lu.assertItemsEquals(result.counted, { "GTX 280", gpu.device.model })
    local said = table.concat(generations.lines(result), " "):gsub("%s+", " ")
    lu.assertStrContains(said, "the rate is that of the step's row. For the other GPUs a sample of ")
  end
  at:close()
  lu.assertEquals(begun[2], { 2, 3, "tile on every GPU" })
  lu.assertEquals(begun[4], { 3, 3, "naive, all blocks" })
end

function TestGenerations:test_a_library_has_no_prediction_and_nothing_else_is_predicted_first()
  lu.assertErrorMsgContains("library calls a library, which no model describes", generations.study,
    self:record "library", function() error "it began" end)
end

function TestGenerations:test_the_better_one_is_that_of_the_lecture()
  local function claim(id, value)
    self.lab:step(id).claim = { value = value, unit = "GB/s", gpu = "GTX 280", source = "a lecture" }
  end
  claim("naive", 90)
  claim("padded", 80)
  local result = generations.study(self:record "naive")
  lu.assertEquals({ result.slower.id, result.faster.id }, { "padded", "naive" })
  lu.assertEquals(row(result, "GTX 280").verdict, "slower there")
  self.lab:step("padded").claim.gpu = "GTX 480"
  lu.assertEquals(generations.study(self:record "naive").faster.id, "padded")
end

function TestGenerations:test_the_best_is_compared_with_the_first()
  local result = generations.study(self:record "padded")
  lu.assertEquals({ result.slower.id, result.faster.id }, { "naive", "padded" })
  lu.assertTrue(row(result, "GTX 280").factor > 3)
end

function TestGenerations:test_a_derived_gpu_has_a_row_and_no_conflict()
  gpu.model { base = "GTX 280", banks = 33, name = "GTX 280 with 33 banks" }
  local result = generations.study(self:record "tile")
  local odd, real = row(result, "GTX 280 with 33 banks"), row(result, "GTX 280")
  lu.assertTrue(odd.rate.number > 1.05 * real.rate.number)
  lu.assertTrue(odd.factor < 1.05)
end

function TestGenerations:test_what_is_shown_fits_and_says_what_it_is()
  for _, id in ipairs { "tile", "alone", "wide" } do
    local lines = generations.lines(generations.study(self:record(id)))
    for _, line in ipairs(lines) do lu.assertTrue(text.width(line) <= 80, line) end
    local all = table.concat(lines, "\n")
    lu.assertStrContains(all, "GTX 280")
    lu.assertStrContains(all, "docs/reference/models.md")
    if id == "alone" then
      lu.assertStrContains(all, "No other step of its table")
      lu.assertNotStrContains(all, "the lesson") -- no columns without a number
    end
    if id == "wide" then -- 1024 threads a block
      lu.assertStrContains(all, "not supported")
      lu.assertStrContains(all, "Both are in one table and do the same amount of useful work.")
    end
    if id == "tile" then lu.assertStrContains(all, "\n  Speedup: `padded` over `tile`.\n\n") end
  end
end

-- Two GPUs on one scale: where one line would be flat at the bottom, the scale is logarithmic.
function TestGenerations.test_a_plot_of_unlike_gpus_is_logarithmic()
  local plots = require "gpulab.show.plots"
  local function ticks(theirs)
    local points = {}
    for i = 1, 4 do
      points[i] = { x = i, results = { one = { rate = { number = 2000 + i }, models = { { gpu = "GTX 280", known = true,
        rate = { number = theirs + i } } } } } }
    end
    return table.concat(plots.lines({ plot = { title = "t", steps = { "one" }, x = { param = "n" } }, own = "",
      lab = { step = function() return { id = "one", title = "one" } end }, device = gpu.device, models = { "GTX 280" },
      points = points, failures = {} }, { ascii = true }), "\n")
  end
  lu.assertStrContains(ticks(60), " 100+")
  lu.assertNotStrContains(ticks(1500), " 100+")
end

function TestGenerations.test_verdicts()
  lu.assertEquals(generations.verdicts({ 1.0, 3, 1.1, nil, 1.02, 0.5 }, 6),
    { "does not matter", "matters", "matters little", "–", "no longer matters", "slower there" })
  lu.assertEquals(generations.verdicts({ 3, 1.0, 2, 1.0 }, 4),
    { "matters", "does not matter", "matters", "no longer matters" })
  lu.assertEquals(generations.verdicts({ 0.83, 0.83 }, 2, { 1.1, 1.3 }), { "slower there", "cannot tell" })
  lu.assertEquals(generations.verdicts({}, 0), {})
  lu.assertEquals(generations.verdicts({ 1.2, 1, 1.2, 1 }, 4), { "matters", "does not matter", "matters", "no longer matters" })
  lu.assertEquals(generations.verdicts({ 1.146, 1.054 }, 2), { "matters", "no longer matters" }) -- as 1.15 and 1.05
  lu.assertEquals(generations.verdicts({ 1.09, 1.09, 1.12, 1.02 }, 4, { nil, 1.1, 1.1, 1.1 }),
    { "matters little", "cannot tell", "matters little", "does not matter" })
  lu.assertEquals(generations.verdicts({ 1.18, 1.18 }, 2, { 1.23, 1.1 }), { "cannot tell", "matters" }) -- of atomics
end

function TestGenerations:test_refuses_steps_without_a_launch()
  local ok, e = pcall(generations.study, self:record "table")
  lu.assertFalse(ok)
  lu.assertStrContains(tostring(e), "launches no kernel")
  lu.assertFalse(pcall(generations.partitions, self:record "table", "GTX 280"))
end

function TestGenerations:test_partitions()
  local padded = self:record "padded"
  local result = generations.partitions(padded, "gtx 280")
  lu.assertEquals({ #result.partitions, result.gpu }, { 8, "GTX 280" })
  local lines = generations.histogram(result, "padded")
  local all = table.concat(lines, "\n")
  for _, line in ipairs(lines) do lu.assertTrue(text.width(line) <= 80, line) end
  lu.assertStrContains(all, "× the mean traffic")
  lu.assertEquals(#generations.partitions(padded, "8800 GTX").partitions, 6)
  for name, says in pairs { H200 = "no partition camping", ["Voodoo 2"] = "no GPU is called" } do
    local ok, e = pcall(generations.partitions, padded, name)
    lu.assertFalse(ok)
    lu.assertStrContains(tostring(e), says)
  end
  local ok, e = pcall(generations.partitions, self:record "wide", "GTX 280")
  lu.assertFalse(ok)
  lu.assertStrContains(tostring(e), "512")
end

-- Double precision is of cc 1.3, half precision of 5.3. To store, load and convert needs neither.
local TYPES <const> = [[
#include <cuda_fp16.h>
__global__ void doubles(double *o) { o[threadIdx.x] = o[threadIdx.x] * 3.0 + 1.0; }
__global__ void root(double *o) { o[threadIdx.x] = sqrt(o[threadIdx.x]); }
__global__ void moved(double *o) { o[threadIdx.x] = o[threadIdx.x + 1]; }
__global__ void to_float(double *o) { ((float *)o)[threadIdx.x] = o[threadIdx.x] > 1 ? 2 : (float)o[threadIdx.x]; }
__global__ void sine(double *o) { ((float *)o)[threadIdx.x] = sinf(((float *)o)[threadIdx.x]); }
__global__ void halves(double *o) {
	__half2 *v = (__half2 *)o;
	v[threadIdx.x] = __hfma2(v[threadIdx.x], v[threadIdx.x + 1], v[threadIdx.x + 2]);
}
__global__ void half_sum(double *o) { ((__half *)o)[threadIdx.x] += __float2half(1); }
__global__ void stored_half(double *o) {
	__half *v = (__half *)o;
	v[threadIdx.x] = __float2half(2 * __half2float(v[threadIdx.x]));
}
]]

TestArithmetic = {}

function TestArithmetic.test_where_it_is_missing_there_is_no_prediction()
  local models <const> = { "8800 GTX", "GTX 280", "Tesla K40", "GTX 980", "P100", "H200" }
  local double <const>, half <const> = "double-precision operations need cc 1.3", "half-precision operations need cc 5.3"
  local from <const> = { doubles = { 13, double }, root = { 13, double }, moved = { 0 }, to_float = { 0 }, sine = { 0 },
    halves = { 53, half }, half_sum = { 53, half }, stored_half = { 0 } }
  local names = {}
  for name in pairs(from) do names[#names + 1] = name end
  local module = gpu.compile_text(TYPES, { names = names })
  for name, need in pairs(from) do
    local out <close> = gpu.buffer("double", 64, { fill = 0 })
    local report = gpu.count(module:kernel(name), { grid = 1, block = 32 }, { out }, { models = models })
    for _, model in ipairs(models) do
      local p, cc = report.models[model], gpu.model(model).cc
      lu.assertEquals(p.known, cc >= need[1], name .. " " .. model)
      if not p.known then
        lu.assertEquals(p.note, ("%s, the %s has %d.%d"):format(need[2], model, cc // 10, cc % 10))
      end
    end
  end
end

os.exit(lu.LuaUnit.run("-o", "tap"), true)
