-- Labs 8, 10 and 11 on the emulator: that counts and models bear out what their texts say. (That steps verify and
-- exercises work `--verify-labs` sees to.)
local lecture = require "gpulab.lecture"
local lu = require "luaunit"
local steps = dofile((arg[0]:match("^(.*)/") or ".") .. "/labs_run.lua")

local run, rate, counters = steps.run, steps.rate, steps.counters

TestLabs = {}

-- Instruction speed -------------------------------------------------------------------------------

local OPERATIONS <const> = { blocks = 264, repeats = 256 }

local function instructions(id)
  local record = run(8, id, { blocks = 8, repeats = 64 })
  return record.report.counters.thread_instructions / record.step.useful_ops(record.params)
end

function TestLabs.test_a_sine_is_some_dozen_instructions_and_its_short_form_a_few()
  lu.assertTrue(instructions "sin" > 20 and instructions "sin" < 45)
  lu.assertTrue(instructions "fastsin" < 5)
  local then_ = rate(8, "fastsin", OPERATIONS, "GTX 280") / rate(8, "sin", OPERATIONS, "GTX 280")
  local now = rate(8, "fastsin", OPERATIONS, "H200") / rate(8, "sin", OPERATIONS, "H200")
  lu.assertAlmostEquals(then_, 5, 1)
  lu.assertAlmostEquals(now, 3.7, 0.4) -- as measured on an H200
end

function TestLabs.test_a_shift_is_what_the_compiler_makes_of_a_constant_power_of_two()
  lu.assertAlmostEquals(instructions "shift", instructions "by8", 0.05)
  lu.assertTrue(instructions "signed8" > instructions "by8" + 1)
  lu.assertTrue(rate(8, "shift", OPERATIONS, "H200") > 3 * rate(8, "idiv", OPERATIONS, "H200"))
  lu.assertTrue(rate(8, "mask", OPERATIONS, "GTX 280") > 10 * rate(8, "mod", OPERATIONS, "GTX 280"))
end

function TestLabs.test_loops_cost_three_instructions_a_round_until_they_are_unrolled()
  local function each(id)
    local record = run(8, id, { blocks = 8, repeats = 256 })
    return record.report.counters.thread_instructions / record.step.useful_ops(record.params)
  end
  lu.assertAlmostEquals(each "rolled", 4, 0.05)
  lu.assertTrue(each "unrolled16" < 1.3)
  lu.assertAlmostEquals(each "compiler", 1.75, 0.1)
end

function TestLabs.test_numbers_that_do_not_wait_for_each_other()
  local set = { repeats = 2048 }
  local one, four = rate(8, "chain1", set, "H200"), rate(8, "chain4", set, "H200")
  lu.assertTrue(four > 2.5 * one and four < 4.5 * one)
end

-- 4, 5 and 6 cycles are the model's rules; here that the kernels are what they are about.
function TestLabs.test_operands_in_shared_memory_then_and_now()
  local function of(id, model) return rate(8, id, OPERATIONS, model) end
  for id, cycles in pairs { itself = 5, other = 6 } do
    lu.assertAlmostEquals(of("add", "GTX 280") / of(id, "GTX 280"), cycles / 4, 0.06)
    lu.assertAlmostEquals(of("add", "H200") / of(id, "H200"), 1, 0.02)
  end
end

function TestLabs.test_doubles_have_the_slides_part_but_for_one()
  local off = {}
  for _, row in ipairs(run(8, "ratios").figure.rows) do
    if row[2] ~= "" and row[5] ~= "" and row[2] ~= row[5] then off[#off + 1] = row[1] end
  end
  lu.assertEquals(off, { "8.6" })
  local set = { blocks = 1056, repeats = 256 }
  local part = rate(8, "fp64", set, "GTX 980") / rate(8, "fma", set, "GTX 980")
  lu.assertAlmostEquals(part, lecture.find("F22.fp64.cc50").value, 0.01)
end

function TestLabs.test_a_short_exponential_loses_with_its_argument()
  local rows = run(8, "precision").figure.rows
  local function relative(name, from)
    for _, row in ipairs(rows) do
      if row[1] == name and row[2]:find(from, 1, true) == 1 then return tonumber(row[4]) end
    end
  end
  lu.assertTrue(relative("__expf", "70") > 10 * relative("expf", "70"))
  lu.assertTrue(relative("sinf", "990") < 2.4e-7)
end

-- Synchronisation ---------------------------------------------------------------------------------

local SMALL <const> = { n = 8192, blocks = 8, repeats = 64 }

function TestLabs.test_what_is_nearly_right_is_found_and_what_is_right_is_left_alone()
  for id, what in pairs { nobarrier = "race", condition = "sync", flag = "race", nonatomic = "race", unfenced = "race",
    blocksync = "race" } do
    lu.assertEquals(run(10, id, SMALL).shown.what, what, id)
  end
  for _, id in ipairs { "reversed", "unconditional", "fence", "bybarrier", "shared64", "last", "gridsync" } do
    lu.assertEquals(run(10, id, SMALL, nil, "all").issues, {}, id)
  end
end

function TestLabs.test_the_barrier_counts_without_atomics()
  lu.assertEquals(counters(10, "bybarrier", SMALL).atomics, 0)
  lu.assertEquals(counters(10, "byhand", SMALL).atomics, SMALL.n // 32)
end

function TestLabs.test_bins_of_a_block_spare_global_memory()
  lu.assertEquals(counters(10, "global64", SMALL).atomics, SMALL.n // 32)
  lu.assertEquals(counters(10, "shared64", SMALL).atomics, SMALL.n // 32 + SMALL.blocks * 2)
end

function TestLabs.test_the_last_block_saves_a_launch()
  local two, one = run(10, "twolaunches", SMALL), run(10, "last", SMALL)
  lu.assertEquals({ two.report.launches, one.report.launches }, { 2, 1 })
  lu.assertTrue(one.times.ms < two.times.ms)
end

-- Latency -----------------------------------------------------------------------------------------

function TestLabs.test_shared_memory_sets_the_warps_of_an_sm()
  for _, warps in ipairs { 4, 8, 16, 32, 64 } do
    local record = run(11, "warps" .. warps, { n = 1 << 20 }, "H200")
    lu.assertEquals(record.report.models.H200.warps_per_sm, warps)
  end
end

function TestLabs.test_warps_and_loads_on_the_way_are_two_ways_to_the_same()
  local function of(id, per_sm) return rate(11, id, { n = 1 << 22, per_sm = per_sm }, "H200") end
  lu.assertTrue(of("one", 4) > 1.6 * of("one", 2))
  lu.assertTrue(of("four", 2) > 2 * of("one", 2))
  lu.assertAlmostEquals(of("two", 2) / of("one", 4), 1, 0.2)
end

function TestLabs.test_a_chain_takes_the_latency_for_each_link()
  local cycles = tonumber((run(11, "global").detail:match("(%d+) cycles")))
  lu.assertAlmostEquals(cycles, 689, 30)
  cycles = tonumber((run(11, "fma").detail:match("(%d+) cycles")))
  lu.assertAlmostEquals(cycles, 4, 1)
end

function TestLabs.test_littles_law_for_then_and_now()
  local needed = {}
  for _, row in ipairs(run(11, "little").figure.rows) do
    needed[row[1]] = { tonumber(row[6]), tonumber(row[7]) }
  end
  lu.assertEquals(needed["GTX 280"], { 50, 128 })
  lu.assertTrue(needed.H200[1] > needed.H200[2])
end

os.exit(lu.LuaUnit.run("-o", "tap"))
