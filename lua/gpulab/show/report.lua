-- Records (runner.lua) as a table for the terminal; report/json.lua and report/csv.lua write the same data.
local failure = require "gpulab.base.failure"
local figure = require "gpulab.run.figure"
local lists = require "gpulab.base.lists"
local pictures = require "gpulab.base.pictures"
local printed = require "gpulab.run.printed"
local recorded = require "gpulab.lab.recorded"
local runner = require "gpulab.run.runner"
local steps = require "gpulab.lab.steps"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local transfer = require "gpulab.run.transfer"
local value = require "gpulab.base.value"

local report = {}

local NONE = "–"

---A GPU's short name for a column head: "NVIDIA H200" is "H200".
function report.gpu(device)
  return device.model or (device.gpu:gsub("^NVIDIA ", ""):gsub("^GeForce ", ""))
end

---What a group's column share compares with, for its header: "vs.", "copy".
---@param group {share: string?, baseline: string} @return string
function report.baseline(group)
  return (group.share or group.baseline):match("^of (.+)$") or group.share or group.baseline
end

report.title = steps.title
report.json = require "gpulab.show.report.json".run
report.csv = require "gpulab.show.report.csv"

-- The parameters a step ran with.
local function params_of(record, run)
  return record.params or run.params
end

-- Cells -------------------------------------------------------------------------------------------

local function spread(times)
  if times.kind ~= "measured" or not times.q1 or times.ms <= 0 then return nil end
  return (times.q3 - times.q1) / 2 / times.ms
end

-- A rate prints its unit unless the column's header names it.
local function in_unit(v, unit)
  return value.unit(v) == unit and value.number(v) or value.show(v)
end

local function rate_cell(record, unit)
  if not record.rate and record.times and not steps.unit(record.step) then -- no useful work is defined: the time itself
    return { text = text.duration(record.times.ms), style = "strong" }
  end
  if not record.rate then return NONE end
  local s, around = in_unit(record.rate, unit), spread(record.times)
  if around then s = ("%s ±%.1f %%"):format(s, 100 * around) end
  if record.times.impossible then s = s .. " !" end
  return { text = s, style = "strong" }
end

local function verified_cell(record)
  if record.shown then return { text = record.shown.what .. ", as intended", style = "good" } end
  if record.verified == nil then
    local kind = steps.kind(record.step)
    local unchecked = record.outcome == "ok" and not record.step.reference and (kind == "kernel" or kind == "launches")
    return unchecked and "not checked" or NONE
  end
  return record.verified and { text = "yes", style = "good" } or { text = "NO", style = "bad" }
end

local function model_named(record, gpu)
  return lists.find(record.models, "gpu", gpu)
end

-- own: the model of the measured GPU, whose error for this step is known.
local function model_cell(record, gpu, unit, own)
  local row = model_named(record, gpu)
  if not (row and row.rate) then return NONE end
  local times = record.times
  if own ~= gpu or not times or times.kind ~= "measured" then return in_unit(row.rate, unit) end
  return ("%s (%+.0f %%)"):format(in_unit(row.rate, unit), 100 * (times.ms / row.ms - 1))
end

---The n of the lecture's number for a record, if the record has another n.
---@param record table @return integer?
function report.other_size(record)
  local claim, n = record.claim, rawget(record.params or {}, "n")
  if not n or not claim or not claim.value or claim.n == n then return nil end
  return not (claim.every and n % claim.every == 0) and claim.n or nil
end

-- gpu, unit: what the column's header names. What is marked is explained by sizes_note.
local function lecture_cell(record, gpu, unit)
  local claim = record.claim
  if not claim or not claim.value then return NONE end
  local said = text.number(claim.value) .. (report.other_size(record) and "*" or "")
  if claim.unit ~= unit then said = said .. " " .. claim.unit end
  return claim.gpu and claim.gpu ~= gpu and ("%s (%s)"):format(said, claim.gpu) or said
end

local function ratio_column(title, name)
  local function cell(record)
    local ratio = runner.ratio(runner.counters(record), name)
    return ratio and (ratio == math.floor(ratio) and "%d" or "%.2f"):format(ratio) or NONE
  end
  return function(group) return { header = { title, group.gpu }, cell = cell } end
end

local function share_cell(record, baseline)
  if not record.rate or not baseline or not baseline.rate then return NONE end
  if value.unit(record.rate) ~= value.unit(baseline.rate) then return NONE end
  return value.ratio(record.rate.number / baseline.rate.number)
end

local summaries = {
  compile = "does not compile", fault = "fault", limit = "limit", timeout = "timed out", wrong = "wrong result",
  setup = "missing setup", usage = "cannot run", interrupted = "interrupted", gate = "unexpected count",
  finding = "checker issue", absent = "not run",
}

-- "out of bounds: odata[1024], transpose.cu:31"
local function fault_summary(fault)
  if not fault.buffer or not fault.line then return nil end
  local at = fault.element and ("%s[%d]"):format(fault.buffer, fault.element) or fault.buffer
  return ("%s: %s, %s:%d"):format(fault.kind, at, fault.file:match("[^/]+$"), fault.line)
end

-- Where a kernel was when its time was over; what may be done about it is said below the table.
local function timeout_summary(record)
  local place = (record.message or ""):match("was at (%S+:%d+)")
  return place and "at " .. text.file_name(place)
end

---How a step ended, in one line for the table.
function report.summary(record)
  if record.outcome == "ok" then
    local parts = {}
    parts[1] = record.worst and record.worst.text
    parts[#parts + 1] = record.shown and record.shown.text:match("[^\n]*")
    parts[#parts + 1] = record.note
    parts[#parts + 1] = record.detail
    return #parts > 0 and table.concat(parts, "; ") or nil
  end
  local first = (record.brief or record.message or ""):match("[^\n]*")
  if record.fault then first = fault_summary(record.fault) or first end
  if record.outcome == "timeout" then first = timeout_summary(record) or first end
  if record.outcome == "wrong" and record.mismatch and record.mismatch.count and #record.mismatch.first > 0 then
    first = ("%s of %s differ"):format(text.count(record.mismatch.count), text.plural(record.mismatch.total, "element"))
  end
  if record.outcome == "compile" then first = first:gsub("^.*/([^/]+:%d+:%d+: )", "%1") end
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

-- The common unit of the records' rates; nil if they differ, so that every cell prints its own.
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
  local cited = lists.find(records, function(record) return record.claim and record.claim.gpu end)
  return cited and cited.claim.gpu
end

-- Header and cell of each kind of column; nil for an empty column.
local make_column = {
  lecture = function(group)
    local gpu = claim_gpu(group.records)
    if not gpu then return nil end
    return { header = { "lecture", gpu, group.unit },
      cell = function(record) return lecture_cell(record, gpu, group.unit) end }
  end,
  model = function(group)
    local gpu = group.models[1]
    for _, name in ipairs(group.models) do
      if name == claim_gpu(group.records) then gpu = name end
    end
    if not gpu or gpu == group.gpu and not group.measures then return nil end
    return { header = { "model", gpu, group.unit },
      cell = function(record) return model_cell(record, gpu, group.unit, group.gpu) end }
  end,
  rate = function(group)
    local kind = group.measures and "measured" or "predicted"
    return { header = { kind, group.gpu, group.unit },
      cell = function(record) return rate_cell(record, group.unit) end }
  end,
  wavefronts = ratio_column("wavefronts", "shared_load"),
  sectors = ratio_column("sectors", "global_load"),
  share = function(group)
    if not group.baseline then return nil end
    local cell = function(record) return share_cell(record, group.results[group.baseline]) end
    return { header = { "vs.", report.baseline(group) }, cell = cell }
  end,
  ms = function(group)
    return { header = { "time", group.gpu }, cell = function(record)
      return record.times and record.times.ms and text.duration(record.times.ms) or NONE
    end }
  end,
  bound = function()
    return { header = { "limited by" }, narrow = 6,
      cell = function(record) return record.times and record.times.bound or NONE end }
  end,
  error = function()
    return { header = { "relative", "error" }, cell = function(record)
      return record.relative_error and ("%.1e"):format(record.relative_error) or NONE
    end }
  end,
  verified = function() return { header = { "verified" }, cell = verified_cell } end,
}

-- A column that the lab defines: a counter or ratio by name, or a function of record and parameters.
local function own_column(column)
  return { header = type(column.header) == "string" and { column.header } or column.header, cell = function(record)
    local v
    if type(column.of) == "function" then
      local ok, result = pcall(column.of, record, record.params)
      v = ok and result or nil -- a failed record has no such value
    else
      v = runner.ratio(runner.counters(record), column.of)
    end
    if v == nil then return NONE end
    if type(v) ~= "number" then return text.said(v) end
    return v == math.floor(v) and text.count(v) or text.number(v)
  end }
end

local function group_columns(group)
  local columns = { { header = { group.title or "step" }, narrow = 12,
    cell = function(record) return steps.title(record.step, params_of(record, group)) end } }
  for _, name in ipairs(group.columns or DEFAULT_COLUMNS) do
    local column = type(name) == "table" and own_column(name) or make_column[name](group)
    if column then
      column.right, column.is_rate = name ~= "verified" and name ~= "bound", name == "rate"
      columns[#columns + 1] = column
    end
  end
  return columns
end

-- Several steps often fail for the same reason, which is printed once.
local function say_once(said, note)
  if not note or note.style ~= "bad" then return note end
  local again = said[note.text]
  said[note.text] = true
  return again and { text = "same error", style = "bad" } or note
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

local BAR <const> = 10 -- columns of a bar

-- A column of bars behind the rates, if there are several in one unit.
local function add_bars(columns, rows, group)
  local rates, at = {}, nil
  for r, record in ipairs(group.records) do rates[r] = group.unit and record.rate and record.rate.number end
  for c, column in ipairs(columns) do at = column.is_rate and c or at end
  local bars = at and pictures.bars(rates, #rows, BAR)
  if not bars then return end
  table.insert(columns, at + 1, { header = { "" }, optional = true })
  for r, row in ipairs(rows) do
    table.move(row, at + 1, #columns - 1, at + 2)
    row[at + 1] = bars[r]
  end
end

-- Rows of earlier runs are faint and without remarks, but why one did not run; those of this run have a mark.
local function mark_rows(rows, group, new)
  if not lists.any(group.records, function(record) return not new[record] end) then return end
  for r, row in ipairs(rows) do
    if new[group.records[r]] then
      row.mark = ">"
    else
      row.note = group.records[r].outcome == "absent" and row.note or nil
      for c, cell in ipairs(row) do row[c] = { text = type(cell) == "table" and cell.text or cell, style = "faint" } end
    end
  end
end

local function render_group(group, said, options)
  local columns, rows = cells_of(group, said)
  if options.bars then add_bars(columns, rows, group) end
  if options.new then mark_rows(rows, group, options.new) end
  return tables.render(columns, rows, options)
end

-- The records by the lab's groups, each with the data for its columns.
local function grouped(run)
  local groups, by_id = {}, {}
  for _, spec in ipairs(run.lab.groups or { { id = "" } }) do
    local group = { title = spec.id ~= "" and spec.title or nil, baseline = spec.baseline, share = spec.share,
      columns = spec.columns, records = {}, gpu = report.gpu(run.device), measures = run.device.measures,
      models = run.models, params = run.params, results = run.results }
    groups[#groups + 1], by_id[spec.id] = group, group
  end
  for _, record in ipairs(run.records) do
    if not record.figure then
      table.insert((by_id[record.step.group or ""] or groups[#groups]).records, record)
    end
  end
  for _, group in ipairs(groups) do group.unit = unit_of(group.records) end
  return groups
end

-- The sizes of the lecture's numbers that have a mark.
local function sizes_note(groups)
  local pairs_of, seen = {}, {}
  for _, group in ipairs(groups) do
    local has_column = lists.any(group.columns or DEFAULT_COLUMNS, function(name) return name == "lecture" end)
    for _, record in ipairs(has_column and group.records or {}) do
      local n = report.other_size(record)
      local said = n and ("n = %d, here %d"):format(n, record.params.n)
      if n and not seen[said] then pairs_of[#pairs_of + 1], seen[said] = text.together(said), true end
    end
  end
  return #pairs_of > 0 and ("* At another size in the lecture: %s."):format(table.concat(pairs_of, "; ")) or nil
end

local function is_about_link(record)
  return record.step.transfer ~= nil or record.step.overlap ~= nil
end

local function link_note(run)
  for _, record in ipairs(run.records) do
    local predicted = record.times and record.times.kind == "predicted"
    if is_about_link(record) and (predicted or #record.models > 0) then
      return "Copies are predicted from the bandwidth of the link; the error is unknown."
    end
  end
end

---The tables of a run as cells, for other formats: {title, unit, records, columns, rows} each.
function report.groups(run)
  local groups, said = grouped(run), {}
  for _, group in ipairs(groups) do group.columns, group.rows = cells_of(group, said) end
  return groups
end

-- Was only a sample of the blocks counted for some launch?
local function is_sampled(run)
  return lists.any(run.records, function(record) return record.report and record.report.sampled end)
end

-- Known errors of a model by kind of kernel, the least first: "H200 6 % (memory, shared memory), 9 % (latency)".
local function errors_text(gpu, errors)
  table.sort(errors, function(a, b) return a.error < b.error end)
  local said, kinds, seen = {}, {}, {}
  for _, e in ipairs(errors) do
    local percent = ("%.0f %%"):format(100 * e.error)
    if not kinds[percent] then kinds[percent], said[#said + 1] = {}, percent end
    if e.kind and not seen[e.kind] then table.insert(kinds[percent], e.kind) end
    seen[e.kind or ""] = true
  end
  for i, percent in ipairs(said) do
    if #kinds[percent] > 0 then said[i] = ("%s (%s)"):format(percent, table.concat(kinds[percent], ", ")) end
  end
  return ("%s %s"):format(gpu, table.concat(said, ", "))
end

-- Steps of which no error is known although others of the same GPU have one.
local function without_text(gpu, errors)
  local MOST <const> = 4
  local ids = errors.without
  if #errors == 0 or #ids == 0 then return "" end
  local more = #ids > MOST and (" and %d more steps"):format(#ids - MOST) or ""
  return (" Unknown for the %s: %s%s."):format(gpu, table.concat(ids, ", ", 1, math.min(#ids, MOST)), more)
end

local timed <const> = lists.set { "model", "rate", "share", "ms" } -- columns

-- Not those of a table of errors or counters alone.
local function shows_times(run, record)
  local group = lists.find(run.lab.groups or {}, function(spec) return spec.id == record.step.group end)
  return not group or lists.any(group.columns or DEFAULT_COLUMNS, function(name) return timed[name] end)
end

-- The models of the predicted numbers and their known errors, each once, for the kinds of kernels that have run.
local function footnote(run)
  local seen, names, known, unknown, by_kind = {}, {}, {}, {}, false
  local function add(gpu, prediction, step)
    if not seen[gpu] then seen[gpu], names[#names + 1] = { without = {} }, gpu end
    if not prediction.error or prediction.error <= 0 then
      table.insert(seen[gpu].without, step)
      return
    end
    by_kind = by_kind or prediction.error_of ~= nil
    table.insert(seen[gpu], { error = prediction.error, kind = prediction.error_of })
  end
  for _, record in ipairs(run.records) do
    -- Copies' predictions do not come from the kernels' models alone.
    if not is_about_link(record) and shows_times(run, record) then
      for _, row in ipairs(record.models) do
        if row.rate then add(row.gpu, row, record.step.id) end
      end
      local own = record.times and record.times.kind == "predicted" and record.times
      if own then add(report.gpu(run.device), own, record.step.id) end
    end
  end
  if not next(seen) then return nil end
  for _, gpu in ipairs(names) do
    local list = #seen[gpu] > 0 and known or unknown
    list[#list + 1] = #seen[gpu] > 0 and errors_text(gpu, seen[gpu]) or gpu
  end
  local emulated = not run.device.measures
  local said = emulated and "Predicted from the counters of an emulated run, not measured."
    or "The model's numbers are predicted from the counters of an emulated run."
  if #known > 0 then said = ("%s Known error of the models (RMS)%s: %s."):format(said, by_kind
    and ", by the busiest resource" or "", table.concat(known, by_kind and "; " or ", ")) end
  if #unknown > 0 then said = ("%s Unknown error: %s."):format(said, table.concat(unknown, ", ")) end
  for _, gpu in ipairs(names) do said = said .. without_text(gpu, seen[gpu]) end
  if is_sampled(run) then said = said .. (emulated and " Of large grids a sample of the blocks ran and was verified."
    or " For large grids a sample of the blocks was counted.") end
  return said
end

local RECORDED <const> = "H200" -- its measured rates come with gpulab

-- Predicted rows that were measured in another order, which no error of a single row says. With parameters that were
-- set a step is not the one that was measured.
local function order_note(run)
  local rows, at, defaults = {}, run.context, run.lab:parameters({}, { emulated = not run.device.measures })
  for _, record in ipairs(report.gpu(run.device) == RECORDED and run.records or {}) do
    local predicted = record.times and record.times.kind == "predicted" and not record.changed and record.rate
    if predicted and (not at or at:same_for(record.step, defaults)) then
      rows[#rows + 1] = { step = record.step.id, group = record.step.group, rate = predicted.number,
        unit = predicted.unit }
    end
  end
  if #rows < 2 then return nil end
  local said = recorded.other_order(rows, recorded.by_lab(RECORDED:lower())[run.lab.number] or {})
  return #said > 0 and ("Measured on an %s at the default sizes, the order is another one: %s."):format(RECORDED,
    text.list(said)) or nil
end

-- The range of a value over the measured records, as text; nil if no record has it.
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

-- What the measured times include, and the state of the GPU.
local function measured_note(run)
  local times
  for _, record in ipairs(run.records) do times = record.times and record.times.launch and record.times or times end
  if not times then return nil end
  local said = ("Each time includes the %.3g µs of an empty launch"):format(times.launch * 1e3)
  if times.overhead then
    said = ("%s, but not the %.3g µs of two events around nothing"):format(said, times.overhead * 1e3)
  end
  local clock, heat = span(run, "clock_ghz", "%.2f"), span(run, "temperature", "%.0f")
  local state = {}
  if clock then state[#state + 1] = clock .. " GHz" end
  if heat then state[#state + 1] = heat .. " °C" end
  return said .. "." .. (#state > 0 and (" The GPU ran at %s."):format(text.list(state)) or "")
end

-- The requested GPUs, in two lists: those with a model and those without.
local function with_model(run)
  local with, without = {}, {}
  for _, gpu in ipairs(run.asked or {}) do
    local known = lists.any(run.records, function(record)
      local row = model_named(record, gpu)
      return row and row.known
    end)
    table.insert(known and with or without, gpu)
  end
  return with, without
end

-- Why no step of the run has a prediction for a GPU that was asked for.
local function no_prediction(run, name)
  for _, record in ipairs(run.records) do
    local row = model_named(record, name)
    if row and row.note and row.note ~= "" then return ("No prediction for the %s: %s."):format(name, row.note) end
  end
  if not pcall(gpu.model, name) then return ("No prediction: there is no model of %s."):format(name) end
  return ("No prediction for the %s: its model describes kernels, and none was counted."):format(name)
end

local MODELS_PER_TABLE <const> = 5

-- Does the table of each of these groups have a column of this model already?
local function is_column(groups, gpu)
  local found = false
  for _, group in ipairs(groups) do
    local here = #group.records == 0
    for _, column in ipairs(group_columns(group)) do
      here = here or column.header[1] == "model" and column.header[2] == gpu
    end
    if not here then return false end
    found = found or #group.records > 0
  end
  return found
end

-- Additional models have their own tables: a row per step, a column per GPU.
local function render_models(run, groups, options)
  local asked, without = with_model(run)
  local with = lists.select(asked, function(gpu) return not is_column(groups, gpu) end)
  local lines = {}
  for first = 1, #with, MODELS_PER_TABLE do
    local part = table.move(with, first, math.min(first + MODELS_PER_TABLE - 1, #with), 1, {})
    local unit = unit_of(run.records)
    local columns, rows = { { header = { "model" .. (unit and ", " .. unit or "") }, narrow = 12 } }, {}
    for i, gpu in ipairs(part) do columns[i + 1] = { header = { gpu }, right = true } end
    for _, record in ipairs(run.records) do
      if #record.models > 0 then
        local row = { steps.title(record.step, params_of(record, run)) }
        for i, gpu in ipairs(part) do row[i + 1] = model_cell(record, gpu, unit, run.device.model) end
        rows[#rows + 1] = row
      end
    end
    text.add_part(lines, tables.render(columns, rows, options))
  end
  return text.add_part(lines, #without == 0 and {} or text.wrap(table.concat(lists.map(without, function(name)
    return no_prediction(run, name)
  end), " "), "  ", options.width))
end

---The table of a run as lines of text.
---run: {lab, device, params, models, asked, records, results}; asked: the models named with --model. options.bars: a
---bar for each rate; options.new: the records of this run as keys, where others are shown with them.
function report.table(run, options)
  local lines, said = {}, {}
  local groups = grouped(run)
  for _, group in ipairs(groups) do
    if #group.records > 0 then text.add_part(lines, render_group(group, said, options)) end
  end
  for _, record in ipairs(run.records) do
    text.add_part(lines, transfer.lines(record,
      { width = options.width, color = options.color, asked = run.asked, params = run.params }))
  end
  for _, record in ipairs(run.records) do
    if record.figure then
      text.add_part(lines, figure.lines(steps.title(record.step, params_of(record, run)), record.figure, options))
    end
  end
  for _, record in ipairs(run.records) do -- what the kernels printed
    if record.output then text.add_part(lines, printed.lines(record.output, record.step.id, options)) end
  end
  text.add_part(lines, render_models(run, groups, options))
  if options.plain then return lines end
  local notes = lists.joined({ footnote(run) }, { order_note(run) }, { link_note(run) }, { measured_note(run) })
  return text.add_part(lines, lists.joined(text.wrap(sizes_note(groups) or "", "  ", options.width),
    text.wrap(table.concat(notes, "\n"), "  ", options.width)))
end

return report
