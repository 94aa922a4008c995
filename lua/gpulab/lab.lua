-- What a lab is: a table that says everything about it, checked when it is defined, so that running, checking,
-- completion and help all read the same definition. docs/lab-authors.md explains every field.
local definition = require "gpulab.definition"
local failure = require "gpulab.failure"
local fields = require "gpulab.fields"
local schema = require "gpulab.schema"
local text = require "gpulab.text"

local lab = {}

local Lab = {}
Lab.__index = Lab
Lab.__name = "lab"

---A lab from its definition; raises a usage error that names the step and the field if something is wrong with it.
---@param given table @return Lab
function lab.define(given)
  local context = { where = definition.place_of(given, 3):match("^(.*):%d+$") or "", whose = "lab" }
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

---@param value any
function lab.is_lab(value)
  return getmetatable(value) == Lab
end

---"Lab 3 · Shared memory banks".
function Lab:heading()
  return ("Lab %d · %s"):format(self.number, self.title)
end

-- The item of a list with this id, or with the only id that begins so, and its place in the list.
local function named(self, list, what, name)
  local found, ids = {}, {}
  for i, item in ipairs(list) do
    if item.id == name then return item, i end
    if item.id:sub(1, #name) == name then found[#found + 1] = { item, i } end
    ids[i] = item.id
  end
  if #found == 1 then return table.unpack(found[1]) end
  if #found > 1 and name ~= "" then
    local names = {}
    for i, pair in ipairs(found) do names[i] = pair[1].id end
    failure.raise("usage", ("%q could be %s"):format(name, text.list(names, "or")))
  end
  if #ids == 0 then failure.raise("usage", ("%s has no %ss"):format(self:heading(), what)) end
  local near = text.nearest(name, ids)
  failure.raise("usage", ("%s has no %s %q%s"):format(self:heading(), what, name,
    near and (", did you mean %q?"):format(near) or ""), nil, ("its %ss: %s"):format(what, table.concat(ids, ", ")))
end

---The step of this id, or of the only id that begins so; else raises, saying which there are.
---@param name string
function Lab:step(name) return named(self, self.steps, "step", name) end

---The ids of the steps that begin so, for completion.
---@param prefix string @return string[]
function Lab:step_ids(prefix)
  local ids = {}
  for _, step in ipairs(self.steps) do
    if step.id:sub(1, #prefix) == prefix then ids[#ids + 1] = step.id end
  end
  return ids
end

---The exercise of this id, or of the only id that begins so; else raises, saying which there are.
---@param name string
function Lab:exercise(name) return named(self, self.exercises, "exercise", name) end

---The plot of this id, or of the only id that begins so; else raises, saying which there are.
---@param name string
function Lab:plot(name) return named(self, self.plots, "plot", name) end

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

-- A copy of parameter values that tells of a name the lab does not have.
local function strict(self, values)
  local copy = {}
  for name, value in pairs(values) do copy[name] = value end
  return setmetatable(copy, { __index = function(_, name)
    failure.raise("usage",
      ("%s: its definition uses a parameter %q that it does not define"):format(self:heading(), tostring(name)))
  end })
end

---Parameters with `set` laid over them; raises for an unknown name or a value that is not allowed.
---@param values table @param set table<string, string|number|boolean>
function Lab:overlay(values, set)
  local changed = strict(self, values)
  for _, name in ipairs(schema.sorted_keys(set)) do
    local spec = self.params[name]
    if not spec then
      local message, hint = schema.unknown("parameter", name, schema.sorted_keys(self.params))
      failure.raise("usage", ("%s: %s"):format(self:heading(), message), nil, hint)
    end
    local value, reason = lab.parameter_value(name, spec, set[name])
    if value == nil then failure.raise("usage", ("%s: %s"):format(self:heading(), reason)) end
    changed[name] = value
  end
  return changed
end

---The lab's parameters, defaults with `set` laid over them; raises as overlay does. options.backend "emu": the
---emulator's defaults where there are such; options.small: the sizes of tests.
---@param set? table<string, string|number|boolean> @param options? {backend: string?, small: boolean?}
function Lab:parameters(set, options)
  options = options or {}
  local values = {}
  for name, spec in pairs(self.params) do
    values[name] = spec.default
    if options.backend == "emu" and spec.emulator ~= nil then values[name] = spec.emulator end
    if options.small and spec.small ~= nil then values[name] = spec.small end
  end
  return self:overlay(values, set or {})
end

-- Running (each in its own file) ------------------------------------------------------------------

---Runs the steps and prints the table; returns the exit code.
---@param made Lab @param options table what the command line said
function lab.batch(made, options)
  return require("gpulab.batch").run(made, options)
end

---Prints the introduction and gives the prompt its commands.
---@param made Lab @param options table
function lab.open(made, options)
  return require("gpulab.session").open(made, options)
end

return lab
