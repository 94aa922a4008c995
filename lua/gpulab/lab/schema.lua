-- Checks the tables that authors write against a description of their fields, and says which field of what is wrong.
--
--   field description: {kinds = {"string", "function"}, required = true, check = function(value) -> nil | reason}
--   kinds are Lua's type names and "integer", "list" (a table with 1..n), "list of KIND", "map" (a table with names);
--   fields: of a map
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"

local schema = {}

local function is_list(value)
  if type(value) ~= "table" or getmetatable(value) then return false end
  local n = 0
  for _ in pairs(value) do n = n + 1 end
  return n == #value
end

local function is_map(value)
  if type(value) ~= "table" or getmetatable(value) then return false end
  for key in pairs(value) do
    if type(key) ~= "string" then return false end
  end
  return true
end

local function is_a(kind, value)
  local item = kind:match "^list of (.*)$"
  if item then return is_list(value) and not lists.any(value, function(one) return not is_a(item, one) end) end
  if kind == "integer" then return math.type(value) == "integer" end
  if kind == "list" then return is_list(value) end
  if kind == "map" then return is_map(value) end
  if kind == "size" then -- 17305600.0, as n ^ 2 gives it, is one
    local whole = type(value) == "number" and math.tointeger(value)
    return whole and whole >= 0 and whole < 1 << 48
  end
  if kind == "finite" then return math.type(value) == "integer" or type(value) == "number" and value - value == 0 end
  if kind == "array" then
    local count, length = pcall(function() return #value end)
    return (type(value) == "userdata" or type(value) == "table") and count and math.type(length) == "integer"
  end
  if kind == "text" then return type(value) == "string" or value == nil end
  return type(value) == kind
end

local function is_any(kinds, value)
  return lists.any(kinds, function(kind) return is_a(kind, value) end)
end

local named = { size = "an integer of at least 0", finite = "a number", array = "an array", text = "a string or nil",
  list = "a list", map = "a table with named fields", integer = "an integer", ["function"] = "a function",
  string = "a string", number = "a number", boolean = "true or false", table = "a table" }

local function describe(kinds)
  return text.list(lists.map(kinds, function(kind)
    local item = kind:match "^list of (.*)$"
    return item and "a list, each " .. (named[item] or item) or named[kind] or kind
  end), "or")
end

---Raises a usage error about the definition.
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

---Names that changed, by what they name: the old one is an error that suggests the new one.
schema.renamed = { field = { gate = "accept" }, column = { passes = "wavefronts" },
  quantity = { passes = "wavefronts" } }

---@param renamed? table<string, string> new names by old
function schema.unknown(what, name, known, renamed)
  local near = renamed and renamed[name] or text.nearest(tostring(name), known)
  return ("unknown %s %q%s"):format(what, tostring(name), near and (", did you mean %q?"):format(near) or ""),
    not near and #known > 0 and "known: " .. table.concat(known, ", ") or nil
end

---Raises unless value is of one of the kinds.
function schema.expect(context, name, value, kinds)
  if is_any(kinds, value) then return end
  local got = type(value) == "string" and ("the string %q"):format(value) or named[type(value)] or type(value)
  if type(value) == "number" then got = tostring(value) end
  schema.fail(context, ("field %q must be %s, got %s"):format(name, describe(kinds), got))
end

-- What a function of a definition raised, with the place and the field.
local function raised(context, name, e)
  if type(e) == "table" and type(e.kind) == "string" and type(e.message) == "string" then
    if e.kind == "usage" and (e.where or "") == "" then failure.raise("usage", e.message, context.where, e.hint) end
    error(e, 0)
  end
  local ok, said = pcall(tostring, e)
  said = ok and type(e) ~= "table" and e ~= nil and said or ("a %s"):format(type(e))
  schema.fail(context, ("field %q raises: %s"):format(name, said))
end

-- By function, then by its return kinds: several steps that share a function share its guard.
local guards = setmetatable({}, { __mode = "k" })

-- Wraps the function: a failure or a wrong return value becomes an error of the definition.
local function guarded(context, name, f, kinds)
  local key = table.concat(kinds, " ")
  local known = guards[f] or {}
  guards[f] = known
  if known[key] then return known[key] end
  local function finish(ok, value)
    if not ok then raised(context, name, value) end
    if is_any(kinds, value) then return value end
    schema.fail(context, ("field %q must return %s, returned %s"):format(name, describe(kinds),
      type(value) == "number" and tostring(value) or named[type(value)] or type(value)))
  end
  known[key] = function(...) return finish(pcall(f, ...)) end
  guards[known[key]] = { [key] = known[key] }
  return known[key]
end

---Raises unless t has exactly the fields described. Replaces functions by guards that check what they return.
function schema.check(context, t, fields)
  if not is_map(t) then
    schema.fail(context, ("must be a table with named fields, got %s"):format(named[type(t)] or type(t)))
  end
  for _, name in ipairs(sorted_keys(t)) do
    if not fields[name] then schema.fail(context, schema.unknown("field", name, sorted_keys(fields), fields.accept
      and schema.renamed.field)) end
  end
  for _, name in ipairs(sorted_keys(fields)) do
    local field, value = fields[name], t[name]
    if value == nil then
      if field.required then schema.fail(context, ("field %q is missing"):format(name)) end
    else
      schema.expect(context, name, value, field.kinds)
      if type(value) == "function" and field.returns then t[name] = guarded(context, name, value, field.returns) end
      if field.fields then schema.check(schema.part(context, ("field %q"):format(name)), value, field.fields) end
      local reason = field.check and field.check(value)
      if reason then schema.fail(context, ("field %q: %s"):format(name, reason)) end
    end
  end
end

return schema
