-- Definitions: a mistake of the author is told with the step and the field.
local failure = require "gpulab.base.failure"
local lab = require "gpulab.lab"
local lu = require "luaunit"
local outline = require "gpulab.lab.outline"
local text = require "gpulab.base.text"

-- A lab without a fault; `change` may spoil it.
local function definition(change)
  local d = {
    number = 9, id = "trial", title = "Trial", lecture = { "F22" }, intro = "About this.",
    params = { n = { default = 64, min = 32, max = 4096, multiple = 32, help = "rows", because = "whole tiles" },
      fast = { default = true, help = "a switch" }, scale = { default = 0.5, help = "a factor" } },
    buffers = { idata = { type = "float", count = function(p) return p.n * p.n end, fill = "iota" },
      odata = { type = "float", count = function(p) return p.n * p.n end } },
    steps = { { id = "copy", title = "copy", text = "Copies.", kernel = { file = "transpose.cu", name = "copy_tile" },
      grid = function(p) return { p.n // 32, p.n // 32 } end, block = { 32, 8 }, args = { "odata", "idata", "n" },
      output = "odata", reference = function(_, host) return host.idata end, columns = "n",
      useful_bytes = function(p) return 8 * p.n * p.n end, claim = "F22.transpose.copy_tile" } },
  }
  if change then change(d, d.steps[1]) end
  return d
end

local function message_of(change)
  local ok, e = pcall(lab.define, definition(change))
  lu.assertFalse(ok)
  lu.assertEquals(e.kind, "usage")
  return tostring(e)
end

TestDefine = {}

function TestDefine.test_what_is_raised_inside_is_said_without_luas_prefix()
  local said = "parameter 2 of copy is float*: a buffer of float expected, got table"
  for _, raised in ipairs { "bad argument #2: %s", "bad argument #2 to 'copy' (%s)" } do
    local e = failure.of_definition("lua/gpulab/run/launch.lua:12: " .. raised:format(said), 'step "copy"', "lab.lua:3")
    lu.assertStrContains(text.said(e), "a field: " .. said)
    lu.assertNotStrContains(text.said(e), "bad argument")
  end
end

function TestDefine.test_a_good_one_is_a_lab()
  local made = lab.define(definition())
  lu.assertTrue(lab.is_lab(made))
  lu.assertFalse(lab.is_lab {})
  lu.assertFalse(lab.is_lab(nil))
  lu.assertEquals(made:heading(), "Lab 9 · Trial")
end

-- What is spoiled, and what the message has to say.
local spoiled = {
  unknown_field = { function(_, step) step.kernal = step.kernel end,
    'lab 9 (trial), step "copy": unknown field "kernal", did you mean "kernel"?' },
  missing_kernel = { function(_, step) step.kernel = nil end, 'step "copy": field "kernel" is missing' },
  kernel_without_file = { function(_, step) step.kernel = { name = "x" } end, 'field "kernel": field "file" is missing' },
  unknown_claim = { function(_, step) step.claim = "F22.transpose.tile31" end, 'field "claim": there is no claim' },
  claim_of_wrong_type = { function(_, step) step.claim = 75.1 end,
    'field "claim" must be a string or a table with named fields, got 75.1' },
  unknown_argument = { function(_, step) step.args = { "odata", "idta" } end,
    'field "args[2]": unknown buffer or parameter "idta", did you mean "idata"?' },
  argument_of_wrong_type = { function(_, step) step.args = { "odata", {} } end,
    'field "args[2]" must be a string, a number, true or false or a function' },
  unknown_output = { function(_, step) step.output = "odat" end, 'field "output": unknown buffer "odat"' },
  output_not_passed = { function(_, step) step.args = { "idata" } end, "is not among the arguments" },
  no_rate = { function(_, step) step.useful_bytes = nil end, '"useful_bytes"' },
  two_rates = { function(_, step) step.useful_flops = step.useful_bytes end, 'give one of "useful_bytes"' },
  useful_of_what = { function(_, step) step.useful_of = "disk" end, 'field "useful_of"' },
  reference_of_nothing = { function(_, step) step.output = nil end, 'field "output" is missing' },
  reference_no_function = { function(_, step) step.reference = 7 end, 'field "reference" must be a function' },
  bad_id = { function(_, step) step.id = "a b" end, "is not an id" },
  empty_text = { function(_, step) step.text = " \n" end, 'field "text": must not be empty' },
  wide_picture = { function(_, step) step.text = "x\n  " .. ("y"):rep(90) end, "longer than 80 columns" },
  group_undefined = { function(_, step) step.group = "tile" end, "the lab defines no groups" },
  group_missing = { function(d) d.groups = { { id = "tile", title = "matrix" } } end, 'field "group" is missing' },
  group_unknown = { function(d, step)
    d.groups = { { id = "tile", title = "matrix" } }
    step.group = "til"
  end, 'did you mean "tile"?' },
  baseline_unknown = { function(d, step)
    d.groups = { { id = "tile", title = "matrix", baseline = "cpy" } }
    step.group = "tile"
  end, 'field "baseline": unknown step "cpy", did you mean "copy"?' },
  column_unknown = { function(d, step)
    d.groups = { { id = "tile", title = "matrix", columns = { "speed" } } }
    step.group = "tile"
  end, 'unknown column "speed"' },
  id_of_all_steps = { function(d) d.steps[1].id = "all" end, "`run all` runs all of them" },
  same_id_twice = { function(d) d.steps[2] = d.steps[1] end, "another step has the same id" },
  no_steps = { function(d) d.steps, d.exercises = {}, nil end, "at least one step or exercise" },
  step_no_table = { function(d) d.steps[2] = "copy" end, "step 2: must be a table with named fields" },
  unknown_lab_field = { function(d) d.stepz = {} end, 'lab: unknown field "stepz", did you mean "steps"?' },
  lecture_unknown = { function(d) d.lecture = { "F23" } end, 'unknown lecture "F23"' },
  number_missing = { function(d) d.number = nil end, 'field "number" is missing' },
  number_fraction = { function(d) d.number = 3.5 end, 'field "number" must be an integer' },
  default_not_allowed = { function(d) d.params.n.default = 33 end, "its default is not allowed: n = 33 is not a multiple of 32" },
  param_without_help = { function(d) d.params.n.help = nil end, 'parameter "n": field "help" is missing' },
  param_bad_name = { function(d) d.params["n-1"] = { default = 1, help = "x" } end, "letters, digits and _" },
  buffer_named_like_param = { function(d) d.buffers.n = d.buffers.idata end, "a parameter has the same name" },
  buffer_count_unknown = { function(d) d.buffers.idata.count = "m" end, 'field "count": unknown parameter "m"' },
  columns_unknown = { function(_, step) step.columns = "m" end, 'field "columns": unknown parameter "m"' },
  tolerance_unknown = { function(_, step) step.tolerance = { relativ = 1 } end, 'did you mean "relative"?' },
}

for name, case in pairs(spoiled) do
  TestDefine["test_" .. name] = function() lu.assertStrContains(message_of(case[1]), case[2]) end
end

function TestDefine.test_its_outline_is_read_from_one_line_as_well()
  local path = os.tmpname()
  local file <close> = assert(io.open(path, "w"))
  file:write 'return lab.define {\n  number = 9, id = "trial", title = "Trial",\n  steps = { { id = "s", title = "S" } } }\n'
  file:flush()
  local read = outline.read(path)
  os.remove(path)
  lu.assertEquals({ read.id, read.title }, { "trial", "Trial" })
end

function TestDefine.test_no_table_at_all()
  for _, given in ipairs { 7, "lab", true, print } do
    local ok, e = pcall(lab.define, given)
    lu.assertFalse(ok)
    lu.assertStrContains(tostring(e), "must be a table with named fields")
  end
  lu.assertFalse((pcall(lab.define)))
end

TestParameters = {}

local function parameters(set) return lab.define(definition()):parameters(set) end

function TestParameters.test_defaults_and_what_is_set()
  lu.assertEquals(parameters().n, 64)
  local p = parameters { n = "4096", fast = "false", scale = "1e-3" }
  lu.assertEquals({ p.n, p.fast, p.scale }, { 4096, false, 0.001 })
  lu.assertEquals(math.type(p.n), "integer")
  lu.assertEquals(parameters({ n = "0x40" }).n, 64)
end

function TestParameters.test_refusals_say_why()
  local cases = {
    [{ n = "100" }] = "n = 100 is not a multiple of 32: whole tiles",
    [{ n = "0" }] = "less than its minimum, 32",
    [{ n = "1e9" }] = "greater than its maximum, 4096",
    [{ n = "33.5" }] = 'n must be an integer, got "33.5"',
    [{ n = "" }] = "n must be an integer",
    [{ n = "nan" }] = "n must be an integer",
    [{ scale = "inf" }] = "scale must be a number",
    [{ scale = "fast" }] = "scale must be a number",
    [{ fast = "yes" }] = "fast must be true or false",
    [{ m = "1" }] = 'unknown parameter "m"',
  }
  for set, wanted in pairs(cases) do
    local ok, e = pcall(parameters, set)
    lu.assertFalse(ok)
    lu.assertEquals(e.kind, "usage")
    lu.assertStrContains(tostring(e), wanted)
    if set.n == "1e9" then lu.assertNotStrContains(tostring(e), "whole tiles") end
  end
end

function TestParameters.test_a_typo_in_the_definition_is_told()
  lu.assertErrorMsgContains('a parameter "m" that it does not define', function() return parameters().m end)
end

TestStep = {}

local function two_steps()
  return lab.define(definition(function(d, step)
    local second = {}
    for key, v in pairs(step) do second[key] = v end
    second.id = "copy2"
    d.steps[2] = second
  end))
end

function TestStep.test_by_the_beginning_of_its_id()
  local made = two_steps()
  lu.assertEquals(made:step("copy").id, "copy")
  lu.assertEquals(made:step("copy2").id, "copy2")
  lu.assertEquals(select(2, made:step("copy2")), 2)
  lu.assertErrorMsgContains('"co" is ambiguous: copy or copy2', made.step, made, "co")
  lu.assertErrorMsgContains('no step "cpoy", did you mean "copy"?', made.step, made, "cpoy")
  lu.assertErrorMsgContains("no step", made.step, made, "")
end

local function project(change)
  local ex = { id = "whole", title = "A whole file", task = "Write it.", starter = "exercises/09-whole/whole.cu",
    solution = "solutions/09-whole/whole.cu", hints = { "a", "b", "c" }, debrief = "So it is.",
    project = { framework = "projects/09-whole/framework.cpp", sizes = { { "3", "5" } },
      score = { args = { "1024" }, bytes = 8192 }, tiers = { { rate = 10, share = 0.5 }, { rate = 20, share = 1 } } } }
  change(ex.project, ex)
  return function(d) d.exercises = { ex } end
end

function TestDefine.test_projects()
  lab.define(definition(project(function() end)))
  local function said(change) return message_of(project(change)) end
  lu.assertStrContains(said(function(p) p.tiers[2].rate = 10 end), "a higher rate and a larger share")
  lu.assertStrContains(said(function(p) p.tiers[1].share = 1.5 end), "at most 1")
  lu.assertStrContains(said(function(p) p.tiers = {} end), "empty")
  lu.assertStrContains(said(function(p) p.sizes = { 1024 } end), "list of words")
  lu.assertStrContains(said(function(p) p.framework = nil end), "framework")
  lu.assertStrContains(said(function(p) p.score.rate = 1 end), "rate")
  lu.assertStrContains(said(function(_, ex) ex.kernel = "f" end), "kernel")
  lu.assertStrContains(said(function(_, ex) ex.hints = { "a" } end), "three")
end

os.exit(lu.LuaUnit.run("-o", "tap"))
