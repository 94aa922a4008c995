-- Times of a few kernels, for tests/gpu/timing.py: one line of JSON each. `timing.lua once` launches each of them seven times and
-- times nothing: that is for the profiler. `timing.lua repeat` times each ten times over.
local json = require "gpulab.base.json"

local here = arg[0] and arg[0]:match("^(.*)/") or "tests/gpu"
local mode = arg[1] or "times"

local function square(n, rows) return { n // 32, n // 32 }, { 32, rows } end

local cases = {}
local function add(kernel, n, grid, block)
  cases[#cases + 1] = { kernel = kernel, n = n, grid = grid, block = block }
end
for _, n in ipairs { 2048, 4000, 8192 } do
  add("transpose<32>", n, square(n, 8))
  add("transpose<33>", n, square(n, 8))
  add("reduce", n, 1056, 256)
  add("copy", n, (n * n // 4 + 255) // 256, 256)
end
for _, n in ipairs { 512, 1024 } do add("multiply", n, square(n, 32)) end

local most = 8192 * 8192
local input = gpu.buffer("float", most, { name = "in", fill = 1 })
local output = gpu.buffer("float", most, { name = "out" })
local names = { "transpose<32>", "transpose<33>", "reduce", "copy", "multiply" }
local module = gpu.compile(here .. "/timing.cu", { names = names })

for _, case in ipairs(cases) do
  local kernel, config = module:kernel(case.kernel), { grid = case.grid, block = case.block }
  local args = { output, input, case.n }
  if mode == "once" then
    for _ = 1, 7 do kernel:launch(config, table.unpack(args)) end
  else
    for round = 1, mode == "repeat" and 10 or 1 do
      local t = gpu.time(kernel, config, args)
      local line = json.encode(json.object("kernel", case.kernel, "n", case.n, "round", round, "ms", t.ms, "q1", t.q1,
        "q3", t.q3, "hot", t.hot, "samples", t.samples, "discarded", t.discarded, "batch", t.batch,
        "overhead", t.overhead, "clock_ghz", t.clock_ghz, "note", t.note))
      print((line:gsub("%s*\n%s*", " ")))
    end
  end
end
