-- Definitions of steps of every kind, of plots and exercises: what is allowed, and what is refused with which words. And
-- what steps, figures and gates make of them.
require "lab_double"
local figure = require "gpulab.run.figure"
local acceptance = require "gpulab.run.acceptance"
local lab = require "gpulab.lab"
local lu = require "luaunit"
local steps = require "gpulab.lab.steps"
local text = require "gpulab.base.text"

local function nothing() end

local function one_launch(p)
  return { { kernel = { file = "a.cu", name = "k" }, grid = p.n, block = 32, args = { "out", "v" } },
    { kernel = { file = "b.cu", name = "l" }, grid = 1, block = 32, args = { "out" } } }
end

-- A lab with a step of each kind, a plot and an exercise; `change(definition, step by id)` may spoil it.
local function definition(change)
  local function step(s)
    s.title, s.text = s.title or s.id, "About it."
    return s
  end
  local list = {
    step { id = "one", kernel = { file = "a.cu", name = "k" }, grid = 1, block = 32, args = { "out", "v", "n", true, false },
      output = "out", reference = nothing, useful_ops = nothing, ops_unit = "Gelem/s", symbols = { table = "v" },
      predict = { ask = "How many?", of = "shared_load" }, with = { n = 64 }, small = { n = 32 } },
    step { id = "several", launches = one_launch, output = "out", reference = nothing, useful_bytes = nothing },
    step { id = "library", library = { name = "sgemm", args = { "out", "v", "v", "n" } }, output = "out",
      reference = nothing, useful_flops = nothing },
    step { id = "copy", transfer = { direction = "to device", memory = "pinned", bytes = "n" }, useful_bytes = nothing },
    step { id = "figure", figure = nothing, claims = { "O24.banks.cc1" } },
    step { id = "race", kernel = { file = "a.cu", name = "k" }, grid = 1, block = 32, args = { "out" }, shows = "race" },
    step { id = "picture", kernel = { file = "a.cu", name = "k" }, grid = 1, block = 32, output = "out",
      reference = nothing, useful_bytes = nothing,
      args = { "out", { texture = "v", width = "n", address = { "wrap", "clamp" }, filter = "linear" } } },
    step { id = "tile", kernel = { file = "a.cu", name = "k" }, grid = 1, block = 32, output = "out", reference = nothing,
      useful_bytes = nothing, needs_cc = 90,
      args = { "out", { tensor_map = "v", dims = { "n" }, box = { 32 }, swizzle = "128B" } } },
  }
  local d = { number = 9, id = "trial", title = "Trial", intro = "About this.",
    params = { n = { default = 256, emulator = 128, small = 32, min = 32, max = 4096, multiple = 32, help = "elements" } },
    buffers = { v = { type = "int", count = "n", fill = "iota" }, out = { type = "int", count = "n" } }, steps = list,
    plots = { { id = "size", title = "Over n", x = { param = "n", values = { 32, 64 } }, steps = { "one" } } },
    exercises = { { id = "task", title = "Task", task = "Do it.", starter = "exercises/09-task/task.cu",
      solution = "solutions/09-task/task.cu", kernel = "k", grid = 1, block = 32, args = { "out", "v" }, output = "out",
      reference = nothing, accept = { shared_load = { at_most = 1 } }, hints = { "a", "b", "c" }, debrief = "So." } } }
  local by_id = {}
  for _, s in ipairs(list) do by_id[s.id] = s end
  if change then change(d, by_id) end
  return d
end

TestKinds = {}

function TestKinds.test_all_kinds_are_allowed()
  local made = lab.define(definition())
  local kinds = {}
  for i, step in ipairs(made.steps) do kinds[i] = steps.kind(step) end
  lu.assertEquals(kinds, { "kernel", "launches", "library", "transfer", "figure", "kernel", "kernel",
    "kernel" })
end

local spoiled = {
  no_kind = { function(_, s) s.figure.figure = nil end, 'step "figure": field "kernel" is missing' },
  two_kinds = { function(_, s) s.figure.library = s.library.library end, 'has both "library" and "figure"' },
  field_of_another_kind = { function(_, s) s.figure.grid = 1 end, 'field "grid" is not allowed in a step with "figure"' },
  args_beside_launches = { function(_, s) s.several.args = {} end, 'field "args" is not allowed in a step with "launches"' },
  expect_of_a_library = { function(_, s) s.library.expect = {} end, 'is not allowed in a step with "library"' },
  no_launch = { function(_, s) s.several.launches = {} end, 'field "launches" has no launch' },
  launches_no_list = { function(_, s) s.several.launches = function() return 7 end end, "must return a list, returned 7" },
  launches_fail = { function(_, s) s.several.launches = function(p) return p.m end end, "does not define" },
  launch_without_grid = { function(_, s)
    s.several.launches = { { kernel = { file = "a.cu", name = "k" }, block = 1, args = { "out" } } }
  end, 'launch 1: field "grid" is missing' },
  launch_of_nothing = { function(_, s) s.several.launches = { { args = { "out" } } } end,
    'must have one of "kernel" and "library"' },
  launch_of_both = { function(_, s)
    s.several.launches = { { kernel = { file = "a.cu", name = "k" }, library = "sgemm", args = {} } }
  end, 'must have one of "kernel" and "library"' },
  launch_with_a_bare_name = { function(_, s)
    s.several.launches = { { kernel = "k", grid = 1, block = 1, args = { "out" } } }
  end, 'field "kernel" must be a table' },
  launch_unknown_field = { function(_, s)
    s.several.launches = { { kernel = { file = "a.cu", name = "k" }, gird = 1, block = 1, args = {} } }
  end, 'unknown field "gird", did you mean "grid"?' },
  output_of_no_launch = { function(_, s) s.several.output = "v" s.several.launches = { { library = "x", args = { "out" } } } end,
    "is not among the arguments" },
  library_unnamed = { function(_, s) s.library.library = { args = {} } end, 'field "name" is missing' },
  transfer_direction = { function(_, s) s.copy.transfer.direction = "up" end, 'must be "to device" or "from device"' },
  transfer_bytes = { function(_, s) s.copy.transfer.bytes = "m" end, 'unknown parameter "m"' },
  transfer_without_bytes = { function(_, s) s.copy.useful_bytes = nil end, 'field "useful_bytes" is missing' },
  shows_what = { function(_, s) s.race.shows = "luck" end, 'field "shows": must be "race"' },
  shows_wrong_without_reference = { function(_, s) s.race.shows = "wrong" end, 'field "output" is missing' },
  with_unknown = { function(_, s) s.one.with = { m = 1 } end, 'field "with": unknown parameter "m"' },
  with_not_allowed = { function(_, s) s.one.with = { n = 33 } end, "not a multiple of 32" },
  small_not_allowed = { function(_, s) s.one.small = { n = 0 } end, "less than its minimum" },
  emulator_not_allowed = { function(d) d.params.n.emulator = 33 end, "its value for the emulator is not allowed" },
  small_param_not_allowed = { function(d) d.params.n.small = 16 end, "its small value is not allowed" },
  symbols_of_nothing = { function(_, s) s.one.symbols = { table = "w" } end, 'unknown buffer "w"' },
  symbols_no_name = { function(_, s) s.one.symbols = { table = 7 } end, 'field "table" must be a string' },
  ops_unit_alone = { function(_, s) s.one.useful_ops = nil s.one.useful_bytes = nothing end, 'needs "useful_ops"' },
  three_rates = { function(_, s) s.one.useful_bytes = nothing end, 'give one of "useful_bytes"' },
  claims_unknown = { function(_, s) s.figure.claims = { "O24.banks.cc3" } end, 'did you mean "O24.banks.cc' },
  claims_empty = { function(_, s) s.figure.claims = {} end, "is empty: remove the field" },
  predict_without_question = { function(_, s) s.one.predict = { of = "ms" } end, 'field "ask" is missing' },
  predict_within_nothing = { function(_, s) s.one.predict.within = 0 end, "must be positive" },
  texture_of_nothing = { function(_, s) s.picture.args[2].texture = "w" end, 'unknown buffer "w"' },
  texture_and_surface = { function(_, s) s.picture.args[2].surface = "v" end, 'must name a buffer' },
  texture_filter = { function(_, s) s.picture.args[2].filter = "cubic" end, 'must be "point" or "linear"' },
  tensor_map_of_nothing = { function(_, s) s.tile.args[2].tensor_map = "w" end, 'unknown buffer "w"' },
  tensor_map_dims = { function(_, s) s.tile.args[2].dims = { "m" } end, 'unknown parameter "m"' },
  tensor_map_swizzle = { function(_, s) s.tile.args[2].swizzle = "16B" end, 'must be "none", "32B", "64B" or "128B"' },
  needs_cc_of_one = { function(_, s) s.tile.needs_cc = 9 end, "must be ten times a compute capability" },
  needs_cc_of_three = { function(_, s) s.tile.needs_cc = { 80, 90, 100 } end, "the least and the most" },
  needs_cc_in_a_list = { function(_, s) s.tile.needs_cc = { 80, 9 } end, "must be ten times a compute capability" },
  needs_cc_of_a_figure = { function(_, s) s.figure.needs_cc = 90 end, "is not allowed" },
  texture_width = { function(_, s) s.picture.args[2].width = "m" end, 'unknown parameter "m"' },
  own_column = { function(d) d.groups = { { id = "g", title = "g", columns = { { header = "x" } } } } end,
    'field "of" is missing' },
  plot_of_nothing = { function(d) d.plots[1].steps = {} end, "is empty" },
  plot_of_unknown = { function(d) d.plots[1].steps = { "on" } end, 'unknown step "on", did you mean "one"?' },
  plot_param = { function(d) d.plots[1].x.param = "m" end, 'unknown parameter "m"' },
  plot_value = { function(d) d.plots[1].x.values = { 32, 33 } end, 'field "values[2]": ' },
  plot_value_no_number = { function(d) d.plots[1].x.values = { "many" } end, 'field "values[1]" must be a number' },
  plot_no_values = { function(d) d.plots[1].x.values = {} end, "has no value" },
  plot_span_and_values = { function(d) d.plots[1].x.from = 32 end, 'give either "values" or' },
  plot_both = { function(d) d.plots[1].x.from, d.plots[1].x.to = 32, 64 end, 'give either "values" or' },
  plot_backwards = { function(d) d.plots[1].x = { param = "n", from = 64, to = 32 } end, '"from" is greater than "to"' },
  plot_no_step = { function(d) d.plots[1].x = { param = "n", from = 32, to = 64, step = 0 } end, "must be positive" },
  plot_y = { function(d) d.plots[1].y = "Speed!" end, "is not a quantity" },
  plot_twice = { function(d) d.plots[2] = d.plots[1] end, "another plot has the same id" },
  exercise_two_hints = { function(d) d.exercises[1].hints = { "a", "b" } end, "has 2 hints, not three" },
  exercise_starter = { function(d) d.exercises[1].starter = "task.cu" end, "does not have the form exercises/NN-name/FILE.cu" },
  exercise_climbs = { function(d) d.exercises[1].solution = "solutions/../a/b.cu" end, "does not have the form" },
  exercise_without_kernel = { function(d) d.exercises[1].kernel = nil end, 'give one of "kernel" and "launches"' },
  exercise_launch_with_a_file = { function(d)
    local ex = d.exercises[1]
    ex.kernel, ex.launches = nil, one_launch
  end, "in the exercise's file" },
  exercise_accept_of_time = { function(d) d.exercises[1].accept = { ms = { at_most = 1 } } end, "never bounds a time" },
  exercise_accept_by_its_old_name = { function(d) d.exercises[1].gate = {} end, 'unknown field "gate", did you mean "accept"?' },
  plot_y_by_its_old_name = { function(d) d.plots[1].y = "passes" end, 'did you mean "wavefronts"?' },
  column_by_its_old_name = { function(d) d.groups = { { id = "a", title = "a", columns = { "passes" } } } end,
    'unknown column "passes", did you mean "wavefronts"?' },
  exercise_accept_unbounded = { function(d) d.exercises[1].accept = { barriers = {} } end, 'give "at_most" or "at_least"' },
  exercise_accept_typo = { function(d) d.exercises[1].accept = { barriers = { atmost = 1 } } end, 'did you mean "at_most"?' },
  exercise_like_a_step = { function(d) d.exercises[1].id = "one" end, "a step has the same id" },
}

for name, case in pairs(spoiled) do
  TestKinds["test_" .. name] = function()
    local ok, e = pcall(lab.define, definition(case[1]))
    lu.assertFalse(ok)
    lu.assertEquals(e.kind, "usage")
    lu.assertStrContains(tostring(e), case[2])
  end
end

TestSteps = {}

function TestSteps.test_parameters_by_device_and_size()
  local made = lab.define(definition())
  lu.assertEquals(made:parameters().n, 256)
  lu.assertEquals(made:parameters(nil, { emulated = false }).n, 256)
  lu.assertEquals(made:parameters(nil, { emulated = true }).n, 128)
  lu.assertEquals(made:parameters(nil, { emulated = true, small = true }).n, 32)
  lu.assertEquals(made:parameters({ n = "512" }, { emulated = true, small = true }).n, 512)
end

function TestSteps.test_what_a_step_changes()
  local made = lab.define(definition(function(_, s)
    s.one.small = nil
    s.several.with = function(p, device) return { n = device == "emulator" and 64 or 2 * p.n } end
    s.copy.with, s.copy.small = { n = 4096 }, { n = 64 }
  end))
  local p = made:parameters()
  local function changes(id, options) return steps.changes(made, made:step(id), p, options or {}) end
  lu.assertEquals(changes("one"), { n = 64 })
  lu.assertEquals(changes("several"), { n = 512 })
  lu.assertEquals(changes("several", { device = "emulator" }), { n = 64 })
  lu.assertEquals(changes("figure"), {})
  lu.assertEquals(changes("one", { small = true }), { n = 32 }) -- the parameter's small value
  lu.assertEquals(changes("copy", { small = true }), { n = 64 }) -- the step's own
  lu.assertEquals(changes("several", { small = true }), { n = 512 }) -- twice what it was given
  lu.assertEquals(changes("one", { forced = { n = 128 } }), {})
  lu.assertEquals(changes("copy", { small = true, forced = { n = 128 } }), {})
end

function TestSteps.test_items_and_files()
  local made = lab.define(definition())
  local p = made:parameters()
  lu.assertEquals(steps.files(made:step("one"), p), { "a.cu" })
  lu.assertEquals(steps.files(made:step("several"), p), { "a.cu", "b.cu" })
  lu.assertEquals(steps.files(made:step("figure"), p), {})
  lu.assertEquals(steps.files(made:step("library"), p), {})
  lu.assertEquals(#steps.items(made:step("several"), p), 2)
  lu.assertEquals(steps.items(made:step("library"), p)[1].library, "sgemm")
  local ex = { id = "x", kernel = { file = "s.cu", defines = { A = 1 } },
    launches = { { kernel = "k", grid = 1, block = 1, args = {} } } }
  lu.assertEquals(steps.items(ex, p)[1].kernel, { file = "s.cu", name = "k", defines = { A = 1 } })
end

function TestSteps.test_rates_have_units()
  local function rate(step) return steps.rate(step, {}, 2) end
  lu.assertEquals(rate({ useful_bytes = function() return 4e6 end }).number, 2)
  lu.assertEquals(steps.unit { useful_flops = nothing }, "GFLOPS")
  lu.assertEquals(steps.unit { useful_ops = nothing }, "Gop/s")
  lu.assertEquals(steps.unit { useful_ops = nothing, ops_unit = "Gelem/s" }, "Gelem/s")
  lu.assertNil(steps.unit {})
  lu.assertNil(rate {})
  lu.assertNil(steps.rate({ useful_bytes = nothing }, {}, 0))
end

TestFigure = {}

local function figure_of(result) return figure.of({ id = "f", figure = function() return result end }, {}, nil) end

function TestFigure.test_cells_and_columns()
  local made = figure_of { columns = { "GPU", "slide", "computed" }, rows = { { "GT200", 24, 26.27 }, { "GF100", 30, false } },
    note = "A note." }
  lu.assertEquals(figure.lines("Flops", made, { width = 80 }), { "  Flops", "  GPU    slide  computed", "  GT200     24      26.3",
    "  GF100     30         –", "  A note." })
end

function TestFigure.test_wide_ones_fit()
  local made = figure_of { columns = { "a", "b" }, rows = { { ("x"):rep(100), ("y"):rep(100) } } }
  for _, line in ipairs(figure.lines(("t"):rep(100), made, { width = 80 })) do lu.assertTrue(text.width(line) <= 80) end
end

function TestFigure.test_what_is_no_figure()
  for _, bad in ipairs { 7, {}, { columns = {} }, { columns = {}, rows = {} }, { columns = { 1 }, rows = {} },
    { columns = { "a" }, rows = { 7 } }, { columns = { "a" }, rows = { { {} } } }, { columns = { "a" }, rows = {}, note = 7 } } do
    local ok, e = pcall(figure_of, bad)
    lu.assertFalse(ok)
    lu.assertStrContains(tostring(e), 'step "f", field "figure"')
  end
  lu.assertFalse((pcall(figure_of, nil)))
end

TestGate = {}

local counters = { shared_load_requests = 10, shared_load_wavefronts = 11, shared_store_requests = 0, shared_store_wavefronts = 0,
  barriers = 4, divergent_branches = 0 }

function TestGate.test_bounds()
  local rows = acceptance.judge({ shared_load = { at_most = 1.2 }, barriers = { at_least = 4, at_most = 4 },
    divergent_branches = { at_most = 0 }, launches = { at_most = 1 }, shared_store = { at_most = 1 }, rules = "H200" }, counters,
    { { counters = counters }, { counters = counters } })
  local by_name = {}
  for _, row in ipairs(rows) do by_name[row.name] = row end
  lu.assertEquals(#rows, 5)
  lu.assertTrue(by_name.shared_load.ok)
  lu.assertAlmostEquals(by_name.shared_load.margin, 0.1 / 1.2, 1e-9)
  lu.assertTrue(by_name.barriers.ok)
  lu.assertEquals(by_name.barriers.margin, 0)
  lu.assertTrue(by_name.divergent_branches.ok)
  lu.assertTrue(by_name.shared_store.ok) -- there was no store at all
  lu.assertFalse(by_name.launches.ok)
  lu.assertEquals(by_name.launches.text, "2 launches (at most 1)")
  lu.assertEquals(by_name.shared_load.text, "1.10 wavefronts per shared load request (at most 1.20)")
  lu.assertFalse(acceptance.passed(rows))
  lu.assertTrue(acceptance.passed(acceptance.judge({}, counters)))
end

function TestGate.test_names_that_are_no_counters()
  local ok, e = pcall(acceptance.judge, { bariers = { at_most = 1 } }, counters)
  lu.assertFalse(ok)
  lu.assertEquals(e.kind, "usage")
  lu.assertStrContains(tostring(e), 'unknown counter "bariers", did you mean "barriers"?')
end

os.exit(lu.LuaUnit.run("-o", "tap"))
