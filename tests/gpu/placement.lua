-- Why times of short kernels differ between processes when they hardly do in one (docs/reference/measuring.md): the same kernel is timed
-- again and again, from the same place in memory; from another place each time, that is, as one module of several; and on
-- other buffers each time. Whatever makes a difference differs between processes, too. At last the kernel of one module is
-- compared with the same kernel of another, and the answer has to be that nothing can be told.
--   gpulab --device cuda:0 placement.lua [n [seconds]]
local here = arg[0] and arg[0]:match("^(.*)/") or "tests/gpu"
local emulated = gpu.device.backend == "emu" -- which has no places: all spreads are 0 there
local n = tonumber(arg[1]) or emulated and 256 or 2048
local seconds = tonumber(arg[2]) or 0.1
local ROUNDS <const> = 8

local kernels = {
  { name = "transpose<33>", config = { grid = { n // 32, n // 32 }, block = { 32, 8 } } },
  { name = "reduce", config = { grid = math.min(1056, n * n // 256), block = 256 } },
  { name = "copy", config = { grid = (n * n // 4 + 255) // 256, block = 256 } },
}

local modules, pairs_of_buffers = {}, {}
for i = 1, ROUNDS do
  modules[i] = gpu.compile(here .. "/timing.cu", { defines = { PLACE = i }, names = { "transpose<33>", "reduce", "copy" } })
  pairs_of_buffers[i] = { gpu.buffer("float", n * n, { name = "out" }), gpu.buffer("float", n * n, { fill = 1 }) }
end

-- How far the longest is above the shortest, in ns; the list is of ms.
local function spread(list)
  local least, most = math.huge, 0
  for _, ms in ipairs(list) do least, most = math.min(least, ms), math.max(most, ms) end
  return #list > 0 and 1e6 * (most - least) or 0, least
end

local function line(kernel, what, cold, hot)
  local ns, least = spread(cold)
  print(("%-14s %-13s %9.3f %7.0f %6.2f%% %7.0f"):format(kernel, what, 1e3 * least, ns, 100 * ns / (1e6 * least), (spread(hot))))
end

print(("%-14s %-13s %9s %7s %7s %7s"):format("kernel", "what changes", "least us", "cold ns", "", "hot ns"))
for _, kernel in ipairs(kernels) do
  for _, what in ipairs { "nothing", "the module", "the buffers" } do
    local cold, hot = {}, {}
    for i = 1, ROUNDS do
      local module = modules[what == "the module" and i or 1]
      local buffers = pairs_of_buffers[what == "the buffers" and i or 1]
      local t = gpu.time(module:kernel(kernel.name), kernel.config, { buffers[1], buffers[2], n }, { wall = seconds })
      cold[i], hot[#hot + 1] = t.ms, t.hot
    end
    line(kernel.name, what, cold, hot)
  end
end

local told, of = 0, 0
for _, kernel in ipairs(kernels) do
  local args = { pairs_of_buffers[1][1], pairs_of_buffers[1][2], n }
  for i = 2, ROUNDS do
    local c = gpu.compare(modules[1]:kernel(kernel.name), kernel.config, args, modules[i]:kernel(kernel.name), kernel.config,
      args, { wall = 2 * seconds })
    of = of + 1
    if c.verdict ~= "cannot tell" then told = told + 1 end
  end
end
print(("the same kernel of two modules, compared: %d of %d told apart"):format(told, of))
