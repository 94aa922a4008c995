-- The 8800 GTX's model against published times that no constant was fitted to: Harris, Optimizing Parallel Reduction in
-- CUDA (NVIDIA, 2007), the sum of 2^22 ints in blocks of 128 threads. The lecture has the same seven steps on a GTX 280,
-- but neither its block nor its length.
local lu = require "luaunit"
local where = require "gpulab.base.where"

local MODEL <const>, N <const>, THREADS <const> = "8800 GTX", 1 << 22, 128
local RMS <const>, EACH <const> = 0.09, 0.15

local steps = { -- name, elements of a thread, GB/s, blocks at most
  { "reduce_modulo", 1, 2.083 }, { "reduce_strided", 1, 4.854 }, { "reduce_sequential", 1, 9.741 },
  { "reduce_add_on_load", 2, 17.377 }, { "reduce_last_warp<LOCKSTEP>", 2, 31.289 },
  { "reduce_unrolled<128, LOCKSTEP>", 2, 43.996 }, { "reduce_grid_stride<128, LOCKSTEP>", 2, 62.671, 64 },
}

-- All launches down to one sum.
local function launches(device, step, from, sums)
  local name, each, _, most = table.unpack(step)
  local kernel, list, left = device:kernel(where.find("reduction.cu", "kernels"), name), {}, N
  repeat
    local count = math.max(left, each * THREADS)
    local grid, to = math.min(count // (each * THREADS), most or count), sums[#list % 2 + 1]
    list[#list + 1] = { kernel = kernel, config = { grid = { grid }, block = { THREADS }, shared = 4 * THREADS },
      args = { to, from, most and count or nil } }
    left, from = grid, to
  until left == 1
  return list
end

TestTalk = {}

function TestTalk:test_every_step_is_near()
  local device = gpu.open("emu:" .. MODEL)
  local from, sums = device:buffer("int", N, { fill = 1 }), {}
  for i = 1, 2 do sums[i] = device:buffer("int", N // THREADS, { fill = 1 }) end
  local squares, last = 0, 0
  for _, step in ipairs(steps) do
    local report = device:count(launches(device, step, from, sums), { rules = MODEL, models = { MODEL } })
    local rate = 4 * N / report.models[MODEL].ms / 1e6
    local off = rate / step[3] - 1
    squares = squares + off * off
    lu.assertTrue(math.abs(off) <= EACH, ("%s: %.2f GB/s, %+.0f %%"):format(step[1], rate, 100 * off))
    lu.assertTrue(rate > last, step[1] .. " is not faster than the step before it")
    last = rate
  end
  local rms = math.sqrt(squares / #steps)
  lu.assertTrue(rms <= RMS, ("RMS %.1f %%"):format(100 * rms))
  device:close()
end

os.exit(lu.LuaUnit.run("-o", "tap"), true)
