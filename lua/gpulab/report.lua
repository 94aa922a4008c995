-- Records (runner.lua) as a table for the terminal, as JSON and as CSV. The three say the same.
local failure = require "gpulab.failure"
local json = require "gpulab.json"
local runner = require "gpulab.runner"
local tables = require "gpulab.table"
local text = require "gpulab.text"
local value = require "gpulab.value"

local report = {}

local NONE = "–"

---A GPU's name as short as a column needs it: "NVIDIA H200" is "H200".
function report.gpu(device)
  return device.model or (device.gpu:gsub("^NVIDIA ", ""):gsub("^GeForce ", ""))
end

local function title_of(step, params)
  return type(step.title) == "function" and step.title(params) or step.title
end
report.title = title_of

-- Cells -------------------------------------------------------------------------------------------

local function spread(times)
  if times.kind ~= "measured" or not times.q1 or times.ms <= 0 then return nil end
  return (times.q3 - times.q1) / 2 / times.ms
end

local function rate_cell(record)
  if not record.rate then return NONE end
  local s, around = value.number(record.rate), spread(record.times)
  if around then s = ("%s ±%.1f %%"):format(s, 100 * around) end
  if record.times.impossible then s = s .. " !" end
  return { text = s, style = "strong" }
end

local function verified_cell(record)
  if record.verified == nil then return NONE end
  return record.verified and { text = "yes", style = "good" } or { text = "NO", style = "bad" }
end

local function model_named(record, gpu)
  for _, row in ipairs(record.models) do
    if row.gpu == gpu then return row end
  end
end

local function model_cell(record, gpu)
  local row = model_named(record, gpu)
  return row and row.rate and value.number(row.rate) or NONE
end

local function lecture_cell(record)
  return record.claim and record.claim.value and text.number(record.claim.value) or NONE
end

local function ratio_cell(record, name)
  local ratio = record.report and record.report.counters and runner.ratio(record.report.counters, name)
  if not ratio then return NONE end
  return ratio == math.floor(ratio) and ("%d"):format(ratio) or ("%.2f"):format(ratio)
end

local function share_cell(record, baseline)
  if not record.rate or not baseline or not baseline.rate then return NONE end
  return value.show(value.new("share", "percent", record.rate.number / baseline.rate.number))
end

local summaries = {
  compile = "does not compile", fault = "fault", limit = "limit", timeout = "timed out", wrong = "wrong result",
  setup = "not set up", usage = "cannot run", interrupted = "interrupted", gate = "not as the rules say",
  finding = "finding",
}

-- "out of bounds: odata[1024], transpose.cu:31"
local function fault_summary(fault)
  if not fault.buffer or not fault.line then return nil end
  local at = fault.element and ("%s[%d]"):format(fault.buffer, fault.element) or fault.buffer
  return ("%s: %s, %s:%d"):format(fault.kind, at, fault.file:match("[^/]+$"), fault.line)
end

---One line that says how a step ended, for the table.
function report.summary(record)
  if record.outcome == "ok" then
    local parts = {}
    parts[1] = record.finding and record.finding.text
    parts[#parts + 1] = record.note
    return #parts > 0 and table.concat(parts, "; ") or nil
  end
  local first = (record.brief or record.message or ""):match("[^\n]*")
  if record.fault then first = fault_summary(record.fault) or first end
  if record.outcome == "wrong" and record.mismatch and record.mismatch.count and #record.mismatch.first > 0 then
    first = ("%s of %s differ"):format(text.count(record.mismatch.count), text.plural(record.mismatch.total, "element"))
  end
  return summaries[record.outcome] .. (first ~= "" and ": " .. first or "")
end

local function note_cell(record)
  local note = report.summary(record)
  if not note then return nil end
  return { text = note, style = record.outcome ~= "ok" and "bad" or nil }
end

-- The table ---------------------------------------------------------------------------------------

local DEFAULT_COLUMNS = { "lecture", "model", "rate", "share", "verified" }

local function unit_of(records)
  for _, record in ipairs(records) do
    if record.step.useful_flops then return "GFLOPS" end
  end
  return "GB/s"
end

local function claim_gpu(records)
  for _, record in ipairs(records) do
    if record.claim and record.claim.gpu then return record.claim.gpu end
  end
end

-- How each kind of column looks: header and cell, or nil where it has nothing to add.
local make_column = {
  lecture = function(group)
    local gpu = claim_gpu(group.records)
    return gpu and { header = { "lecture", gpu, group.unit }, cell = lecture_cell }
  end,
  model = function(group)
    local gpu = claim_gpu(group.records) or group.models[1]
    if not gpu or gpu == group.gpu and group.backend == "emu" then return nil end
    return { header = { "model", gpu, group.unit }, cell = function(record) return model_cell(record, gpu) end }
  end,
  rate = function(group)
    local kind = group.backend == "emu" and "predicted" or "measured"
    return { header = { kind, group.gpu, group.unit }, cell = rate_cell }
  end,
  passes = function(group)
    return { header = { "passes", group.gpu }, cell = function(record) return ratio_cell(record, "shared_load") end }
  end,
  sectors = function(group)
    return { header = { "sectors", group.gpu }, cell = function(record) return ratio_cell(record, "global_load") end }
  end,
  share = function(group)
    if not group.baseline then return nil end
    local cell = function(record) return share_cell(record, group.results[group.baseline]) end
    return { header = { group.share or "of " .. group.baseline }, cell = cell }
  end,
  verified = function() return { header = { "verified" }, cell = verified_cell } end,
}

local function group_columns(group)
  local columns = { { header = { group.title or "step" }, clip = 12,
    cell = function(record) return title_of(record.step, group.params) end } }
  for _, name in ipairs(group.columns or DEFAULT_COLUMNS) do
    local column = make_column[name](group)
    if column then
      column.right = name ~= "verified"
      columns[#columns + 1] = column
    end
  end
  return columns
end

-- What stops one step often stops all: it is said once.
local function say_once(said, note)
  if not note or note.style ~= "bad" then return note end
  local again = said[note.text]
  said[note.text] = true
  return again and { text = "the same", style = "bad" } or note
end

local function render_group(group, said, options)
  local columns, rows = group_columns(group), {}
  for r, record in ipairs(group.records) do
    rows[r] = { note = say_once(said, note_cell(record)) }
    for c, column in ipairs(columns) do rows[r][c] = column.cell(record) end
  end
  return tables.render(columns, rows, options)
end

-- The records by the lab's groups, each with what its columns need to know.
local function grouped(run)
  local groups, by_id = {}, {}
  for _, spec in ipairs(run.lab.groups or { { id = "" } }) do
    local group = { title = spec.id ~= "" and spec.title or nil, baseline = spec.baseline, share = spec.share,
      columns = spec.columns, records = {}, gpu = report.gpu(run.device), backend = run.device.backend,
      models = run.models, params = run.params, results = run.results }
    groups[#groups + 1], by_id[spec.id] = group, group
  end
  for _, record in ipairs(run.records) do
    local list = by_id[record.step.group or ""].records
    list[#list + 1] = record
  end
  for _, group in ipairs(groups) do group.unit = unit_of(group.records) end
  return groups
end

-- What stands behind the predicted numbers: each GPU's model with its known error, once.
local function footnote(run)
  local seen, known, unknown = {}, {}, {}
  local function add(gpu, error)
    if seen[gpu] then return end
    seen[gpu] = true
    if error and error > 0 then known[#known + 1] = ("%s %.0f %%"):format(gpu, 100 * error)
    else unknown[#unknown + 1] = gpu end
  end
  for _, record in ipairs(run.records) do
    for _, row in ipairs(record.models) do
      if row.rate then add(row.gpu, row.error) end
    end
    if record.times and record.times.kind == "predicted" then add(report.gpu(run.device), record.times.error) end
  end
  if not next(seen) then return nil end
  local emulated = run.device.backend == "emu"
  local said = emulated and "Predicted from counts of an emulated run, not measured."
    or "The model's numbers are predicted from counts of an emulated run."
  if #known > 0 then said = ("%s Known error of the models: %s."):format(said, table.concat(known, ", ")) end
  if #unknown > 0 then said = ("%s Not known: %s."):format(said, table.concat(unknown, ", ")) end
  return said
end

-- The GPUs asked for, apart: those with a model, and those without one.
local function modelled(run)
  local with, without = {}, {}
  for _, gpu in ipairs(run.asked or {}) do
    local known = false
    for _, record in ipairs(run.records) do
      local row = model_named(record, gpu)
      known = known or row ~= nil and row.known
    end
    local list = known and with or without
    list[#list + 1] = gpu
  end
  return with, without
end

local MODELS_PER_TABLE <const> = 5

-- Further models have tables of their own: steps down, GPUs across.
local function render_models(run, options)
  local with, without = modelled(run)
  local lines = {}
  for first = 1, #with, MODELS_PER_TABLE do
    local part = table.move(with, first, math.min(first + MODELS_PER_TABLE - 1, #with), 1, {})
    local columns, rows = { { header = { "model, " .. unit_of(run.records) }, clip = 12 } }, {}
    for i, gpu in ipairs(part) do columns[i + 1] = { header = { gpu }, right = true } end
    for r, record in ipairs(run.records) do
      rows[r] = { title_of(record.step, run.params) }
      for i, gpu in ipairs(part) do rows[r][i + 1] = model_cell(record, gpu) end
    end
    lines[#lines + 1] = ""
    for _, line in ipairs(tables.render(columns, rows, options)) do lines[#lines + 1] = line end
  end
  if #without > 0 then
    lines[#lines + 1] = ""
    local said = "No prediction: there is no model yet of " .. text.list(without) .. "."
    for _, line in ipairs(text.wrap(said, "  ", options.width)) do lines[#lines + 1] = line end
  end
  return lines
end

---The table of a run as lines of text.
---run: {lab, device, params, models, asked, records, results}; asked: the models named with --model.
function report.table(run, options)
  local lines, said = {}, {}
  for _, group in ipairs(grouped(run)) do
    if #group.records > 0 then
      if #lines > 0 then lines[#lines + 1] = "" end
      for _, line in ipairs(render_group(group, said, options)) do lines[#lines + 1] = line end
    end
  end
  for _, line in ipairs(render_models(run, options)) do lines[#lines + 1] = line end
  local note = footnote(run)
  if note and not options.plain then
    lines[#lines + 1] = ""
    for _, line in ipairs(text.wrap(note, "  ", options.width)) do lines[#lines + 1] = line end
  end
  return lines
end

-- JSON --------------------------------------------------------------------------------------------

local function json_rate(record, params)
  if not record.rate then return nil end
  local t, step = record.times, record.step
  local function at(ms)
    if not ms or ms <= 0 then return nil end
    return (step.useful_flops or step.useful_bytes)(params) / ms / 1e6
  end
  return json.object("value", record.rate.number, "unit", value.unit(record.rate), "kind", t.kind, "q1", at(t.q1),
    "q3", at(t.q3), "min", at(t.min), "samples", t.samples)
end

local function json_time(times)
  if not times then return nil end
  return json.object("unit", "ms", "median", times.ms, "q1", times.q1, "q3", times.q3, "min", times.min,
    "hot", times.hot, "cold", times.cold, "overhead", times.overhead, "samples", times.samples,
    "discarded", times.discarded, "batch", times.batch, "graph", times.graph, "clock_ghz", times.clock_ghz,
    "throttled", times.throttled, "impossible", times.impossible, "bound", times.bound, "error", times.error,
    "note", times.note ~= "" and times.note or nil)
end

local function json_claim(claim)
  if not claim then return nil end
  return json.object("id", claim.id, "value", claim.value, "unit", claim.unit, "gpu", claim.gpu, "n", claim.n,
    "statement", claim.statement, "block", claim.block and json.list(claim.block) or nil, "source", claim.source,
    "slide", claim.slide)
end

local function json_models(models)
  local list = json.list {}
  for i, row in ipairs(models) do
    list[i] = json.object("gpu", row.gpu, "known", row.known, "value", row.rate and row.rate.number,
      "unit", row.rate and value.unit(row.rate), "ms", row.known and row.ms or nil,
      "bound", row.known and row.bound or nil, "error", row.error, "note", row.note ~= "" and row.note or nil)
  end
  return list
end

local function json_lines(lines)
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

local function json_triple(v)
  return v and json.list { v[1], v[2], v[3] }
end

local function json_fault(fault)
  if not fault then return nil end
  return json.object("kind", fault.kind, "located", fault.located, "replayed", fault.replayed,
    "block", json_triple(fault.block), "thread", json_triple(fault.thread),
    "threads", fault.threads, "file", fault.file, "line", fault.line, "space", fault.space, "access", fault.access,
    "width", fault.width, "buffer", fault.buffer, "element", fault.element, "offset", fault.offset,
    "message", fault.message)
end

local function json_mismatch(mismatch)
  if not mismatch then return nil end
  local first = json.list {}
  for i, m in ipairs(mismatch.first) do
    first[i] = json.object("index", m.index, "row", m.row, "column", m.column, "got", m.got, "want", m.want)
  end
  return json.object("count", mismatch.count, "total", mismatch.total, "first", first)
end

-- What the checkers found (--check); nil where none ran.
local function json_findings(findings)
  if not findings then return nil end
  local list = json.list {}
  for i, f in ipairs(findings) do
    local sites = json.list {}
    for k, s in ipairs(f.sites) do
      sites[k] = json.object("file", s.file, "line", s.line, "access", s.access, "block", json_triple(s.block),
        "thread", json_triple(s.thread))
    end
    list[i] = json.object("check", f.check, "count", f.count, "message", f.message, "hint", f.hint, "space", f.space,
      "buffer", f.buffer, "offset", f.offset, "width", f.width, "sites", sites)
  end
  return list
end

local function json_step(record, params)
  local counted = record.report
  return json.object("id", record.step.id, "title", title_of(record.step, params), "kernel", record.kernel,
    "grid", record.grid and json.list(record.grid), "block", record.block and json.list(record.block),
    "outcome", record.outcome, "verified", record.verified, "message", record.message,
    "fault", json_fault(record.fault), "mismatch", json_mismatch(record.mismatch),
    "rate", json_rate(record, params), "time", json_time(record.times), "lecture", json_claim(record.claim),
    "model", json_models(record.models), "finding", record.finding and record.finding.text,
    "rules", counted and counted.rules, "counters", counted and counted.counters,
    "lines", counted and counted.lines and json_lines(counted.lines), "findings", json_findings(record.findings))
end

---The run as one document (DESIGN: schema gpulab/1).
function report.json(run)
  local device, params, steps = run.device, json.object(), json.list {}
  for _, name in ipairs(run.parameter_names) do json.put(params, name, run.params[name]) end
  for i, record in ipairs(run.records) do steps[i] = json_step(record, run.params) end
  local function given(s) return s ~= "" and s or nil end
  return json.object("schema", "gpulab/1", "lab",
    json.object("number", run.lab.number, "id", run.lab.id, "title", run.lab.title),
    "device", device and json.object("backend", device.backend, "name", device.name, "gpu", device.gpu, "cc", device.cc,
      "driver", given(device.driver), "runtime", given(device.runtime), "nvrtc", given(device.nvrtc)),
    "params", params,
    "error", run.error and json.object("kind", failure.kind(run.error), "message", tostring(run.error)), "steps", steps)
end

-- CSV ---------------------------------------------------------------------------------------------

local function csv_field(field)
  if field == nil then return "" end
  local s = tostring(field)
  return s:find('[,"\r\n]') and '"' .. s:gsub('"', '""') .. '"' or s
end

local csv_columns = { "lab", "step", "kernel", "backend", "gpu", "outcome", "verified", "value", "unit", "kind", "ms",
  "q1_ms", "q3_ms", "min_ms", "samples", "claim", "lecture", "lecture_unit", "lecture_gpu" }

local function csv_row(run, record)
  local t, claim, device, rate = record.times or {}, record.claim or {}, run.device or {}, record.rate
  local row = { lab = run.lab.id, step = record.step.id, kernel = record.kernel, backend = device.backend,
    gpu = device.gpu, outcome = record.outcome, verified = record.verified, value = rate and rate.number,
    unit = rate and value.unit(rate), kind = t.kind, ms = t.ms, q1_ms = t.q1, q3_ms = t.q3, min_ms = t.min,
    samples = t.samples, claim = claim.id,
    lecture = claim.value, lecture_unit = claim.unit, lecture_gpu = claim.gpu }
  for _, model in ipairs(record.models) do row["model " .. model.gpu] = model.rate and model.rate.number end
  for name, n in pairs(record.report and record.report.counters or {}) do row[name] = n end
  return row
end

-- The fixed columns, then one for each model, then the counters.
local function csv_header(run)
  local header, seen = table.move(csv_columns, 1, #csv_columns, 1, {}), {}
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

---A header and a line for each step; commas, quotes doubled, line ends as in RFC 4180's simplest readers: \n.
function report.csv(run)
  local header = csv_header(run)
  local lines = { table.concat(header, ",") }
  for _, record in ipairs(run.records) do
    local row, fields = csv_row(run, record), {}
    for i, name in ipairs(header) do fields[i] = csv_field(row[name]) end
    lines[#lines + 1] = table.concat(fields, ",")
  end
  return table.concat(lines, "\n") .. "\n"
end

return report
