-- What Tab offers at the prompt: commands and their arguments, names of Lua, members of values.
local chunk = require "gpulab.prompt.chunk"
local help = require "gpulab.prompt.help"
local host = require "gpulab.host"
local lists = require "gpulab.base.lists"

local completion = {}

-- The names below a value, and whether each is a function, or what follows it. Nothing of a script is called, and no
-- device is opened.
local function members(value, class)
  local names = {}
  local function add(t)
    for key, v in next, t or {} do
      if type(key) == "string" and key:match("^[%a_][%w_]*$") then
        names[key] = type(v) == "function"
      end
    end
  end
  local function add_class(methods, fields)
    add(fields)
    add(methods)
  end
  if class then
    add_class(host.class_members(class))
  elseif type(value) == "table" then
    local meta = debug.getmetatable(value)
    local index = type(meta) == "table" and rawget(meta, "__index")
    if type(index) == "table" then add(index) end
    for _, name in ipairs(meta and rawget(meta, "__completes") and meta.__completes() or {}) do names[name] = "{" end
    add(value)
    if value == rawget(_G, "gpu") then names.device = false end
  elseif type(value) == "userdata" then
    add_class(host.members(value))
  elseif type(value) == "string" then
    add(string)
  end
  return names
end

-- The value that a.b.c names, by raw access only; for gpu.device its class.
local function resolve(path)
  if path == "gpu.device" then return nil, "device" end
  local value = _G
  for name in path:gmatch("[^.]+") do
    if type(value) ~= "table" then return nil end
    value = rawget(value, name)
    if value == nil and (name == "lab" or name == "check") then value = require("gpulab." .. name) end
  end
  return value
end

local function starts(word, prefix) return word:sub(1, #prefix) == prefix end

local function complete_member(path, separator, prefix)
  local value, class = resolve(path)
  local found, append = {}, ""
  for name, callable in pairs(members(value, class)) do
    if starts(name, prefix) and (separator == "." or callable == true) then
      found[#found + 1] = path .. separator .. name
      append = callable == true and "(" or callable or ""
    end
  end
  return found, append
end

local function complete_word(commands, prefix, first)
  local found, append = {}, ""
  local function add(name, after)
    if starts(name, prefix) then found[#found + 1], append = name, after end
  end
  for _, name in ipairs(chunk.global_names()) do add(name, type(rawget(_G, name)) == "function" and "(" or "") end
  for _, word in ipairs(chunk.keywords) do add(word, " ") end
  if first then
    for _, name in ipairs(commands:names()) do add(name, " ") end
  end
  return found, append
end

-- Is the end of the text inside a string?
local function in_string(text)
  local quote
  local at = 1
  while at <= #text do
    local c = text:sub(at, at)
    if quote and c == "\\" then at = at + 1
    elseif c == quote then quote = nil
    elseif not quote and (c == '"' or c == "'") then quote = c end
    at = at + 1
  end
  return quote ~= nil
end

---Candidates for the word after `before`, and what to append to a single one; nil: file names.
---@param commands Commands @param before string @param word string
function completion.of(commands, before, word)
  if before:match("^%s*%?%?%s*$") then
    return lists.append({}, commands:get("show") and commands:complete("show ", word) or {}), ""
  end
  if before:match("^%s*%?%s*$") then
    return lists.select(help.names(commands), function(name) return starts(name, word) end), ""
  end
  local candidates = commands:complete(before, word)
  if candidates then
    local found = lists.select(candidates, function(name) return starts(name, word) end)
    return #found > 0 and found or nil, #found > 0 and found[1]:sub(-1) == "=" and "" or " "
  end
  if in_string(before) then return nil end
  local path, separator, prefix = word:match("^([%a_][%w_.]*)([.:])([%w_]*)$")
  if path then return complete_member(path, separator, prefix) end
  return complete_word(commands, word, before:match("^%s*$") ~= nil)
end

return completion
