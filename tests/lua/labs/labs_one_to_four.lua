-- Labs 1 to 4 on the emulator: that counts and models bear out what their texts say. (That steps verify and exercises
-- work `--verify-labs` sees to.)
local lu = require "luaunit"
local runner = require "gpulab.run.runner"
local steps = dofile((arg[0]:match("^(.*)/") or ".") .. "/labs_run.lua")

local run, rate = steps.run, steps.rate

local function counted(number, id, name, set)
  return runner.ratio(run(number, id, set).report.counters, name)
end

TestLabs = {}

function TestLabs.test_ways_of_a_warp_are_taken_one_after_the_other()
  local set = { blocks = 8 }
  local one = counted(1, "one", "warp_instructions", set)
  for _, ways in ipairs { 2, 4, 8, 16, 32 } do
    local instructions = counted(1, "in" .. ways, "warp_instructions", set)
    lu.assertAlmostEquals(instructions / one, ways, 0.05 * ways)
    lu.assertEquals(counted(1, "in" .. ways, "divergent_branches", set), (ways - 1) * 8 * 8)
  end
  lu.assertTrue(counted(1, "between32", "warp_instructions", set) < 1.1 * one)
end

function TestLabs.test_a_block_of_four_columns_writes_half_sectors()
  lu.assertEquals(counted(1, "block4x64", "global_store", { side = 64 }), 8)
  lu.assertEquals(counted(1, "block16x16", "global_store", { side = 64 }), 4)
end

function TestLabs.test_the_wrong_product_is_a_race()
  local record = run(1, "inner-loop", { m = 32 })
  lu.assertEquals(record.shown.what, "race")
end

-- The copy from an offset: two ninths on the 8800 GTX, a little less on the GTX 280, and nothing at 16.
function TestLabs.test_offsets_through_the_years()
  local function share(id, model) return rate(2, id, nil, model) / rate(2, "offset0", nil, model) end
  lu.assertAlmostEquals(share("offset1", "8800 GTX"), 2 / 9, 0.04)
  lu.assertAlmostEquals(share("offset16", "8800 GTX"), 1, 0.01)
  local newer = share("offset1", "GTX 280")
  lu.assertTrue(newer > 0.6 and newer < 0.9)
  lu.assertAlmostEquals(share("swapped", "GTX 280"), 1, 0.01)
  lu.assertTrue(share("swapped", "8800 GTX") < 0.3)
end

function TestLabs.test_structures_against_arrays()
  lu.assertTrue(rate(2, "arrays", nil, "GTX 280") > 2 * rate(2, "structures", nil, "GTX 280"))
  lu.assertEquals(counted(2, "structures-one", "global_load", { n = 4096 }), 12)
  lu.assertEquals(counted(2, "arrays-one", "global_load", { n = 4096 }), 4)
end

-- The slide's flops per float: eight follow from a datasheet as they should, three are flops per byte.
function TestLabs.test_flops_per_float()
  local figure = run(2, "flops").figure
  for i, row in ipairs(figure.rows) do
    local slide, per_float, per_byte = row[5], row[6], row[7]
    if i <= 8 then
      lu.assertAlmostEquals(per_float, slide, 0.6, row[1])
    elseif slide then
      lu.assertAlmostEquals(per_byte, slide, 0.8, row[1])
      lu.assertTrue(per_float > 3.9 * slide, row[1])
    end
  end
  lu.assertEquals(figure.rows[12][1], "yours")
end

function TestLabs.test_camping_and_both_ways_out()
  local function on(id) return rate(4, id, { n = 1024 }, "GTX 280") end
  local camped, conflicts = on "camp512", on "conflict512"
  lu.assertAlmostEquals(conflicts / camped, 1, 0.1) -- marginal while it camps
  local diagonal = on "diag512"
  lu.assertTrue(diagonal > 2.5 * camped)
  lu.assertTrue(on "diagconflict512" < 0.9 * diagonal) -- visible without
  lu.assertTrue(on "pitched" > 2.5 * camped)
  lu.assertTrue(camped < on "camp256" and on "camp256" < on "camp128")
end

function TestLabs.test_32_is_the_best_side_on_a_gtx_280()
  local function on(id) return rate(4, id, { n = 1536 }, "GTX 280") end
  local best = on "side32"
  lu.assertTrue(best > on "side16" and best > on "side48")
end

function TestLabs.test_the_wide_tile_wastes_no_pass()
  lu.assertEquals(counted(4, "wide", "shared_load", { large = 256 }), 4)
  lu.assertEquals(counted(4, "wide", "shared_store", { large = 256 }), 4)
  lu.assertEquals(counted(4, "wide", "global_store", { large = 256 }), 16)
end

os.exit(lu.LuaUnit.run("-o", "tap"))
