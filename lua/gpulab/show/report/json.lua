-- Records (runner.lua) as JSON.
local nondeterminism = require "gpulab.show.nondeterminism"
local failure = require "gpulab.base.failure"
local json = require "gpulab.base.json"
local lists = require "gpulab.base.lists"
local steps = require "gpulab.lab.steps"
local transfer = require "gpulab.run.transfer"
local value = require "gpulab.base.value"

local documents = {}

local function rate_of(record, params)
  if not record.rate then return nil end
  local t = record.times
  local function at(ms)
    local rate = steps.rate(record.step, params, ms)
    return rate and rate.number
  end
  return json.object("value", record.rate.number, "unit", value.unit(record.rate), "kind", t.kind, "q1", at(t.q1),
    "q3", at(t.q3), "min", at(t.min), "samples", t.samples)
end

-- The time that each resource alone would take, the longest first.
local function limits_of(limits) return json.each(limits or nil, "name ms") end

-- Nsight Compute's names; warp cycles per instruction issued.
local function stalls_of(stalls)
  return stalls and json.pick(stalls, table.concat(lists.keys(stalls), " "))
end

local function stalled_of(stalled) return json.each(stalled, "file line share stall=why") end

local function note_of(note) return note ~= "" and note or nil end

local function time_of(times)
  if not times then return nil end
  local object = json.object("unit", "ms", "median", times.ms)
  for _, name in ipairs { "q1", "q3", "min", "hot", "cold", "overhead", "launch", "samples", "discarded", "batch",
    "graph", "clock_ghz", "temperature", "throttled", "impossible", "bound", "error" } do
    json.put(object, name, times[name])
  end
  json.put(object, "limits", limits_of(times.limits))
  json.put(object, "stalls", stalls_of(times.stalls))
  json.put(object, "stalled", stalled_of(times.stalled))
  return json.put(object, "note", note_of(times.note))
end

local function claim_of(claim)
  if not claim then return nil end
  local object = json.pick(claim, "id value unit gpu n statement")
  json.put(object, "block", claim.block and json.list(claim.block))
  json.put(object, "source", claim.source)
  json.put(object, "place", claim.place)
  return json.put(object, "slide", claim.slide)
end

local function model_of(row)
  return json.object("gpu", row.gpu, "known", row.known, "value", row.rate and row.rate.number,
    "unit", row.rate and value.unit(row.rate), "ms", row.known and row.ms or nil,
    "bound", row.known and row.bound or nil, "error", row.error, "limits", limits_of(row.known and row.limits),
    "stalls", stalls_of(row.stalls), "stalled", stalled_of(row.stalled), "note", note_of(row.note))
end

local function line_of(line)
  local entry = json.pick(line, "file line text")
  for _, name in ipairs(lists.keys(line.counters)) do
    if line.counters[name] ~= 0 then json.put(entry, name, line.counters[name]) end
  end
  return entry
end

local function triple_of(v)
  return v and json.list { v[1], v[2], v[3] }
end

local function fault_of(fault)
  if not fault then return nil end
  local object = json.pick(fault, "kind located replayed")
  json.put(object, "block", triple_of(fault.block))
  json.put(object, "thread", triple_of(fault.thread))
  for _, name in ipairs { "threads", "file", "line", "space", "access", "width", "buffer", "element", "offset",
    "message" } do json.put(object, name, fault[name]) end
  return object
end

local function mismatch_of(mismatch)
  return mismatch and json.object("count", mismatch.count, "total", mismatch.total,
    "first", json.each(mismatch.first, "index row column got want"))
end

-- An issue of the checkers (--check).
local function issue_of(issue)
  local object = json.pick(issue, "check count message hint space buffer offset width")
  return json.put(object, "sites", json.each(issue.sites, function(s)
    return json.object("file", s.file, "line", s.line, "access", s.access, "block", triple_of(s.block),
      "thread", triple_of(s.thread))
  end))
end

-- The parameters that a step changes.
local function changes_of(record, run)
  local changed = lists.select(record.params and run.parameter_names,
    function(name) return record.params[name] ~= run.params[name] end)
  return #changed > 0 and json.pick(record.params, table.concat(changed, " ")) or nil
end

local function launch_of(launch)
  return json.object("kernel", launch.kernel, "library", launch.library,
    "grid", launch.grid and json.list(launch.grid), "block", launch.block and json.list(launch.block))
end

local function figure_of(made)
  if not made then return nil end
  local rows = json.each(made.rows, function(row)
    local cells = json.list {}
    for c = 1, #made.columns do cells[c] = row[c] == nil and false or row[c] end
    return cells
  end)
  return json.object("columns", json.each(made.columns), "rows", rows, "note", made.note)
end

local function output_of(output)
  return output and json.object("lines", json.each(output.lines), "more", output.more, "cut", output.cut)
end

-- What was counted of a record, at the end of its object. sampled: how many blocks, if not all were counted.
local function put_counted(object, counted)
  if not counted then return object end
  json.put(object, "rules", counted.rules)
  json.put(object, "sampled", json.pick(counted.sampled or nil, "blocks of error"))
  json.put(object, "counters", counted.counters)
  json.put(object, "depends", nondeterminism.document(counted.nondeterminism))
  return json.put(object, "lines", json.each(counted.lines, line_of))
end

local function step_of(record, run)
  local params, claims = record.params or run.params, record.claims or {}
  local object = put_counted(json.object("id", record.step.id, "title", steps.title(record.step, params),
    "kind", steps.kind(record.step), "kernel", record.kernel, "params", changes_of(record, run),
    "grid", record.grid and json.list(record.grid), "block", record.block and json.list(record.block),
    "launches", json.each(record.launches, launch_of),
    "outcome", record.outcome, "verified", record.verified, "relative_error", record.relative_error,
    "message", record.message,
    "shows", record.step.shows, "seen", record.shown and record.shown.text, "detail", record.detail,
    "output", output_of(record.output), "figure", figure_of(record.figure), "timeline", transfer.json(record),
    "fault", fault_of(record.fault), "mismatch", mismatch_of(record.mismatch), "rate", rate_of(record, params),
    "time", time_of(record.times), "lecture", claim_of(record.claim),
    "claims", #claims > 0 and json.each(claims, claim_of) or nil, "model", json.each(record.models, model_of),
    "finding", record.worst and record.worst.text), record.report)
  json.put(object, "findings", json.each(record.issues, issue_of))
  return json.put(object, "shadow_bytes", record.shadow_bytes)
end

---A launch of a program or at a prompt, with the fields of a step that it has.
---@param record LaunchRecord
function documents.launch(record)
  return put_counted(json.object("id", record.number, "title", record.title, "kernel", record.kernel,
    "grid", json.list(record.grid), "block", json.list(record.block), "outcome", record.outcome,
    "message", record.message, "output", output_of(record.output), "fault", fault_of(record.fault),
    "time", time_of(record.times), "model", json.each(record.models, model_of),
    "finding", record.worst and record.worst.text, "findings", record.issues and json.each(record.issues, issue_of)),
    record.report)
end

---A record of any source.
---@param record Record
function documents.record(record)
  if not record.step then return documents.launch(record) end
  local params = record.context.params
  return step_of(record, { params = params, parameter_names = lists.keys(params) })
end

---The run as one document of the schema gpulab/1.
function documents.run(run)
  local device = run.device
  local function given(s) return s ~= "" and s or nil end
  return json.object("schema", "gpulab/1", "lab", json.pick(run.lab, "number id title"),
    "device", device and json.object("backend", device.backend, "name", device.name, "gpu", device.gpu, "cc", device.cc,
      "place", device.place, "driver", given(device.driver), "runtime", given(device.runtime), "nvrtc",
      given(device.nvrtc)),
    "params", json.pick(run.params, table.concat(run.parameter_names, " ")),
    "error", run.error and json.object("kind", failure.kind(run.error), "message", tostring(run.error)),
    "steps", json.each(run.records, function(record) return step_of(record, run) end))
end

return documents
