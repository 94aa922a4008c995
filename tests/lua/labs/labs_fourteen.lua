-- Lab 14 on the emulator: that counts and models bear out what its texts say. (That steps verify and exercises work
-- `--verify-labs` sees to.)
local lecture = require "gpulab.lecture"
local lu = require "luaunit"
local steps = dofile((arg[0]:match("^(.*)/") or ".") .. "/labs_run.lua")

local run, rate, counters = steps.run, steps.rate, steps.counters

local SMALL <const> = { n = 1 << 16, count = 1 << 14 }
local ODD <const> = { n = 70001, count = 30001 }

TestLab14 = {}

local function answer(id, set)
  local record = run(14, id, set)
  return record.step.predict.of(record)
end

function TestLab14.test_the_tree_has_16_way_conflicts_until_it_is_padded_for_the_banks()
  lu.assertEquals(answer("tree", SMALL), lecture.find("H07.scan.conflicts").value)
  local function wavefronts(id, pad)
    local c = counters(14, id, { n = SMALL.n, pad = pad })
    return c.shared_load_wavefronts / c.shared_load_requests
  end
  lu.assertEquals(wavefronts("padded", 32), 1)
  lu.assertTrue(wavefronts("padded", 31) > 1)
  lu.assertTrue(wavefronts("padded", 16) > 1.5)
  lu.assertTrue(wavefronts("padded", 512) == wavefronts("tree"))
end

function TestLab14.test_two_barriers_are_left_of_nine()
  local blocks = SMALL.n // 512
  lu.assertEquals(counters(14, "hillis", SMALL).barriers, 9 * 16 * blocks)
  lu.assertEquals(counters(14, "shuffles", SMALL).barriers, 2 * 16 * blocks)
  lu.assertEquals(counters(14, "four", SMALL).barriers, 2 * 4 * blocks)
end

-- Loads that wait for another block depend on the order in which blocks run, so those of one pass are not counted here.
function TestLab14.test_words_that_are_moved_per_element()
  local function words(id, kind) return counters(14, id, { n = 1 << 20 })["global_" .. kind .. "_bytes"] / 4 / (1 << 20) end
  for id, count in pairs { copy = 1, three = 2, reduce = 2 } do
    lu.assertAlmostEquals(words(id, "load"), count, 0.07, id) -- what the threads read of the sums
  end
  for id, count in pairs { copy = 1, three = 2, reduce = 1, chained = 1, lookback = 1, packed = 1 } do
    lu.assertAlmostEquals(words(id, "store"), count, 0.01, id)
  end
  lu.assertAlmostEquals(answer("passes", SMALL), 2, 0.1)
  lu.assertAlmostEquals(answer("three", { n = 1 << 20 }), 4, 0.07)
end

function TestLab14.test_what_is_nearly_right_is_found_and_what_is_right_is_left_alone()
  for _, id in ipairs { "inplace", "unfenced" } do lu.assertEquals(run(14, id, SMALL).shown.what, "race", id) end
  for _, id in ipairs { "hillis", "padded", "four", "trees", "three", "reduce", "chained", "lookback", "packed", "compact",
    "digit" } do
    lu.assertEquals(run(14, id, ODD, nil, "all").issues, {}, id)
  end
end

-- The report's table and the model, without and with its overhead at the host.
function TestLab14.test_the_model_of_the_8800_gtx_and_the_report()
  local claim = lecture.find("H07.scan.n1048576")
  local predicted = rate(14, "trees", { n = claim.n, pad = 16 }, claim.gpu)
  lu.assertTrue(predicted > claim.value / 2 and predicted < 2 * claim.value)
end

function TestLab14.test_less_traffic_and_fewer_barriers_are_faster()
  local set = { n = 1 << 20 }
  local function faster(id, than, by) lu.assertTrue(rate(14, id, set, "H200") > by * rate(14, than, set, "H200"), id) end
  faster("padded", "tree", 1.1)
  faster("four", "shuffles", 1.2)
  faster("three", "trees", 1.5)
  faster("trees", "passes", 2)
  faster("packed", "three", 1.2)
end

os.exit(lu.LuaUnit.run("-o", "tap") == 0, true)
