-- Checks the tables that authors write against a description of their fields, and says which field of what is wrong.
--
--   field description: {kinds = {"string", "function"}, required = true, check = function(value) -> nil | reason}
--   kinds are Lua's type names and "integer", "list" (a table with 1..n), "map" (a table with names)
local failure = require "gpulab.failure"
local text = require "gpulab.text"

local schema = {}

local function is_list(value)
  if type(value) ~= "table" or getmetatable(value) then return false end
  local n = 0
  for _ in pairs(value) do n = n + 1 end
  return n == #value
end

local function is_map(value)
  if type(value) ~= "table" then return false end
  for key in pairs(value) do
    if type(key) ~= "string" then return false end
  end
  return true
end

local function is_a(kind, value)
  if kind == "integer" then return math.type(value) == "integer" end
  if kind == "list" then return is_list(value) end
  if kind == "map" then return is_map(value) end
  return type(value) == kind
end

local named = { list = "a list", map = "a table of names", integer = "an integer", ["function"] = "a function",
  string = "a string", number = "a number", boolean = "true or false", table = "a table" }

local function describe(kinds)
  local words = {}
  for i, kind in ipairs(kinds) do words[i] = named[kind] end
  return text.list(words, "or")
end

---Raises a usage error about the definition: whose, what.
---@param context {where: string, whose: string} @param message string
function schema.fail(context, message, hint)
  failure.raise("usage", ("%s: %s"):format(context.whose, message), context.where, hint)
end

---The same context, for a part of the thing.
function schema.part(context, name)
  return { where = context.where, whose = context.whose .. ", " .. name }
end

local function sorted_keys(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = tostring(key) end
  table.sort(keys)
  return keys
end
schema.sorted_keys = sorted_keys

function schema.unknown(what, name, known)
  local near = text.nearest(tostring(name), known)
  return ("unknown %s %q%s"):format(what, tostring(name), near and (", did you mean %q?"):format(near) or ""),
    not near and #known > 0 and "known: " .. table.concat(known, ", ") or nil
end

---Raises unless value is of one of the kinds.
function schema.expect(context, name, value, kinds)
  for _, kind in ipairs(kinds) do
    if is_a(kind, value) then return end
  end
  local got = type(value) == "string" and ("the string %q"):format(value) or named[type(value)] or type(value)
  if type(value) == "number" then got = tostring(value) end
  schema.fail(context, ("field %q must be %s, got %s"):format(name, describe(kinds), got))
end

---Raises unless t has the fields described, and no others.
function schema.check(context, t, fields)
  if not is_map(t) then
    schema.fail(context, ("must be a table of named fields, got %s"):format(named[type(t)] or type(t)))
  end
  for _, name in ipairs(sorted_keys(t)) do
    if not fields[name] then schema.fail(context, schema.unknown("field", name, sorted_keys(fields))) end
  end
  for _, name in ipairs(sorted_keys(fields)) do
    local field, value = fields[name], t[name]
    if value == nil then
      if field.required then schema.fail(context, ("field %q is missing"):format(name)) end
    else
      schema.expect(context, name, value, field.kinds)
      local reason = field.check and field.check(value)
      if reason then schema.fail(context, ("field %q: %s"):format(name, reason)) end
    end
  end
end

return schema
