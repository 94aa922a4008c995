-- What a record says of each source line in a few words, for the end of that line, and in full for a pointer on it.
local access = require "gpulab.show.access"
local limiter = require "gpulab.show.limiter"
local lists = require "gpulab.base.lists"
local runner = require "gpulab.run.runner"
local text = require "gpulab.base.text"

local hints = {}

local LANES <const>, FEW <const> = 32, 0.9 -- of the lanes: more are no divergence to speak of
local SHARE <const> = 0.1                  -- of the warps' cycles: less is not said

local units <const> = { shared = "wavefront", global = "sector" }

-- "32 wavefronts per load (ideal 1)", where the line's worst access exceeds its ideal.
local function of_access(line)
  local worst = line.worst
  local unit = worst and units[worst.space]
  if not unit or not worst.ideal or worst.cost <= worst.ideal then return nil end
  local mean = worst.access ~= "atomic" and runner.ratio(line.counters, worst.space .. "_" .. worst.access)
  local cost = mean or worst.cost
  return ("%s %ss per %s (ideal %d)"):format(cost == math.floor(cost) and text.count(cost) or text.number(cost), unit,
    worst.access, worst.ideal)
end

local function of_lanes(line)
  local c = line.counters
  local active = (c.warp_instructions or 0) > 0 and c.thread_instructions / c.warp_instructions
  if not active or active >= FEW * LANES then return nil end
  return ("%.1f of %d lanes active"):format(active, LANES)
end

local function of_stalls(prediction, line)
  local one = lists.find(prediction and prediction.stalled or {}, "line", line.line)
  return one and one.share >= SHARE and ("%.0f %% of the cycles: %s"):format(100 * one.share, one.why) or nil
end

---The hints of a record's lines.
---@param record Record @return {file: string, line: integer, label: string}[]
function hints.of(record)
  local found = {}
  local prediction = record.report and limiter.prediction(record)
  for _, line in ipairs(record.report and record.report.lines or {}) do
    local parts = {}
    for _, said in ipairs { of_access(line) or false, of_lanes(line) or false,
      of_stalls(prediction, line) or false } do
      if said then parts[#parts + 1] = said end
    end
    if #parts > 0 then
      found[#found + 1] = { file = line.file, line = line.line, label = table.concat(parts, " · ") }
    end
  end
  return found
end

---The registers of a record's kernel, from its launch; nil if it has none.
---@param record Record @return string?
function hints.of_kernel(record)
  local ok, said = pcall(record.with_kernels, record, function(prepared)
    local kernel = prepared.kernel
    return kernel and ("%s%s"):format(text.plural(kernel.registers, "register"),
      kernel.registers_estimated and " (estimated)" or "")
  end)
  return ok and said or nil
end

---A line in full: its counters, and its worst access with lanes and banks, or sectors. nil if it was not counted.
---@param record Record @param file string @param number integer @return string[]?, table? line
function hints.full(record, file, number)
  local line = lists.find(record.report and record.report.lines or {}, function(each)
    return each.line == number and each.file == file
  end)
  if not line then return nil end
  local lines = text.wrap(("%s, counted by the rules of the %s"):format(record.title, record.report.rules))
  local prediction, name = limiter.prediction(record)
  if prediction and prediction.known then
    text.add(lines, ("Predicted for the %s: %s, limited by %s."):format(name, text.duration(prediction.ms),
      prediction.bound))
  end
  local stalled = of_stalls(prediction, line)
  local c = line.counters
  text.add(lines, ("%s warp instructions%s%s"):format(text.count(c.warp_instructions or 0),
    stalled and "; " .. stalled or "", of_lanes(line) and "; " .. of_lanes(line) or ""))
  if line.worst then text.add_part(lines, access.explain(line, record.report.rules, true)) end
  return lines, line
end

return hints
