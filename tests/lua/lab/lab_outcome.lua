-- The report of a launch that did not end well, from its outcome as gpulab.gpu has it.
local lu = require "luaunit"
local outcome = require "gpulab.base.outcome"
local text = require "gpulab.base.text"

local function past_the_end(changes)
  local fault = { kind = "out of bounds", located = true, replayed = false, block = { x = 3, y = 1, z = 0 },
    thread = { x = 31, y = 7, z = 0 }, threads = 32, kernel = "tile<33>", file = "kernels/transpose.cu", line = 31,
    space = "global", access = "store", width = 4, buffer = "odata", offset = 4096, bytes = 4096, element = 1024,
    elements = 1024, type = "float", message = "" }
  for key, v in pairs(changes or {}) do fault[key] = v end
  return { status = "fault", fault = fault, message = "A store reached past the end of 'odata', the buffer of the result, "
    .. "which is where the transposed matrix ought to be and nothing else." }
end

local function fits(report)
  for line in report:gmatch("[^\n]+") do lu.assertTrue(text.width(line) <= 80, line) end
end

TestOutcome = {}

function TestOutcome.test_a_fault_in_full()
  local report = outcome.describe(past_the_end())
  fits(report)
  lu.assertEquals(report, [[
fault: out of bounds
  A store reached past the end of 'odata', the buffer of the result, which is
  where the transposed matrix ought to be and nothing else.
  element   odata[1024] (float): it has 1 024 elements, odata[0] to odata[1023]
  access    store of 4 bytes, global memory
  thread    (31,7,0) of block (3,1,0); 32 lanes of this warp did the same
  kernel    tile<33>
  source    kernels/transpose.cu:31]])
end

function TestOutcome.test_what_is_not_known_is_left_out()
  local report = outcome.describe(past_the_end { replayed = true, offset = -1, element = -1, threads = 1, width = 0 })
  lu.assertStrContains(report, "odata[-1] (float): it has")
  lu.assertStrContains(report, "access    store, global memory\n")
  lu.assertStrContains(report, "of block (3,1,0)\n")
  lu.assertStrContains(report, "known     by replaying the launch on the emulator; the GPU does not report the\n            thread")
  lu.assertStrContains(outcome.describe(past_the_end { element = 3 }), "odata[3] (float), inside it\n")
  lu.assertStrContains(outcome.describe(past_the_end { element = 0, elements = 0 }), "odata[0] (float)\n")
  lu.assertStrContains(outcome.describe(past_the_end { elements = 1 }), "it has 1 element, odata[0] to odata[0]\n")
  local fault = { kind = "trap", located = false, replayed = false, threads = 1, kernel = "", space = "", access = "",
    width = 0, message = "The GPU stopped the kernel: it trapped." }
  lu.assertEquals(outcome.describe { status = "fault", message = "", fault = fault }, [[
fault: trap
  The GPU stopped the kernel: it trapped.
  known     from the GPU, which does not report the thread]])
  fault.buffer, fault.offset, fault.bytes = "buffer", -8, 17
  lu.assertStrContains(outcome.describe { status = "fault", message = "", fault = fault },
    "element   byte -8 of 'buffer', which has 17\n")
  local lost = { kind = "none", located = false, replayed = false, kernel = "", access = "", message = "The worker was killed." }
  lu.assertEquals(outcome.describe { status = "fault", message = "", fault = lost }, "fault\n  The worker was killed.")
end

function TestOutcome.test_words_longer_than_a_line_stay_whole()
  local path, kernel, word = ("d"):rep(200) .. "/the_end.cu", ("k"):rep(127), ("m"):rep(511)
  local o = past_the_end { file = path, kernel = kernel }
  o.message = word .. " and more\n\nlast\n"
  local report = outcome.describe(o)
  lu.assertStrContains(report, ("\n  kernel    %s\n  source    %s:31"):format(kernel, path))
  lu.assertStrContains(report, ("\n  %s\n  and more\n  \n  last\n  element"):format(word))
end

function TestOutcome.test_other_ends()
  lu.assertEquals(outcome.describe { status = "timeout", message = "The kernel was still running after 2 s." },
    "timeout\n  The kernel was still running after 2 s.")
  lu.assertEquals(outcome.describe { status = "limit", message = "" }, "limit")
end

TestShared = {}
local ROWS <const> = 32

-- Elements of shared arrays, whose extents only the source has.
function TestShared.test_elements_of_declared_arrays()
  local declared = require "gpulab.base.declared"
  local source = "constexpr int ROW = 32;\n#define PAD 1\n__global__ void k() {\n\t__shared__ float line[64], tile[ROW][ROW + PAD];\n"
    .. "\t__shared__ double wide[2 * ROW];\n\t__shared__ T other[ROW];\n\textern __shared__ int all[];\n}\n"
  local tile = ROWS * 33 * 4
  for _, case in ipairs {
    { "tile", -4, tile, "tile[0][-1], 4 bytes before its start" }, { "tile", -132, tile, "tile[-1][0], 132 bytes before its start" },
    { "tile", 136, tile, "tile[1][1], inside it" }, { "tile", tile + 4, tile, "tile[32][1], 4 bytes past its end" },
    { "line", 256, 256, "line[64], just past its end" },
    { "line", (1 << 34) - 40, 256, "line[-10], 40 bytes before its start; the index is unsigned and wraps around" },
    { "tile", (1 << 34) - 40, tile, "tile[0][-10], 40 bytes before its start; the index is unsigned and wraps around" },
    { "wide", 512, 512, "wide[64], just past its end" },
    { "tile", 0, 4096 }, { "other", 0, 128 }, { "all", 0, 128 }, { "nothing", 0, 4 },
  } do
    lu.assertEquals(declared.shared(source, case[1], case[2], case[3]), case[4])
  end
end

os.exit(lu.LuaUnit.run("-o", "tap"), true)
