-- A result is a name, a hint and a number; printers format by the hint alone.
local text = require "gpulab.base.text"

local value = {}

local units = { bandwidth = "GB/s", arithmetic = "GFLOPS", elements = "Gelem/s", duration = "ms", ratio = "×",
  percent = "%", count = "", operations = "Gop/s" }

---@param name string
---@param hint "bandwidth"|"arithmetic"|"elements"|"duration"|"ratio"|"percent"|"count"|"operations"
---@param number number @param unit? string instead of the hint's own
function value.new(name, hint, number, unit)
  assert(units[hint], hint)
  return { name = name, hint = hint, number = number, unit = unit }
end

value.LARGE = 2 -- ratios from here on have one decimal: 16.2×

---A factor between two numbers: "16.2×", "1.17×", "0.96×". Every factor that is shown is written here.
---@param x number @param more integer? further digits @return string
function value.times(x, more)
  local form = x >= value.LARGE and "%%.%df" or x >= 0.1 and "%%.%df" or "%%.%dg"
  return form:format((x >= 0.1 and x < value.LARGE and 2 or 1) + (more or 0)):format(x) .. "×"
end

local MOST_DIGITS <const> = 6 -- further ones, to tell two numbers apart

---Two numbers as texts that differ if the numbers do: "0.767×", "0.768×".
---@param x number @param y number @param shown fun(x: number, more: integer): string with that many further digits
---@return string, string
function value.apart(x, y, shown)
  for more = 0, MOST_DIGITS do
    local a, b = shown(x, more), shown(y, more)
    if a ~= b or x == y or more == MOST_DIGITS then return a, b end
  end
end

---A ratio to a baseline: "49 %", "16.2×".
---@param x number @return string
function value.ratio(x)
  return x >= value.LARGE and value.times(x) or ("%.0f %%"):format(100 * x)
end

function value.unit(v)
  return v.unit or units[v.hint]
end

local plain = {
  percent = function(x) return ("%.0f"):format(100 * x) end,
  count = function(x) return x == math.floor(x) and text.count(x) or text.number(x) end,
  ratio = value.times,
}

---The number without its unit: "12.5", "49", "16 000 000".
function value.number(v)
  return (plain[v.hint] or text.number)(v.number)
end

---With its unit: "12.5 GB/s", "49 %".
function value.show(v)
  local unit = value.unit(v)
  return (unit == "" or v.hint == "ratio") and value.number(v) or value.number(v) .. " " .. unit
end

return value
