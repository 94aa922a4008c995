-- Axes of a chart: from data to a range with round ends, its ticks, and where in it a number lies.
local scale = {}

local Scale = {}
Scale.__index = Scale

-- 1, 2 or 5 times a power of ten, at least x.
local function round_up(x)
  local power = 10.0 ^ math.floor(math.log(x, 10))
  for _, factor in ipairs { 1, 2, 5, 10 } do
    if factor * power >= x * (1 - 1e-9) then return factor * power end
  end
end

local function is_power_of_two(x)
  return x > 0 and x == math.floor(x) and math.type(math.tointeger(x)) == "integer"
    and math.tointeger(x) & (math.tointeger(x) - 1) == 0
end

local function bounds(values)
  local low, high = math.huge, -math.huge
  for _, v in ipairs(values) do low, high = math.min(low, v), math.max(high, v) end
  if low > high then return 0, 1 end
  return low, high
end

-- Linear ------------------------------------------------------------------------------------------

local function linear(values, options)
  local low, high = bounds(values)
  if options.from_zero and low > 0 then low = 0 end
  if low == high then low, high = low - (options.from_zero and 0 or 1), high + 1 end
  local step = round_up((high - low) / options.ticks)
  local self = setmetatable({ low = low, high = high, ticks = {} }, Scale)
  if options.from_zero then
    self.low = math.floor(low / step + 1e-9) * step
    self.high = math.ceil(high / step - 1e-9) * step
  end
  local first = math.ceil(self.low / step - 1e-9)
  for i = first, first + 50 do
    local tick = i * step
    if tick > self.high + step * 1e-6 then break end
    self.ticks[#self.ticks + 1] = tick == 0 and 0.0 or tick
  end
  return self
end

-- Logarithmic -------------------------------------------------------------------------------------

local function thinned(ticks, most)
  local every = math.max(1, math.ceil(#ticks / most))
  local kept = {}
  for i = 1, #ticks, every do kept[#kept + 1] = ticks[i] end
  return kept
end

local function powers(base, low, high)
  local ticks = {}
  local first = math.ceil(math.log(low, base) - 1e-9)
  for i = first, first + 200 do
    local tick = (base + 0.0) ^ i
    if tick > high * (1 + 1e-9) then break end
    ticks[#ticks + 1] = tick
  end
  return ticks
end

local function between_decades(low, high)
  local ticks = {}
  for decade = math.floor(math.log(low, 10)), math.ceil(math.log(high, 10)) do
    for _, factor in ipairs { 1, 2, 5 } do
      local tick = factor * 10.0 ^ decade
      if tick >= low * (1 - 1e-9) and tick <= high * (1 + 1e-9) then ticks[#ticks + 1] = tick end
    end
  end
  return ticks
end

local function logarithmic(values, options)
  local low, high = bounds(values)
  local self = setmetatable({ log = true }, Scale)
  local binary = not options.from_zero
  for _, v in ipairs(values) do binary = binary and is_power_of_two(v) end
  if options.from_zero then -- an axis of results: ends at round numbers
    low = 10.0 ^ math.floor(math.log(low, 10) + 1e-9)
    high = round_up(high)
  end
  if high / low < 1 + 1e-9 then low, high = low / 2, high * 2 end
  self.low, self.high = low, high
  local ticks = powers(binary and 2 or 10, low, high)
  if #ticks < 3 then ticks = between_decades(low, high) end
  self.ticks = thinned(ticks, options.ticks + 2)
  return self
end

---A scale for these numbers. options: ticks, about how many; log; from_zero: of an axis of results, which begins at 0
---and ends at a round number. A logarithmic one needs numbers above 0: else it is linear.
---@param values number[] @param options {ticks: integer, log: boolean?, from_zero: boolean?}
function scale.of(values, options)
  local low = bounds(values)
  if options.log and #values > 0 and low > 0 then return logarithmic(values, options) end
  return linear(values, options)
end

---Where a number lies: 0 at the low end, 1 at the high one.
function Scale:at(v)
  if self.log then
    return (math.log(v) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
  end
  return (v - self.low) / (self.high - self.low)
end

local function short(x) return ("%.6g"):format(x) end

---A tick's label: 4096 is 4Ki where all are powers of two, 1e6 is 1M.
function scale.label(x)
  local size = math.abs(x)
  if is_power_of_two(x) and size >= 1024 then
    for _, unit in ipairs { { 1 << 30, "Gi" }, { 1 << 20, "Mi" }, { 1 << 10, "Ki" } } do
      if size >= unit[1] then return short(x / unit[1]) .. unit[2] end
    end
  end
  if size >= 1e12 or size ~= 0 and size < 1e-4 then return ("%.0e"):format(x) end
  for _, unit in ipairs { { 1e9, "G" }, { 1e6, "M" }, { 1e4, "k" } } do
    if size >= unit[1] then return short(x / (unit[2] == "k" and 1e3 or unit[1])) .. unit[2] end
  end
  return short(x)
end

return scale
