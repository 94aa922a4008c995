-- Running a lab against the double: outcomes, exit codes, table, JSON, CSV.
local double = require "lab_double"
local batch = require "gpulab.show.batch"
local failure = require "gpulab.base.failure"
local lab = require "gpulab.lab"
local lu = require "luaunit"
local text = require "gpulab.base.text"

local N = 32

-- Kernels of the double: what a right and several wrong ones would do to the arrays.
local function store(f)
  return function(args)
    local out, input, n = args[1].array, args[2].array, args[3]
    for r = 0, n - 1 do
      for c = 0, n - 1 do out[r * n + c] = f(input, r, c, n) end
    end
  end
end
local copies = store(function(input, r, c, n) return input[r * n + c] end)
local transposes = store(function(input, r, c, n) return input[c * n + r] end)

local function step(id, kernel, reference, more)
  local s = { id = id, title = id, text = "About it.", kernel = { file = "t.cu", name = kernel }, grid = 1, block = { 32, 8 },
    args = { "odata", "idata", "n" }, output = "odata", reference = reference, columns = "n",
    useful_bytes = function(p) return 8 * p.n * p.n end }
  for key, v in pairs(more or {}) do s[key] = v end
  return s
end

local function same(_, host) return host.idata end
local function turned(p, host) return host.idata:transpose(p.n, p.n) end

local function trial(steps)
  return lab.define { number = 9, id = "trial", title = "Trial", intro = "About this.",
    params = { n = { default = N, min = 1, max = 64, help = "rows" } },
    buffers = { idata = { type = "float", count = function(p) return p.n * p.n end, fill = "iota" },
      odata = { type = "float", count = function(p) return p.n * p.n end } },
    groups = { { id = "all", title = "matrix", baseline = "copy" } }, steps = steps }
end

local function all(steps)
  for _, s in ipairs(steps) do s.group = "all" end
  return trial(steps)
end

local conflict = { file = "kernels/t.cu", line = 43, text = "\todata[i] = tile[x][y];",
  counters = { shared_load_requests = 10, shared_load_wavefronts = 320 },
  worst = { access = "load", space = "shared", width = 4, cost = 32, ideal = 1, lanes = {} } }
for lane = 0, 31 do conflict.worst.lanes[lane] = lane * 128 end

local function good_double(more)
  local given = { kernels = { copy = copies, turn = transposes }, predicted = { H200 = 0.01, ["GTX 280"] = 0.1 },
    counters = { turn = { shared_load_requests = 10, shared_load_wavefronts = 320 } }, lines = { turn = { conflict } } }
  for key, v in pairs(more or {}) do given[key] = v end
  return double.install(given)
end

local function run(made, options)
  local complaints
  local printed, code = double.captured("stdout", function()
    local result
    complaints, result = double.captured("stderr", batch.run, made, options or {})
    return result
  end)
  return code, printed, complaints
end

local function copy_and_tile()
  return all { step("copy", "copy", same, { claim = "F22.transpose.copy_tile" }),
    step("tile", "turn", turned, { claim = "F22.transpose.tile32", expect = { shared_load = 32 } }) }
end

TestBatch = {}

-- A step whose blocks do much work is counted from few of them.
function TestBatch.test_the_sample_of_a_step()
  local launches = require "gpulab.run.launches"
  local function flops(n) return { useful_flops = function() return n end } end
  lu.assertEquals(launches.sample_of({}, {}, 4096), launches.SAMPLE)
  lu.assertEquals(launches.sample_of(flops(1e6), {}, 4096), launches.SAMPLE)
  lu.assertEquals(launches.sample_of(flops(4e10), {}, 4096), 409)
  lu.assertEquals(launches.sample_of(flops(1e12), {}, 4096), 60)
end

-- What an older GPU cannot run is no failure.
function TestBatch.test_a_step_needs_a_compute_capability()
  good_double()
  local code, printed = run(all { step("copy", "copy", same), step("turn", "turn", turned, { needs_cc = 100 }),
    step("race", "turn", nil, { needs_cc = 100, shows = "race" }) })
  lu.assertEquals(code, 0)
  local _, said = printed:gsub("not run: needs compute capability 10.0, this GPU has 9.0", "")
  lu.assertEquals(said, 2)
end

function TestBatch.test_a_failure_that_is_wider_than_the_screen_begins_a_line()
  local failed = function(message)
    return batch.failure_text({ params = {} }, { step = { id = "x", title = "a step" }, outcome = "wrong", message = message })
  end
  lu.assertEquals(failed "short\nmore", "a step (x): short\nmore")
  lu.assertEquals(failed(("long "):rep(15) .. "\nmore"), "a step (x):\n" .. ("long "):rep(15) .. "\nmore")
end

function TestBatch.test_all_well()
  good_double()
  local code, printed, complaints = run(copy_and_tile())
  lu.assertEquals(code, 0)
  lu.assertEquals(complaints, "")
  lu.assertEquals(printed, table.concat({
    "Lab 9 · Trial",
    "emulator, by the rules of the H200 · n = 32",
    "",
    "  matrix  lecture    model  predicted    vs.  verified",
    "          GTX 280  GTX 280       H200   copy",
    "             GB/s     GB/s       GB/s",
    "  copy      94.9*   0.0819      0.819  100 %  yes",
    "  tile      75.1*   0.0819      0.819  100 %  yes",
    "    32-way bank conflict, t.cu:43",
    "",
    "  * At another size in the lecture: n = 4000, here 32.",
    "  Predicted from the counters of an emulated run, not measured. Known error of",
    "  the models (RMS): GTX 280 4 %, H200 4 %.",
    "",
  }, "\n"))
  lu.assertNil(printed:find("\27"))
end

-- Such as one of errors: these are computed, not predicted.
function TestBatch.test_a_table_without_times_has_no_predictions()
  good_double()
  local made = copy_and_tile()
  made.groups[1].columns = { "verified" }
  local _, printed = run(made)
  lu.assertStrContains(printed, "verified")
  lu.assertNotStrContains(printed, "Predicted from")
end

function TestBatch.test_steps_without_a_known_error_are_named()
  good_double().no_error = "turn"
  local _, printed = run(copy_and_tile())
  local said = printed:gsub("%s+", " ")
  lu.assertStrContains(said, "GTX 280 4 %, H200 4 %. Unknown for the GTX 280: tile. Unknown for the H200: tile.")
end

function TestBatch.test_control_characters_of_parameters()
  good_double()
  local made = copy_and_tile()
  made.params.n.emulator, made.params.n.default = 32, "\27[2J\0"
  local _, printed = run(made)
  lu.assertStrContains(printed, "n = 32 (\\x1B[2J\\x00 on a GPU)")
end

function TestBatch.test_lines_fit_80_columns()
  good_double()
  local _, printed = run(copy_and_tile(), { models = { "all" } })
  for line in printed:gmatch("[^\n]+") do lu.assertTrue(text.width(line) <= 80, line) end
  lu.assertStrContains(printed, "\n  model, GB/s")
end

function TestBatch.test_one_run_on_the_emulator_is_enough()
  local state = good_double()
  run(copy_and_tile())
  local counts = 0
  for _, call in ipairs(state.calls) do
    if call[1] == "count" then counts = counts + 1 end
    lu.assertNotEquals(call[1], "time")
  end
  lu.assertEquals(counts, 2)
end

function TestBatch.test_a_gpu_is_timed_and_checked_before_and_after()
  good_double { backend = "cuda",
    time = { kind = "measured", ms = 0.01, q1 = 0.0099, q3 = 0.0101, min = 0.0098, samples = 20, note = "" } }
  local code, printed = run(copy_and_tile())
  lu.assertEquals(code, 0)
  lu.assertStrContains(printed, "measured")
  lu.assertStrContains(printed, "0.819 ±1.0 %")
end

function TestBatch.test_what_is_in_a_measured_time_is_said()
  double.install { backend = "cuda", device = "NVIDIA H200", kernels = { copy = copies, tile = transposes },
    time = { kind = "measured", ms = 0.01, q1 = 0.0099, q3 = 0.0101, min = 0.0098, samples = 20, note = "",
      launch = 0.001384, overhead = 0.00128, clock_ghz = 1.98, temperature = 41 } }
  local _, printed = run(copy_and_tile())
  lu.assertStrContains((printed:gsub("%s+", " ")), "Each time includes the 1.38 µs of an empty launch, but not "
    .. "the 1.28 µs of two events around nothing. The GPU ran at 1.98 GHz and 41 °C.")
end

function TestBatch.test_a_kernel_that_stops_writing_once_it_was_checked()
  local launches = 0
  good_double { backend = "cuda", time = { kind = "measured", ms = 1, samples = 3 }, kernels = { copy = function(args)
    launches = launches + 1
    if launches == 1 then copies(args) end
  end } }
  local code, _, complaints = run(all { step("copy", "copy", same) })
  lu.assertEquals(code, 3)
  lu.assertStrContains(complaints, "right at first but wrong after the timed runs")
  lu.assertStrContains(complaints, "never written")
end

function TestBatch.test_a_content_that_was_right_is_known_again()
  good_double { backend = "cuda", time = { kind = "measured", ms = 1, samples = 3 }, kernels = { copy = copies } }
  double.comparisons = 0
  lu.assertEquals(run(all { step("copy", "copy", same, { tolerance = { absolute = 0.5 } }) }), 0)
  lu.assertEquals(double.comparisons, 1)
end

function TestBatch.test_a_content_that_is_the_reference_is_not_compared()
  good_double { backend = "cuda", time = { kind = "measured", ms = 1, samples = 3 }, kernels = { copy = copies } }
  double.comparisons = 0
  lu.assertEquals(run(all { step("copy", "copy", same) }), 0)
  lu.assertEquals(double.comparisons, 0)
  lu.assertEquals(run(all { step("copy", "copy", turned) }), 3)
  lu.assertTrue(double.comparisons > 0)
end

function TestBatch.test_a_kernel_that_caches_its_answer()
  good_double { backend = "cuda", time = { kind = "measured", ms = 0.002, samples = 3 }, kernels = { copy = function(args)
    if args[1].array[0] == 0 then return 0.002 end -- there already: the first element of idata is 0
    copies(args)
    return 0.31
  end } }
  local code, _, complaints = run(all { step("copy", "copy", same) })
  lu.assertEquals(code, 3)
  lu.assertStrContains(complaints, "the kernel took 0.002 ms when timed, but 0.31 ms with a fresh output")
end

function TestBatch.test_one_unlucky_launch_is_no_cheat()
  local launches = 0
  good_double { backend = "cuda", time = { kind = "measured", ms = 0.002, samples = 3, note = "" },
    kernels = { copy = function(args)
      launches = launches + 1
      copies(args)
      return launches == 5 and 9 or 0.002 -- the first over fresh buffers, after one to verify and three to time
    end } }
  lu.assertEquals(run(all { step("copy", "copy", same) }), 0)
  lu.assertEquals(launches, 6)
end

function TestBatch.test_what_is_too_large_to_count_was_right_all_the_same()
  good_double { backend = "cuda", time = { kind = "measured", ms = 0.01, samples = 3, note = "" },
    counting = { copy = { status = "timeout", message = "ran past its limit" } } }
  local code, printed, complaints = run(all { step("copy", "copy", same, { expect = { shared_load = 1 } }) })
  lu.assertEquals({ code, complaints }, { 0, "" })
  lu.assertStrContains(printed, "not counted: too large")
  good_double { backend = "cuda", time = { kind = "measured", ms = 0.01, samples = 3, note = "" },
    counting = { copy = { status = "fault", message = "past its end" } } }
  code = run(all { step("copy", "copy", same) })
  lu.assertEquals(code, 2)
end

function TestBatch.test_a_number_of_the_lecture_for_several_sizes_is_not_of_another_one()
  local other_size = require("gpulab.show.report").other_size
  local claim = require("gpulab.lecture").find "F22.transpose.diagonal"
  lu.assertNil(other_size { claim = claim, params = { n = 3840 } })
  lu.assertEquals(other_size { claim = claim, params = { n = 4000 } }, 4096)
end

function TestBatch.test_a_kernel_that_never_runs()
  for _, backend in ipairs { "cuda", "emu" } do
    good_double { backend = backend, time = { kind = "measured", ms = 0.002, samples = 3 },
      kernels = { copy = function() end } }
    local code, _, complaints = run(all { step("copy", "copy", same) })
    lu.assertEquals(code, 3)
    lu.assertStrContains(complaints, "never written")
  end
end

function TestBatch.test_wrong_result()
  good_double { kernels = { copy = copies, turn = copies } }
  local code, printed, complaints = run(all { step("copy", "copy", same), step("tile", "turn", turned) })
  lu.assertEquals(code, 3)
  lu.assertStrContains(complaints, "row 0, column 1: got 1, expected 32")
  lu.assertStrContains(printed, "wrong result: 992 of 1 024 elements differ")
  lu.assertStrContains(printed, "NO")
end

function TestBatch.test_a_failing_step_stops_no_other()
  good_double()
  local code, printed, complaints = run(all { step("broken", "missing", same), step("copy", "copy", same) })
  lu.assertEquals(code, 1)
  lu.assertStrContains(printed, "does not compile: t.cu:7")
  lu.assertStrContains(printed, "yes")
  lu.assertStrContains(complaints, 'expected a ";"')
end

function TestBatch.test_exit_codes_of_outcomes()
  local cases = { fault = 2, limit = 2, timeout = 4, interrupted = 130 }
  for status, expected in pairs(cases) do
    good_double { outcome = { copy = { status = status, ms = 0, message = "it went wrong so" } } }
    local code, printed, complaints = run(all { step("copy", "copy", same) })
    lu.assertEquals(code, expected, status)
    lu.assertStrContains(complaints, "it went wrong so")
    lu.assertStrContains(printed, "it went wrong so")
  end
end

function TestBatch.test_interrupt_ends_the_run()
  local state = good_double { outcome = { copy = { status = "interrupted", ms = 0, message = "stopped" } } }
  local code = run(copy_and_tile())
  lu.assertEquals(code, 130)
  for _, call in ipairs(state.calls) do lu.assertNotEquals(call[2], "turn") end
end

function TestBatch.test_a_counter_that_breaks_the_rule_is_a_missed_gate()
  good_double()
  local made = all { step("copy", "copy", same), step("tile", "turn", turned, { expect = { shared_load = { ["9.x"] = 1 } } }) }
  local code, _, complaints = run(made)
  lu.assertEquals(code, 7)
  lu.assertStrContains(complaints, "shared_load: expected 1 on cc 9.0, counted 32")
end

function TestBatch.test_expectations_by_generation()
  for want, expected in pairs { [32] = 0, [16] = 7 } do
    good_double()
    local expect = function() return { shared_load = { ["1.x"] = 1, ["3.x"] = false, ["else"] = want } } end
    lu.assertEquals((run(all { step("tile", "turn", turned, { expect = expect }), step("copy", "copy", same) })), expected)
  end
end

function TestBatch.test_same_trouble_is_told_once()
  good_double { outcome = { copy = { status = "limit", ms = 0, message = "1024 threads asked, 512 allowed" } } }
  local _, printed, complaints = run(all { step("copy", "copy", same), step("b", "copy", same),
    step("c", "copy", same) })
  lu.assertEquals(select(2, printed:gsub("512 allowed", "")), 1)
  lu.assertEquals(select(2, printed:gsub("same error", "")), 2)
  lu.assertEquals(select(2, complaints:gsub("512 allowed", "")), 1)
  lu.assertStrContains(complaints, "The same applies to b and c.")
end

function TestBatch.test_mistakes_in_a_labs_functions()
  good_double()
  local cases = {
    { { grid = function() return { 0 } end }, 'field "grid": must be one to three integers' },
    { { grid = function(p) return p.m end }, 'a parameter "m" that it does not define' },
    { { block = { 1, 2, 3, 4 } }, 'field "block"' },
    { { reference = function(_, host) return host.idta end }, 'uses the buffer "idta"' },
    { { reference = function() error("oh") end }, "oh" },
  }
  for _, case in ipairs(cases) do
    local code, _, complaints = run(all { step("copy", "copy", same, case[1]) })
    lu.assertEquals(code, 64)
    lu.assertStrContains(complaints, case[2])
  end
end

function TestBatch.test_selected_steps()
  local state = good_double()
  lu.assertEquals((run(copy_and_tile(), { step = "tile" })), 0)
  for _, call in ipairs(state.calls) do lu.assertNotEquals(call[2], "copy") end
  lu.assertErrorMsgContains("no step", run, copy_and_tile(), { step = "nothing" })
end

function TestBatch.test_worst_outcome_is_the_one_that_got_least_far()
  lu.assertEquals(failure.worst {}, "ok")
  lu.assertEquals(failure.worst { "ok", "gate", "wrong" }, "wrong")
  lu.assertEquals(failure.worst { "timeout", "compile", "wrong" }, "compile")
  lu.assertEquals(failure.worst { "limit", "timeout" }, "limit")
  lu.assertEquals(failure.worst { "interrupted", "setup" }, "interrupted")
  lu.assertEquals(failure.code("interrupted"), 130)
end

TestDocuments = {}

function TestDocuments.test_json_to_stdout_is_alone_there()
  good_double()
  local code, printed = run(copy_and_tile(), { json = "-" })
  lu.assertEquals(code, 0)
  lu.assertStrMatches(printed, '{\n  "schema": "gpulab/1",.*}\n')
  lu.assertStrContains(printed, '"shared_load_wavefronts": 320')
  lu.assertStrContains(printed, '"kind": "predicted"')
  lu.assertNil(printed:find("of copy"))
end

function TestDocuments.test_json_of_a_failure()
  good_double { outcome = { copy = { status = "fault", ms = 0, message = "stored outside", fault = { kind = "out of bounds",
    located = true, block = { 1, 0, 0 }, thread = { 31, 7, 0 }, file = "t.cu", line = 7, buffer = "odata", element = 1024 } } } }
  local code, printed = run(all { step("copy", "copy", same) }, { json = "-" })
  lu.assertEquals(code, 2)
  lu.assertStrContains(printed, '"outcome": "fault"')
  lu.assertStrContains(printed, '"thread": [31, 7, 0]')
  lu.assertStrContains(printed, '"element": 1024')
end

function TestDocuments.test_files()
  good_double()
  local path = os.tmpname()
  lu.assertEquals((run(copy_and_tile(), { json = path })), 0)
  local file <close> = io.open(path)
  lu.assertStrContains(file:read("a"), '"schema": "gpulab/1"')
  os.remove(path)
  lu.assertErrorMsgContains("cannot write", run, copy_and_tile(), { json = "/nonexistent/x.json" })
end

function TestDocuments.test_csv()
  good_double()
  local _, printed = run(copy_and_tile(), { csv = "-" })
  local lines = {}
  for line in printed:gmatch("[^\n]+") do lines[#lines + 1] = line end
  lu.assertEquals(#lines, 3)
  lu.assertStrMatches(lines[1], "lab,step,kernel,.*,model GTX 280,shared_load_requests,shared_load_wavefronts")
  lu.assertStrMatches(lines[3], "trial,tile,turn,emu,NVIDIA H200,ok,true,.*,10,320")
end

function TestDocuments.test_a_device_that_does_not_open()
  good_double()
  local known = gpu
  _G.gpu = setmetatable({ models = known.models }, { __index = function(_, key)
    if key == "device" then error(failure.new("setup", "no NVIDIA driver"), 0) end
  end })
  local code, printed, complaints = run(copy_and_tile(), { json = "-" })
  lu.assertEquals(code, 5)
  lu.assertStrContains(complaints, "no NVIDIA driver")
  lu.assertStrContains(printed, '"kind": "setup"')
end

os.exit(lu.LuaUnit.run("-o", "tap"))
