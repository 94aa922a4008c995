-- The journal's Lua side, against the double: what of a run is recorded, what is said where that fails, and the history.
local double = require "lab_double"
local lu = require "luaunit"

local batch = require "gpulab.show.batch"
local failure = require "gpulab.base.failure"
local journal = require "gpulab.run.journal"
local lab = require "gpulab.lab"
local session = require "gpulab.prompt.session"
local text = require "gpulab.base.text"

local TIME = os.time { year = 2026, month = 1, day = 31, hour = 15, min = 45 } * 1000
local USUAL = { lab = "trial", step = "copy", time = TIME, kernel = "copy", source = "0123456789abcdef", params = "n=8",
  device = "cuda:0", gpu = "NVIDIA H200", outcome = "ok", verified = true, value = 3320, unit = "GB/s", kind = "measured",
  q1 = 3326.6, q3 = 3313.4 }

-- A run as it comes back from the journal; false takes a field away.
local function past(changes)
  local run = {}
  for key, v in pairs(USUAL) do run[key] = v end
  for key, v in pairs(changes or {}) do run[key] = v or nil end
  return run
end

local function lines_of(runs, left_out, options)
  local lines = journal.lines("copy", runs, left_out or 0, options)
  for _, line in ipairs(lines) do lu.assertTrue(text.width(line) <= 80, line) end
  return table.concat(lines, "\n"), lines
end

TestLines = {}

function TestLines.test_one_run()
  lu.assertEquals(lines_of { past() }, [[
  when                 measured  device  program  verdict
                           GB/s
  2026-01-31 15:45  3320 ±0.2 %  H200    0123456  ok]])
end

function TestLines.test_newest_above_and_at_the_right_of_the_bars()
  local _, lines = lines_of { past { value = 3320 }, past { value = 1660 }, past { value = 0.5 } }
  lu.assertStrContains(lines[3], "3320")
  lu.assertStrContains(lines[5], "0.500")
  lu.assertEquals(lines[#lines], "  ▁▄█  0.500 to 3320 GB/s")
end

function TestLines.test_predicted_values_have_no_spread()
  local said = lines_of { past { kind = "predicted", device = "emu:GTX 280", gpu = "GTX 280", value = 88.4, q1 = false, q3 = false } }
  lu.assertStrContains(said, "predicted")
  lu.assertStrContains(said, "88.4  emu GTX 280")
  lu.assertNil(said:find("±"))
end

function TestLines.test_verdicts()
  local said = lines_of { past { outcome = "compile", verified = false, value = false }, past { outcome = "wrong", verified = false },
    past { outcome = "timeout", value = false }, past { verified = false } }
  for _, words in ipairs { "does not compile", "wrong result", "timed out", "ok, not verified" } do
    lu.assertStrContains(said, words)
  end
  lu.assertStrContains(said, "–")
end

function TestLines.test_only_like_runs_are_compared()
  local _, lines = lines_of { past { params = "n=16", value = 4 }, past { value = 3 }, past { device = "emu", value = 9 },
    past { params = "n=16", value = 2 }, past { params = "n=16", outcome = "fault", value = false },
    past { params = "n=16", unit = "GFLOPS", value = 7 } }
  lu.assertEquals(lines[#lines], "  ×▁█  2.00 to 4.00 GB/s (H200, n=16)")
  lu.assertStrContains(table.concat(lines), "params")
  lu.assertStrContains(table.concat(lines), "7.00 GFLOPS")
end

function TestLines.test_a_legend()
  local said = lines_of { past(), past() }:gsub("%s+", " ")
  lu.assertStrContains(said, "Equal letters under program mean equal programs from the same file. Each bar is a run on the same device with"
    .. " the same parameters, the newest on the right.")
  lu.assertNil(said:find("×", 1, true))
  lu.assertStrContains(lines_of { past(), past { outcome = "fault", value = false } }:gsub("%s+", " "),
    "× is a run without a value.")
end

function TestLines.test_only_parameters_that_differ_are_shown()
  local said = lines_of { past { params = "a=1 n=8" }, past { params = "a=1 n=16" } }
  lu.assertStrContains(said, "  n=16 ")
  lu.assertNil(said:find("a=1"))
  lu.assertNil(lines_of({ past { params = "a=1 n=8" }, past { params = "a=1 n=8" } }):find("params"))
end

function TestLines.test_equal_values_are_a_flat_line()
  local _, lines = lines_of { past(), past() }
  lu.assertEquals(lines[#lines], "  ██  3320 GB/s")
  _, lines = lines_of { past { value = 3321 }, past() }
  lu.assertEquals(lines[#lines], "  ██  3320 to 3321 GB/s")
end

function TestLines.test_nothing_yet()
  lu.assertEquals(lines_of {}, "  The journal has no run of copy yet: `run copy` records one.")
  lu.assertStrContains(lines_of({}, 1), "Skipped 1 invalid row of the journal.")
  lu.assertStrContains(lines_of({ past() }, 3), "Skipped 3 invalid rows of the journal.")
end

function TestLines.test_runs_without_values_only()
  lu.assertNil(lines_of({ past { outcome = "fault", value = false }, past { outcome = "fault", value = false } }):find("×"))
end

function TestLines.test_many_runs_keep_to_the_width()
  local runs = {}
  for i = 1, 500 do runs[i] = past { value = i, params = i % 2 == 0 and ("x=%s"):format(("9"):rep(100)) } end
  local _, lines = lines_of(runs)
  lu.assertStrContains(lines[#lines], "█")
  lu.assertTrue(select(2, lines[#lines]:gsub("[▁▂▃▄▅▆▇█]+", "")) > 0)
end

function TestLines.test_what_a_terminal_would_obey_is_not_sent()
  local said = lines_of { past { gpu = "\27[2J\u{9b}31mH200\n\r", params = "n=\7", source = "\27]0;x" }, past() }
  lu.assertNil(said:find("[%z\1-\9\11-\31\127]"))
  lu.assertNil(said:find("\u{9b}", 1, true))
  lu.assertStrContains(said, "?[2J?31mH200??")
end

function TestLines.test_colour_only_where_asked()
  lu.assertNil(lines_of({ past() }):find("\27"))
  lu.assertStrContains(table.concat(journal.lines("copy", { past() }, 0, { color = true })), "\27[32m")
end

TestSparkline = {}

function TestSparkline.test_bars()
  lu.assertEquals(journal.sparkline { 0, 1, 2, 3, 4, 5, 6, 7 }, "▁▂▃▄▅▆▇█")
  lu.assertEquals({ journal.sparkline { 5 } }, { "█", 5, 5 })
  lu.assertEquals({ journal.sparkline { 0, 0 } }, { "██", 0, 0 })
  lu.assertEquals(journal.sparkline { false, 1, false }, "×█×")
  lu.assertEquals({ journal.sparkline { false } }, { "×" })
  lu.assertEquals(journal.sparkline {}, "")
end

function TestSparkline.test_noise_is_no_mountain_range()
  lu.assertEquals(journal.sparkline { 100, 99.9, 100, 99.8 }, "████")
  lu.assertEquals(journal.sparkline { 100, 95 }, "█▅")
end

-- Recording -----------------------------------------------------------------------------------------------------------

local function copies(args)
  for i = 0, args[3] - 1 do args[1].array[i] = args[2].array[i] end
end

local function trial()
  return lab.define { number = 9, id = "trial", title = "Trial", intro = "About this.",
    params = { n = { default = 8, min = 1, help = "elements" }, a = { default = "x", help = "another" } },
    buffers = { from = { type = "float", count = "n", fill = "iota" }, to = { type = "float", count = "n" } },
    steps = { { id = "copy", title = "copy", text = "About it.", kernel = { file = "t.cu", name = "copy" }, grid = 1, block = 32,
      args = { "to", "from", "n" }, output = "to", reference = function(_, host) return host.from end,
      useful_bytes = function(p) return 8 * p.n end } } }
end

local function run(given)
  double.journal, double.refuse, double.notices = {}, nil, nil
  double.install(given)
  return double.captured("stdout", batch.run, trial(), { quiet = true })
end

TestRecord = {}

function TestRecord.test_a_predicted_run()
  run { kernels = { copy = copies }, predicted = { H200 = 0.001 }, counters = { copy = { barriers = 3, atomics = 0 } } }
  lu.assertEquals(double.folder, os.getenv("GPULAB_HOME") or os.getenv("HOME") .. "/gpulab")
  lu.assertEquals(#double.journal, 1)
  lu.assertEquals(double.journal[1], { lab = "trial", step = "copy", kernel = "copy", source = "key of copy", params = "n=8",
    device = "emu", gpu = "NVIDIA H200", driver = "", nvrtc = "13.0", outcome = "ok", verified = true, value = 0.064,
    unit = "GB/s", kind = "predicted", counters = '{"atomics": 0, "barriers": 3}' })
end

function TestRecord.test_a_measured_run()
  run { backend = "cuda", kernels = { copy = copies }, predicted = {},
    time = { kind = "measured", ms = 0.002, q1 = 0.001, q3 = 0.004, min = 0.0005, samples = 12, clock_ghz = 1.98,
      temperature = 41, note = "" } }
  local row = double.journal[1]
  lu.assertEquals(row.kind, "measured")
  lu.assertAlmostEquals(row.value, 0.032, 1e-12)
  lu.assertAlmostEquals(row.q1, 0.064, 1e-12)
  lu.assertAlmostEquals(row.q3, 0.016, 1e-12)
  lu.assertAlmostEquals(row.min, 0.128, 1e-12)
  lu.assertEquals({ row.samples, row.clock_ghz, row.temperature, row.device }, { 12, 1.98, 41, "cuda:0" })
end

function TestRecord.test_runs_that_fail_are_recorded()
  double.captured("stderr", run, { kernels = {} })
  lu.assertEquals(double.journal[1].outcome, "compile")
  lu.assertNil(double.journal[1].value)
  double.captured("stderr", run, { kernels = { copy = function() end } })
  lu.assertEquals({ double.journal[1].outcome, double.journal[1].verified }, { "wrong", false })
end

local function run_refused(e)
  double.install { kernels = { copy = copies }, predicted = { H200 = 0.001 } }
  double.refuse = e
  local code
  local said = double.captured("stderr", function()
    local _
    _, code = double.captured("stdout", batch.run, trial(), { quiet = true })
  end)
  double.refuse = nil
  return said, code
end

function TestRecord.test_trouble_is_said_once_and_the_run_goes_on()
  local full = failure.new("setup", "the disk is full", nil, "make room")
  local said, code = run_refused(full)
  lu.assertEquals(said, "gpulab: the disk is full\n  make room\n")
  lu.assertEquals(code, 0)
  lu.assertEquals(run_refused(full), "")
  lu.assertStrContains(run_refused(failure.new("setup", "the folder is gone")), "the folder is gone")
  lu.assertStrContains(run_refused("a mistake of ours"), "a mistake of ours")
end

function TestRecord.test_ctrl_c_while_recording_is_no_trouble_of_the_journal()
  local ok, e = pcall(run_refused, failure.new("interrupted", "interrupted"))
  double.refuse = nil
  lu.assertFalse(ok)
  lu.assertEquals(e.kind, "interrupted")
end

function TestRecord.test_a_file_set_aside_is_said()
  double.install { kernels = { copy = copies }, predicted = { H200 = 0.001 } }
  double.notices = { "the journal was damaged: it is kept as X" }
  local said = double.captured("stderr", function() double.captured("stdout", batch.run, trial(), { quiet = true }) end)
  lu.assertStrContains(said, "kept as X")
end

TestCommand = {}

local opened

local function type_in(line)
  return (double.captured("stdout", opened.commands.dispatch, opened.commands, line))
end

function TestCommand.test_history()
  double.journal = {}
  double.install { kernels = { copy = copies }, predicted = { H200 = 0.001 } }
  local _
  _, opened = double.captured("stdout", session.open, trial(), {})
  lu.assertStrContains(type_in "history copy", "has no run of copy")
  for i = 1, 3 do double.journal[i] = past { value = i } end
  local said = type_in "history co"
  lu.assertStrContains(said, "3.00")
  lu.assertStrContains(said, "1.00 to 3.00 GB/s")
  lu.assertNil(type_in("history copy 2"):find("1.00", 1, true))
  lu.assertStrContains(type_in "history", "1.00 to 3.00 GB/s")
  lu.assertStrContains(type_in "history 2", "2.00 to 3.00 GB/s")
  lu.assertEquals(opened.commands:complete("history ", "c"), { "copy" })
  for _, line in ipairs { "history copy 0", "history copy copy", "history copy -3", "history copy 1 2" } do
    lu.assertErrorMsgContains("history takes a step", opened.commands.dispatch, opened.commands, line)
  end
  lu.assertErrorMsgContains("no step", opened.commands.dispatch, opened.commands, "history nothing")
  lu.assertTrue(#opened.commands:get("history").help > 20)
end

os.exit(lu.LuaUnit.run("-o", "tap"))
