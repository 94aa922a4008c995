-- Records (runner.lua) as CSV.
local csv = require "gpulab.base.csv"
local lists = require "gpulab.base.lists"
local runner = require "gpulab.run.runner"
local steps = require "gpulab.lab.steps"
local value = require "gpulab.base.value"

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
  for name, n in pairs(runner.counters(record) or {}) do row[name] = n end
  return row
end

-- The fixed columns, then one for each model, then the counters.
local function header_of(run)
  local counters = {}
  for _, record in ipairs(run.records) do
    for name in pairs(runner.counters(record) or {}) do counters[name] = true end
  end
  return lists.joined(COLUMNS, lists.map(run.models, function(gpu) return "model " .. gpu end), lists.keys(counters))
end

---A header and a line for each step, quoted as in RFC 4180; lines end with \n alone.
return function(run)
  local header = header_of(run)
  local rows = { header }
  for _, record in ipairs(run.records) do
    local row, cells = row_of(run, record), { n = #header }
    for i, name in ipairs(header) do cells[i] = row[name] end
    rows[#rows + 1] = cells
  end
  return csv.document(rows)
end
