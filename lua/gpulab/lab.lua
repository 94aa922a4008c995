-- A lab is a table, checked when it is defined. Running, checking, completion and help read the same definition.
-- docs/reference/lab-fields.md explains every field.
local definition = require "gpulab.lab.definition"
local failure = require "gpulab.base.failure"
local fields = require "gpulab.lab.fields"
local lists = require "gpulab.base.lists"
local schema = require "gpulab.lab.schema"
local text = require "gpulab.base.text"

local lab = {}

local Lab = {}
Lab.__index = Lab
Lab.__name = "lab"

-- The lab, checked part by part.
local function made_of(context, given)
  schema.check(context, given, fields.lab)
  context.whose = ("lab %d (%s)"):format(given.number, given.id)
  local made = setmetatable({}, Lab)
  for key, value in pairs(given) do made[key] = value end
  for _, name in ipairs { "params", "buffers", "plots", "exercises" } do made[name] = given[name] or {} end
  definition.params(context, made.params, lab.parameter_value)
  definition.buffers(context, made)
  definition.groups(context, made.groups)
  local step_ids = definition.steps(context, made)
  definition.baselines(context, made.groups, step_ids)
  definition.plots(context, made, step_ids)
  definition.exercises(context, made, step_ids)
  return made
end

---A lab from its definition; raises a usage error that names the step and the field if something is wrong with it.
---@param given table @return Lab
function lab.define(given)
  local context = { where = definition.place_of(given, 3):match("^(.*):%d+$") or "", whose = "lab" }
  local ok, made = pcall(made_of, context, given)
  if not ok then error(failure.of_definition(made, context.whose, context.where), 0) end
  return made
end

---@param value any
function lab.is_lab(value)
  return getmetatable(value) == Lab
end

---"Lab 3 · Shared memory banks".
function Lab:heading()
  return ("Lab %d · %s"):format(self.number, text.printable(self.title))
end

-- The item of a list with this id, or with the only id that begins so, and its place in the list.
local function named(self, list, what, name)
  local found, ids = {}, lists.map(list, "id")
  for i, id in ipairs(ids) do
    if id == name then return list[i], i end
    if id:sub(1, #name) == name then found[#found + 1] = i end
  end
  if #found == 1 then return list[found[1]], found[1] end
  if #found > 1 and name ~= "" then
    local names = lists.map(found, function(i) return ids[i] end)
    failure.usage(("%q is ambiguous: %s"):format(name, text.list(names, "or")))
  end
  if #ids == 0 then failure.usage(("%s has no %ss"):format(self:heading(), what)) end
  local near = text.nearest(name, ids)
  failure.usage(("%s has no %s %q%s"):format(self:heading(), what, name,
    near and (", did you mean %q?"):format(near) or ""), ("its %ss: %s"):format(what, table.concat(ids, ", ")))
end

---The step with this id or number, or the only one whose id begins so; else raises an error that lists the steps.
function Lab:step(name)
  local numbered, at = self:numbered_step(name)
  if numbered then return numbered, at end
  return named(self, self.steps, "step", name)
end

---The step with this number, as the prompt displays it; nil if the text is not a step's number or is a step's id.
function Lab:numbered_step(name)
  local at = name:match("^%d+$") and math.tointeger(tonumber(name))
  if not at or not self.steps[at] then return nil end
  for _, step in ipairs(self.steps) do
    if step.id == name then return nil end
  end
  return self.steps[at], at
end

---The step that the group of a step compares with; nil if there is none.
function Lab:baseline(step)
  local group = lists.find(self.groups, "id", step.group or false)
  return group and group.baseline and (self:step(group.baseline))
end

---The exercise with this id, or the only one whose id begins so; else raises an error that lists them.
function Lab:exercise(name) return named(self, self.exercises, "exercise", name) end

---The plot with this id, or the only one whose id begins so; else raises an error that lists them.
function Lab:plot(name) return named(self, self.plots, "plot", name) end

---GPUs for a table: those known as data, oldest first, and the one at hand where its generation is.
---@param device Device? @return GpuValues[]
function lab.gpus(device)
  local own = device and device.model and gpu.model(device.model)
  local found = lists.select(gpu.models(), function(model) return not model.base end)
  local at = 1
  for i, model in ipairs(found) do
    if not own or model.name == own.name then return found end
    if model.cc <= own.cc then at = i + 1 end
  end
  table.insert(found, at, own)
  return found
end

-- Parameters --------------------------------------------------------------------------------------

local function parse_boolean(value)
  if value == "true" or value == true then return true end
  if value == "false" or value == false then return false end
end

local function parse(value, default)
  if type(default) == "boolean" then return parse_boolean(value), "true or false" end
  if type(default) == "string" then return tostring(value), "a string" end
  if math.type(default) == "integer" then return math.tointeger(tonumber(value)), "an integer" end
  local number = tonumber(value)
  return number and number == number and math.abs(number) < math.huge and number or nil, "a number"
end

local function out_of_range(name, spec, value)
  if type(value) ~= "number" then return nil end
  local function reason(what, bound) return ("%s = %s is %s %s"):format(name, value, what, bound) end
  if spec.min and value < spec.min then return reason("less than its minimum,", spec.min) end
  if spec.max and value > spec.max then return reason("greater than its maximum,", spec.max) end
  if spec.multiple and value % spec.multiple ~= 0 then return reason("not a multiple of", spec.multiple) end
end

---A parameter's value from what was typed or given; nil and a reason if it is not allowed.
function lab.parameter_value(name, spec, given)
  local value, wanted = parse(given, spec.default)
  if value == nil then return nil, ("%s must be %s, got %q"):format(name, wanted, tostring(given)) end
  local reason = out_of_range(name, spec, value)
  -- The reason why a value is a multiple is that of the least one, too, but not of the greatest.
  local known = spec.because and not (spec.multiple and spec.max and value > spec.max)
  if reason then return nil, known and ("%s: %s"):format(reason, spec.because) or reason end
  return value
end

-- A copy of parameter values that raises for a name the lab does not define.
local function strict(self, values)
  local copy = {}
  for name, value in pairs(values) do copy[name] = value end
  return setmetatable(copy, { __index = function(_, name)
    failure.usage(("%s: its definition uses a parameter %q that it does not define"):format(self:heading(),
      tostring(name)))
  end })
end

---Parameters changed by `set`; raises for an unknown name or a value that is not allowed.
---@param values table @param set table<string, string|number|boolean>
function Lab:overlay(values, set)
  local changed = strict(self, values)
  for _, name in ipairs(schema.sorted_keys(set)) do
    local spec = self.params[name]
    if not spec then
      local message, hint = schema.unknown("parameter", name, schema.sorted_keys(self.params))
      failure.usage(("%s: %s"):format(self:heading(), message), hint)
    end
    local value, reason = lab.parameter_value(name, spec, set[name])
    if value == nil then failure.usage(("%s: %s"):format(self:heading(), reason)) end
    changed[name] = value
  end
  return changed
end

---The lab's parameters: the defaults changed by `set`; raises as overlay does. options.emulated: the emulator's
---defaults; options.small: the sizes of tests.
---@param set? table<string, string|number|boolean> @param options? {emulated: boolean?, small: boolean?}
function Lab:parameters(set, options)
  options = options or {}
  local values = {}
  for name, spec in pairs(self.params) do
    values[name] = spec.default
    if options.emulated and spec.emulator ~= nil then values[name] = spec.emulator end
    if options.small and spec.small ~= nil then values[name] = spec.small end
  end
  return self:overlay(values, set or {})
end

return lab
