-- What a lab is: a table that says everything about it, checked when it is defined, so that running, checking,
-- completion and help all read the same definition. docs/lab-authors.md explains every field.
local failure = require "gpulab.failure"
local lecture = require "gpulab.lecture"
local schema = require "gpulab.schema"
local text = require "gpulab.text"

local lab = {}

local Lab = {}
Lab.__index = Lab
Lab.__name = "lab"

-- The fields --------------------------------------------------------------------------------------

local function nonempty(value)
  if value:match("^%s*$") then return "must not be empty" end
end

local function identifier(value)
  if value:match("^[%a][%w_-]*$") then return nil end
  return ("%q is no id: letters, digits, - and _, a letter first"):format(value)
end

local function narrow(value)
  if text.width(value) > 40 then return ("%q is longer than 40 characters"):format(value) end
  return nonempty(value)
end

-- Text that stands as it is (lines that begin with white space) has to fit the terminal; the rest is filled.
local function fits(value)
  for line in value:gmatch("[^\n]+") do
    if line:match("^%s") and text.width(line) > text.columns then
      return ("an indented line is longer than %d columns: %q"):format(text.columns, text.clip(line, 30))
    end
  end
  return nonempty(value)
end

local function source_names(value)
  for _, name in ipairs(value) do
    if type(name) ~= "string" or not lecture.sources[name] then
      return (schema.unknown("lecture", name, schema.sorted_keys(lecture.sources)))
    end
  end
end

local function claim_id(value)
  local _, reason = lecture.find(value)
  return reason
end

local SIZE = { "integer", "string", "function" } -- a number, a parameter's name, a function of the parameters

local lab_fields = {
  number = { kinds = { "integer" }, required = true },
  id = { kinds = { "string" }, required = true, check = identifier },
  title = { kinds = { "string" }, required = true, check = nonempty },
  lecture = { kinds = { "list" }, check = source_names },
  intro = { kinds = { "string" }, required = true, check = fits },
  params = { kinds = { "map" } },
  buffers = { kinds = { "map" } },
  groups = { kinds = { "list" } },
  steps = { kinds = { "list" }, required = true },
  exercises = { kinds = { "list" } },
}

local param_fields = {
  default = { kinds = { "number", "string", "boolean" }, required = true },
  min = { kinds = { "number" } },
  max = { kinds = { "number" } },
  multiple = { kinds = { "integer" } },
  because = { kinds = { "string" }, check = nonempty },
  help = { kinds = { "string" }, required = true, check = nonempty },
}

local buffer_fields = {
  type = { kinds = { "string" }, required = true },
  count = { kinds = SIZE, required = true },
  fill = { kinds = { "number", "string", "function", "table" } },
  seed = { kinds = { "integer" } },
}

local columns = { lecture = true, model = true, rate = true, passes = true, sectors = true, share = true,
  verified = true }

local function column_names(value)
  for _, name in ipairs(value) do
    if not columns[name] then return (schema.unknown("column", name, schema.sorted_keys(columns))) end
  end
end

local group_fields = {
  id = { kinds = { "string" }, required = true, check = identifier },
  title = { kinds = { "string" }, required = true, check = narrow },
  baseline = { kinds = { "string" } },
  share = { kinds = { "string" }, check = nonempty },
  columns = { kinds = { "list" }, check = column_names },
}

local kernel_fields = {
  file = { kinds = { "string" }, required = true, check = nonempty },
  name = { kinds = { "string", "function" }, required = true },
  defines = { kinds = { "map", "function" } },
  options = { kinds = { "list" } },
}

local tolerance_fields = { relative = { kinds = { "number" } }, absolute = { kinds = { "number" } } }

local step_fields = {
  id = { kinds = { "string" }, required = true, check = identifier },
  title = { kinds = { "string", "function" }, required = true },
  text = { kinds = { "string" }, required = true, check = fits },
  group = { kinds = { "string" } },
  kernel = { kinds = { "map" }, required = true },
  grid = { kinds = { "integer", "list", "function" }, required = true },
  block = { kinds = { "integer", "list", "function" }, required = true },
  shared = { kinds = SIZE },
  timeout = { kinds = { "integer" } },
  args = { kinds = { "list" }, required = true },
  output = { kinds = { "string" }, required = true },
  reference = { kinds = { "function" }, required = true },
  columns = { kinds = SIZE },
  tolerance = { kinds = { "map" } },
  useful_bytes = { kinds = { "function" } },
  useful_flops = { kinds = { "function" } },
  useful_of = { kinds = { "string" }, check = function(value)
    if value == "global memory" or value == "shared memory" then return nil end
    return 'must be "global memory" or "shared memory"'
  end },
  claim = { kinds = { "string" }, check = claim_id },
  predict = { kinds = { "map" } },
  expect = { kinds = { "map", "function" } },
}

-- Definitions -------------------------------------------------------------------------------------

local function check_params(context, params)
  for _, name in ipairs(schema.sorted_keys(params)) do
    local part = schema.part(context, ("parameter %q"):format(name))
    if not name:match("^[%a_][%w_]*$") then schema.fail(part, "a parameter's name is letters, digits and _") end
    schema.check(part, params[name], param_fields)
    local _, reason = lab.parameter_value(name, params[name], params[name].default)
    if reason then schema.fail(part, "its default is not allowed: " .. reason) end
  end
end

local function check_buffers(context, buffers, params)
  for _, name in ipairs(schema.sorted_keys(buffers)) do
    local part = schema.part(context, ("buffer %q"):format(name))
    schema.check(part, buffers[name], buffer_fields)
    if params[name] then schema.fail(part, "a parameter has the same name, so arguments could mean either") end
    local count = buffers[name].count
    if type(count) == "string" and not params[count] then
      schema.fail(part, 'field "count": ' .. schema.unknown("parameter", count, schema.sorted_keys(params)))
    end
  end
end

-- Arguments are numbers, functions, or names of buffers and parameters.
local function check_args(context, step, definition)
  local names = {}
  for name in pairs(definition.buffers) do names[#names + 1] = name end
  for name in pairs(definition.params) do names[#names + 1] = name end
  table.sort(names)
  for i, arg in ipairs(step.args) do
    local field = ("args[%d]"):format(i)
    schema.expect(context, field, arg, { "string", "number", "function" })
    if type(arg) == "string" and not definition.buffers[arg] and not definition.params[arg] then
      schema.fail(context, ("field %q: %s"):format(field, (schema.unknown("buffer or parameter", arg, names))))
    end
  end
  if not definition.buffers[step.output] then
    local known = schema.sorted_keys(definition.buffers)
    schema.fail(context, 'field "output": ' .. schema.unknown("buffer", step.output, known))
  end
  for _, arg in ipairs(step.args) do
    if arg == step.output then return end
  end
  schema.fail(context,
    ('field "output": %q is not among the arguments, so the kernel cannot write it'):format(step.output))
end

local function check_group(context, step, groups)
  if not groups then
    if step.group then schema.fail(context, 'field "group": the lab defines no groups') end
    return
  end
  local ids = {}
  for i, group in ipairs(groups) do
    if group.id == step.group then return end
    ids[i] = group.id
  end
  if not step.group then
    schema.fail(context, 'field "group" is missing: the lab has groups ' .. table.concat(ids, ", "))
  end
  schema.fail(context, 'field "group": ' .. schema.unknown("group", step.group, ids))
end

local function check_step(context, step, definition)
  schema.check(context, step, step_fields)
  schema.check(schema.part(context, 'field "kernel"'), step.kernel, kernel_fields)
  if step.tolerance then schema.check(schema.part(context, 'field "tolerance"'), step.tolerance, tolerance_fields) end
  if (step.useful_bytes == nil) == (step.useful_flops == nil) then
    schema.fail(context, 'give one of "useful_bytes" and "useful_flops": it turns a time into a rate')
  end
  for _, field in ipairs { "shared", "columns" } do
    local value = step[field]
    if type(value) == "string" and not definition.params[value] then
      schema.fail(context, ("field %q: %s"):format(field,
        (schema.unknown("parameter", value, schema.sorted_keys(definition.params)))))
    end
  end
  check_args(context, step, definition)
  check_group(context, step, definition.groups)
end

-- Where a table was written: the first line among the functions in it, "" if there are none. (`return lab.define{...}`
-- is a tail call, which leaves no trace of its file.)
local function place_of(t, depth)
  local file, line
  local function look(value, left)
    if type(value) == "function" then
      local info = debug.getinfo(value, "S")
      if info.what == "Lua" and (not line or info.linedefined < line) then
        file, line = info.short_src, info.linedefined
      end
    elseif type(value) == "table" and left > 0 then
      for _, inner in pairs(value) do look(inner, left - 1) end
    end
  end
  look(t, depth)
  return file and ("%s:%d"):format(file, line) or ""
end

local function check_steps(context, definition)
  if #definition.steps == 0 then schema.fail(context, "a lab needs at least one step") end
  local seen = {}
  for i, step in ipairs(definition.steps) do
    local named = type(step) == "table" and type(step.id) == "string"
    local part = schema.part(context, named and ("step %q"):format(step.id) or ("step %d"):format(i))
    local place = place_of(step, 1)
    if place ~= "" then part.where = place end
    check_step(part, step, definition)
    if seen[step.id] then schema.fail(part, "another step has the same id") end
    seen[step.id] = true
  end
  return seen
end

local function check_groups(context, groups)
  for i, group in ipairs(groups or {}) do
    schema.check(schema.part(context, ("group %d"):format(i)), group, group_fields)
  end
end

local function check_baselines(context, groups, step_ids)
  for _, group in ipairs(groups or {}) do
    if group.baseline and not step_ids[group.baseline] then
      schema.fail(schema.part(context, ("group %q"):format(group.id)),
        'field "baseline": ' .. schema.unknown("step", group.baseline, schema.sorted_keys(step_ids)))
    end
  end
end

---A lab from its definition; raises a usage error that names the step and the field if something is wrong with it.
---@param definition table @return Lab
function lab.define(definition)
  local context = { where = place_of(definition, 3):match("^(.*):%d+$") or "", whose = "lab" }
  schema.check(context, definition, lab_fields)
  context.whose = ("lab %d (%s)"):format(definition.number, definition.id)
  local made = {}
  for key, value in pairs(definition) do made[key] = value end
  made.params, made.buffers = definition.params or {}, definition.buffers or {}
  check_params(context, made.params)
  check_buffers(context, made.buffers, made.params)
  check_groups(context, made.groups)
  check_baselines(context, made.groups, check_steps(context, made))
  return setmetatable(made, Lab)
end

---@param value any
function lab.is_lab(value)
  return getmetatable(value) == Lab
end

---"Lab 3 · Shared memory banks".
function Lab:heading()
  return ("Lab %d · %s"):format(self.number, self.title)
end

---The step of this id, or of the only id that begins so; else raises, saying which there are.
---@param name string
function Lab:step(name)
  local found, ids = {}, {}
  for i, step in ipairs(self.steps) do
    if step.id == name then return step, i end
    if step.id:sub(1, #name) == name then found[#found + 1] = { step, i } end
    ids[i] = step.id
  end
  if #found == 1 then return table.unpack(found[1]) end
  if #found > 1 and name ~= "" then
    local names = {}
    for i, pair in ipairs(found) do names[i] = pair[1].id end
    failure.raise("usage", ("%q could be %s"):format(name, text.list(names, "or")))
  end
  local near = text.nearest(name, ids)
  failure.raise("usage", ("%s has no step %q%s"):format(self:heading(), name,
    near and (", did you mean %q?"):format(near) or ""), nil, "its steps: " .. table.concat(ids, ", "))
end

-- Parameters --------------------------------------------------------------------------------------

local function parse_boolean(value)
  if value == "true" or value == true then return true end
  if value == "false" or value == false then return false end
end

local function parse(value, default)
  if type(default) == "boolean" then return parse_boolean(value), "true or false" end
  if type(default) == "string" then return tostring(value), "a text" end
  if math.type(default) == "integer" then return math.tointeger(tonumber(value)), "an integer" end
  local number = tonumber(value)
  return number and number == number and math.abs(number) < math.huge and number or nil, "a number"
end

local function out_of_range(name, spec, value)
  if type(value) ~= "number" then return nil end
  local function reason(what, bound) return ("%s = %s is %s %s"):format(name, value, what, bound) end
  if spec.min and value < spec.min then return reason("below its least value,", spec.min) end
  if spec.max and value > spec.max then return reason("above its largest value,", spec.max) end
  if spec.multiple and value % spec.multiple ~= 0 then return reason("no multiple of", spec.multiple) end
end

---A parameter's value from what was typed or given; nil and a reason if it is not allowed.
function lab.parameter_value(name, spec, given)
  local value, wanted = parse(given, spec.default)
  if value == nil then return nil, ("%s has to be %s, not %q"):format(name, wanted, tostring(given)) end
  local reason = out_of_range(name, spec, value)
  if reason then return nil, spec.because and ("%s: %s"):format(reason, spec.because) or reason end
  return value
end

---The lab's parameters, defaults with `set` laid over them; raises for an unknown name or a value that is not
---allowed.
---@param set? table<string, string|number|boolean>
function Lab:parameters(set)
  local values = {}
  for name, spec in pairs(self.params) do values[name] = spec.default end
  for _, name in ipairs(schema.sorted_keys(set or {})) do
    local spec = self.params[name]
    if not spec then
      local message, hint = schema.unknown("parameter", name, schema.sorted_keys(self.params))
      failure.raise("usage", ("%s: %s"):format(self:heading(), message), nil, hint)
    end
    local value, reason = lab.parameter_value(name, spec, set[name])
    if value == nil then failure.raise("usage", ("%s: %s"):format(self:heading(), reason)) end
    values[name] = value
  end
  return setmetatable(values, { __index = function(_, name)
    failure.raise("usage",
      ("%s: its definition uses a parameter %q that it does not define"):format(self:heading(), tostring(name)))
  end })
end

-- Running (each in its own file) ------------------------------------------------------------------

---Runs the steps and prints the table; returns the exit code.
---@param definition Lab @param options table what the command line said
function lab.batch(definition, options)
  return require("gpulab.batch").run(definition, options)
end

---Prints the introduction and gives the prompt its commands.
---@param definition Lab @param options table
function lab.open(definition, options)
  return require("gpulab.session").open(definition, options)
end

return lab
