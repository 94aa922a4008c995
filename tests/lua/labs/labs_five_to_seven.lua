-- Labs 5 to 7 on the emulator: that counts and models bear out what their texts say. (That steps verify and exercises
-- work `--verify-labs` sees to.)
local lecture = require "gpulab.lecture"
local lu = require "luaunit"
local operands = require "gpulab.operands"
local runner = require "gpulab.run.runner"
local steps = dofile((arg[0]:match("^(.*)/") or ".") .. "/labs_run.lua")

local labs, run, rate, counters = steps.labs, steps.run, steps.rate, steps.counters

TestLabs = {}

-- Reduction ---------------------------------------------------------------------------------------

function TestLabs.test_pairs_load_twice_and_store_once()
  local n = 1 << 16
  local c = counters(5, "pairs", { n = n })
  lu.assertEquals(c.global_load_bytes, 4 * (2 * n - 2))
  lu.assertEquals(c.global_store_bytes, 4 * (n - 1))
  lu.assertEquals(#labs[5]:step("pairs").launches { n = n }, 16)
end

function TestLabs.test_blocks_load_once_and_a_little()
  local n = 128 * 128 * 128
  lu.assertEquals(#labs[5]:step("modulo").launches { n = n }, 3)
  lu.assertEquals(#labs[5]:step("modulo").launches { n = n + 1 }, 4)
  local c = counters(5, "modulo", { n = 128 * 128 })
  lu.assertEquals(c.global_load_bytes, 4 * (128 * 128 + 128))
end

-- A vector of any length: the last blocks are filled up with zeros.
function TestLabs.test_a_reduction_of_any_length()
  for _, n in ipairs { 2, 3, 129, 40001 } do
    for _, step in ipairs(labs[5].steps) do
      if step.output and not step.shows then lu.assertTrue(run(5, step.id, { n = n }).verified, step.id) end
    end
  end
end

function TestLabs.test_divergence_and_conflicts_of_the_first_steps()
  local set, blocks = { n = 128 * 128 }, 129
  lu.assertEquals(counters(5, "modulo", set).divergent_branches, 24 * blocks)
  lu.assertEquals(counters(5, "strided", set).divergent_branches, 6 * blocks)
  local function passes(id) return runner.ratio(counters(5, id, set), "shared_load") end
  lu.assertTrue(passes "strided" > 2)
  lu.assertEquals({ passes "modulo", passes "sequential" }, { 1, 1 })
end

function TestLabs.test_a_warp_in_lockstep_is_a_race_and_its_fixes_are_none()
  lu.assertEquals(run(5, "lockstep", { n = 4096 }).shown.what, "race")
  for _, name in ipairs { "reduce_last_warp<SYNCED>", "reduce_last_warp<SHUFFLED>" } do
    local kernel = gpu.device:kernel("reduction.cu", name)
    local v, sums = gpu.device:buffer("int", 512, { fill = 1 }), gpu.device:buffer("int", 2)
    lu.assertEquals(gpu.check(kernel, { grid = 2, block = 128, shared = 512 }, { sums, v }).findings, {})
    lu.assertEquals({ sums[0], sums[1] }, { 256, 256 })
  end
end

-- The slide's "MElem/s": each number of bytes is four times its number of G elements.
function TestLabs.test_the_second_column_is_in_giga()
  local seen = 0
  for _, claim in ipairs(lecture.all()) do
    local bytes = claim.id:match("^(O24%.reduce%d.*)%.elements$")
    if bytes then
      lu.assertAlmostEquals(lecture.find(bytes).value / 4, claim.value, 0.01)
      seen = seen + 1
    end
  end
  lu.assertEquals(seen, 7)
end

function TestLabs.test_cost_falls_from_n_log_n_to_n()
  local rows = run(5, "cost", { n = 1 << 20 }).figure.rows
  local function cost(row) return tonumber((rows[row][5]:match("^[%d.]+"))) end
  lu.assertEquals({ cost(1), cost(2), cost(#rows) }, { 20, 10, 1 })
  lu.assertTrue(cost(3) < 2)
end

-- Products ----------------------------------------------------------------------------------------

-- What the slides compute follows from the datasheet, but for one.
function TestLabs.test_the_bounds_follow_but_for_one()
  local off = {}
  for _, row in ipairs(run(6, "bounds").figure.rows) do
    local slide, computed = tonumber(row[2]), tonumber(row[3])
    if slide and math.abs(computed / slide - 1) > 0.005 then off[#off + 1] = { slide, computed } end
  end
  lu.assertEquals(off, { { 244, 248.8 } })
end

function TestLabs.test_each_step_loads_less_for_a_multiplication()
  local set = { n = 128 }
  local function loads(number, id) return operands.loads(run(number, id, set).report, 128) end
  lu.assertEquals({ loads(6, "tiled"), loads(6, "two"), loads(6, "transposed"), loads(6, "one") }, { 2, 1.5, 1.5, 1 })
  lu.assertEquals({ loads(7, "wide"), loads(7, "regreg"), loads(7, "prefetched") }, { 1, 1 / 16, 1 / 16 })
end

function TestLabs.test_the_last_products_waste_no_pass()
  for _, id in ipairs { "regreg", "prefetched" } do
    local c = counters(7, id, { n = 128 })
    lu.assertEquals(runner.ratio(c, "shared_load"), 2)
    lu.assertEquals(c.shared_store_wavefronts, 128 // 8 * 8 * (4 + 4)) -- tiles × warps × (4 words of A, 16 bytes of B)
    lu.assertEquals({ runner.ratio(c, "global_load"), runner.ratio(c, "global_store") }, { 16, 16 })
  end
end

function TestLabs.test_padding_to_33_was_for_half_warps()
  lu.assertEquals(runner.ratio(counters(7, "wide", { n = 128 }), "shared_store"), 2)
end

function TestLabs.test_operands_in_shared_memory_cost_loads()
  local function on(id, model) return rate(7, id, { blocks = 528 }, model) end
  local both, one, none = on("sharedshared", "H200"), on("registershared", "H200"), on("registerregister", "H200")
  lu.assertAlmostEquals(one / both, 2, 0.3)
  lu.assertAlmostEquals(none / one, 1.9, 0.2) -- as measured on an H200
  lu.assertAlmostEquals(on("registershared", "Tesla C1060") / on("sharedshared", "Tesla C1060"), 10 / 6, 0.15)
end

os.exit(lu.LuaUnit.run("-o", "tap"))
