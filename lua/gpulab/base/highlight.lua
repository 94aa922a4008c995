-- CUDA C++ source for a terminal: comments faint, CUDA's own words bold, literals and keywords in color. The text stays
-- as it is; without color nothing is added.
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"

local highlight = {}

local styles <const> = { comment = "2", cuda = "1", keyword = "34", literal = "36", directive = "35" }

local keywords <const> = lists.set [[alignas auto bool break case char class const constexpr continue default do double
  else enum extern false float for goto if inline int long namespace nullptr operator private public register return
  short signed sizeof static struct switch template this true typedef typename union unsigned using void volatile while
  size_t half uint]]
local cuda <const> = lists.set "threadIdx blockIdx blockDim gridDim warpSize"

local function style_of(word)
  if cuda[word] or word:match("^__") or word:match("^atomic%u") then return "cuda" end
  return keywords[word] and "keyword" or nil
end

-- The next piece of a line from `at`: its end and style. `inside`: in a comment that began on an earlier line.
local function piece(line, at, inside)
  if inside then
    local close = select(2, line:find("*/", at, true))
    return close or #line, "comment", not close
  end
  if line:find("^//", at) then return #line, "comment" end
  if line:find("^/%*", at) then
    local close = select(2, line:find("*/", at + 2, true))
    return close or #line, "comment", not close
  end
  if line:find("^%s*#", at) and not line:sub(1, at - 1):find("%S") then
    return select(2, line:find("^%s*#%s*%a*", at)), "directive"
  end
  local stop = select(2, line:find('^"[^"]*"?', at)) or select(2, line:find("^'[^']*'?", at))
    or select(2, line:find("^%.?%d[%w_.']*", at))
  if stop then return stop, "literal" end
  stop = select(2, line:find("^[%a_][%w_]*", at))
  if stop then return stop, style_of(line:sub(at, stop)) end
  return select(2, line:find("^[^%w_\"'/#]+", at)) or at
end

-- One line in pieces {text, style}; also whether a comment goes on behind it.
local function pieces_of(line, inside)
  local pieces, at = {}, 1
  while at <= #line do
    local stop, style, open = piece(line, at, inside)
    pieces[#pieces + 1] = { line:sub(at, stop), style }
    at, inside = stop + 1, open
  end
  return pieces, inside
end

-- The pieces as one string of at most `width` columns; an ellipsis says that something was cut.
local function painted(pieces, width, color, cut)
  local out, room = {}, cut and width - 1 or width
  for _, each in ipairs(pieces) do
    local s, style = each[1], styles[each[2]]
    if text.width(s) > room then s = s:sub(1, (utf8.offset(s, room + 1) or room + 1) - 1) end
    room = room - text.width(s)
    out[#out + 1] = color and style and s ~= "" and ("\27[%sm%s\27[0m"):format(style, s) or s
    if room <= 0 then break end
  end
  return table.concat(out) .. (cut and "…" or "")
end

---Lines of a source, each cut to `width` columns.
---@param lines string[] printable, without tabs @param width integer @param color boolean @return string[]
function highlight.lines(lines, width, color)
  local out, inside = {}, false
  for i, line in ipairs(lines) do
    local pieces, open = pieces_of(line, inside)
    inside = open
    out[i] = painted(pieces, width, color, text.width(line) > width)
  end
  return out
end

return highlight
