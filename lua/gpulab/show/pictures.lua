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

---A bar for each number, as long as its share of the largest; "" for what is no number. nil: there is nothing to
---compare.
---@param numbers table<integer, number?> @param count integer @param width integer @return string[]?
function pictures.bars(numbers, count, width)
  local most, known = 0, 0
  for i = 1, count do
    if numbers[i] then most, known = math.max(most, numbers[i]), known + 1 end
  end
  if known < 2 or most <= 0 then return nil end
  local made = {}
  for i = 1, count do made[i] = numbers[i] and pictures.bar(numbers[i] / most, width) or "" end
  return made
end

return pictures
