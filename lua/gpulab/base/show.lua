-- How the prompt and the command line print values and errors.
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"

local show = {}

local RED <const>, PLAIN <const> = "\27[31m", "\27[0m"
local MOST <const> = 40 -- lines of one table

show.printable = text.printable

-- The characters of a text, or its bytes if it is not UTF-8.
local function width(s) return utf8.len(s) or #s end

local LONGEST <const> = 2000

local function quoted(s)
  local cut = #s > LONGEST and ("... (%d bytes)"):format(#s) or ""
  local inner = show.printable(s:sub(1, LONGEST):gsub("[\\\"]", "\\%0"):gsub("\n", "\\n"):gsub("\t", "\\t"))
  return '"' .. inner .. '"' .. cut
end

local function has_tostring(v)
  local meta = debug.getmetatable(v)
  return type(meta) == "table" and (rawget(meta, "__tostring") or rawget(meta, "__name")) ~= nil
end

-- A function is shown by its place in the source.
local function function_text(f)
  local info = debug.getinfo(f, "S")
  if info.what == "C" then return "function" end
  return ("function (%s:%d)"):format(info.short_src, info.linedefined)
end

-- One value inside a table: nested tables are abbreviated.
local function brief(v)
  if type(v) == "string" then return quoted(v) end
  if type(v) == "table" and not has_tostring(v) then return next(v) == nil and "{}" or "{...}" end
  if type(v) == "function" then return function_text(v) end
  local ok, said = pcall(tostring, v)
  return show.printable(ok and said or type(v))
end

local function by_kind(a, b)
  if type(a) == type(b) and (type(a) == "number" or type(a) == "string") then return a < b end
  return type(a) ~= type(b) and type(a) < type(b)
end

local function key_text(k)
  if type(k) == "string" and k:match("^[%a_][%w_]*$") then return k end
  return "[" .. brief(k) .. "]"
end

-- { 1, 2, name = "x" } on one line if it fits, else one entry per line.
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
  if width(line) <= text.columns then return line end
  return "{\n  " .. table.concat(items, ",\n  ") .. "\n}"
end

---A value as the prompt echoes it.
---@return string
function show.value(v)
  if type(v) == "table" and not has_tostring(v) then return table_text(v) end
  return brief(v)
end

-- Errors ------------------------------------------------------------------------------------------

-- Frames without value for a user: C functions, the program's own Lua, notes on omitted frames.
local function ours(frame)
  return frame:match("^%s*%[C%]") or frame:match("^%s*lua/gpulab/") or frame:match("^%s*%(?%.%.%.")
end

-- A traceback without those frames; empty if only one is left, whose place the message has.
local function split_traceback(said)
  local message, trace = said:match("^(.-)\nstack traceback:\n(.*)$")
  if not message then return said, "" end
  local frames = {}
  for frame in trace:gmatch("[^\n]+") do
    if not ours(frame) then frames[#frames + 1] = frame end
  end
  return message, #frames > 1 and "\n" .. table.concat(frames, "\n") or ""
end

-- The colors of a compiler's message (compile/diagnostics.c); everything else in it is text.
local COLORS <const> = lists.set "\27[0m \27[1m \27[1;31m \27[1;35m \27[1;36m \27[1;32m"

local function printable_but_colors(s)
  local out, at = {}, 1
  for from, color, to in s:gmatch("()(\27%[[%d;]*m)()") do
    if COLORS[color] then
      out[#out + 1] = show.printable(s:sub(at, from - 1)) .. color
      at = to
    end
  end
  return table.concat(out) .. show.printable(s:sub(at))
end

---The text of whatever was raised.
---@param e any @param color boolean
function show.error_text(e, color)
  if type(e) == "table" and e.kind == "compile" and color and type(e.colored) == "string" then
    return printable_but_colors(e.colored)
  end
  if type(e) ~= "string" then return show.printable(text.said(e)) end
  local message, trace = split_traceback(show.printable(e))
  local place, what = message:match("^lua/gpulab/([^:]*%.lua:%d+): (.*)$")
  if place then return ("internal error in gpulab (%s): %s"):format(place, what) end
  -- of a launch it says which parameter, or which part, of which kernel
  message = message:gsub("^[^:\n]*:%d+: bad argument #%d+: (parameter %d+ of )", "%1")
    :gsub("^[^:\n]*:%d+: bad argument #%d+ to '[^'\n]*' %((launch of .*)%)$", "%1")
  return message .. trace
end

local ESCAPE <const> = "\27%[[%d;]*m"

-- "kernel.cu:7:3:" and "error: ..."; NVRTC's warnings have their place in another form. nil: a line of source.
local function parts_of(line)
  if line:match "^%s" then return nil end
  for _, kind in ipairs { "error", "warning", "note", "remark" } do
    local place, message = line:match("^(.-:) ([\27%[%d;m]*" .. kind .. "[ :].*)$")
    if place then return place, message end
  end
end

-- A compiler's message that is too long for a line: its place, and below it its words.
local function folded_message(place, said)
  local color, lines = said:match "\27%[1;3%dm", text.wrap(said:gsub(ESCAPE, ""), "    ")
  if color then lines[1] = lines[1]:gsub("%S+", color .. "%0" .. PLAIN, 1) end
  table.insert(lines, 1, place .. (color and PLAIN or ""))
  return lines
end

local CANDIDATES <const> = 2

-- Of the functions that a call could have meant, which NVRTC lists all, the first ones and how many more there are.
local function with_few_candidates(list)
  local kept, seen = {}, 0
  local function say_more()
    local more = seen - CANDIDATES
    if more > 0 then kept[#kept + 1] = ("  and %s"):format(text.plural(more, "more function")) end
    seen = 0
  end
  for _, line in ipairs(list) do
    local plain = line:gsub(ESCAPE, "")
    if plain:find("note #%d+%-D: .*does not match") then seen = seen + 1
    elseif not plain:find "^%s" then say_more() end
    if seen <= CANDIDATES then kept[#kept + 1] = line end
  end
  say_more()
  return kept
end

---A compiler's text as it fits a screen. Lines into which a caret points keep their columns.
---@param said string @return string
function show.compiler(said)
  local lines, list = {}, with_few_candidates(text.lines((said:gsub("\t", "    "))))
  for i, line in ipairs(list) do
    local plain, below = line:gsub(ESCAPE, ""), (list[i + 1] or ""):gsub(ESCAPE, "")
    local place, message = parts_of(line)
    if text.width(plain) <= text.columns then lines[#lines + 1] = line
    elseif below:match "^%s*%^" then lines[#lines + 1] = text.clip(plain, text.columns)
    elseif place then lists.append(lines, folded_message(place, message))
    else lines[#lines + 1] = text.folded(plain) end
  end
  return table.concat(lines, "\n")
end

---An error's text as it fits a screen.
---@param e any what was raised @param said string its text @return string
function show.folded(e, said)
  return type(e) == "table" and e.kind == "compile" and show.compiler(said) or text.folded(said)
end

---A message at the prompt: paths in the home folder begin with ~, as everywhere else on the screen.
---@param said string @return string
function show.at_home(said)
  local home = os.getenv "HOME"
  if not home or #home < 2 or home:sub(1, 1) ~= "/" then return said end
  local plain = home:gsub("/+$", ""):gsub("%p", "%%%0") .. "/"
  said = ("\n" .. said):gsub("([^%w%p])" .. plain, "%1~/"):gsub("(\27%[[%d;]*m)" .. plain, "%1~/")
  return said:sub(2)
end

---Prints an error on standard error.
---@param e any @param color boolean? @param fold boolean? whether it is folded to the width of a screen
function show.error(e, color, fold)
  io.stdout:flush()
  local said = show.error_text(e, color)
  if fold then said = show.folded(e, show.at_home(said)) end
  if color and not said:find("\27", 1, true) then said = RED .. said .. PLAIN end
  io.stderr:write(said, "\n")
  io.stderr:flush()
end

---From now on print writes to a file, in scripts, too.
---@param file {write: function}
function show.print_to(file)
  print = function(...) -- luacheck: ignore 121
    local texts = {}
    for i = 1, select("#", ...) do texts[i] = tostring((select(i, ...))) end
    file:write(table.concat(texts, "\t"), "\n")
  end
  rawset(_G, "print", print)
end

return show
