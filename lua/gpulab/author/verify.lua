-- gpulab --verify-lectures: predicts the lectures' numbers with the model of the lecture's GPU, from kernels that run
-- on the emulator, and compares each with its tolerance.
local lecture = require "gpulab.lecture"
local lists = require "gpulab.base.lists"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local where = require "gpulab.base.where"

local verify = {}

-- What is checked ---------------------------------------------------------------------------------
--
--   claim    id in claims/
--   file, name, grid, block, args   the launch; args(buffers, n)
--   bytes or flops                  the useful work of the whole grid
--   levels   of several launches: the grid of each, and its kernel's name, if not the check's; args takes the level
--   sample   for a large uniform grid: the prediction uses this many blocks and twice as many, and extrapolates
--   within   the tolerance in %, which is asserted

-- 8 blocks on each of 30 SMs, the maximum of these GPUs: such a sample has as many resident blocks as the whole grid.
local WAVE <const> = 240

local function transposition(claim, name, within)
  local n = lecture.find(claim).n
  local element = name == "copy" or name == "naive" or name == "strided"
  local grid = element and { (n + 255) // 256, n } or { n // 32, n // 32 }
  return {
    claim = claim, file = "transpose.cu", name = name, grid = grid, block = element and { 256, 1 } or { 32, 8 },
    within = within, bytes = 8 * n * n,
    buffers = { odata = n * n, idata = n * n }, type = "float",
    args = function(b) return { b.odata, b.idata, n } end,
  }
end

-- The lecture gives no number of elements, no block size and no number of launches. This check counts all launches
-- down to one sum, with the block size of the SDK's sample of these kernels.
local ELEMENTS <const> = 1 << 20
local THREADS <const> = 256

local function reduction(step, within)
  local per_block = (step.twice and 2 or 1) * THREADS
  local buffers, levels, left = { v = ELEMENTS }, {}, ELEMENTS
  repeat
    local grid = math.min((left + per_block - 1) // per_block, step.grid or math.maxinteger)
    levels[#levels + 1] = { grid = grid, count = math.max(left, per_block) }
    buffers["sums" .. #levels] = math.max(grid, per_block) -- zeros pad the last block
    left = grid
  until left == 1
  return {
    claim = step.claim, file = "reduction.cu", name = step.name, block = { THREADS }, shared = THREADS * 4,
    within = within, bytes = 4 * ELEMENTS, buffers = buffers, type = "int",
    levels = levels, grid = { levels[1].grid },
    args = function(b, level)
      level = level or 1
      local from = level == 1 and b.v or b["sums" .. level - 1]
      return { b["sums" .. level], from, step.grid and levels[level].count or nil }
    end,
  }
end

-- The report's scan: a tree per 512 elements, the same for the trees' sums, and these added to the elements. Its times
-- must contain about 0.08 ms of overhead: that is what 1024 elements took.
local function scan(claim, within)
  local n, leaves = lecture.find(claim).n, 512
  local buffers, levels, adds, size, from, out = { v = n, out = n }, {}, {}, n, "v", "out"
  repeat
    local grid, to, count, source, sums = (size + leaves - 1) // leaves, out, size, from, "sums" .. #levels
    buffers[sums] = grid
    levels[#levels + 1] = { grid = grid, args = function(b) return { b[to], b[sums], b[source], count } end }
    if grid > 1 then
      table.insert(adds, 1, { grid = grid, name = "add_before",
        args = function(b) return { b[to], b[sums], count } end })
    end
    size, from, out = grid, sums, sums
  until grid == 1
  lists.append(levels, adds)
  return { claim = claim, file = "scan_grid.cu", name = "tree<16>", block = { leaves // 2 }, within = within,
    bytes = 8 * n, buffers = buffers, type = "int", levels = levels, grid = { levels[1].grid },
    args = function(b, level) return levels[level].args(b) end }
end

local function product(claim, file, name, block, columns, rows, within)
  local n = 2048
  return {
    claim = claim, file = file, name = name, grid = { n // columns, n // rows }, block = block, sample = WAVE,
    within = within, flops = 2 * n ^ 3,
    buffers = { C = n * n, A = n * n, B = n * n }, type = "float",
    args = function(b) return { b.C, b.A, b.B, n } end,
  }
end

local checks = {
  transposition("F22.transpose.copy", "copy", 10),
  transposition("F22.transpose.naive", "naive", 10),
  transposition("F22.transpose.both_strided", "strided", 10),
  transposition("F22.transpose.copy_tile", "copy_tile", 10),
  transposition("F22.transpose.tile32", "transpose_tile<32>", 10),
  transposition("F22.transpose.tile33", "transpose_tile<33>", 10),
  transposition("F22.transpose.camping512", "transpose_tile<33>", 10),
  transposition("F22.transpose.camping256", "transpose_tile<33>", 10),
  transposition("F22.transpose.camping128", "transpose_tile<33>", 10),
  transposition("F22.transpose.diagonal", "transpose_diagonal<33>", 10),
  reduction({ claim = "O24.reduce1.modulo", name = "reduce_modulo" }, 20),
  reduction({ claim = "O24.reduce2.strided", name = "reduce_strided" }, 20),
  reduction({ claim = "O24.reduce3.sequential", name = "reduce_sequential" }, 20),
  reduction({ claim = "O24.reduce4.add_on_load", name = "reduce_add_on_load", twice = true }, 20),
  reduction({ claim = "O24.reduce5.last_warp", name = "reduce_last_warp<LOCKSTEP>", twice = true }, 20),
  reduction({ claim = "O24.reduce6.unrolled", name = "reduce_unrolled<256, LOCKSTEP>", twice = true }, 20),
  reduction({ claim = "O24.reduce7.many_per_thread", name = "reduce_grid_stride<256, LOCKSTEP>", twice = true,
    grid = 64 }, 20),
  product("F22.matmul.naive_1x128", "matmul.cu", "naive", { 1, 128 }, 1, 128, 10),
  product("F22.matmul.naive_128x1", "matmul.cu", "naive", { 128, 1 }, 128, 1, 10),
  product("F22.matmul.tiled", "matmul.cu", "tiled<16>", { 16, 16 }, 16, 16, 10),
  product("F22.matmul.two_per_thread", "matmul.cu", "two_per_thread", { 32, 16 }, 32, 32, 10),
  product("F22.matmul.transposed_b", "matmul.cu", "transposed_b", { 32, 16 }, 32, 32, 10),
  product("F22.matmul.one_operand", "matmul.cu", "one_operand", { 64, 1 }, 64, 16, 10),
  product("CSU.matmul.reg_shared", "matmul_csu.cu", "reg_shared", { 64, 1 }, 64, 16, 10),
  product("CSU.matmul.unrolled", "matmul_csu.cu", "unrolled", { 64, 1 }, 64, 16, 10),
  product("CSU.matmul.wide", "matmul_csu.cu", "wide", { 16, 4 }, 64, 32, 10),
  scan("H07.scan.n1048576", 25),
  scan("H07.scan.n16777216", 15),
}

-- Predicting --------------------------------------------------------------------------------------

local Bench = {}
Bench.__index = Bench

-- Buffers are made once per size and shared: their contents do not affect the time.
function Bench:buffers(check)
  local made = {}
  for name, count in pairs(check.buffers) do
    local key = ("%s %s %d"):format(check.type, name, count)
    self.kept[key] = self.kept[key] or self.device:buffer(check.type, count, { name = name, fill = 1 })
    made[name] = self.kept[key]
  end
  return made
end

-- The launches of a check, or one of them with another grid.
function Bench:launches(check, kernel, grid)
  local buffers, list = self:buffers(check), {}
  local function add(blocks, level, name)
    local of_level = name and self.device:kernel(where.find(check.file, "kernels"), name) or kernel
    list[#list + 1] = { kernel = of_level, config = { grid = blocks, block = check.block, shared = check.shared },
      args = check.args(buffers, level) }
  end
  if not check.levels then add(grid) end
  for i, level in ipairs(check.levels or {}) do add({ level.grid }, i, level.name) end
  return list
end

function Bench:predict(check, kernel, grid)
  local report = self.device:count(self:launches(check, kernel, grid), { rules = self.model, models = { self.model } })
  if report.outcome.status ~= "ok" then gpu.raise("fault", report.outcome.message) end
  local model = report.models[self.model]
  if not model.known then
    gpu.raise("gate", ("%s: the %s model predicts nothing: %s"):format(check.claim, self.model, model.note))
  end
  return model
end

-- About this many blocks from the beginning of a grid, a multiple of the number of SMs if the first rows are long
-- enough.
local function first_blocks(grid, count, sms)
  local columns = math.min(grid[1], count)
  if columns >= sms then columns = columns // sms * sms end
  local rows = math.max(1, count // columns)
  while columns * rows % sms ~= 0 do rows = rows + 1 end
  return { columns, rows }
end

local function blocks_of(grid) return grid[1] * (grid[2] or 1) end

-- Milliseconds for the whole grid, and the bound.
function Bench:time(check)
  local kernel = self.device:kernel(where.find(check.file, "kernels"), check.name)
  local sms, total = self.device.sms, blocks_of(check.grid)
  if not check.sample or 2 * check.sample >= total then
    local model = self:predict(check, kernel, check.grid)
    return model.ms, model.bound
  end
  local one, two = first_blocks(check.grid, check.sample, sms), first_blocks(check.grid, 2 * check.sample, sms)
  local less, more = self:predict(check, kernel, one), self:predict(check, kernel, two)
  local per_block = (more.ms - less.ms) / (blocks_of(two) - blocks_of(one))
  local waves = (total + sms - 1) // sms -- the last may leave SMs idle
  return more.ms + per_block * (waves * sms - blocks_of(two)), more.bound
end

verify.checks = checks

-- Judging -----------------------------------------------------------------------------------------

local function judged(check, claim, predicted, bound)
  local off = 100 * (predicted / claim.value - 1)
  return { check = check, claim = claim, predicted = predicted, off = off, bound = bound,
    failed = off ~= off or math.abs(off) > check.within }
end

---The result of one check: {check, claim, predicted, off, bound, failed}; off is in %.
function verify.judge(check, claim, ms, bound)
  return judged(check, claim, (check.flops or check.bytes) / ms / 1e6, bound)
end

-- Claims that follow from others: a ratio of two, or 4-byte elements instead of bytes.
local derived = { { claim = "F22.transpose.speedup", of = "F22.transpose.tile33", over = "F22.transpose.naive" } }
for _, check in ipairs(checks) do
  local elements = check.claim .. ".elements"
  if lecture.find(elements) then derived[#derived + 1] = { claim = elements, of = check.claim, bytes = 4 } end
end

-- Appends the derived results, with the tolerance and the bound of their source.
local function derive(results)
  local by_id = {}
  for _, result in ipairs(results) do by_id[result.claim.id] = result end
  for _, rule in ipairs(derived) do
    local from, over = by_id[rule.of], by_id[rule.over]
    if from then
      results[#results + 1] = judged(from.check, lecture.find(rule.claim),
        from.predicted / (over and over.predicted or rule.bytes), from.bound)
    end
  end
  return results
end

-- Steps of one lecture in ascending order: the predictions must have the same order.
local ladders = {
  { "F22.transpose.both_strided", "F22.transpose.naive", "F22.transpose.tile32", "F22.transpose.tile33" },
  { "F22.transpose.camping512", "F22.transpose.camping256", "F22.transpose.camping128", "F22.transpose.diagonal" },
  { "O24.reduce1.modulo", "O24.reduce2.strided", "O24.reduce3.sequential", "O24.reduce4.add_on_load",
    "O24.reduce5.last_warp", "O24.reduce6.unrolled", "O24.reduce7.many_per_thread" },
  { "F22.matmul.naive_1x128", "F22.matmul.naive_128x1", "F22.matmul.tiled", "F22.matmul.two_per_thread",
    "F22.matmul.transposed_b", "F22.matmul.one_operand" },
  { "CSU.matmul.reg_shared", "CSU.matmul.unrolled", "CSU.matmul.wide" },
}

---Neighbors of a ladder whose predictions are in the wrong order, as sentences.
---@param results table[] @return string[]
function verify.disorder(results)
  local by_id, wrong = {}, {}
  for _, result in ipairs(results) do by_id[result.claim.id] = result end
  for _, ladder in ipairs(ladders) do
    for i = 2, #ladder do
      local slower, faster = by_id[ladder[i - 1]], by_id[ladder[i]]
      if slower and faster and slower.predicted >= faster.predicted then
        wrong[#wrong + 1] = ("the prediction for %s is not below that for %s"):format(ladder[i - 1], ladder[i])
      end
    end
  end
  return wrong
end

-- Reporting ---------------------------------------------------------------------------------------

local columns = tables.columns { "claim", ">lecture", ">model", ">error", ">within", "bound:8" }

local function figures(x) return x < 10 and ("%.2f"):format(x) or ("%.1f"):format(x) end

local function row_of(result)
  local claim, check = result.claim, result.check
  return { claim.id, figures(claim.value), figures(result.predicted),
    { text = ("%+.1f%%"):format(result.off), style = result.failed and "bad" or nil },
    ("%d%%"):format(check.within), result.bound, note = result.failed and "outside the tolerance" or nil }
end

-- A table for each run of results of one GPU in one unit.
local function print_tables(results, color)
  local rows = {}
  for i, result in ipairs(results) do
    local claim, following = result.claim, results[i + 1]
    rows[#rows + 1] = row_of(result)
    if not following or following.claim.unit ~= claim.unit or following.claim.gpu ~= claim.gpu then
      print(("%s%s, %s"):format(i > #rows and "\n" or "", claim.gpu, claim.unit))
      text.say(tables.render(columns, rows, { color = color }))
      rows = {}
    end
  end
end

-- The note below the table.
local function print_note()
  print()
  text.say_wrapped("For large uniform grids the first blocks ran and the rest was extrapolated. "
    .. "docs/reference/models.md describes the method and the constants.")
end

-- The models to verify, by name; nil: all. Raises for a GPU without claims.
local function wanted_models(names)
  local wanted, known = nil, {}
  for _, check in ipairs(checks) do known[lecture.find(check.claim).gpu] = true end
  for _, name in ipairs(names or {}) do
    if name == "all" then return nil end
    if not known[name] then
      gpu.raise("usage", "no lecture has numbers for the " .. name,
        "the lectures have numbers for " .. table.concat(lists.keys(known), " and "))
    end
    wanted = wanted or {}
    wanted[name] = true
  end
  return wanted
end

---The results of all checks on the wanted models (nil: all).
---@param wanted? table<string, boolean> @return table[]
function verify.results(wanted)
  local results, benches = {}, {}
  for _, check in ipairs(checks) do
    local claim = assert(lecture.find(check.claim))
    if not wanted or wanted[claim.gpu] then
      benches[claim.gpu] = benches[claim.gpu]
        or setmetatable({ model = claim.gpu, device = gpu.open("emu:" .. claim.gpu), kept = {} }, Bench)
      results[#results + 1] = verify.judge(check, claim, benches[claim.gpu]:time(check))
    end
  end
  return derive(results)
end

---Predicts the lectures' numbers and prints them next to the slides'; options.models: the models, by default all.
---@param options table @return integer exit status
function verify.run(options)
  local results = verify.results(wanted_models(options.models))
  local failed = 0
  for _, result in ipairs(results) do
    if result.failed then failed = failed + 1 end
  end
  print_tables(results, options.color)
  print_note()
  local wrong = verify.disorder(results)
  for _, sentence in ipairs(wrong) do print("  wrong order: " .. sentence) end
  if failed == 0 and #wrong == 0 then return 0 end
  gpu.raise("gate", ("%d of %d predictions are outside their tolerance, %d pairs of steps in the wrong order"):format(
    failed, #results, #wrong), "a kernel or the model has changed: see docs/reference/models.md")
end

return verify
