-- What a record says of each source line in a few words, for the end of that line, and in full for a pointer on it.
local access = require "gpulab.show.access"
local failure = require "gpulab.base.failure"
local limiter = require "gpulab.show.limiter"
local lists = require "gpulab.base.lists"
local resources = require "gpulab.show.resources"
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
  local one = lists.select(prediction and prediction.stalled or {}, function(place)
    return place.line == line.line and place.file == line.file
  end)[1]
  return one and one.share >= SHARE and ("%.0f %% of the cycles: %s"):format(100 * one.share, one.why) or nil
end

---The hints of a record's lines, each with the line's worst access.
---@param record Record @return {file: string, line: integer, label: string, worst: table?}[]
function hints.of(record)
  local prediction = record.report and limiter.prediction(record)
  local found = lists.map(record.report and record.report.lines, function(line)
    local parts = { of_access(line) or "", of_lanes(line) or "", of_stalls(prediction, line) or "" }
    local said = table.concat(lists.select(parts, function(part) return part ~= "" end), " · ")
    return { file = line.file, line = line.line, label = said, worst = line.worst }
  end)
  return lists.select(found, function(hint) return hint.label ~= "" end)
end

---The registers of a record's first kernel; nil if it has none.
---@param record Record @return string?
function hints.of_kernel(record)
  local ok, list = failure.try(resources.of, record)
  local first = ok and list[1]
  return first and text.plural(first.registers, "register") .. (first.registers_estimated and " (estimated)" or "")
end

---What was counted of a line; nil: nothing.
---@param record Record @param number integer @param file string? or its name @return table?
function hints.line(record, number, file)
  return lists.find(record.report and record.report.lines, function(line)
    return line.line == number and (not file or line.file == file or text.file_name(line.file) == file)
  end)
end

---A line in full: its counters, and its worst access with lanes and banks, or sectors.
---@param record Record @param line table of hints.line @return string[]
function hints.full(record, line)
  local lines = text.wrap(("%s, counted by the rules of the %s"):format(record.title, record.report.rules))
  local prediction, name = limiter.prediction(record)
  if prediction and prediction.known then
    text.add(lines, ("Predicted for the %s: %s, limited by %s."):format(name, text.duration(prediction.ms),
      prediction.bound))
  end
  local stalled, lanes = of_stalls(prediction, line), of_lanes(line)
  text.add(lines, ("%s warp instructions%s%s"):format(text.count(line.counters.warp_instructions or 0),
    stalled and "; " .. stalled or "", lanes and "; " .. lanes or ""))
  if line.worst then text.add_part(lines, access.explain(line, record.report.rules, true)) end
  return lines
end

return hints
