-- Explanations: bank pictures, in words and in 80 columns.
local double = require "lab_double"
local lu = require "luaunit"
local text = require "gpulab.base.text"
local why = require "gpulab.show.why"

local function worst(address_of, more)
  local w = { access = "load", space = "shared", width = 4, cost = 1, ideal = 1, lanes = {} }
  for lane = 0, 31 do w.lanes[lane] = address_of(lane) end
  for key, v in pairs(more or {}) do w[key] = v end
  return w
end

local function record(w, rules)
  local line = { file = "/somewhere/kernels/transpose.cu", line = 43,
    text = "\t\todata[x + (y + i) * n] = tile[threadIdx.x][threadIdx.y + i];",
    counters = { shared_load_requests = 500000, shared_load_wavefronts = 16000000 }, worst = w }
  local conflict = w.cost > w.ideal
  return { step = { id = "tile", title = "tile 32×32" }, outcome = "ok", worst = conflict and { line = line } or nil,
    report = { rules = rules or "H200", lines = { line } } }
end

local function explain(w, rules)
  double.install {}
  local lines = why.explain(record(w, rules), {})
  for _, line in ipairs(lines) do lu.assertTrue(text.width(line) <= 80, line) end
  return (table.concat(lines, " "):gsub("%s+", " "))
end

TestWhy = {}

function TestWhy.test_one_bank_for_all()
  local said = explain(worst(function(lane) return lane * 128 end, { cost = 32 }))
  lu.assertStrContains(said, "transpose.cu:43 odata[x + (y + i) * n] = tile[threadIdx.x][threadIdx.y + i];"
    .. " load of shared memory, 4 bytes per lane: 32 wavefronts for 1 request, lanes 0..31 all read bank 0, 32 different words"
    .. " lane 0 1 2")
  lu.assertStrContains(said, "stride 32 words: consecutive lanes differ by 0 banks (32 modulo 32)")
  lu.assertStrContains(said, "It uses 1 of 32 banks and takes 32 wavefronts, ideally 1.")
  lu.assertStrContains(said, "In the whole launch: 16 000 000 wavefronts for 500 000 requests.")
  lu.assertStrContains(said, "GTX 280 2 × 16 · H200 32")
end

function TestWhy.test_picture_names_every_lane()
  local w = worst(function(lane) return lane * 12 end)
  double.install {}
  lu.assertEquals(why.picture(w, gpu.banks("H200", w.lanes, 4)), {
    "  lane   0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15",
    "  word   0  3  6  9 12 15 18 21 24 27 30 33 36 39 42 45",
    "  bank   0  3  6  9 12 15 18 21 24 27 30  1  4  7 10 13",
    "",
    "  lane  16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31",
    "  word  48 51 54 57 60 63 66 69 72 75 78 81 84 87 90 93",
    "  bank  16 19 22 25 28 31  2  5  8 11 14 17 20 23 26 29",
  })
end

function TestWhy.test_no_conflict()
  local said = explain(worst(function(lane) return lane * 132 end))
  lu.assertStrContains(said, "1 wavefront for 1 request, each word is in a different bank")
  lu.assertStrContains(said, "stride 33 words: consecutive lanes differ by 1 bank")
  lu.assertStrContains(said, "No conflict.")
end

function TestWhy.test_broadcast()
  local said = explain(worst(function() return 64 end))
  lu.assertStrContains(said, "all lanes access the same word, which is broadcast")
  lu.assertStrContains(said, "stride 0")
end

function TestWhy.test_half_warps_of_old()
  local said = explain(worst(function(lane) return lane * 128 end, { cost = 32, ideal = 2 }), "GTX 280")
  lu.assertStrContains(said, "32 wavefronts for 2 requests")
  lu.assertStrContains(said, "It uses 1 of 16 banks and takes 32 wavefronts, ideally 2.")
end

function TestWhy.test_lanes_that_sleep_and_large_addresses()
  local w = worst(function(lane) return lane % 3 == 0 and 200000 + lane * 4 or nil end)
  local said = explain(w)
  lu.assertStrContains(said, "·")
end

function TestWhy.test_global_memory()
  local w = worst(function(lane) return lane * 4096 end, { space = "global", cost = 32, ideal = 4 })
  local said = explain(w)
  lu.assertStrContains(said, "32 sectors of 32 bytes, ideally 4")
end

function TestWhy.test_nothing_ran()
  double.install {}
  local lines = why.explain({ step = { id = "x", title = "x" }, outcome = "compile", message = "no" }, {})
  lu.assertStrContains(table.concat(lines, " "), "did not complete")
end

TestParts = {}

function TestParts.test_ranges()
  lu.assertEquals(why.ranges { 0, 1, 2, 3, 8 }, "0..3, 8")
  lu.assertEquals(why.ranges { 0, 1, 5, 6 }, "0, 1, 5, 6")
  lu.assertEquals(why.ranges {}, "")
end

function TestParts.test_stride()
  lu.assertEquals(why.stride(worst(function(lane) return lane * 12 end)), 3)
  lu.assertEquals(why.stride(worst(function(lane) return 512 - lane * 4 end)), -1)
  lu.assertEquals(why.stride(worst(function() return 4 end)), 0)
  lu.assertNil(why.stride(worst(function(lane) return lane // 2 * 4 end)))
  lu.assertNil(why.stride(worst(function(lane) return lane ~= 3 and lane * 4 or nil end)))
  lu.assertNil(why.stride(worst(function(lane) return lane * 6 end)))
end

os.exit(lu.LuaUnit.run("-o", "tap"))
