-- How the prompt and the command line show values and errors to a person.
local show = {}

local RED <const>, PLAIN <const> = "\27[31m", "\27[0m"
local COLUMNS <const> = 80
local MOST <const> = 40 -- lines of one table

-- Text that a terminal cannot misunderstand: control characters and bytes that are no UTF-8 as escapes.
---@param s string @return string
function show.printable(s)
  local function escape(c) return ("\\x%02X"):format(c:byte()) end
  if utf8.len(s) then return (s:gsub("[%z\1-\8\11-\31\127]", escape)) end
  local out, at = {}, 1
  while at <= #s do
    local good, bad = utf8.len(s, at)
    local stop = good and #s + 1 or bad
    out[#out + 1] = s:sub(at, stop - 1):gsub("[%z\1-\8\11-\31\127]", escape)
    if stop <= #s then out[#out + 1] = escape(s:sub(stop, stop)) end
    at = stop + 1
  end
  return table.concat(out)
end

-- The characters of a text, or its bytes where it is no UTF-8.
local function width(s) return utf8.len(s) or #s end

local LONGEST <const> = 2000

local function quoted(s)
  local cut = #s > LONGEST and ("... (%d bytes)"):format(#s) or ""
  local text = show.printable(s:sub(1, LONGEST):gsub("[\\\"]", "\\%0"):gsub("\n", "\\n"):gsub("\t", "\\t"))
  return '"' .. text .. '"' .. cut
end

local function has_tostring(v)
  local meta = debug.getmetatable(v)
  return type(meta) == "table" and (rawget(meta, "__tostring") or rawget(meta, "__name")) ~= nil
end

-- Where a function was written says more than its address.
local function function_text(f)
  local info = debug.getinfo(f, "S")
  if info.what == "C" then return "function" end
  return ("function (%s:%d)"):format(info.short_src, info.linedefined)
end

-- One value inside a table: tables within are only hinted at.
local function brief(v)
  if type(v) == "string" then return quoted(v) end
  if type(v) == "table" and not has_tostring(v) then return next(v) == nil and "{}" or "{...}" end
  if type(v) == "function" then return function_text(v) end
  local ok, text = pcall(tostring, v)
  return show.printable(ok and text or type(v))
end

local function by_kind(a, b)
  if type(a) == type(b) and (type(a) == "number" or type(a) == "string") then return a < b end
  return type(a) ~= type(b) and type(a) < type(b)
end

local function key_text(k)
  if type(k) == "string" and k:match("^[%a_][%w_]*$") then return k end
  return "[" .. brief(k) .. "]"
end

-- { 1, 2, name = "x" } on one line if it fits, else one entry a line.
local function table_text(t)
  local items, n = {}, rawlen(t)
  for i = 1, math.min(n, MOST) do items[i] = brief(rawget(t, i)) end
  local keys = {}
  for k in next, t do
    if not (math.type(k) == "integer" and k >= 1 and k <= n) then keys[#keys + 1] = k end
  end
  table.sort(keys, by_kind)
  for _, k in ipairs(keys) do
    if #items >= MOST then break end
    items[#items + 1] = key_text(k) .. " = " .. brief(rawget(t, k))
  end
  local left = n + #keys - #items
  if left > 0 then items[#items + 1] = ("... %d more"):format(left) end
  if #items == 0 then return "{}" end
  local line = "{ " .. table.concat(items, ", ") .. " }"
  if width(line) <= COLUMNS then return line end
  return "{\n  " .. table.concat(items, ",\n  ") .. "\n}"
end

---A value as the prompt echoes it.
---@return string
function show.value(v)
  if type(v) == "table" and not has_tostring(v) then return table_text(v) end
  return brief(v)
end

-- Errors ------------------------------------------------------------------------------------------

-- Frames that tell a user nothing: C functions, the program's own Lua, remarks about frames left out.
local function ours(frame)
  return frame:match("^%s*%[C%]") or frame:match("^%s*lua/gpulab/") or frame:match("^%s*%(?%.%.%.")
end

-- A traceback without those frames; none if only one is left, whose place the message has.
local function split_traceback(text)
  local message, trace = text:match("^(.-)\nstack traceback:\n(.*)$")
  if not message then return text, "" end
  local frames = {}
  for frame in trace:gmatch("[^\n]+") do
    if not ours(frame) then
      frames[#frames + 1] = frame
    end
  end
  return message, #frames > 1 and "\n" .. table.concat(frames, "\n") or ""
end

---The text of whatever was raised.
---@param e any @param color boolean
function show.error_text(e, color)
  if type(e) == "table" and e.kind == "compile" and color and type(e.colored) == "string" then return e.colored end
  local ok, text = pcall(tostring, e)
  if type(e) ~= "string" then return show.printable(ok and text or type(e)) end
  local message, trace = split_traceback(show.printable(e))
  return message .. trace
end

-- Lines that are too long, at a word's end.
local function folded(s)
  local text = require "gpulab.text"
  local lines = {}
  for line in (s .. "\n"):gmatch("(.-)\n") do
    local indent, rest = line:match("^(%s*)(.*)$")
    local parts = text.width(line) > COLUMNS and text.wrap(rest, indent, COLUMNS) or { line }
    table.move(parts, 1, #parts, #lines + 1, lines)
  end
  return table.concat(lines, "\n")
end

-- Errors that are sentences; a compiler's and a fault's have a form of their own.
local sentences <const> = { usage = true, setup = true }

---Prints an error on standard error.
---@param e any @param color boolean? @param fold boolean? whether sentences are folded to the width of a screen
function show.error(e, color, fold)
  io.stdout:flush()
  local text = show.error_text(e, color)
  if fold and type(e) == "table" and sentences[e.kind] then text = folded(text) end
  if color and not text:find("\27", 1, true) then text = RED .. text .. PLAIN end
  io.stderr:write(text, "\n")
  io.stderr:flush()
end

return show
