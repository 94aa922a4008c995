-- Records (runner.lua) as a table for the terminal; report/json.lua and report/csv.lua say the same in their ways.
local failure = require "gpulab.failure"
local figure = require "gpulab.figure"
local runner = require "gpulab.runner"
local steps = require "gpulab.steps"
local tables = require "gpulab.table"
local text = require "gpulab.text"
local transfer = require "gpulab.transfer"
local value = require "gpulab.value"

local report = {}

local NONE = "–"

---A GPU's name as short as a column needs it: "NVIDIA H200" is "H200".
function report.gpu(device)
  return device.model or (device.gpu:gsub("^NVIDIA ", ""):gsub("^GeForce ", ""))
end

report.title = steps.title
report.json = require "gpulab.report.json"
report.csv = require "gpulab.report.csv"

-- The parameters a step ran with.
local function params_of(record, run)
  return record.params or run.params
end

-- Cells -------------------------------------------------------------------------------------------

local function spread(times)
  if times.kind ~= "measured" or not times.q1 or times.ms <= 0 then return nil end
  return (times.q3 - times.q1) / 2 / times.ms
end

-- A rate in a column whose header names another unit, or none, tells its own.
local function in_unit(v, unit)
  return value.unit(v) == unit and value.number(v) or value.show(v)
end

local function rate_cell(record, unit)
  if not record.rate then return NONE end
  local s, around = in_unit(record.rate, unit), spread(record.times)
  if around then s = ("%s ±%.1f %%"):format(s, 100 * around) end
  if record.times.impossible then s = s .. " !" end
  return { text = s, style = "strong" }
end

local function verified_cell(record)
  if record.shown then return { text = record.shown.what .. ", as meant", style = "good" } end
  if record.verified == nil then return NONE end
  return record.verified and { text = "yes", style = "good" } or { text = "NO", style = "bad" }
end

local function model_named(record, gpu)
  for _, row in ipairs(record.models) do
    if row.gpu == gpu then return row end
  end
end

-- own: the model of the GPU that was measured, whose error on this step is then known.
local function model_cell(record, gpu, unit, own)
  local row = model_named(record, gpu)
  if not (row and row.rate) then return NONE end
  local times = record.times
  if own ~= gpu or not times or times.kind ~= "measured" then return in_unit(row.rate, unit) end
  return ("%s (%+.0f %%)"):format(in_unit(row.rate, unit), 100 * (times.ms / row.ms - 1))
end

local function lecture_cell(record, unit)
  local claim = record.claim
  if not claim or not claim.value then return NONE end
  local number = text.number(claim.value)
  return claim.unit == unit and number or number .. " " .. claim.unit
end

local function ratio_cell(record, name)
  local ratio = record.report and record.report.counters and runner.ratio(record.report.counters, name)
  if not ratio then return NONE end
  return ratio == math.floor(ratio) and ("%d"):format(ratio) or ("%.2f"):format(ratio)
end

local function share_cell(record, baseline)
  if not record.rate or not baseline or not baseline.rate then return NONE end
  if value.unit(record.rate) ~= value.unit(baseline.rate) then return NONE end
  return value.show(value.new("share", "percent", record.rate.number / baseline.rate.number))
end

local summaries = {
  compile = "does not compile", fault = "fault", limit = "limit", timeout = "timed out", wrong = "wrong result",
  setup = "not set up", usage = "cannot run", interrupted = "interrupted", gate = "not as the rules say",
  finding = "finding", absent = "not here",
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
    parts[#parts + 1] = record.shown and record.shown.text:match("[^\n]*")
    parts[#parts + 1] = record.note
    parts[#parts + 1] = record.detail
    return #parts > 0 and table.concat(parts, "; ") or nil
  end
  local first = (record.brief or record.message or ""):match("[^\n]*")
  if record.fault then first = fault_summary(record.fault) or first end
  if record.outcome == "wrong" and record.mismatch and record.mismatch.count and #record.mismatch.first > 0 then
    first = ("%s of %s differ"):format(text.count(record.mismatch.count), text.plural(record.mismatch.total, "element"))
  end
  local how = record.step.shows and record.outcome == "gate" and "not shown" or summaries[record.outcome]
  return how .. (first ~= "" and ": " .. first or "")
end

local function note_cell(record)
  local note = report.summary(record)
  if not note then return nil end
  return { text = note, style = not failure.is_well(record.outcome) and "bad" or nil }
end

-- The table ---------------------------------------------------------------------------------------

local DEFAULT_COLUMNS = { "lecture", "model", "rate", "share", "verified" }

-- The unit that all the records' rates have; nil where they differ: then every cell tells its own.
local function unit_of(records)
  local unit
  for _, record in ipairs(records) do
    local own = steps.unit(record.step)
    if own and unit and own ~= unit then return nil end
    unit = own or unit
  end
  return unit
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
    if not gpu then return nil end
    return { header = { "lecture", gpu, group.unit },
      cell = function(record) return lecture_cell(record, group.unit) end }
  end,
  model = function(group)
    local gpu = claim_gpu(group.records) or group.models[1]
    if not gpu or gpu == group.gpu and group.backend == "emu" then return nil end
    return { header = { "model", gpu, group.unit },
      cell = function(record) return model_cell(record, gpu, group.unit, group.gpu) end }
  end,
  rate = function(group)
    local kind = group.backend == "emu" and "predicted" or "measured"
    return { header = { kind, group.gpu, group.unit },
      cell = function(record) return rate_cell(record, group.unit) end }
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
  ms = function(group)
    return { header = { "time", group.gpu, "ms" },
      cell = function(record)
        local ms = record.times and record.times.ms
        return not ms and NONE or ms < 0.1 and ("%.3g"):format(ms) or text.number(ms)
      end }
  end,
  bound = function()
    return { header = { "bound by" }, clip = 6,
      cell = function(record) return record.times and record.times.bound or NONE end }
  end,
  verified = function() return { header = { "verified" }, cell = verified_cell } end,
}

-- A column that the lab defines: a counter or ratio by name, or a function of record and parameters.
local function own_column(column)
  local header = column.header
  if type(header) == "string" then header = { header } end
  return { header = header, cell = function(record)
    local v
    if type(column.of) == "function" then
      local ok, result = pcall(column.of, record, record.params)
      v = ok and result or nil -- a record that did not come so far has no such figure
    elseif record.report and record.report.counters then
      v = runner.ratio(record.report.counters, column.of)
    end
    if v == nil then return NONE end
    if type(v) ~= "number" then return tostring(v) end
    return v == math.floor(v) and text.count(v) or text.number(v)
  end }
end

local function group_columns(group)
  local columns = { { header = { group.title or "step" }, clip = 12,
    cell = function(record) return steps.title(record.step, params_of(record, group)) end } }
  for _, name in ipairs(group.columns or DEFAULT_COLUMNS) do
    local column = type(name) == "table" and own_column(name) or make_column[name](group)
    if column then
      column.right = name ~= "verified" and name ~= "bound"
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

-- Columns, and rows of cells with a note each.
local function cells_of(group, said)
  local columns, rows = group_columns(group), {}
  for r, record in ipairs(group.records) do
    rows[r] = { note = say_once(said, note_cell(record)) }
    for c, column in ipairs(columns) do rows[r][c] = column.cell(record) end
  end
  return columns, rows
end

local function render_group(group, said, options)
  local columns, rows = cells_of(group, said)
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
    if not record.figure then
      local list = (by_id[record.step.group or ""] or groups[#groups]).records
      list[#list + 1] = record
    end
  end
  for _, group in ipairs(groups) do group.unit = unit_of(group.records) end
  return groups
end

local function is_about_link(record)
  return record.step.transfer ~= nil or record.step.overlap ~= nil
end

local function link_note(run)
  for _, record in ipairs(run.records) do
    local predicted = record.times and record.times.kind == "predicted"
    if is_about_link(record) and (predicted or #record.models > 0) then
      return "Copies are predicted from figures of the link, whose error is not known."
    end
  end
end

---The tables of a run as cells, for other forms than the terminal's: {title, unit, records, columns, rows} each.
function report.groups(run)
  local groups, said = grouped(run), {}
  for _, group in ipairs(groups) do group.columns, group.rows = cells_of(group, said) end
  return groups
end

-- Whether of some launch only a part of the blocks was counted.
local function is_sampled(run)
  for _, record in ipairs(run.records) do
    if record.report and record.report.sampled then return true end
  end
  return false
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
    if not is_about_link(record) then -- whose predictions are not the kernels' models' alone
      for _, row in ipairs(record.models) do
        if row.rate then add(row.gpu, row.error) end
      end
      if record.times and record.times.kind == "predicted" then add(report.gpu(run.device), record.times.error) end
    end
  end
  if not next(seen) then return nil end
  local emulated = run.device.backend == "emu"
  local said = emulated and "Predicted from counts of an emulated run, not measured."
    or "The model's numbers are predicted from counts of an emulated run."
  if #known > 0 then said = ("%s Known error of the models: %s."):format(said, table.concat(known, ", ")) end
  if #unknown > 0 then said = ("%s Not known: %s."):format(said, table.concat(unknown, ", ")) end
  if is_sampled(run) then said = said .. " Of large grids a part of the blocks was counted, which stands for all." end
  return said
end

-- From the least to the most of a figure over the measured records, as text; nil where none has it.
local function span(run, field, form)
  local least, most
  for _, record in ipairs(run.records) do
    local v = record.times and record.times.kind == "measured" and record.times[field]
    if v then least, most = math.min(least or v, v), math.max(most or v, v) end
  end
  if not least then return nil end
  local low, high = form:format(least), form:format(most)
  return low == high and low or low .. " to " .. high
end

-- What is in the measured times and what is not, and how the GPU was meanwhile.
local function measured_note(run)
  local times
  for _, record in ipairs(run.records) do times = record.times and record.times.launch and record.times or times end
  if not times then return nil end
  local said = ("A launch that does nothing takes %.3g µs, which is in each time"):format(times.launch * 1e3)
  if times.overhead then
    said = ("%s; the %.3g µs that two events tell around nothing are not"):format(said, times.overhead * 1e3)
  end
  local clock, heat = span(run, "clock_ghz", "%.2f"), span(run, "temperature", "%.0f")
  local state = {}
  if clock then state[#state + 1] = clock .. " GHz" end
  if heat then state[#state + 1] = heat .. " °C" end
  return said .. "." .. (#state > 0 and (" The GPU ran at %s."):format(text.list(state)) or "")
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
    local unit = unit_of(run.records)
    local columns, rows = { { header = { "model" .. (unit and ", " .. unit or "") }, clip = 12 } }, {}
    for i, gpu in ipairs(part) do columns[i + 1] = { header = { gpu }, right = true } end
    for _, record in ipairs(run.records) do
      if #record.models > 0 then
        local row = { steps.title(record.step, params_of(record, run)) }
        for i, gpu in ipairs(part) do row[i + 1] = model_cell(record, gpu, unit, run.device.model) end
        rows[#rows + 1] = row
      end
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
  for _, record in ipairs(run.records) do
    if record.timeline then
      lines[#lines + 1] = ""
      local drawn = transfer.lines(record,
        { width = options.width, color = options.color, asked = run.asked, params = run.params })
      for _, line in ipairs(drawn) do lines[#lines + 1] = line end
    end
  end
  for _, record in ipairs(run.records) do
    if record.figure then
      if #lines > 0 then lines[#lines + 1] = "" end
      local title = steps.title(record.step, params_of(record, run))
      for _, line in ipairs(figure.lines(title, record.figure, options)) do lines[#lines + 1] = line end
    end
  end
  for _, line in ipairs(render_models(run, options)) do lines[#lines + 1] = line end
  local notes = table.concat({ footnote(run) or "", link_note(run) or "", measured_note(run) or "" }, "\n")
  if notes:match("%S") and not options.plain then
    lines[#lines + 1] = ""
    for _, line in ipairs(text.wrap(notes:gsub("^\n", ""), "  ", options.width)) do lines[#lines + 1] = line end
  end
  return lines
end

return report
