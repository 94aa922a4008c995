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

value.LARGE = 2 -- ratios from here on print as 16.2×, smaller ones as percentages

---A ratio to a baseline: "49 %", "16.2×".
---@param x number @return string
function value.ratio(x)
  return x >= value.LARGE and ("%.1f×"):format(x) or ("%.0f %%"):format(100 * x)
end

function value.unit(v)
  return v.unit or units[v.hint]
end

local plain = {
  percent = function(x) return ("%.0f"):format(100 * x) end,
  count = function(x) return x == math.floor(x) and text.count(x) or text.number(x) end,
  ratio = function(x) return text.number(x) end,
}

---The number without its unit: "12.5", "49", "16 000 000".
function value.number(v)
  return (plain[v.hint] or text.number)(v.number)
end

---With its unit: "12.5 GB/s", "49 %".
function value.show(v)
  local unit = value.unit(v)
  return unit == "" and value.number(v) or value.number(v) .. " " .. unit
end

return value
