-- Lab 15 on the emulator: that counts and models bear out what its texts say. (That steps verify and exercises work
-- `--verify-labs` sees to.)
local lu = require "luaunit"
local steps = dofile((arg[0]:match("^(.*)/") or ".") .. "/labs_run.lua")

local FILTER <const> = { n = 96, radius = 4 } -- 3 × 3 tiles, 9 × 9 weights
local CUBE <const> = { cube = 32, depth = 8 } -- 2 blocks per plane
local PLATE <const> = { plate = 96 }

local function counters(id, set) return steps.counters(15, id, set) end
local function loads(id, set, results) return counters(id, set).global_load_bytes / 4 / results end

TestStencils = {}

function TestStencils.test_a_tile_loads_the_halo_once_and_nothing_outside_the_image()
  local pixels <const> = FILTER.n ^ 2
  local along <const> = 36 + 40 + 36 -- pixels that three tiles load in one direction
  local inside <const> = (9 * 96 - 2 * (4 + 3 + 2 + 1)) ^ 2 -- of the neighborhoods of all pixels
  lu.assertEquals(loads("constant", FILTER, pixels), inside / pixels)
  lu.assertEquals(loads("naive", FILTER, pixels), inside / pixels + 81)
  for _, id in ipairs { "tile", "unrolled", "registers" } do
    lu.assertEquals(loads(id, FILTER, pixels), along ^ 2 / pixels)
  end
  lu.assertEquals(loads("separable", FILTER, pixels), 2 * math.sqrt(inside) * 96 / pixels)
end

function TestStencils.test_a_thread_of_four_pixels_loads_twelve_words_for_each_column_of_weights()
  local each = counters("unrolled", FILTER).shared_load_requests
  lu.assertEquals(each, 96 * 3 * 81)
  lu.assertEquals(counters("registers", FILTER).shared_load_requests, 96 * 3 / 4 * 12 * 9)
end

function TestStencils.test_a_queue_loads_a_point_once_its_halo_and_eight_planes_per_block()
  local points <const> = CUBE.cube ^ 3
  lu.assertEquals(loads("points", CUBE, points), 25)
  lu.assertEquals(loads("plane", CUBE, points), 1.75 + 8)
  lu.assertEquals(loads("queue", CUBE, points), 1.75 + 8 / CUBE.depth)
  lu.assertEquals(loads("shuffle", CUBE, points), 1.75 + 8 / CUBE.depth)
  local rows <const> = points / 32
  lu.assertEquals(counters("queue", CUBE).shared_load_requests, 16 * rows)
  lu.assertEquals(counters("shuffle", CUBE).shared_load_requests, 8 * rows)
end

function TestStencils.test_loads_per_time_step_fall_with_the_steps_of_a_launch()
  local results <const> = 6 * PLATE.plate ^ 2
  lu.assertEquals(loads("one", PLATE, results), 4)
  for id, each in pairs { two = 2, three = 3, six = 6 } do
    lu.assertAlmostEquals(loads(id, PLATE, results), ((32 + 2 * each) / 32) ^ 2 / each, 1e-9)
  end
end

-- What the lab is worth on a GPU without caches: tiles, registers, two launches; a plane in shared memory.
function TestStencils.test_each_step_pays_on_a_gpu_without_caches()
  local before = 0
  for _, id in ipairs { "naive", "constant", "tile", "unrolled", "registers" } do
    local rate = steps.rate(15, id, { n = 320, radius = 4 }, "GTX 280")
    lu.assertTrue(rate > 1.2 * before, id)
    before = rate
  end
  lu.assertTrue(steps.rate(15, "plane", CUBE, "GTX 280") > 1.2 * steps.rate(15, "points", CUBE, "GTX 280"))
end

-- 4800 GB/s by 8/3 bytes per result: a number of four digits, without an exponent.
function TestStencils.test_bounds_by_hand_have_no_exponents()
  local rows = steps.run(15, "bounds").figure.rows
  lu.assertEquals(rows[5][6], "1800 memory")
  for _, row in ipairs(rows) do lu.assertNotStrContains(table.concat(row, " "), "e+") end
end

os.exit(lu.LuaUnit.run("-o", "tap"))
