-- `why` of the steps that carry a lab's lesson leads with that lesson: its first sentence names the limiter, and what it
-- says to change, or the fact below it, is what the step is about. At the sizes of the emulator, or smaller ones.
local lu = require "luaunit"
local steps = dofile((arg[0]:match("^(.*)/") or ".") .. "/labs_run.lua")
local text = require "gpulab.base.text"
local why = require "gpulab.show.why"

local divergence <const> = "Let the threads of a warp take the same branch"
local coalescing <const> = "Let neighboring lanes access neighboring words"
local sectors <const> = "32 sectors of 32 bytes, ideally 4"
local banks <const> = "Pad or permute the array so that the lanes of a request use different banks"

-- Lab, step, parameters; the limiter; then what the explanation has to say.
local lessons <const> = {
  { 1, "in2", {}, "issue slots", divergence, "16.1 of 32 lanes", "branches divergent" },
  { 1, "in32", { blocks = 264 }, nil, divergence, "1.1 of 32 lanes" },
  { 2, "stride8", {}, "DRAM bandwidth", coalescing, sectors },
  { 2, "structures-one", {}, "DRAM bandwidth", coalescing, "12 sectors of 32 bytes, ideally 4" },
  { 3, "stride32", { blocks = 132 }, "shared wavefronts", banks, "32 different words" },
  { 3, "tile", { n = 1024 }, "shared wavefronts", banks, "It uses 1 of 32 banks" },
  { 4, "naive", { n = 1024 }, "L2 bandwidth", "Let each request use whole sectors", "store", sectors },
  { 4, "tile", { n = 1024 }, "shared wavefronts", banks },
  { 4, "camp512", { n = 1024 }, nil, "GTX 280: DRAM pages, one partition at a time", model = "GTX 280" },
  { 5, "modulo", {}, "issue slots", divergence, "branches divergent" },
  { 5, "strided", {}, nil, "4 wavefronts for 1 request", "It uses 8 of 32 banks" },
  { 6, "column", { n = 256 }, "L1 wavefronts", "access fewer cache lines", sectors },
  { 7, "sharedshared", { blocks = 132 }, "shared wavefronts", "Keep operands in registers" },
  { 8, "div", {}, "arithmetic units", "FMA instead of division" },
  { 8, "chain1", {}, "latency", "Each instruction waits for the one before", "several independent operations" },
  { 10, "global64", {}, nil, "Combine values in the warp or in shared memory first", "One word gets 5 312 updates" },
  { 11, "warps8", {}, "latency", "Too few accesses are in flight: an SM holds 8 warps" },
  { 7, "wide", { n = 256 }, "latency", "no resource is busy for even 60 % of the time", "Issue loads earlier" },
  { 12, "eight", {}, "constant cache", "Let all lanes of a warp read the same constant", "8 different words" },
  { 12, "columns", { n = 1024 }, "L1 wavefronts", "access fewer cache lines", sectors },
  { 14, "tree", {}, "shared wavefronts", banks, "It uses 2 of 32 banks" },
  { 15, "unrolled", {}, "load and store units", "Use wider accesses, such as float4" },
}

TestLessons = {}

for _, lesson in ipairs(lessons) do
  local number, id, set, limiter = table.unpack(lesson, 1, 4)
  TestLessons[("test_%02d_%s"):format(number, id:gsub("%W", "_"))] = function()
    local record = steps.run(number, id, set, lesson.model)
    local lines = why.explain(record)
    for _, line in ipairs(lines) do lu.assertTrue(text.width(line) <= 80, line) end
    local said = table.concat(lines, " "):gsub("%s+", " ")
    if limiter then lu.assertStrMatches(said, (".*Limiter on the H200[^:]*: %s%%. By itself.*"):format(limiter)) end
    for i = 5, #lesson do lu.assertStrContains(said, lesson[i]) end
  end
end

-- A load takes one cycle of an SM for a warp's words, also where banks are wider than these.
function TestLessons.test_06_bounds_of_kepler()
  local bounds = steps.labs[6]:step "bounds"
  for name, factor in pairs { ["Tesla K40"] = 6, ["H200"] = 4, ["GTX 980"] = 4 } do
    local rows = bounds.figure({}, { model = name }).rows
    lu.assertAlmostEquals(tonumber(rows[1][4]) / tonumber(rows[6][4]), factor, 0.01, name)
  end
end

os.exit(lu.LuaUnit.run("-o", "tap") == 0, true)
