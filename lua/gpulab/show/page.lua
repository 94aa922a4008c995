-- The report: one self-contained HTML file with what was run, the results and their explanation. The same data is
-- written next to it as JSON and CSV (report.lua).
local json = require "gpulab.base.json"
local lecture = require "gpulab.lecture"
local markup = require "gpulab.base.markup"
local pictures = require "gpulab.show.page.pictures"
local report = require "gpulab.show.report"
local roofline = require "gpulab.show.roofline"
local runner = require "gpulab.run.runner"
local style = require "gpulab.show.page.style"
local text = require "gpulab.base.text"
local timeline = require "gpulab.show.page.timeline"
local access = require "gpulab.show.access"

local page = {}

local tag, plain = markup.tag, markup.text

-- A section's place in the page: "step-by-step".
local function anchor(title)
  return (title:lower():gsub("[^%w]+", "-"):gsub("^%-", ""):gsub("%-$", ""))
end

local function heading(title) return plain("h2", { id = anchor(title) }, title) end

-- Tables ------------------------------------------------------------------------------------------

local function cell(content, column)
  local s = type(content) == "table" and content.text or content or ""
  local class = column and column.right and "number" or ""
  if type(content) == "table" and content.style then class = class .. " " .. content.style end
  return plain("td", class ~= "" and { class = class } or nil, s)
end

local function header(column)
  local words = {}
  for i, line in ipairs(column.header) do
    words[i] = i == 1 and markup.escape(line) or plain("small", {}, line)
  end
  return tag("th", column.right and { class = "number", scope = "col" } or { scope = "col" }, words)
end

-- columns: {header, right}; rows: cells, and a note on its own line.
local function table_of(columns, rows)
  local head, body = {}, {}
  for i, column in ipairs(columns) do head[i] = header(column) end
  for _, row in ipairs(rows) do
    local cells = {}
    for i, column in ipairs(columns) do cells[i] = cell(row[i], column) end
    body[#body + 1] = tag("tr", {}, cells)
    local note = row.note and (type(row.note) == "table" and row.note or { text = row.note })
    if note then
      body[#body + 1] = tag("tr", {}, plain("td", { colspan = #columns, class = "remark " .. (note.style or "") },
        note.text))
    end
  end
  local content = tag("thead", {}, tag("tr", {}, head)) .. tag("tbody", {}, body)
  return tag("div", { class = "scroll" }, tag("table", {}, content))
end

local function simple_table(names, rows)
  local columns = {}
  for i, name in ipairs(names) do columns[i] = { header = { name }, right = i > 1 } end
  return table_of(columns, rows)
end

local function figure(svg, caption)
  return tag("figure", {}, svg .. tag("figcaption", {}, markup.inline(caption)))
end

local function pairs_list(rows)
  local out = {}
  for _, row in ipairs(rows) do
    if row[2] and row[2] ~= "" then out[#out + 1] = plain("dt", {}, row[1]) .. plain("dd", {}, row[2]) end
  end
  return tag("dl", {}, out)
end

local function number(x)
  if not x then return "–" end
  return x == math.floor(x) and text.count(x) or text.number(x)
end

-- The source, line by line ------------------------------------------------------------------------

local NEAR <const> = 2 -- lines shown around those that ran

-- Lines of a file, or nil if it cannot be read (a kernel given as text has no file).
local function lines_of_file(path)
  local file = io.open(path, "r")
  if not file then return nil end
  local lines = {}
  for line in file:lines() do lines[#lines + 1] = line end
  file:close()
  return lines
end

local ratio_columns <const> = {
  { name = "global_load", header = { "global", "load" } }, { name = "global_store", header = { "global", "store" } },
  { name = "shared_load", header = { "shared", "load" } }, { name = "shared_store", header = { "shared", "store" } },
}

local function ratio(line, name)
  local r = line and runner.ratio(line.counters, name)
  return r and number(r) or ""
end

-- Counted lines by file, in the order of the files' first lines, and the sum of their warp instructions.
local function by_file(lines)
  local files, order, total = {}, {}, 0
  for _, line in ipairs(lines) do
    local known = files[line.file]
    if not known then
      known = { lines = {}, first = line.line, last = line.line }
      files[line.file], order[#order + 1] = known, line.file
    end
    known.lines[line.line] = line
    known.first, known.last = math.min(known.first, line.line), math.max(known.last, line.line)
    total = total + (line.counters.warp_instructions or 0)
  end
  return files, order, total
end

-- Only the ratios that some line has.
local function used_columns(lines)
  local used = {}
  for _, column in ipairs(ratio_columns) do
    for _, line in ipairs(lines) do
      if runner.ratio(line.counters, column.name) then
        used[#used + 1] = column
        break
      end
    end
  end
  return used
end

local function listing_row(at, code, line, total, columns)
  local share = line and total > 0 and (line.counters.warp_instructions or 0) / total
  local cells = { plain("td", { class = "at" }, at),
    plain("td", { class = "number" }, share and ("%.1f %%"):format(100 * share) or "") }
  for _, column in ipairs(columns) do
    cells[#cells + 1] = plain("td", { class = "number" }, ratio(line, column.name))
  end
  local heat = share and ("background: rgba(var(--heat), %.2f)"):format(math.min(0.75, 0.06 + share))
  cells[#cells + 1] = plain("td", { class = line and "code" or "code cold", style = heat }, (code:gsub("\t", "    ")))
  return tag("tr", {}, cells)
end

local function is_near(lines, at)
  for i = at - NEAR, at + NEAR do
    if lines[i] then return true end
  end
  return false
end

-- The lines of a file that ran and the lines around them; dots mark omitted lines.
local function listing_rows(known, source, total, columns)
  local rows, left_out = {}, false
  for at = math.max(1, known.first - NEAR), known.last + NEAR do
    local line = known.lines[at]
    local code = source and source[at] or line and line.text
    if code and is_near(known.lines, at) then
      if left_out then rows[#rows + 1] = listing_row("⋮", "", nil, total, columns) end
      rows[#rows + 1] = listing_row(at, code, line, total, columns)
    end
    left_out = not is_near(known.lines, at)
  end
  return rows
end

-- Of a source that stands in full above: the lines that access memory.
local function access_rows(known, source, total, columns)
  local rows = {}
  for at = known.first, known.last do
    local line, accesses = known.lines[at], false
    for _, column in ipairs(columns) do accesses = accesses or ratio(line, column.name) ~= "" end
    if line and accesses then
      rows[#rows + 1] = listing_row(at, source and source[at] or line.text or "", line, total, columns)
    end
  end
  return rows
end

local function listing_head(path, columns)
  local cells = { { header = { text.file_name(path) }, right = true }, { header = { "instr." }, right = true } }
  for _, column in ipairs(columns) do cells[#cells + 1] = { header = column.header, right = true } end
  cells[#cells + 1] = { header = { "" } }
  for i, cell_of in ipairs(cells) do cells[i] = header(cell_of) end
  return tag("thead", {}, tag("tr", {}, cells))
end

-- listed: the step under which the lines of a file stand in full, by file and lines.
local function listing(record, listed, params)
  local counted = record.report and record.report.lines
  if not counted or #counted == 0 then return "" end
  local files, order, total = by_file(counted)
  local columns, out = used_columns(counted), {}
  for _, path in ipairs(order) do
    local known, source = files[path], lines_of_file(path)
    local place = ("%s:%d-%d"):format(path, known.first, known.last)
    local earlier = listed[place]
    local rows = (earlier and access_rows or listing_rows)(known, source, total, columns)
    if earlier then
      out[#out + 1] = tag("p", { class = "remark" }, "The lines that access memory; the whole source is under "
        .. plain("a", { href = "#step-" .. earlier.id }, report.title(earlier, params)) .. ".")
    end
    listed[place] = earlier or record.step
    out[#out + 1] = tag("div", { class = "scroll" }, tag("table", { class = "listing" },
      listing_head(path, columns) .. tag("tbody", {}, rows)))
  end
  if not listed.explained then
    listed.explained = true
    out[#out + 1] = plain("p", { class = "remark" }, ("Share of the warp instructions; 32-byte sectors (global) and"
      .. " wavefronts (shared) per request, by the rules of the %s. A stronger color marks a larger share of the"
      .. " instructions."):format(record.report.rules))
  end
  return table.concat(out, "\n")
end

-- The worst access --------------------------------------------------------------------------------

local function worst_picture(record)
  local line = record.report and record.report.lines and access.line(record)
  local worst = line and line.worst
  if not worst then return "" end
  local at = ("%s:%d: %s of %s memory, %d bytes per lane"):format(text.file_name(line.file), line.line, worst.access,
    worst.space, worst.width)
  if worst.space == "shared" then
    local rules = record.report.rules
    local banks = gpu.banks(rules, worst.lanes, worst.width)
    local picture = pictures.banks(worst, banks, gpu.model(rules).banks)
    return figure(picture, ("%s. %s for %s by the rules of the %s. A cell is a"
      .. " word, labeled with the lane that accesses it; a column is a bank."):format(at,
      text.plural(banks.wavefronts, "wavefront"), text.plural(banks.requests, "request"), rules))
  end
  return figure(pictures.sectors(worst), ("%s. %s; the minimum is %d. A square is a 32-byte sector, labeled with the"
    .. " number of lanes that access it; gaps are memory that no lane accesses."):format(at, text.plural(worst.cost,
      "sector"),
    worst.ideal))
end

-- Steps and groups --------------------------------------------------------------------------------

local function shape(record)
  local function dims(d) return d and table.concat(d, " × ") or nil end
  return pairs_list { { "kernel", record.kernel }, { "grid", dims(record.grid) }, { "block", dims(record.block) },
    { "launches", record.launches and tostring(#record.launches) },
    { "limited by", record.times and record.times.bound }, { "checked", record.verified == true and "right" or
      record.verified == false and "WRONG" or nil } }
end

local function step_section(record, run, listed)
  local step, params = record.step, record.params or run.params
  local out = { plain("h3", { id = "step-" .. step.id }, report.title(step, params)), markup.prose(step.text or "") }
  if record.outcome ~= "ok" and record.message then out[#out + 1] = plain("pre", { class = "bad" }, record.message) end
  if record.figure then
    out[#out + 1] = simple_table(record.figure.columns, record.figure.rows)
    if record.figure.note then out[#out + 1] = plain("p", { class = "remark" }, record.figure.note) end
    return table.concat(out, "\n")
  end
  out[#out + 1] = shape(record)
  local drawn = record.timeline and timeline.svg(record.timeline)
  if drawn then
    out[#out + 1] = figure(drawn, ("Operations in flight over time, %s; the numbers are chunks."):format(
      record.timeline.kind))
  end
  if record.worst then out[#out + 1] = plain("p", {}, "Most expensive access: " .. record.worst.text .. ".") end
  out[#out + 1] = worst_picture(record)
  out[#out + 1] = listing(record, listed, params)
  return table.concat(out, "\n")
end

-- Bars of the rates in the group's unit.
local function bars(group, run)
  local rows, names = {}, {}
  for i, record in ipairs(group.records) do
    local claim, model = record.claim, nil
    for _, row in ipairs(record.models) do
      if claim and row.gpu == claim.gpu and row.rate then model = row.rate.number end
    end
    if claim and claim.value and claim.unit == group.unit then names.lecture = "lecture, " .. claim.gpu end
    if model then names.model = "model, " .. claim.gpu end
    rows[i] = { title = report.title(record.step, record.params or run.params), model = model,
      lecture = claim and claim.unit == group.unit and claim.value or nil, here = record.rate and record.rate.number }
  end
  names.here = (run.device.measures and "measured, " or "predicted, ") .. report.gpu(run.device)
  return pictures.shares(rows, names), (names.lecture or names.model) ~= nil
end

local function group_section(group, run)
  local out = { heading(group.title or "Steps"), table_of(group.columns, group.rows) }
  local svg, several
  if group.unit then svg, several = bars(group, run) end
  if svg then
    out[#out + 1] = figure(svg, group.unit .. (several and
      "; each series is relative to its own best, because the GPUs have no common scale." or ""))
  end
  return table.concat(out, "\n")
end

-- The rest of the page ----------------------------------------------------------------------------

local backends <const> = { emu = "emulator: times are predicted from counters, not measured", cuda = "CUDA" }

local function environment(run, extras)
  local device, params = run.device or {}, {}
  for i, name in ipairs(run.parameter_names) do params[i] = ("%s = %s"):format(name, tostring(run.params[name])) end
  return heading "Environment" .. pairs_list {
    { "gpulab", gpu.version }, { "device", device.name }, { "GPU", device.gpu },
    { "backend", backends[device.backend] },
    { "driver", device.driver }, { "CUDA runtime", device.runtime }, { "NVRTC", device.nvrtc },
    { "parameters", table.concat(params, " · ") }, { "written", extras.when } }
end

-- The steps under the limits of the GPU; none where no step has a predicted time.
local function roofline_section(run)
  local drawn, roof = pcall(roofline.of, run.records)
  if not drawn then return "" end
  local operations = roof.kind.unit == "GFLOPS" and "floating-point operations" or "thread instructions"
  return heading "Roofline" .. figure(roofline.svg(roof), ("The %s: %s per second over operations per byte that DRAM "
    .. "reads and writes. On the left its bandwidth is the limit, on the right the arithmetic units are."):format(
    roof.gpu, operations))
end

local function plots_section(plots)
  if not plots or #plots == 0 then return "" end
  local out = { heading "Plots" }
  for _, plot in ipairs(plots) do
    out[#out + 1] = plain("h3", {}, plot.title) .. figure(plot.svg, plot.text or "")
  end
  return table.concat(out, "\n")
end

local function predictions_section(predictions)
  if not predictions or #predictions == 0 then return "" end
  local rows = {}
  for i, p in ipairs(predictions) do
    rows[i] = { p.ask, number(p.predicted), number(p.actual),
      p.right and { text = "right", style = "good" } or p.right == false and "wrong" or "–" }
  end
  return heading "Predictions" .. simple_table({ "question", "prediction", "actual", "" }, rows)
end

local function exercises_section(exercises)
  if not exercises or #exercises == 0 then return "" end
  local rows = {}
  for i, e in ipairs(exercises) do rows[i] = { e.title, e.state, tostring(e.hints or 0) } end
  return heading "Exercises" .. simple_table({ "exercise", "state", "hints seen" }, rows)
end

local function notes_section(notes)
  if not notes or #notes == 0 then return "" end
  local out = { heading "Notes" }
  for _, note in ipairs(notes) do
    out[#out + 1] = plain("p", {}, note.text) .. plain("p", { class = "remark" }, table.concat({ note.step or "the lab",
      note.when }, " · "))
  end
  return table.concat(out, "\n")
end

local function data_section(run)
  local document = json.encode(report.json(run)):gsub("<", "\\u003c")
  return tag("script", { type = "application/json", id = "gpulab" }, document)
end

local function credit(lab)
  local names = {}
  for i, short in ipairs(lab.lecture or {}) do
    local source = lecture.sources[short]
    names[i] = ("%s, %s (%d)"):format(source.author, source.title, source.year)
  end
  return table.concat(names, " · ")
end

-- The table of contents: the sections of the page, and under "Step by step" the steps.
local function contents(parts, run)
  local items = {}
  for id, title in table.concat(parts, "\n"):gmatch('<h2 id="([^"]*)">(.-)</h2>') do
    local steps = {}
    for i, record in ipairs(id == "step-by-step" and run.records or {}) do
      steps[i] = tag("li", {}, plain("a", { href = "#step-" .. record.step.id }, report.title(record.step,
        record.params or run.params)))
    end
    items[#items + 1] = tag("li", {}, tag("a", { href = "#" .. id }, title)
      .. (#steps > 0 and tag("ol", {}, steps) or ""))
  end
  return tag("nav", { ["aria-label"] = "Contents" }, tag("ul", {}, items))
end

---The page.
---run: what report.json takes, records in the order of the page. extras, each optional: when; plots, a list of
---{title, text, svg}; predictions: {ask, predicted, actual, right}; exercises: {title, state, hints}; notes:
---{text, step, when}.
---@param run table @param extras? table @return string
function page.html(run, extras)
  extras = extras or {}
  local lab = run.lab
  local out = { plain("h1", {}, ("Lab %d · %s"):format(lab.number, lab.title)),
    plain("p", { class = "credit" }, credit(lab)), markup.prose(lab.intro) }
  if run.error then out[#out + 1] = plain("pre", { class = "bad" }, tostring(run.error)) end
  for _, group in ipairs(run.device and report.groups(run) or {}) do
    if #group.records > 0 then out[#out + 1] = group_section(group, run) end
  end
  if #run.records == 0 then out[#out + 1] = plain("p", {}, "No step has run yet.") end
  out[#out + 1] = roofline_section(run)
  out[#out + 1] = plots_section(extras.plots)
  out[#out + 1] = predictions_section(extras.predictions)
  out[#out + 1] = exercises_section(extras.exercises)
  if #run.records > 0 then out[#out + 1] = heading "Step by step" end
  local listed = {}
  for _, record in ipairs(run.records) do out[#out + 1] = step_section(record, run, listed) end
  out[#out + 1] = notes_section(extras.notes)
  out[#out + 1] = environment(run, extras)
  table.insert(out, 4, contents(out, run))
  local title = ("gpulab, lab %d: %s"):format(lab.number, lab.title)
  return table.concat({ "<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">', plain("title", {}, title),
    -- An empty icon, so that no browser requests one.
    '<link rel="icon" href="data:,">', "<style>", style .. "</style>", "</head>", "<body>", table.concat(out, "\n"),
    data_section(run), "</body>", "</html>", "" }, "\n")
end

return page
