-- Checks of a lab's definition across its tables: names that must exist, fields that belong together.
local fields = require "gpulab.lab.fields"
local lists = require "gpulab.base.lists"
local schema = require "gpulab.lab.schema"
local steps = require "gpulab.lab.steps"
local text = require "gpulab.base.text"

local definition = {}

-- Where steps, plots and exercises were written: checking replaces their functions, which know it.
local places = setmetatable({}, { __mode = "k" })

---Where a table was written: the first line among the functions in it, "" if there are none. (`return lab.define{...}`
---is a tail call, which leaves no trace of its file.)
function definition.place_of(t, depth)
  if places[t] then return places[t] end
  local file, line
  local function look(value, left)
    if type(value) == "function" then
      local info = debug.getinfo(value, "S")
      local ours = info.source:match("^@lua/gpulab/") or not info.source:match("^@")
      if info.what == "Lua" and not ours and (not line or info.linedefined < line) then
        file, line = info.short_src, info.linedefined
      end
    elseif type(value) == "table" and left > 0 then
      for _, inner in next, value do look(inner, left - 1) end
    end
  end
  look(t, depth)
  return file and ("%s:%d"):format(file, line) or ""
end

local function field_part(context, field)
  return schema.part(context, ("field %q"):format(field))
end

local function known_name(context, field, what, name, known)
  if not known[name] then
    schema.fail(context, ("field %q: %s"):format(field, (schema.unknown(what, name, schema.sorted_keys(known)))))
  end
end

local function check_sizes(context, t, names, made)
  for _, field in ipairs(names) do
    if type(t[field]) == "string" then known_name(context, field, "parameter", t[field], made.params) end
  end
end

-- Parameters, buffers -----------------------------------------------------------------------------

---@param value_of fun(name: string, spec: table, given: any): any, string? lab.parameter_value
function definition.params(context, params, value_of)
  local meant = { default = "its default", emulator = "its value for the emulator", small = "its small value" }
  for _, name in ipairs(schema.sorted_keys(params)) do
    local part = schema.part(context, ("parameter %q"):format(name))
    if not name:match("^[%a_][%w_]*$") then schema.fail(part, "a parameter's name is letters, digits and _") end
    schema.check(part, params[name], fields.param)
    for _, field in ipairs { "default", "emulator", "small" } do
      local given = params[name][field]
      if given ~= nil then
        local _, reason = value_of(name, params[name], given)
        if reason then schema.fail(part, ("%s is not allowed: %s"):format(meant[field], reason)) end
      end
    end
  end
end

function definition.buffers(context, made)
  for _, name in ipairs(schema.sorted_keys(made.buffers)) do
    local part = schema.part(context, ("buffer %q"):format(name))
    schema.check(part, made.buffers[name], fields.buffer)
    if made.params[name] then schema.fail(part, "a parameter has the same name; rename one of the two") end
    check_sizes(part, made.buffers[name], { "count" }, made)
  end
end

-- Steps -------------------------------------------------------------------------------------------

local function check_texture(context, field, arg, made)
  local part = field_part(context, field)
  schema.check(part, arg, fields.texture)
  local name = arg.texture or arg.surface
  if not name or arg.texture and arg.surface then
    schema.fail(part, 'must name a buffer as "texture" or as "surface"')
  end
  known_name(part, arg.texture and "texture" or "surface", "buffer", name, made.buffers)
  check_sizes(part, arg, { "width", "height", "depth", "layers" }, made)
end

local function check_tensor_map(context, field, arg, made)
  local part = field_part(context, field)
  schema.check(part, arg, fields.tensor_map)
  known_name(part, "tensor_map", "buffer", arg.tensor_map, made.buffers)
  for _, name in ipairs { "dims", "box" } do
    for i, size in ipairs(arg[name]) do
      local item = ("%s[%d]"):format(name, i)
      schema.expect(part, item, size, { "integer", "string", "function" })
      if type(size) == "string" then known_name(part, item, "parameter", size, made.params) end
    end
  end
end

-- Arguments are numbers, true and false, functions, names of buffers and parameters, textures, tensor maps.
local function check_args(context, args, made)
  local known = lists.set(lists.joined(lists.keys(made.buffers), lists.keys(made.params)))
  for i, arg in ipairs(args) do
    local field = ("args[%d]"):format(i)
    if type(arg) == "table" and (arg.texture or arg.surface) then
      check_texture(context, field, arg, made)
    elseif type(arg) == "table" and arg.tensor_map then
      check_tensor_map(context, field, arg, made)
    else
      schema.expect(context, field, arg, { "string", "number", "boolean", "function" })
      if type(arg) == "string" then known_name(context, field, "buffer or parameter", arg, known) end
    end
  end
end

local function passes(items, output)
  return lists.any(items, function(item)
    return lists.any(item.args, function(arg)
      return arg == output or type(arg) == "table" and (arg.surface or arg.tensor_map) == output
    end)
  end)
end

local function check_output(context, step, items, made)
  if not step.output then return end
  known_name(context, "output", "buffer", step.output, made.buffers)
  if not passes(items, step.output) then
    schema.fail(context,
      ('field "output": %q is not among the arguments, so the kernel cannot write it'):format(step.output))
  end
end

local function check_launch(context, item, made, bare_name)
  schema.check(context, item, fields.launch)
  if (item.kernel == nil) == (item.library == nil) then
    schema.fail(context, 'must have one of "kernel" and "library"')
  end
  if item.kernel then
    for _, field in ipairs { "grid", "block" } do
      if item[field] == nil then schema.fail(context, ("field %q is missing"):format(field)) end
    end
    if type(item.kernel) == "table" and not bare_name then
      schema.check(field_part(context, "kernel"), item.kernel, fields.kernel)
    elseif (type(item.kernel) == "string") ~= bare_name then
      schema.fail(context, bare_name and 'field "kernel" must be a kernel\'s name in the exercise\'s file'
        or 'field "kernel" must be a table: {file = "NAME.cu", name = "KERNEL"}')
    end
  end
  check_sizes(context, item, { "shared" }, made)
  check_args(context, item.args, made)
end

-- The launches of a step or an exercise, with the parameters' defaults where a function makes them.
local function launches_of(context, step, made, bare_name)
  local list = step.launches
  if type(list) == "function" then
    local params = made:parameters()
    if step.solution then params.size, params.seed = (step.sizes or {})[1], 0 end -- an exercise, as context.lua runs it
    local ok, result = pcall(list, params)
    if not ok then schema.fail(context, type(result) == "table" and result.message or tostring(result)) end
    list = result
  end
  if type(list) ~= "table" or #list == 0 then schema.fail(context, 'field "launches" has no launch') end
  for i, item in ipairs(list) do
    check_launch(schema.part(context, ("launch %d"):format(i)), item, made, bare_name)
  end
  return list
end

local function check_with(context, step, made)
  for _, field in ipairs { "with", "small" } do
    if type(step[field]) == "table" then
      for name in pairs(step[field]) do known_name(context, field, "parameter", name, made.params) end
      local ok, e = pcall(made.parameters, made, step[field])
      if not ok then schema.fail(context, ("field %q: %s"):format(field, e.message)) end
    end
  end
end

local function check_symbols(context, step, made)
  for symbol, name in pairs(step.symbols or {}) do
    local part = field_part(context, "symbols")
    schema.expect(part, symbol, name, { "string" })
    known_name(part, symbol, "buffer", name, made.buffers)
  end
end

local function check_group(context, step, groups)
  if not groups then
    if step.group then schema.fail(context, 'field "group": the lab defines no groups') end
    return
  end
  local ids = lists.map(groups, "id")
  if lists.set(ids)[step.group or false] then return end
  if not step.group then
    if step.figure then return end
    schema.fail(context, 'field "group" is missing: the lab has groups ' .. table.concat(ids, ", "))
  end
  schema.fail(context, 'field "group": ' .. schema.unknown("group", step.group, ids))
end

-- Which kind of step it is, and that it has the fields of that kind and no others.
local function check_kind(context, step)
  local kind
  for _, name in ipairs(steps.kinds) do
    if step[name] ~= nil then
      if kind then schema.fail(context, ("has both %q and %q: a step has only one of them"):format(kind, name)) end
      kind = name
    end
  end
  if not kind then
    local quoted = lists.map(steps.kinds, function(name) return ("%q"):format(name) end)
    schema.fail(context, 'field "kernel" is missing', "a step has one of " .. text.list(quoted, "and"))
  end
  for _, name in ipairs(schema.sorted_keys(step)) do
    if not fields.allowed[kind][name] then
      schema.fail(context, ("field %q is not allowed in a step with %q"):format(name, kind))
    end
  end
  local needed = lists.joined(fields.needed[kind], step.shows == "wrong" and { "output", "reference" } or {},
    step.reference and kind ~= "overlap" and { "output" } or {})
  for _, name in ipairs(needed) do
    if step[name] == nil then schema.fail(context, ("field %q is missing"):format(name)) end
  end
  return kind
end

local function check_rate(context, step, kind)
  local given = lists.select({ "useful_bytes", "useful_flops", "useful_ops" }, function(name) return step[name] end)
  local optional = step.shows or kind == "figure" or kind == "overlap" or not step.reference and kind ~= "transfer"
  if #given > 1 or #given == 0 and not optional then
    schema.fail(context, 'give one of "useful_bytes", "useful_flops" and "useful_ops" to turn the time into a rate')
  end
  if step.ops_unit and not step.useful_ops then schema.fail(context, 'field "ops_unit" needs "useful_ops"') end
end

local check_of_kind = {
  kernel = function(context, step, made)
    check_args(context, step.args, made)
    check_output(context, step, { step }, made)
  end,
  launches = function(context, step, made)
    check_output(context, step, launches_of(context, step, made, false), made)
  end,
  library = function(context, step, made)
    check_args(context, step.library.args, made)
    check_output(context, step, { step.library }, made)
  end,
  transfer = function(context, step, made)
    check_sizes(field_part(context, "transfer"), step.transfer, { "bytes" }, made)
  end,
  overlap = function(context, step, made)
    local part = field_part(context, "overlap")
    check_sizes(part, step.overlap, { "chunks", "streams" }, made)
    for _, name in ipairs { "input", "output" } do
      known_name(part, name, "buffer", step.overlap[name], made.buffers)
    end
  end,
  figure = function() end,
}

local function check_step(context, step, made)
  schema.check(context, step, fields.step)
  if step.id == "all" then schema.fail(context, 'field "id": no step is called all: `run all` runs all of them') end
  local kind = check_kind(context, step)
  check_rate(context, step, kind)
  check_sizes(context, step, { "shared", "columns" }, made)
  check_with(context, step, made)
  check_symbols(context, step, made)
  check_of_kind[kind](context, step, made)
  check_group(context, step, made.groups)
end

-- Each of a list, by its id where it has one: "step "copy"", else "step 2". Returns the ids.
local function each(context, list, what, check)
  local seen = {}
  for i, item in ipairs(list) do
    local named = type(item) == "table" and type(item.id) == "string"
    local part = schema.part(context, named and ("%s %q"):format(what, item.id) or ("%s %d"):format(what, i))
    local place = definition.place_of(item, 1)
    if place ~= "" then part.where = place end
    if type(item) == "table" then places[item] = part.where end
    check(part, item)
    if seen[item.id] then schema.fail(part, ("another %s has the same id"):format(what)) end
    seen[item.id] = true
  end
  return seen
end

function definition.steps(context, made)
  if #made.steps == 0 and #(made.exercises or {}) == 0 then
    schema.fail(context, "a lab needs at least one step or exercise")
  end
  return each(context, made.steps, "step", function(part, step) check_step(part, step, made) end)
end

function definition.groups(context, groups)
  for i, group in ipairs(groups or {}) do
    schema.check(schema.part(context, ("group %d"):format(i)), group, fields.group)
  end
end

function definition.baselines(context, groups, step_ids)
  for _, group in ipairs(groups or {}) do
    if group.baseline and not step_ids[group.baseline] then
      schema.fail(schema.part(context, ("group %q"):format(group.id)),
        'field "baseline": ' .. schema.unknown("step", group.baseline, schema.sorted_keys(step_ids)))
    end
  end
end

-- Plots -------------------------------------------------------------------------------------------

local quantities <const> = { rate = true, ms = true, share = true, wavefronts = true, sectors = true }

local function check_values(context, field, values, x, made)
  for i, v in ipairs(values) do
    local name = ("%s[%d]"):format(field, i)
    schema.expect(context, name, v, { "number" })
    local ok, e = pcall(made.parameters, made, { [x.param] = v })
    if not ok then schema.fail(context, ("field %q: %s"):format(name, e.message)) end
  end
  if #values == 0 then schema.fail(context, ("field %q has no value"):format(field)) end
end

local function check_axis(context, plot, made)
  local x, part = plot.x, field_part(context, "x")
  known_name(part, "param", "parameter", x.param, made.params)
  local span = x.from ~= nil and x.to ~= nil
  if (x.values ~= nil) == span or not span and (x.from or x.to or x.step) then
    schema.fail(part, 'give either "values" or "from" and "to" (and "step")')
  end
  if span and x.from > x.to then schema.fail(part, '"from" is greater than "to"') end
  check_values(part, "values", definition.axis_values(x), x, made)
  if plot.emulator_values then check_values(context, "emulator_values", plot.emulator_values, x, made) end
end

function definition.axis_values(x)
  if x.values then return x.values end
  local values, i = {}, 0
  local step = x.step or 1
  while x.from + i * step <= x.to and i < 1000 do
    values[#values + 1] = x.from + i * step
    i = i + 1
  end
  return values
end

local function check_plot(context, plot, made, step_ids)
  schema.check(context, plot, fields.plot)
  check_axis(context, plot, made)
  if #plot.steps == 0 then schema.fail(context, 'field "steps" is empty') end
  for _, id in ipairs(plot.steps) do
    schema.expect(context, "steps", id, { "string" })
    known_name(context, "steps", "step", id, step_ids)
  end
  local renamed = schema.renamed.quantity[plot.y]
  if renamed then
    schema.fail(context, ('field "y": %q is not a quantity, did you mean %q?'):format(plot.y, renamed))
  end
  if type(plot.y) == "string" and not quantities[plot.y] and not plot.y:match("^[a-z_]+$") then
    schema.fail(context, ('field "y": %q is not a quantity'):format(plot.y),
      "rate, ms, share, wavefronts, sectors, a counter's name or a function of record and parameters")
  end
  check_with(context, plot, made)
end

function definition.plots(context, made, step_ids)
  each(context, made.plots, "plot", function(part, plot) check_plot(part, plot, made, step_ids) end)
end

-- Exercises ---------------------------------------------------------------------------------------

local function check_acceptance(context, bounds)
  local part = field_part(context, "accept")
  for _, name in ipairs(schema.sorted_keys(bounds)) do
    if name == "rules" then
      schema.expect(part, "rules", bounds.rules, { "string" })
    elseif type(bounds[name]) == "number" or bounds[name] == false then
      if bounds[name] and bounds[name] <= 0 then
        schema.fail(part, name .. ": a budget is a positive multiple of the solution's")
      end
    else
      local inner = field_part(part, name)
      schema.check(inner, bounds[name], fields.bound)
      if not bounds[name].at_most and not bounds[name].at_least then
        schema.fail(inner, 'give "at_most" or "at_least"')
      end
      if name == "ms" or name == "ms_model" then schema.fail(inner, "an acceptance check never bounds a time") end
    end
  end
end

local function check_hints(context, exercise)
  if #exercise.hints ~= 3 then
    schema.fail(context, ('field "hints" has %d hints, not three: vague, closer, nearly there'):format(#exercise.hints))
  end
end

-- Tiers begin at rising rates and give rising shares of the points.
local function check_tiers(context, tiers)
  local before = { rate = 0, share = 0 }
  if #tiers == 0 then schema.fail(context, 'field "tiers" is empty') end
  for i, tier in ipairs(tiers) do
    local part = field_part(context, ("tiers[%d]"):format(i))
    schema.check(part, tier, fields.tier)
    if tier.rate <= before.rate or tier.share <= before.share then
      schema.fail(part, "a tier has a higher rate and a larger share than the one before it")
    end
    before = tier
  end
end

local function check_project(context, exercise)
  schema.check(context, exercise, fields.project_exercise)
  local part = field_part(context, "project")
  schema.check(part, exercise.project, fields.project)
  schema.check(field_part(part, "score"), exercise.project.score, fields.score)
  check_tiers(part, exercise.project.tiers)
  check_hints(context, exercise)
end

local function check_exercise(context, exercise, made)
  if type(exercise) == "table" and exercise.project then return check_project(context, exercise) end
  schema.check(context, exercise, fields.exercise)
  if (exercise.kernel == nil) == (exercise.launches == nil) then
    schema.fail(context, 'give one of "kernel" and "launches"')
  end
  local items
  if exercise.launches then
    items = launches_of(context, exercise, made, true)
  else
    for _, name in ipairs { "grid", "block", "args" } do
      if exercise[name] == nil then schema.fail(context, ("field %q is missing"):format(name)) end
    end
    check_args(context, exercise.args, made)
    items = { exercise }
  end
  check_output(context, exercise, items, made)
  check_sizes(context, exercise, { "shared", "columns" }, made)
  check_with(context, exercise, made)
  check_symbols(context, exercise, made)
  check_acceptance(context, exercise.accept or {})
  for i, size in ipairs(exercise.sizes or {}) do
    if math.type(size) ~= "integer" or size < 1 then
      schema.fail(context, ('field "sizes": sizes[%d] must be a positive integer'):format(i))
    end
  end
  check_hints(context, exercise)
end

function definition.exercises(context, made, step_ids)
  local ids = each(context, made.exercises, "exercise", function(part, exercise)
    check_exercise(part, exercise, made)
  end)
  for id in pairs(ids) do
    if step_ids[id] then schema.fail(schema.part(context, ("exercise %q"):format(id)), "a step has the same id") end
  end
end

return definition
