-- Pictures made of characters: bars and strips. Block characters where the terminal draws pictures, else ASCII, which a
-- screen reader reads and a plain terminal has.
local pictures = {}

---Are pictures drawn in ASCII: in a plain terminal, and where NO_COLOR asks for plain output?
---@return boolean
function pictures.plain()
  local term, no_color = os.getenv "TERM", os.getenv "NO_COLOR"
  return term == nil or term == "dumb" or no_color ~= nil and no_color ~= ""
end

local EIGHTHS <const> = { "▏", "▎", "▍", "▌", "▋", "▊", "▉" }

---A bar that takes a fraction of `width` columns. What is more than nothing shows.
---@param fraction number @param width integer @return string
function pictures.bar(fraction, width)
  local eighths = math.max(fraction > 0 and 1 or 0, math.floor(8 * width * math.min(fraction, 1) + 0.5))
  if pictures.plain() then return ("#"):rep(fraction > 0 and math.max(1, (eighths + 4) // 8) or 0) end
  return ("█"):rep(eighths // 8) .. (EIGHTHS[eighths % 8] or "")
end

---A bar of a number with a mark at its bound, `width` columns for the larger of the two: "███┃██████", "██████····┃".
---@param got number @param bound number @param width integer @return string
function pictures.gauge(got, bound, width)
  local full, empty, mark = "█", "·", "┃"
  if pictures.plain() then full, empty, mark = "#", ".", "|" end
  local most = math.max(got, bound)
  local function columns(x) return x <= 0 and 0 or math.max(1, math.floor(width * x / most + 0.5)) end
  local bar, at = columns(got), columns(bound)
  if bar == at and got > bound then at = at - 1 elseif bar == at and got < bound then bar = bar - 1 end
  if at < bar then return full:rep(at) .. mark .. full:rep(bar - at) end
  return full:rep(bar) .. empty:rep(at - bar) .. mark
end

---A bar for each number, as long as its share of the largest; "" for what is no number. nil: there is nothing to
---compare.
---@param numbers table<integer, number?> @param count integer @param width integer @return string[]?
function pictures.bars(numbers, count, width)
  local most, known, made = 0, 0, {}
  for i = 1, count do
    if numbers[i] then most, known = math.max(most, numbers[i]), known + 1 end
  end
  if known < 2 or most <= 0 then return nil end
  for i = 1, count do made[i] = numbers[i] and pictures.bar(numbers[i] / most, width) or "" end
  return made
end

local HEIGHTS <const> = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" } -- of 1, 2, 3, 4, 8, 12, 16, and 32

---A column for each of `count` counts, the higher the larger: "·" for none. In ASCII a digit, "#" from 10 on.
---@param counts table<integer, integer?> from 0 @param count integer @return string
function pictures.strip(counts, count)
  local cells, plain = {}, pictures.plain()
  for i = 0, count - 1 do
    local n = counts[i] or 0
    if plain then cells[i + 1] = n == 0 and "." or n < 10 and tostring(n) or "#"
    elseif n == 0 then cells[i + 1] = "·"
    else cells[i + 1] = HEIGHTS[math.min(#HEIGHTS, 1 + math.floor(1.4 * math.log(n, 2) + 0.5))] end
  end
  return table.concat(cells)
end

---A scale below `count` columns: "0       8       16      24".
---@param count integer @param step integer @return string
function pictures.scale(count, step)
  local scale = ""
  for i = 0, count - 1, step do scale = scale .. (" "):rep(i - #scale) .. i end
  return scale
end

---Cells that are used or not: "██······".
---@param used table<integer, boolean> from 0 @param count integer @return string
function pictures.cells(used, count)
  local cells, plain = {}, pictures.plain()
  for i = 0, count - 1 do cells[i + 1] = used[i] and (plain and "#" or "█") or plain and "." or "·" end
  return table.concat(cells)
end

return pictures
