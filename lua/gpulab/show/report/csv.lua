-- Records (runner.lua) as CSV.
local steps = require "gpulab.lab.steps"
local text = require "gpulab.base.text"
local value = require "gpulab.base.value"

local function quoted(field)
  if field == nil then return "" end
  local s = text.printable(tostring(field))
  if type(field) == "string" and s:find("^[=+@\t\r-]") then s = "'" .. s end -- a spreadsheet would run it as a formula
  return s:find('[,"\r\n]') and '"' .. s:gsub('"', '""') .. '"' or s
end

local COLUMNS <const> = { "lab", "step", "kernel", "backend", "gpu", "outcome", "verified", "value", "unit", "kind",
  "ms", "q1_ms", "q3_ms", "min_ms", "samples", "claim", "lecture", "lecture_unit", "lecture_gpu", "launches", "params",
  "error" }

local function row_of(run, record)
  local t, claim, device, rate = record.times or {}, record.claim or {}, run.device or {}, record.rate
  local row = { lab = run.lab.id, step = record.step.id, kernel = record.kernel,
    launches = record.launches and #record.launches or record.kernel and 1 or nil,
    params = steps.key(record.params or run.params, run.parameter_names), backend = device.backend,
    gpu = device.gpu, outcome = record.outcome, verified = record.verified, value = rate and rate.number,
    unit = rate and value.unit(rate), kind = t.kind, ms = t.ms, q1_ms = t.q1, q3_ms = t.q3, min_ms = t.min,
    samples = t.samples, error = t.error, claim = claim.id,
    lecture = claim.value, lecture_unit = claim.unit, lecture_gpu = claim.gpu }
  for _, model in ipairs(record.models) do row["model " .. model.gpu] = model.rate and model.rate.number end
  for name, n in pairs(record.report and record.report.counters or {}) do row[name] = n end
  return row
end

-- The fixed columns, then one for each model, then the counters.
local function header_of(run)
  local header, seen = table.move(COLUMNS, 1, #COLUMNS, 1, {}), {}
  for _, gpu in ipairs(run.models) do header[#header + 1] = "model " .. gpu end
  local first = #header + 1
  for _, record in ipairs(run.records) do
    for name in pairs(record.report and record.report.counters or {}) do
      if not seen[name] then header[#header + 1], seen[name] = name, true end
    end
  end
  local counters = table.move(header, first, #header, 1, {})
  table.sort(counters)
  return table.move(counters, 1, #counters, first, header)
end

---A header and a line for each step, quoted as in RFC 4180; lines end with \n alone.
return function(run)
  local header = header_of(run)
  local lines = { table.concat(header, ",") }
  for _, record in ipairs(run.records) do
    local row, fields = row_of(run, record), {}
    for i, name in ipairs(header) do fields[i] = quoted(row[name]) end
    lines[#lines + 1] = table.concat(fields, ",")
  end
  return table.concat(lines, "\n") .. "\n"
end
