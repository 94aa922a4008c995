-- The commands of a lab at the prompt, against the double.
local double = require "lab_double"
local lu = require "luaunit"

package.preload["gpulab.base.where"] = function()
  return { folders = function() return {} end, find = function() return arg[0] end }
end
local lab = require "gpulab.lab"
local session = require "gpulab.prompt.session"
local text = require "gpulab.base.text"

local function copies(args)
  for i = 0, args[3] * args[3] - 1 do args[1].array[i] = args[2].array[i] end
end

local function step(id, more)
  local s = { id = id, title = "the " .. id, text = "All about " .. id .. ".", kernel = { file = "t.cu", name = "copy" },
    grid = 1, block = 32, args = { "odata", "idata", "n" }, output = "odata",
    reference = function(_, host) return host.idata end, useful_bytes = function(p) return 8 * p.n * p.n end }
  for key, v in pairs(more or {}) do s[key] = v end
  return s
end

local state, opened

local function open(given, options, groups)
  double.marks = {}
  state = double.install(given or { kernels = { copy = copies }, predicted = { H200 = 0.01 } })
  gpu.devices = function() return { { name = "emu" } } end
  gpu.open = function(name)
    local d = setmetatable({ name = name, model = "GTX 280", gpu = "GTX 280", cc = 13 },
      { __index = gpu.device })
    return d
  end
  local made = lab.define { number = 3, id = "trial", title = "Trial", lecture = { "F22" }, intro = "An introduction.",
    params = { n = { default = 8, min = 4, max = 64, help = "rows" }, k = { default = 1, help = "of one step" } },
    buffers = { idata = { type = "float", count = function(p) return p.n * p.n end, fill = "iota" },
      odata = { type = "float", count = function(p) return p.n * p.n end } },
    groups = groups,
    steps = { step("copy", { group = groups and "g" }), step("tile", { claim = "F22.transpose.tile32",
      group = groups and "g" }), step("padded", { group = groups and "g" }) } }
  local printed
  printed, opened = double.captured("stdout", session.open, made, options or {})
  return printed
end

local function type_in(line)
  local complaints
  local printed, handled = double.captured("stdout", function()
    local result
    complaints, result = double.captured("stderr", opened.commands.dispatch, opened.commands, line)
    return result
  end)
  lu.assertTrue(handled, line)
  local path = arg[0]:gsub("%p", "%%%0") -- what a compiler says of a file is one line, however long the file's path
  for l in (printed .. complaints):gsub(path, "t.cu"):gmatch("[^\n]+") do lu.assertTrue(text.width(l) <= 80, l) end
  return printed, complaints
end

TestSession = {}

function TestSession.test_the_introduction()
  local printed = open()
  lu.assertStrContains(printed, "Lab 3 · Trial")
  lu.assertStrContains(printed, "Jiří Filipovič, GPU Hardware Performance II")
  lu.assertStrContains(printed, "An introduction.")
  lu.assertEquals(opened.commands.prompt, "03")
  lu.assertEquals(open(nil, { quiet = true }), "")
end

function TestSession.test_every_command_has_help()
  open()
  for _, name in ipairs { "run", "steps", "why", "next", "prev", "show", "text", "lines", "set", "model", "device",
    "compare", "resources" } do
    local row = opened.commands:get(name)
    lu.assertNotNil(row, name)
    lu.assertStrContains(row.usage, name)
    lu.assertTrue(#row.summary > 5 and #row.help > 5)
  end
end

function TestSession.test_run()
  open()
  local printed = type_in "run"
  lu.assertStrContains(printed, "the copy")
  lu.assertStrContains(printed, "the padded")
  printed = type_in "run pad"
  lu.assertStrContains(printed, "All about padded.")
  lu.assertStrContains(printed, "\n  the copy") -- from the run before
  lu.assertStrContains(printed, "\n> the padded")
  lu.assertErrorMsgContains("no step", type_in, "run nothing")
end

function TestSession.test_a_share_runs_its_baseline()
  open(nil, nil, { { id = "g", title = "versions", baseline = "copy", share = "of the copy" } })
  local printed = type_in "run tile"
  lu.assertStrContains(printed, "100 %")
  lu.assertStrContains(printed, "\n  the copy")
  lu.assertStrContains(printed, "\n> ")
  lu.assertNotNil(opened.run.results.copy)
  local record = opened.run.results.copy
  type_in "run padded"
  lu.assertIs(opened.run.results.copy, record)
  type_in "set n=16"
  lu.assertStrContains(type_in "run tile", "100 %")
end

function TestSession.test_a_failed_baseline_is_named()
  local kernels = { copy = function() error("out of bounds", 0) end }
  open({ kernels = kernels, predicted = { H200 = 0.01 } }, nil, { { id = "g", title = "versions",
    baseline = "copy" } })
  lu.assertStrContains(type_in "run tile":gsub("%s+", " "), "The baseline copy failed, so there is no comparison: `run"
    .. " copy` shows the error.")
end

function TestSession.test_steps_have_numbers()
  open()
  lu.assertStrContains(type_in "run 2", "All about tile.")
  lu.assertStrContains(type_in "show 3", "All about padded.")
  lu.assertStrContains(type_in "next 2", "2/3")
  lu.assertStrContains(type_in "prev 1", "1/3")
  lu.assertErrorMsgContains("no step", type_in, "run 4")
  lu.assertErrorMsgContains("no step", type_in, "run 0")
  lu.assertErrorMsgContains("take one step", type_in, "next 1 2")
end

function TestSession.test_next_and_prev()
  open()
  lu.assertErrorMsgContains("this is the first step", type_in, "prev")
  lu.assertStrContains(type_in "next", "1/3")
  lu.assertStrContains(type_in "next", "2/3")
  lu.assertStrContains(type_in "prev", "1/3")
  type_in "next"
  lu.assertStrContains(type_in "steps", "> 2  tile")
  type_in "next"
  lu.assertErrorMsgContains("this is the last step", type_in, "next")
end

function TestSession.test_show_why_lines()
  open()
  lu.assertStrContains(type_in "show tile", "All about tile.")
  lu.assertStrContains(type_in "text", "All about tile.")
  lu.assertStrContains(type_in "why copy", "neither shared nor global")
  lu.assertStrContains(type_in "lines", "Sectors of 32 bytes")
end

function TestSession.test_compare()
  open()
  local asked
  local answer = { verdict = "faster", kind = "measured", ratio = 0.41, low = 0.405, high = 0.4149, a_ms = 0.2, b_ms = 0.08,
    margin = 0.005, confidence = 0.99, pairs = 200, discarded = 3, batch = 1, graph = false, note = "" }
  function gpu.device:compare(k1, c1, args1, k2, c2, args2)
    asked = { k1.name, c1.grid[1], #args1, k2.name, c2.block[1], #args2 }
    return answer
  end
  local predicted -- of an emulator, which runs nothing again
  local host = require "gpulab.host"
  function host.compare_predictions(here, there)
    predicted = here.ms > 0 and there.ms > 0
    return answer
  end
  local said = type_in "compare tile padded"
  lu.assertTrue(predicted)
  lu.assertNil(asked)
  local emulates = gpu.device.emulates
  gpu.device.emulates = false
  lu.assertEquals(type_in "compare tile padded", said)
  gpu.device.emulates = emulates
  lu.assertEquals(asked, { "copy", 1, 3, "copy", 32, 3 })
  lu.assertStrContains(said, "padded is faster than tile: it is 2.4× as fast (2.4× to 2.5× with")
  lu.assertStrContains(said, "3 discarded because")
  answer.verdict, answer.low, answer.high = "cannot tell", 0.97, 1.02
  lu.assertStrContains(type_in "compare tile padded", "larger problem")
  answer.low, answer.high = 0.999, 1.001
  lu.assertStrContains(type_in "compare tile padded", "by at most 0.5 %")
  answer.kind, answer.verdict, answer.ratio, answer.error = "predicted", "slower", 1.1, 0.15
  said = type_in "compare tile padded"
  lu.assertStrContains(said, "no spread")
  lu.assertStrContains(said, "known error is 15 %")
  lu.assertErrorMsgContains("takes two steps", type_in, "compare tile")
  lu.assertErrorMsgContains("no step", type_in, "compare tile nothing")
end

function TestSession.test_what_is_wrong_is_not_compared()
  open({ kernels = { copy = function() end } })
  function gpu.device.compare() lu.fail("compared") end
  lu.assertErrorMsgContains("cannot be compared", type_in, "compare tile padded")
end

function TestSession.test_resources()
  open()
  local kernel = gpu.device.kernel
  local limited = { blocks_per_sm = 4, warps_per_sm = 4, fraction = 0.0625, limited_by = "shared memory" }
  function gpu.device:kernel(...)
    local k = kernel(self, ...)
    k.registers, k.registers_estimated, k.shared_bytes, k.local_bytes, k.linked = 24, false, 4224, 0, "tile"
    function k:occupancy() return limited end
    return k
  end
  gpu.device.sms = 132
  local said = type_in "resources tile"
  for _, part in ipairs { "24 per thread", "4 224 bytes per block", "no register spills", "4 blocks per SM", "occupancy of 6 %",
    "131 SMs are idle" } do
    lu.assertStrContains(said, part)
  end
  lu.assertNotStrContains(said, "limits it") -- a grid of one block has none to add
  limited.blocks_per_sm = 0
  lu.assertStrContains(type_in "resources tile", "No block fits")
end

function TestSession.test_set()
  open()
  lu.assertStrContains(type_in "set", "rows")
  type_in "run copy"
  type_in "set n = 16"
  lu.assertEquals(opened.params.n, 16)
  lu.assertNil(opened.run)
  lu.assertErrorMsgContains("greater than its maximum", type_in, "set n=65")
  lu.assertErrorMsgContains("is not name=value", type_in, "set n")
  lu.assertErrorMsgContains("is not name=value", type_in, "set n =")
  lu.assertErrorMsgContains("unknown parameter", type_in, "set m=1")
  lu.assertEquals(opened.params.n, 16)
end

function TestSession.test_set_keeps_rows_that_do_not_use_the_parameter()
  open(nil, { terminal = true }, { { id = "g", title = "Table", baseline = "copy" } })
  type_in "run copy tile"
  lu.assertNotStrContains(type_in "set k=2", "not shown")
  lu.assertNotStrContains(type_in "set k=3", "not shown")
  opened.recalled = 3
  local said = type_in "run padded"
  lu.assertStrContains(said, "the tile")
  lu.assertNotStrContains(said, "no row here")
  lu.assertStrContains(type_in "set n=16", "Rows of earlier values of n are no longer shown")
  said = type_in "run padded"
  lu.assertNotStrContains(said, "the tile")
  lu.assertStrContains(said, "Earlier steps of table “Table” have no row here: `run tile` shows it.")
end

function TestSession.test_model_and_device()
  open()
  lu.assertStrContains(type_in "model", "GTX 280")
  type_in "model gtx280"
  lu.assertErrorMsgContains("unknown model", type_in, "model GTX 999")
  type_in "model none"
  lu.assertStrContains(type_in "model off", "from the next run on: none")
  lu.assertEquals(opened.models, {})
  lu.assertStrContains(type_in "device", "H200")
  lu.assertStrContains(type_in "device emu:GTX 280", "by the rules of the GTX 280")
end

function TestSession.test_devices()
  local host = require "gpulab.host"
  local compiler_sandbox = host.compiler_sandbox
  host.compiler_sandbox = function() return "limits" end
  open()
  gpu.devices = function()
    return { { name = "emu", gpu = "GTX 280", cc = 13, sms = 30, memory_bytes = 0, backend = "emu",
        sandbox = "limits, calls" },
        { name = "cuda:0", gpu = "A Long Name of a GPU 80GB HBM3", cc = 90, sms = 132, memory_bytes = 80e9,
          backend = "cuda", measures = true, sandbox = "" } },
      { { name = "cuda:1", backend = "cuda", why = "a program holds it for itself alone" } }
  end
  lu.assertEquals(type_in "devices", "cuda:1 cannot be opened: a program holds it for itself alone.\n"
    .. "emu     GTX 280                         cc 1.3   30 SMs\n"
    .. "cuda:0  A Long Name of a GPU 80GB HBM3  cc 9.0  132 SMs  80 GB\n"
    .. "  Sandbox of emulators: limits, calls\n"
    .. "  Sandbox of the compiler: limits\n")
  host.compiler_sandbox = function() end
  lu.assertNotStrContains(type_in "devices", "the compiler")
  host.compiler_sandbox = compiler_sandbox
  lu.assertErrorMsgContains("devices takes no argument", type_in, "devices cuda:0")
end

function TestSession.test_commands_are_functions()
  open()
  double.captured("stdout", function()
    opened.commands.functions.set { n = 16 }
    opened.commands.functions.set("n=32")
    opened.commands:as_function("next")()
    opened.commands.functions.run("copy", "tile")
  end)
  lu.assertEquals(opened.params.n, 32)
  lu.assertNotNil(opened.run.results.tile)
  lu.assertNil(opened.commands.functions.nonsense)
  lu.assertErrorMsgContains("no step", opened.commands.functions.run, "nonsense")
end

function TestSession.test_the_source_of_a_kernel()
  local source = require "gpulab.prompt.source"
  local lines = { "// one", "", "// two", "template <int N> __global__ void k2(int *p)", "{", "\tif (p) {", "\t}", "}",
    "__global__ void k(int *p)", "{", "}" }
  lu.assertEquals({ source.part(lines, "k2<32>") }, { 3, 8 })
  lu.assertEquals({ source.part(lines, "k") }, { 9, 11 })
  for _, name in ipairs { "missing", "", "(", "k2<%d>(" .. ("["):rep(99) } do
    local first, last = source.part(lines, name)
    lu.assertTrue(first >= 1 and last <= #lines, name)
  end
end

function TestSession.test_a_failure_is_told_and_the_session_goes_on()
  open { kernels = {}, predicted = {} }
  local printed, complaints = type_in "run copy"
  lu.assertStrContains(printed, "does not compile")
  lu.assertStrContains(complaints, 'expected a ";"')
  lu.assertStrContains(type_in "why copy", "does not compile, so nothing was counted")
  lu.assertErrorMsgContains("nothing was counted", type_in, "lines copy")
  state.kernels.copy = copies
  lu.assertStrContains(type_in "run copy", "yes")
end

function TestSession.test_an_interrupt_reaches_the_prompt()
  open { outcome = { copy = { status = "interrupted", ms = 0, message = "stopped" } } }
  local ok, e = pcall(type_in, "run")
  lu.assertFalse(ok)
  lu.assertEquals(e.kind, "interrupted")
end

function TestSession.test_completion()
  open()
  lu.assertEquals(opened.commands:complete("run ", "t"), { "tile" })
  lu.assertEquals(#opened.commands:complete("why ", ""), 3)
  lu.assertEquals(opened.commands:complete("set ", "n"), { "n=" })
  opened.commands:add({ { name = "of", usage = "of", topic = "results", summary = "", run = print,
    complete = function() return { "reduce<256, float>", "redux" } end } }, {})
  lu.assertEquals(opened.commands:complete("of ", "red"), { "reduce<256, float>", "redux" })
  lu.assertEquals(opened.commands:complete("of x reduce<256, ", "fl"), { "float>" })
  lu.assertEquals(opened.commands:complete("of xreduce<256, ", "fl"), {})
  lu.assertEquals(opened.commands:complete("model ", "gt"), { "GTX 280" })
  lu.assertEquals(opened.commands:complete("device ", "e"), { "emu" })
  lu.assertEquals(opened.commands:complete("steps ", ""), {})
end

os.exit(lu.LuaUnit.run("-o", "tap"))
