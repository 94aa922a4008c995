-- Exercises, guesses, notes and the place at the prompt, against the double: each stage of a check that is not passed,
-- what is remembered, and what happens where no journal can be kept.
local double = require "lab_double"
local lu = require "luaunit"

local solution = os.tmpname()
package.preload["gpulab.base.where"] = function()
  return { folders = function() return {} end, find = function(name) return name:find("^solutions/") and solution or arg[0] end }
end
local exercise = require "gpulab.run.exercise"
local failure = require "gpulab.base.failure"
local lab = require "gpulab.lab"
local predict = require "gpulab.prompt.predict"
local session = require "gpulab.prompt.session"
local show = require "gpulab.base.show"
local text = require "gpulab.base.text"

local function copies(args)
  for i = 0, args[3] * args[3] - 1 do args[1].array[i] = args[2].array[i] end
end

local function zeros(args)
  for i = 0, args[3] * args[3] - 1 do args[1].array[i] = 0 end
end

local function step(id, more)
  local s = { id = id, title = "the " .. id, text = "All about " .. id .. ".", kernel = { file = "t.cu", name = "copy" },
    grid = 1, block = 32, args = { "odata", "idata", "n" }, output = "odata",
    reference = function(_, host) return host.idata end, useful_bytes = function(p) return 8 * p.n * p.n end }
  for key, v in pairs(more or {}) do s[key] = v end
  return s
end

local function task(id, kernel, gate)
  return { id = id, title = "Do the " .. id, task = "What has to be done about " .. id .. ".", kernel = kernel,
    starter = "exercises/03-" .. id .. "/k.cu", solution = "solutions/03-" .. id .. "/k.cu", grid = 1, block = 32,
    args = { "odata", "idata", "n" }, output = "odata", reference = function(_, host) return host.idata end,
    accept = gate or { shared_load = { at_most = 1.05 }, launches = { at_most = 1 } },
    hints = { "Think of banks.", "Think of the row's length.", "Make it odd." }, debrief = "It was the row's length." }
end

local findings, state, opened

local function access(cost)
  local lanes = {}
  for lane = 0, 31 do lanes[lane] = 4 * cost * lane end
  return { access = "load", space = "shared", width = 4, cost = cost, ideal = 1, lanes = lanes }
end

local function open(options, exercises)
  state = double.install { kernels = { copy = copies, good = copies, slow = copies, wrong = zeros, racy = copies },
    predicted = { H200 = 0.01 }, outcome = { faults = { status = "fault", message = "out of bounds", report = "" } },
    counters = { good = { shared_load_requests = 4, shared_load_wavefronts = 4 },
      slow = { shared_load_requests = 4, shared_load_wavefronts = 128, barriers = 0 },
      copy = { shared_load_requests = 2, shared_load_wavefronts = 16 } },
    lines = { slow = { -- many good requests weigh less than a few bad ones
      { file = "a/k.cu", line = 3, text = "  x = tile[0];", counters = { shared_load_wavefronts = 1000, shared_load_requests = 1000 },
        worst = access(1) },
      { file = "a/k.cu", line = 7, text = "  sum += tile[i];", counters = { shared_load_wavefronts = 128, shared_load_requests = 4 },
        worst = access(32) } } } }
  findings = { racy = { { check = "race", message = "two threads write", hint = "put a barrier", count = 2,
    sites = { { file = "a/k.cu", line = 9 } } } } }
  function gpu.device:orders() return { status = "ok" } end
  function gpu.device:check(kernel)
    local found = findings[kernel.name] or {}
    if found.kind then error(found, 0) end
    return { findings = found }
  end
  gpu.devices = function() return { { name = "emu" } } end
  local made = lab.define { number = 3, id = "trial", title = "Trial", intro = "An introduction.",
    params = { n = { default = 8, min = 4, max = 64, help = "rows" } },
    buffers = { idata = { type = "float", count = function(p) return p.n * p.n end, fill = "iota" },
      odata = { type = "float", count = function(p) return p.n * p.n end } },
    steps = { step("copy"), step("tile", { predict = { ask = "How many passes?", of = "shared_load", unit = "passes" } }) },
    exercises = exercises or { task("good", "good"), task("slow", "slow"), task("wrong", "wrong"), task("racy", "racy"),
      task("broken", "missing"), task("faults", "faults") } }
  local printed
  printed, opened = double.captured("stdout", session.open, made, options or {})
  return printed
end

local function type_in(line)
  local complaints
  local printed = double.captured("stdout", function()
    complaints = double.captured("stderr", function() lu.assertTrue(opened.commands:dispatch(line), line) end)
  end)
  for l in (printed .. complaints):gmatch("[^\n]+") do
    for _, path in ipairs { arg[0], show.at_home(arg[0]) } do -- however deep this file lies
      if l:sub(1, #path) == path then l = "k.cu" .. l:sub(#path + 1) end
    end
    lu.assertTrue(text.width(l) <= 80, l)
  end
  return printed, complaints
end

-- As a reader of wrapped text sees it.
local function flat(s) return (s:gsub("%s+", " ")) end

TestExercises = {}

function TestExercises.setUp()
  double.marks, double.journal, double.refuse = {}, {}, nil
  local file <close> = assert(io.open(solution, "w"))
  file:write("__global__ void k() {}\n")
end

function TestExercises.tearDown() os.remove(solution) end

function TestExercises.test_the_list()
  lu.assertStrContains(open(), "Exercises: 0 of 6 passed")
  local said = flat(type_in "exercises")
  lu.assertStrContains(said, "good Do the good not started")
  lu.assertStrContains(said, "`edit good` starts the next one")
end

function TestExercises.test_passing_is_remembered()
  open()
  local said = flat(type_in "check good")
  for _, part in ipairs { "compiles yes", "result right", "checkers no issues", "1 wavefront per shared load", "Passed.",
    "It was the row's length.", "1 of 6 exercises passed", "`edit slow`" } do
    lu.assertStrContains(said, part)
  end
  lu.assertEquals(double.marks[1].what, "passed")
  lu.assertEquals(double.marks[1].name, "good")
  lu.assertEquals(double.journal[1].step, "good")
  lu.assertEquals(double.journal[1].outcome, "ok")
  lu.assertTrue(double.journal[1].verified)
  type_in "check good"
  lu.assertEquals(#double.marks, 1) -- passed once is passed
  lu.assertStrContains(open(), "Exercises: 1 of 6 passed")
  lu.assertStrContains(type_in "exercises", "passed")
end

-- The models' times of a check: for `why`, so of the counts of the solution and of other inputs none.
function TestExercises.test_times_are_predicted_of_what_is_shown()
  local launch_list = require "gpulab.run.launch_list"
  local count, counts, with_times = launch_list.count, 0, 0
  function launch_list.count(device, items, options)
    counts, with_times = counts + 1, with_times + (options.models and 1 or 0)
    return count(device, items, options)
  end
  open()
  type_in "check good"
  launch_list.count = count
  lu.assertEquals({ counts, with_times }, { 5, 1 })
end

-- Where only the verdict counts, what one trial refuses is not tried with other inputs.
function TestExercises.test_only_the_verdict()
  local launch_list = require "gpulab.run.launch_list"
  local count, counts = launch_list.count, 0
  function launch_list.count(...)
    counts = counts + 1
    return count(...)
  end
  local project = require "gpulab.record.project"
  local check, verdict_only, before = project.check, false, {}
  function project.check(context, ex)
    context.verdict_only = verdict_only
    return check(context, ex)
  end
  open()
  for _, only in ipairs { false, false, true } do -- the first time the solution is counted, too
    verdict_only, before[#before + 1] = only, counts
    type_in "check slow"
  end
  launch_list.count, project.check = count, check
  lu.assertEquals({ before[3] - before[2], counts - before[3] }, { 2, 1 })
end

function TestExercises.test_one_of_something_is_singular()
  local acceptance = require "gpulab.run.acceptance"
  local bounds = { shared_load = { at_most = 1.05 }, launches = { at_most = 1 } }
  local rows = acceptance.judge(bounds, { shared_load_requests = 2, shared_load_wavefronts = 2 }, { {} })
  lu.assertEquals(rows[1].text, "1 launch (at most 1)")
  lu.assertEquals(rows[2].text, "1 wavefront per shared load request (at most 1.05)")
  rows = acceptance.judge(bounds, { shared_load_requests = 2, shared_load_wavefronts = 4 }, { {}, {}, {} })
  lu.assertEquals(rows[1].text, "3 launches (at most 1)")
  lu.assertEquals(rows[2].text, "2 wavefronts per shared load request (at most 1.05)")
end

function TestExercises.test_an_acceptance_check_that_is_not_met_names_the_line()
  open()
  local said = flat(type_in "check slow")
  lu.assertStrContains(said, "acceptance check 1 of 18 conditions not met: shared load")
  lu.assertStrContains(said, "Next: 32 wavefronts per shared load request (at most 1.05)")
  lu.assertStrContains(said, "k.cu:7: sum += tile[i];")
  lu.assertStrContains(said, "This was the unchanged starter")
  lu.assertEquals(#double.marks, 0)
  lu.assertEquals(double.journal[1].outcome, "gate")
end

function TestExercises.test_each_stage_tells_the_next_thing_to_do()
  open()
  local said, complaints = type_in "check wrong"
  lu.assertStrContains(complaints, "differ from the reference")
  lu.assertStrContains(flat(said), "result WRONG Next: The task is to make the result right; `hint wrong` helps.")
  lu.assertFalse(double.journal[1].verified)
  said, complaints = type_in "check racy"
  lu.assertStrContains(complaints, "race at k.cu:9: two threads write")
  lu.assertStrContains(flat(said), "Next: Fix the race at k.cu:9: put a barrier")
  lu.assertEquals(double.journal[2].outcome, "finding")
  said, complaints = type_in "check broken"
  lu.assertStrContains(complaints, 'expected a ";"')
  lu.assertStrContains(flat(said), "compiles NO Next: Fix the first compiler error")
  lu.assertEquals(double.journal[3].outcome, "compile")
  said, complaints = type_in "check faults"
  lu.assertStrContains(complaints, "out of bounds")
  lu.assertStrContains(flat(said), "result FAULT Next: The kernel stops early")
end

function TestExercises.test_what_ended_badly_has_nothing_to_explain()
  open()
  for id, ended in pairs { wrong = "has a wrong result", racy = "has an issue that a checker found",
    broken = "does not compile", faults = "did not complete (fault)" } do
    type_in("check " .. id)
    local said = flat(type_in("why " .. id))
    lu.assertStrContains(said, ("It %s, so nothing was counted."):format(ended))
    lu.assertNotStrContains(said, "what follows")
    for _, view in ipairs { "lines", "counters" } do
      lu.assertErrorMsgContains(("%s %s, so nothing was counted"):format(id, ended), type_in, view .. " " .. id)
    end
    lu.assertErrorMsgContains(("%s %s, so there is nothing to draw"):format(id, ended), type_in, "roofline " .. id)
    lu.assertErrorMsgContains(("%s %s, so there is nothing to predict"):format(id, ended), type_in,
      "generations " .. id)
  end
  type_in "check slow" -- it missed its gate, which is counted
  local said = type_in "why slow"
  lu.assertStrContains(said, "counted by the rules of the H200")
  lu.assertStrContains(said, "k.cu:7 ") -- not the line with the most requests
  lu.assertStrContains(type_in "lines slow", "sum += tile[i];")
end

function TestExercises.test_a_launch_that_names_a_kernel_has_the_defines_of_the_exercise()
  local launched = task("launched")
  launched.grid, launched.block, launched.args, launched.defines = nil, nil, nil, { WIDTH = 33 }
  launched.launches = { { kernel = "good", grid = 1, block = 32, args = { "odata", "idata", "n" } } }
  open(nil, { launched })
  local compiled, kernel = {}, gpu.device.kernel
  function gpu.device:kernel(file, name, options)
    compiled[#compiled + 1] = { file, name, options.defines }
    return kernel(self, file, name)
  end
  lu.assertStrContains(type_in "check launched", "Passed.")
  lu.assertTrue(#compiled > 0)
  for _, one in ipairs(compiled) do
    lu.assertTrue(one[1] == arg[0] or one[1] == solution)
    lu.assertEquals({ one[2], one[3] }, { "good", { WIDTH = 33 } })
  end
end

function TestExercises.test_a_wrong_result_that_a_checker_can_explain()
  open()
  findings.wrong = findings.racy
  local said = type_in "check wrong"
  lu.assertStrContains(flat(said), "result WRONG Next: First fix the likely cause, the race at k.cu:9: put a barrier")
end

function TestExercises.test_checkers_that_come_to_no_end()
  open()
  findings.wrong = failure.new("timeout", "it did not end", nil, "until then a race")
  findings.wrong.findings = findings.racy
  findings.good = findings.wrong
  local said = type_in "check wrong"
  lu.assertStrContains(flat(said), "Next: First fix the likely cause, the race at k.cu:9: put a barrier")
  local complaints
  said, complaints = type_in "check good"
  lu.assertStrContains(flat(said), "checkers DOES NOT END")
  lu.assertStrContains(flat(complaints), "it did not end until then a race")
  lu.assertEquals(double.journal[2].outcome, "timeout")
end

-- A launch of at most an eighth of the one that is shown has to be right, and no more.
function TestExercises.test_small_sizes_count_for_the_result_only()
  local function only(sizes)
    local found = {}
    for i, trial in ipairs(exercise.trials { sizes = sizes }) do found[i] = trial.result_only end
    return found
  end
  lu.assertEquals(only { 64, 61, 9, 8, 1 }, { false, false, false, true, true, true })
  lu.assertEquals(only { 64, 96, 9 }, { false, false, false })
  lu.assertEquals(only(nil), { false, false })
end

-- Where no size is larger than the one that is shown, one more is.
function TestExercises.test_a_size_is_larger()
  local size = require("gpulab.lab.steps").trial_size
  lu.assertEquals({ size({ 512, 160, 32 }, 1), size({ 512, 160, 32 }, 3), size({ 512, 160, 32 }, 4) }, { 512, 32, 544 })
  lu.assertEquals({ size({ 100, 95 }, 3), size({ 100 }, 2), size({ 100, 95 }, 9) }, { 105, 200, 100 })
end

function TestExercises.test_interrupted_is_no_result()
  open()
  state.outcome.good = { status = "interrupted", message = "stopped", report = "" }
  local ok, e = pcall(type_in, "check good")
  lu.assertFalse(ok)
  lu.assertEquals(e.kind, "interrupted")
  lu.assertEquals(#double.journal, 0)
end

function TestExercises.test_hints_one_at_a_time()
  open()
  lu.assertStrContains(type_in "hint slow", "Think of banks.")
  lu.assertStrContains(type_in "hint", "row's length") -- of the same exercise
  open()
  lu.assertStrContains(type_in "exercises", "2 of 3 hints seen")
  lu.assertStrContains(type_in "hint slow", "Make it odd.")
  local all = type_in "hint slow"
  lu.assertStrContains(all, "Think of banks.")
  lu.assertStrContains(all, "solution slow --anyway")
  lu.assertEquals(#double.marks, 3)
end

function TestExercises.test_the_solution_wants_passing_or_insistence()
  open()
  lu.assertErrorMsgContains("slow is not passed yet", type_in, "solution slow")
  lu.assertEquals(#double.marks, 0)
  local said = type_in "solution slow --anyway"
  lu.assertStrContains(said, "__global__ void k() {}")
  lu.assertEquals(double.marks[1].what, "solution")
  lu.assertStrContains(type_in "exercises", "solution shown")
  type_in "check good"
  lu.assertStrContains(type_in "solution good", "__global__")
  lu.assertEquals(#double.marks, 2)
end

function TestExercises.test_names()
  open()
  lu.assertErrorMsgContains('did you mean "good"', type_in, "check goood")
  lu.assertErrorMsgContains("no exercise", type_in, "check 7")
  lu.assertErrorMsgContains("takes one exercise", type_in, "check good slow")
  lu.assertStrContains(type_in "check 1", "Do the good")
  lu.assertStrContains(type_in "show slow", "What has to be done about slow.")
  lu.assertStrContains(type_in "why good", "counted by the rules")
  double.journal[1].time = os.time() * 1000
  lu.assertStrContains(type_in "history good", "ok")
  lu.assertEquals(opened.commands:complete("check ", "g"), { "good" })
  lu.assertEquals(opened.commands:complete("why ", ""), { "copy", "tile", "good", "slow", "wrong", "racy", "broken", "faults" })
  lu.assertEquals({ exercise.find({ exercises = { { id = "ab" }, { id = "ac" } } }, "a") }, {})
end

function TestExercises.test_without_a_journal_it_lasts_as_long_as_the_session()
  double.refuse = "the disk is full"
  open()
  local _, complaints = type_in "hint good"
  lu.assertStrContains(complaints, "the disk is full")
  lu.assertStrContains(type_in "hint good", "row's length")
  type_in "check good"
  lu.assertStrContains(type_in "exercises", "passed")
  lu.assertEquals(#double.marks, 0)
end

TestPlace = {}
TestPlace.setUp = TestExercises.setUp

function TestPlace.test_a_lab_opens_where_it_was_left()
  open()
  type_in "run tile"
  type_in "set n=16"
  local said = open()
  lu.assertStrContains(flat(said), "You left off at step tile (2 of 2) with n = 16. `show` shows it again.")
  lu.assertEquals({ opened.at, opened.params.n }, { 2, 16 })
  lu.assertStrContains(open { set = { n = "32" } }, "at step tile")
  lu.assertEquals(opened.params.n, 32)
  type_in "prev"
  lu.assertStrContains(open { step = "tile" }, "All about tile.")
end

function TestPlace.test_parameters_of_the_start_are_remembered_at_the_same_step()
  open()
  type_in "run tile"
  open { set = { n = "64" } }
  type_in "run tile"
  lu.assertStrContains(flat(open()), "You left off at step tile (2 of 2) with n = 64.")
  lu.assertEquals(opened.params.n, 64)
  local before = #double.marks
  type_in "run tile"
  lu.assertEquals(#double.marks, before) -- it is where it was
end

function TestPlace.test_reading_alone_leaves_no_mark()
  open()
  for _, line in ipairs { "steps", "show tile", "exercises", "history tile", "notes", "predict", "set" } do type_in(line) end
  lu.assertEquals(#double.marks, 0)
end

function TestPlace.test_what_the_lab_no_longer_takes_is_left_out()
  double.marks = { { lab = "trial", what = "place", name = "gone", text = "n=1000 m=3 n= =x" } }
  lu.assertNil(open():find("left off", 1, true))
  lu.assertEquals({ opened.at, opened.params.n }, { 0, 8 })
  double.marks = { { lab = "trial", what = "place", name = "copy" } }
  lu.assertStrContains(open(), "You left off at step copy")
end

TestPredictions = {}
TestPredictions.setUp = TestExercises.setUp

function TestPredictions.test_numbers()
  for said, number in pairs { ["32"] = 32, [" 32 passes"] = 32, ["50 %"] = 50, ["12,5"] = 12.5, ["1e3"] = 1000, ["-2"] = -2,
    [".5"] = 0.5, ["~16"] = 16, ["3."] = 3, ["16,5"] = 16.5, ["93.4 GB/s"] = 93.4, ["32wavefronts"] = 32, ["1e3 ms"] = 1000,
    ["-1.5E+2%"] = -150 } do
    lu.assertEquals(predict.number(said), number, said)
  end
  for _, said in ipairs { "", "many", "e3", "--3", "0x", "1e999", "%", "nan", "inf", "\27[31m", "1/2", "32 1", "32, 1",
    "(32+1)/2", "16-17", "about 16", "1+1", "16 or 17", "51 473", "2^5", ">3" } do
    lu.assertNil(predict.number(said) and said ~= "0x" and predict.number(said) or nil, said)
  end
end

function TestPredictions.test_judging()
  local asks = { predict = { ask = "Which?", of = "share", unit = "%" } }
  lu.assertEquals(predict.asked(asks, "a", { model = "A100", emulates = true }), "a on the A100 (emulated): Which?")
  lu.assertEquals(predict.asked(asks, nil, { gpu = "NVIDIA H100 NVL" }), "On the H100 NVL: Which?")
  asks.predict.of = "global_load"
  lu.assertEquals(predict.asked(asks, "a", { model = "A100" }), "a: Which?")
  asks.predict.ask = "How many at r = {r}, {x}?"
  lu.assertEquals(predict.asked(asks, nil, { model = "A100" }, { r = 4 }), "How many at r = 4, x?")
  lu.assertTrue(predict.judge(32, 32))
  lu.assertEquals({ predict.judge(31, 32) }, { false, "a little low" }) -- it can be counted
  lu.assertTrue(predict.judge(35, 32.5))
  lu.assertTrue(predict.judge(350, 320))
  lu.assertFalse(predict.judge(360, 320))
  lu.assertTrue(predict.judge(36, 32, 20))
  lu.assertEquals({ predict.judge(16, 32) }, { false, "2.0× too low" })
  lu.assertEquals({ predict.judge(64, 32) }, { false, "2.0× too high" })
  lu.assertEquals({ predict.judge(0, 32) }, { false, "too low" })
  lu.assertEquals({ predict.judge(3, 0) }, { false, "too high" })
  lu.assertTrue(predict.judge(0, 0))
end

function TestPredictions.test_a_prediction_is_saved_and_compared()
  open()
  lu.assertStrContains(type_in "predict", "Steps that ask for one: tile.")
  lu.assertStrContains(type_in "predict tile", "How many passes?")
  lu.assertStrContains(type_in "predict tile 4", "Saved your prediction 4 passes")
  lu.assertStrContains(type_in "predict", "not run yet")
  local said = flat(type_in "run tile")
  lu.assertStrContains(said, "Your prediction for tile: 4 passes. Actual: 8 passes. 2.0× too low.")
  lu.assertStrContains(said, "0 of 1 prediction right") -- the lab's last step: it is drawn
  lu.assertErrorMsgContains("has your prediction", type_in, "predict tile 8")
  open()
  lu.assertStrContains(type_in "predict", "4 passes  8 passes")
  lu.assertEquals(opened.predictions:list()[1].actual, 8)
end

function TestPredictions.test_no_question_without_a_terminal()
  package.loaded["gpulab.line"] = { read = function() lu.fail("asked") end }
  open { terminal = false, interactive = true }
  type_in "run tile"
  open { terminal = true }
  type_in "run tile"
end

function TestPredictions.test_asking()
  local answers, asked = { "what?", "16" }, {}
  package.loaded["gpulab.line"] = { read = function(prompt)
    asked[#asked + 1] = prompt
    return table.remove(answers, 1)
  end }
  open { terminal = true, interactive = true }
  local said = flat(type_in "run tile")
  lu.assertEquals(#asked, 2)
  lu.assertStrContains(said, "Type one number")
  lu.assertStrContains(said, "Your prediction for tile: 16 passes. Actual: 8")
  lu.assertTrue(said:find("All about tile", 1, true) < said:find("How many passes?", 1, true)) -- the text asks
  type_in "run tile"
  lu.assertEquals(#asked, 2) -- answered once is answered
  answers = { "" }
  type_in "set n=16"
  lu.assertNil(type_in("run tile"):find("Your guess", 1, true))
  type_in "run tile"
  lu.assertEquals(#asked, 3) -- skipped is skipped
  answers = { "off" }
  type_in "set n=32"
  type_in "run"
  type_in "set n=64"
  type_in "run tile"
  lu.assertEquals(#asked, 4)
  answers = { false }
  type_in "predict on"
  type_in "set n=4"
  local ok, e = pcall(type_in, "run tile")
  lu.assertEquals({ ok, e.kind }, { false, "interrupted" })
  package.loaded["gpulab.line"] = nil
end

function TestPredictions.test_hostile_words()
  open()
  for _, line in ipairs { "predict copy 3", "predict tile many", "predict nothing", "predict tile 1e999" } do
    lu.assertFalse(pcall(type_in, line), line)
  end
  lu.assertEquals(#double.marks, 0)
  double.marks = { { lab = "trial", what = "guess", name = "gone", number = 3 }, { lab = "trial", what = "guess", name = "tile" } }
  lu.assertEquals(opened.predictions:list(), {})
end

TestNotes = {}
TestNotes.setUp = TestExercises.setUp

function TestNotes.test_notes()
  open()
  lu.assertStrContains(type_in "notes", "There are no notes yet")
  type_in "note tile 32 lanes, it's one bank"
  type_in "note what about \27[31m colours?"
  type_in "note slow twice"
  type_in "note (an aside) / - .. 'quoted"
  lu.assertEquals(double.marks[1].text, "(an aside) / - .. 'quoted")
  lu.assertNil(opened.commands:parse "note = 3")
  lu.assertNil(opened.commands:parse "note(3)")
  local said = type_in "notes"
  lu.assertStrContains(said, "32 lanes, it's one bank")
  lu.assertStrContains(said, "\\x1B[31m colours?")
  lu.assertEquals(double.marks[3].name, "copy")
  lu.assertNil(type_in("notes tile"):find("twice", 1, true))
  lu.assertStrContains(type_in "notes slow", "twice")
  type_in "hint slow"
  type_in "note of the exercise I am at"
  lu.assertEquals(double.marks[1].name, "slow")
  type_in "show tile"
  type_in "note of the step I am at"
  lu.assertEquals(double.marks[1].name, "tile")
  lu.assertErrorMsgContains("the note has no text", type_in, "note")
  lu.assertErrorMsgContains("the note has no text", type_in, "note tile ")
  lu.assertErrorMsgContains("has no step", type_in, "notes xyzzy")
end

function TestNotes.test_the_report_has_the_day()
  open()
  local today = os.date "%Y-%m-%d"
  type_in "note tile one bank"
  local shown = require("gpulab.prompt.page").extras(opened).notes
  lu.assertEquals(#shown, 1)
  lu.assertEquals({ shown[1].text, shown[1].step }, { "one bank", "tile" })
  local days = { [today] = true, [os.date "%Y-%m-%d"] = true } -- midnight may be between the two
  lu.assertTrue(days[shown[1].when:match "^%d+%-%d%d%-%d%d"], shown[1].when)
end

TestCompiler = {}

function TestCompiler.test_two_functions_that_do_not_match_are_enough()
  local notes = {}
  for i = 1, 13 do notes[i] = ("  m.hpp(%d): note #3326-D: function \"f\" does not match because\n  void f();\n  ^"):format(i) end
  local said = show.compiler("k.cu:1:2: error: no instance\n" .. table.concat(notes, "\n") .. "\nk.cu:9:1: error: another")
  for _, part in ipairs { "error: no instance", "m.hpp(2)", "and 11 more functions", "error: another" } do
    lu.assertStrContains(said, part)
  end
  lu.assertNotStrContains(said, "m.hpp(3)")
end

os.exit(lu.LuaUnit.run("-o", "tap"))
