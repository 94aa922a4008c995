-- string.gmatch and gsub where a search may take long: over a find that Ctrl-C stops (bind/lua/patterns.c).
local pattern = {}

-- A walk over the matches: where the next search begins, the match from first to last, and the level of the program on
-- the stack.
local function walk(find, text, at, level) return { find = find, text = text, at = at, level = level } end

-- What find gave: the captures, or the match where there are none; nil: there is no other match. An empty one where the
-- match before ended is none.
local function taken(w, first, last, ...)
  if not first then return last and error(last, w.level) end
  if last == w.last then return taken(w, w.find(first + 1)) end
  w.at, w.first, w.last = last + 1, first, last
  if (...) == nil then return w.text:sub(first, last) end
  return ...
end

function pattern.gmatch(find, text, _, init)
  local w = walk(find, text, init or 1, 2)
  return function() return taken(w, find(w.at)) end
end

-- A replacement's %0 to %9 and %%: Lua's own says what is wrong with others.
local function expand(w, replacement, ...)
  if not replacement:find("%", 1, true) then return replacement end
  local found = { ... }
  return (replacement:gsub("%%(.?)", function(c)
    if c == "%" then return c end
    if c == "0" then return w.text:sub(w.first, w.last) end
    if c:find("^[1-9]$") and found[tonumber(c)] then return found[tonumber(c)] end
    error((select(2, pcall(string.gsub, "", "", "%" .. c))), w.level + 2)
  end))
end

-- What takes the match's place; nil: there is no match.
local function replaced(w, replacement, capture, ...)
  if not capture then return nil end
  local kind, value = type(replacement), nil
  if kind == "string" then return expand(w, replacement, capture, ...) end
  if kind == "function" then value = replacement(capture, ...) end
  if kind == "table" then value = replacement[capture] end
  if not value then return w.text:sub(w.first, w.last) end
  if type(value) == "string" or type(value) == "number" then return value end
  error(("invalid replacement value (a %s)"):format(type(value)), w.level)
end

function pattern.gsub(find, text, given, replacement, most)
  local MANY <const> = 4096
  local blocks, parts, count, done = {}, {}, 0, 1
  local w = walk(find, text, 1, 4)
  if type(replacement) == "number" then replacement = tostring(replacement) end
  most = math.min(tonumber(most) or #text + 1, given:find("^", 1, true) == 1 and 1 or #text + 1)
  while count < most do
    local value = replaced(w, replacement, taken(w, find(w.at)))
    if not value then break end
    parts[#parts + 1] = text:sub(done, w.first - 1)
    parts[#parts + 1] = value
    count, done = count + 1, w.at
    if #parts > MANY then blocks[#blocks + 1], parts = table.concat(parts), {} end
  end
  parts[#parts + 1] = text:sub(done)
  blocks[#blocks + 1] = table.concat(parts)
  return table.concat(blocks), count
end

return pattern
