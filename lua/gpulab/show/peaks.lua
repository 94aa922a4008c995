-- The peaks of a GPU: by its datasheet, and measured by kernels that do one thing each.
local failure = require "gpulab.base.failure"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local where = require "gpulab.base.where"

local peaks = {}

local ITERATIONS <const>, CHAINS <const>, THREADS <const> = 1024, 8, 256
local COPIED <const> = 8192 * 8192 * 4 -- bytes: several times any L2
local WALL <const> = 0.2 -- seconds for each value, at most

-- By the record of the GPU: lanes, clock, width.
local function by_record(gpu)
  if not gpu then return {} end
  local fp32 = gpu.sms * gpu.fp32_lanes * 2 * gpu.shader_ghz
  return { copy = gpu.dram_gbps, memcpy = gpu.dram_gbps, fp32 = fp32, fp64 = fp32 * gpu.fp64_ratio,
    shared = gpu.sms * gpu.shared_bytes_per_clock * gpu.shader_ghz }
end

local function record_of(device)
  return device.model and gpu.model(device.model)
end

---What is measured of each, from times in ms: GB/s, GFLOPS, microseconds.
---@param device Device @return table
function peaks.measure(device)
  local module = device:compile(where.find("peaks.cu", "kernels"), { defines = { ITERATIONS = ITERATIONS },
    names = { "copy", "fp32", "fp64", "shared", "nothing" } })
  local blocks = device.sms * 8
  local input = device:buffer("float", COPIED // 4, { name = "in", fill = 0 })
  local output = device:buffer("float", COPIED // 4, { name = "out" })
  local double = device:buffer("double", blocks * THREADS, { name = "sums" })
  local function time(name, grid, args)
    return device:time(module:kernel(name), { grid = grid, block = THREADS }, args, { wall = WALL })
  end
  local threads, found = blocks * THREADS, {}
  local elements = COPIED // 16
  found.copy = 2 * COPIED / time("copy", (elements + THREADS - 1) // THREADS, { output, input, elements }).ms / 1e6
  if device:library "memcpy" then
    local copied = device:time({ library = "memcpy", args = { output, input } }, { wall = WALL })
    found.memcpy = 2 * COPIED / copied.ms / 1e6
  end
  local flops = 2 * ITERATIONS * CHAINS * threads
  found.fp32 = flops / time("fp32", blocks, { output, 0.5, 1 }).ms / 1e6
  found.fp64 = flops / time("fp64", blocks, { double, 0.5, 1 }).ms / 1e6
  found.shared = 16 * ITERATIONS * threads / time("shared", blocks, { output }).ms / 1e6
  local empty = time("nothing", 1, {})
  found.launch, found.in_graph = (empty.cold or empty.ms) * 1e3, empty.ms * 1e3
  found.events = (empty.overhead or 0) * 1e3
  for _, buffer in ipairs { input, output, double } do buffer:free() end
  return found
end

local kinds = {
  { "copy", "copy, float4", "GB/s" }, { "memcpy", "copy, cudaMemcpy", "GB/s" },
  { "fp32", "FP32 FMA", "GFLOPS" }, { "fp64", "FP64 FMA", "GFLOPS" },
  { "shared", "shared memory read", "GB/s" },
}

---@param found table peaks.measure's @param gpu table? the GPU's record @param options? table of table.render
---@return string[]
function peaks.lines(found, gpu, options)
  local known, rows = by_record(gpu), {}
  for _, kind in ipairs(kinds) do
    local peak, measured = known[kind[1]], found[kind[1]]
    local sure = peak and peak > 0
    if measured then
      rows[#rows + 1] = { kind[2], kind[3], sure and text.number(peak) or "–", text.number(measured),
        sure and ("%.0f %%"):format(100 * measured / peak) or "–" }
    end
  end
  local lines = tables.render(tables.columns { "", "", ">datasheet", ">measured", ">" }, rows, options or {})
  lines[#lines + 1] = ("  An empty launch takes %.3g µs alone and %.3g µs as one of many in a CUDA graph."):format(
    found.launch, found.in_graph)
  return lines
end

---The table for the device of this name, or a line with the reason if it cannot be measured.
---@param name string @param options? table @return string[]
function peaks.of(name, options)
  local ok, result = failure.try(function()
    local device <close> = gpu.open(name)
    return peaks.lines(peaks.measure(device), record_of(device), options)
  end)
  return ok and result or text.wrap("Not measured: " .. tostring(result), "  ")
end

return peaks
