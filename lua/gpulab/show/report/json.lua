-- Records (runner.lua) as JSON.
local nondeterminism = require "gpulab.show.nondeterminism"
local failure = require "gpulab.base.failure"
local json = require "gpulab.base.json"
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
local function limits_of(limits)
  if not limits then return nil end
  local list = json.list {}
  for i, limit in ipairs(limits) do list[i] = json.object("name", limit.name, "ms", limit.ms) end
  return list
end

-- Nsight Compute's names; warp cycles per instruction issued.
local function stalls_of(stalls)
  if not stalls then return nil end
  local names, pairs_of = {}, {}
  for name in pairs(stalls) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    pairs_of[#pairs_of + 1] = name
    pairs_of[#pairs_of + 1] = stalls[name]
  end
  return json.object(table.unpack(pairs_of))
end

local function stalled_of(stalled)
  if not stalled then return nil end
  local list = json.list {}
  for i, one in ipairs(stalled) do
    list[i] = json.object("line", one.line, "share", one.share, "stall", one.why)
  end
  return list
end

local function time_of(times)
  if not times then return nil end
  return json.object("unit", "ms", "median", times.ms, "q1", times.q1, "q3", times.q3, "min", times.min,
    "hot", times.hot, "cold", times.cold, "overhead", times.overhead, "launch", times.launch, "samples", times.samples,
    "discarded", times.discarded, "batch", times.batch, "graph", times.graph, "clock_ghz", times.clock_ghz,
    "temperature", times.temperature,
    "throttled", times.throttled, "impossible", times.impossible, "bound", times.bound, "error", times.error,
    "limits", limits_of(times.limits), "stalls", stalls_of(times.stalls), "stalled", stalled_of(times.stalled),
    "note", times.note ~= "" and times.note or nil)
end

local function claim_of(claim)
  if not claim then return nil end
  return json.object("id", claim.id, "value", claim.value, "unit", claim.unit, "gpu", claim.gpu, "n", claim.n,
    "statement", claim.statement, "block", claim.block and json.list(claim.block) or nil, "source", claim.source,
    "slide", claim.slide)
end

local function models_of(models)
  local list = json.list {}
  for i, row in ipairs(models) do
    list[i] = json.object("gpu", row.gpu, "known", row.known, "value", row.rate and row.rate.number,
      "unit", row.rate and value.unit(row.rate), "ms", row.known and row.ms or nil,
      "bound", row.known and row.bound or nil, "error", row.error,
      "limits", limits_of(row.known and row.limits),
      "stalls", stalls_of(row.stalls), "stalled", stalled_of(row.stalled),
      "note", row.note ~= "" and row.note or nil)
  end
  return list
end

local function lines_of(lines)
  local list = json.list {}
  for i, line in ipairs(lines) do
    local entry = json.object("file", line.file, "line", line.line, "text", line.text)
    local names = {}
    for name, n in pairs(line.counters) do
      if n ~= 0 then names[#names + 1] = name end
    end
    table.sort(names)
    for _, name in ipairs(names) do json.put(entry, name, line.counters[name]) end
    list[i] = entry
  end
  return list
end

local function triple_of(v)
  return v and json.list { v[1], v[2], v[3] }
end

local function fault_of(fault)
  if not fault then return nil end
  return json.object("kind", fault.kind, "located", fault.located, "replayed", fault.replayed,
    "block", triple_of(fault.block), "thread", triple_of(fault.thread),
    "threads", fault.threads, "file", fault.file, "line", fault.line, "space", fault.space, "access", fault.access,
    "width", fault.width, "buffer", fault.buffer, "element", fault.element, "offset", fault.offset,
    "message", fault.message)
end

local function mismatch_of(mismatch)
  if not mismatch then return nil end
  local first = json.list {}
  for i, m in ipairs(mismatch.first) do
    first[i] = json.object("index", m.index, "row", m.row, "column", m.column, "got", m.got, "want", m.want)
  end
  return json.object("count", mismatch.count, "total", mismatch.total, "first", first)
end

-- The checkers' issues (--check); nil if none ran.
local function issues_of(issues)
  if not issues then return nil end
  local list = json.list {}
  for i, f in ipairs(issues) do
    local sites = json.list {}
    for k, s in ipairs(f.sites) do
      sites[k] = json.object("file", s.file, "line", s.line, "access", s.access, "block", triple_of(s.block),
        "thread", triple_of(s.thread))
    end
    list[i] = json.object("check", f.check, "count", f.count, "message", f.message, "hint", f.hint, "space", f.space,
      "buffer", f.buffer, "offset", f.offset, "width", f.width, "sites", sites)
  end
  return list
end

-- The parameters that a step changes.
local function changes_of(record, run)
  local changes, any = json.object(), false
  for _, name in ipairs(run.parameter_names) do
    if record.params and record.params[name] ~= run.params[name] then
      json.put(changes, name, record.params[name])
      any = true
    end
  end
  return any and changes or nil
end

local function launches_of(launches)
  if not launches then return nil end
  local list = json.list {}
  for i, launch in ipairs(launches) do
    list[i] = json.object("kernel", launch.kernel, "library", launch.library,
      "grid", launch.grid and json.list(launch.grid), "block", launch.block and json.list(launch.block))
  end
  return list
end

local function claims_of(claims)
  if not claims or #claims == 0 then return nil end
  local list = json.list {}
  for i, claim in ipairs(claims) do list[i] = claim_of(claim) end
  return list
end

local function figure_of(made)
  if not made then return nil end
  local rows = json.list {}
  for r, row in ipairs(made.rows) do
    local cells = json.list {}
    for c = 1, #made.columns do cells[c] = row[c] == nil and false or row[c] end
    rows[r] = cells
  end
  return json.object("columns", json.list(table.move(made.columns, 1, #made.columns, 1, {})), "rows", rows,
    "note", made.note)
end

local function output_of(output)
  if not output then return nil end
  return json.object("lines", json.list(table.move(output.lines, 1, #output.lines, 1, {})), "more", output.more,
    "cut", output.cut)
end

-- The size of the sample, if not all blocks were counted.
local function sampled_of(counted)
  local sampled = counted and counted.sampled
  return sampled and json.object("blocks", sampled.blocks, "of", sampled.of, "error", sampled.error) or nil
end

local function step_of(record, run)
  local counted, params = record.report, record.params or run.params
  return json.object("id", record.step.id, "title", steps.title(record.step, params), "kind", steps.kind(record.step),
    "kernel", record.kernel, "params", changes_of(record, run),
    "grid", record.grid and json.list(record.grid), "block", record.block and json.list(record.block),
    "launches", launches_of(record.launches),
    "outcome", record.outcome, "verified", record.verified, "message", record.message,
    "shows", record.step.shows, "seen", record.shown and record.shown.text, "detail", record.detail,
    "output", output_of(record.output),
    "figure", figure_of(record.figure), "timeline", transfer.json(record), "fault", fault_of(record.fault),
    "mismatch", mismatch_of(record.mismatch),
    "rate", rate_of(record, params), "time", time_of(record.times), "lecture", claim_of(record.claim),
    "claims", claims_of(record.claims),
    "model", models_of(record.models), "finding", record.worst and record.worst.text,
    "rules", counted and counted.rules, "sampled", sampled_of(counted), "counters", counted and counted.counters,
    "depends", counted and nondeterminism.document(counted.nondeterminism),
    "lines", counted and counted.lines and lines_of(counted.lines), "findings", issues_of(record.issues),
    "shadow_bytes", record.shadow_bytes)
end

---A launch of a program or at a prompt, with the fields of a step that it has.
---@param record LaunchRecord
function documents.launch(record)
  local counted = record.report
  return json.object("id", record.number, "title", record.title, "kernel", record.kernel,
    "grid", json.list(record.grid), "block", json.list(record.block), "outcome", record.outcome,
    "message", record.message, "output", output_of(record.output), "fault", fault_of(record.fault),
    "time", time_of(record.times), "model", models_of(record.models), "finding", record.worst and record.worst.text,
    "rules", counted and counted.rules, "sampled", sampled_of(counted), "counters", counted and counted.counters,
    "depends", counted and nondeterminism.document(counted.nondeterminism),
    "lines", counted and counted.lines and lines_of(counted.lines))
end

---The run as one document of the schema gpulab/1.
function documents.run(run)
  local device, params, list = run.device, json.object(), json.list {}
  for _, name in ipairs(run.parameter_names) do json.put(params, name, run.params[name]) end
  for i, record in ipairs(run.records) do list[i] = step_of(record, run) end
  local function given(s) return s ~= "" and s or nil end
  return json.object("schema", "gpulab/1", "lab",
    json.object("number", run.lab.number, "id", run.lab.id, "title", run.lab.title),
    "device", device and json.object("backend", device.backend, "name", device.name, "gpu", device.gpu, "cc", device.cc,
      "place", device.place, "driver", given(device.driver), "runtime", given(device.runtime), "nvrtc",
      given(device.nvrtc)),
    "params", params,
    "error", run.error and json.object("kind", failure.kind(run.error), "message", tostring(run.error)), "steps", list)
end

return documents
