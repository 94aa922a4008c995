-- Text for a terminal: widths in characters, not bytes; number formats.
local host = require "gpulab.host"

local text = {}

local NARROWEST <const>, WIDEST <const> = 60, 160

-- Of the terminal, as far as that is readable; 80 where there is none.
text.columns = 80

---Takes over the width of the terminal, which may have changed.
function text.follow(columns)
  text.columns = math.max(NARROWEST, math.min(WIDEST, columns))
end

---External text made safe: control characters and bytes that are not UTF-8 print as \x1B and \u{9B}.
---@param s string @return string
text.printable = host.printable

---U+FFFD in place of each byte that is not UTF-8.
---@param s string @return string
function text.valid_utf8(s)
  if utf8.len(s) then return s end
  local out, at = {}, 1
  while at <= #s do
    local _, bad = utf8.len(s, at)
    if not bad then
      out[#out + 1] = s:sub(at)
      break
    end
    out[#out + 1] = s:sub(at, bad - 1)
    out[#out + 1] = "\u{FFFD}"
    at = bad + 1
  end
  return table.concat(out)
end

---The lines of a text.
---@param s string @return string[]
function text.lines(s)
  local lines = {}
  for line in (s:gsub("\n$", "") .. "\n"):gmatch("(.-)\n") do lines[#lines + 1] = line end
  return lines
end

---A number of a buffer as its comparison sees it: "3", "0.100000001", "nan".
---@param x number
function text.exact(x)
  if x ~= x then return "nan" end
  return (math.type(x) == "integer" and "%d" or "%.9g"):format(x)
end

---tostring of a value, or a description if that fails.
function text.said(v)
  local ok, said = pcall(tostring, v)
  if not ok or v == nil then return "an error without a message" end
  return type(v) == "table" and said:match("^table: ") and "an error object without a message" or said
end

---Without the white space around it. In one pass: "^%s*(.-)%s*$" takes the square of the longest run of blanks.
---@param s string @return string
function text.trim(s)
  local first = s:find("%S")
  return first and s:match("^.*%S", first) or ""
end

---The last line that is not empty. In one pass, too.
---@param s string @return string
function text.last_line(s)
  local kept = s:match("^.*[^\n]") or ""
  return kept:match("^.*\n(.*)") or kept
end

---Columns that s takes up. The labs' texts use no wide or combining characters, so a character is a column.
---@param s string
---@return integer
function text.width(s)
  return utf8.len(s) or #s
end

---@param s string @param width integer
function text.left(s, width)
  return s .. (" "):rep(width - text.width(s))
end

---@param s string @param width integer
function text.right(s, width)
  return (" "):rep(width - text.width(s)) .. s
end

---A path's last part.
function text.file_name(path) return path:match("[^/]+$") or path end

---The first `width` columns of s, with an ellipsis if it was cut.
function text.clip(s, width)
  s = text.printable(s)
  if text.width(s) <= width then return s end
  local cut = utf8.len(s) and utf8.offset(s, width) or width
  return s:sub(1, cut - 1) .. "…"
end

local KEPT <const> = "\u{A0}" -- a blank at which no line ends

---Words that stay on one line when text.wrap fills a paragraph.
---@param words string @return string
function text.together(words) return (words:gsub(" ", KEPT)) end

-- A number with its unit or its groups of digits: 16 000, 48 %, 0.5 ms.
local units <const> = { "ms", "µs", "GB/s", "GFLOPS", "GHz", "KB", "MB", "GB" }

local function numbers_together(words)
  words = words:gsub("(%d) (%d%d%d)%f[^%d]", "%1" .. KEPT .. "%2"):gsub("(%d) (%d%d%d)%f[^%d]", "%1" .. KEPT .. "%2")
  words = words:gsub("(%d) %%", "%1" .. KEPT .. "%%")
  for _, unit in ipairs(units) do words = words:gsub("(%d) (" .. unit .. ")%f[%W]", "%1" .. KEPT .. "%2") end
  return words
end

local QUOTED <const> = 40 -- columns of a quotation that stays on one line

-- What is in `backticks` or "quotation marks" is typed or read as one.
local function quotes_together(words)
  local function kept(quotation)
    return text.width(quotation) <= QUOTED and text.together(quotation) or nil
  end
  return (words:gsub("`[^`]+`", kept):gsub('"[^"]+"', kept))
end

local function wrap_paragraph(words, width, indent, lines)
  local first, line = #lines + 1, indent
  words = quotes_together(numbers_together(words))
  for word in words:gmatch("%S+") do
    local joined = line == indent and line .. word or line .. " " .. word
    if text.width(joined) > width and line ~= indent then
      lines[#lines + 1] = line
      joined = indent .. word
    end
    line = joined
  end
  if line ~= indent then lines[#lines + 1] = line end
  for i = first, #lines do lines[i] = lines[i]:gsub(KEPT, " ") end
end

---Lines that are longer than the width are filled behind their own indentation; the others stay as they are.
---@param s string @return string
function text.folded(s)
  local lines = {}
  for line in (s .. "\n"):gmatch("(.-)\n") do
    local indent, rest = line:match("^(%s*)(.*)$")
    local parts = text.width(line) > text.columns and text.wrap(rest, indent) or { line }
    table.move(parts, 1, #parts, #lines + 1, lines)
  end
  return table.concat(lines, "\n")
end

---Fills paragraphs to the width. Lines that begin with white space are kept (code, pictures).
---@param s string @param indent? string @param width? integer
---@return string[]
function text.wrap(s, indent, width)
  indent, width = indent or "", width or text.columns
  local lines, paragraph = {}, {}
  local function flush()
    wrap_paragraph(table.concat(paragraph, " "), width, indent, lines)
    paragraph = {}
  end
  for line in ((text.printable(s):match("^.*%S") or "") .. "\n"):gmatch("(.-)\n") do
    if line:match("^%s*$") then
      flush()
      if #lines > 0 then lines[#lines + 1] = "" end
    elseif line:match("^%s") then
      flush()
      lines[#lines + 1] = indent .. line
    else
      paragraph[#paragraph + 1] = line
    end
  end
  flush()
  return lines
end

---Appends a text to lines, filled to the width; indent: two blanks.
---@param lines string[] @param s string @param indent? string @param width? integer
function text.add(lines, s, indent, width)
  for _, line in ipairs(text.wrap(s, indent or "  ", width)) do lines[#lines + 1] = line end
end

---Appends lines that have their own indentation, two blanks further in. What is longer than a line is filled behind its
---indentation. A text that was filled to the width already has no room for the two blanks and goes without.
---@param lines string[] @param s string
function text.add_lines(lines, s)
  local widest = 0
  for line in s:gmatch("[^\n]+") do widest = math.max(widest, text.width(line)) end
  local margin = (widest > text.columns or widest + 2 <= text.columns) and "  " or ""
  for line in s:gmatch("[^\n]+") do
    local indent, said = line:match("^(%s*)(.*)$")
    if text.width(line) + #margin <= text.columns then lines[#lines + 1] = margin .. line
    else text.add(lines, said, margin .. indent) end
  end
end

---Appends lines, if there are any, behind an empty one.
---@param lines string[] @param part string[] @return string[] lines
function text.add_part(lines, part)
  if #part > 0 and #lines > 0 and lines[#lines] ~= "" then lines[#lines + 1] = "" end
  return table.move(part, 1, #part, #lines + 1, lines)
end

local instead

---Where what commands show goes: standard output, unless a document has that.
---@return file*
function text.out() return instead or io.stdout end

---@param file file* what commands show goes there from now on
function text.say_to(file) instead = file end

---Prints a line or several.
---@param lines string|string[]
function text.say(lines)
  if type(lines) == "string" then lines = { lines } end
  if #lines > 0 then text.out():write(table.concat(lines, "\n"), "\n") end
end

---Prints a text, filled to the width and indented.
function text.say_wrapped(s) text.say(text.wrap(s, "  ")) end

---Three significant digits, or more if the integer part has more: 3320, 12.5, 8.33, 0.125, 0.00287.
function text.number(x)
  if x ~= x then return "nan" end
  if x == math.huge or x == -math.huge then return x > 0 and "inf" or "-inf" end
  local size = math.abs(x)
  if size > 0 and size < 0.1 then return ("%.3g"):format(x) end
  local digits = size >= 100 and 0 or size >= 10 and 1 or size >= 1 and 2 or 3
  return ("%%.%df"):format(digits):format(x)
end

---A time: "3.2 µs" below a millisecond, else "12.5 ms", "1500 ms".
---@param ms number @return string
function text.duration(ms)
  if ms < 1 then return text.number(1000 * ms) .. " µs" end
  return text.number(ms) .. " ms"
end

---An integer with separated thousands: 16 000 000.
function text.count(n)
  local s = ("%.0f"):format(n)
  local sign, digits = s:match("^(-?)(%d+)$")
  digits = digits:reverse():gsub("(%d%d%d)", "%1 "):reverse():gsub("^ ", "")
  return sign .. digits
end

---A count with its noun: text.plural(1, "step") is "1 step".
function text.plural(n, noun)
  local ending = n == 1 and "" or (noun:find("[cs]h$") or noun:find("s$")) and "es" or "s"
  return ("%s %s%s"):format(text.count(n), noun, ending)
end

---"a", "a and b", "a, b and c".
function text.list(items, last)
  local n = #items
  if n < 2 then return items[1] or "" end
  return table.concat(items, ", ", 1, n - 1) .. (" %s %s"):format(last or "and", items[n])
end

---The candidate nearest to a mistyped word, or nil if none is near.
---@param word string @param candidates string[]
text.nearest = host.nearest

return text
