-- The report: one self-contained HTML file with what was run, the results and their explanation. The same data is
-- written next to it as JSON and CSV (report.lua).
local exercises = require "gpulab.show.page.exercises"
local lecture = require "gpulab.lecture"
local listing = require "gpulab.show.page.listing"
local lists = require "gpulab.base.lists"
local markup = require "gpulab.base.markup"
local models = require "gpulab.show.page.models"
local parts = require "gpulab.show.page.parts"
local pictures = require "gpulab.show.page.pictures"
local report = require "gpulab.show.report"
local roofline = require "gpulab.show.roofline"
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

-- A section, if there is something in it.
local function section(title, content)
  return content and content ~= "" and heading(title) .. content or ""
end

-- The worst access --------------------------------------------------------------------------------

---The worst access of a record's line, as SVG: its lanes and banks, or its sectors.
---@param record Record @param line table one of its report @return string
function page.access(record, line)
  local worst, rules = line.worst, record.report.rules
  if worst.space ~= "shared" then return pictures.sectors(worst) end
  return pictures.banks(worst, gpu.banks(rules, worst.lanes, worst.width), gpu.model(rules).banks)
end

-- The picture with what it shows, and the picture alone.
local function worst_picture(record, explained)
  local line = record.report and record.report.lines and access.line(record)
  local worst = line and line.worst
  if not worst then
    return record.worst and plain("p", {}, "Most expensive access: " .. record.worst.text .. ".") or ""
  end
  local at = ("%s:%d: %s of %s memory, %s per lane"):format(text.file_name(line.file), line.line, worst.access,
    worst.space, text.plural(worst.width, "byte"))
  if record.worst then at = ("Most expensive access: %s. %s"):format(record.worst.text, at) end
  local function once(said)
    local first = not explained[said]
    explained[said] = true
    return first and said or ""
  end
  local drawn = page.access(record, line)
  if worst.space == "shared" then
    local rules = record.report.rules
    local banks = gpu.banks(rules, worst.lanes, worst.width)
    return parts.figure(drawn, ("%s. %s for %s by the rules of the %s.%s"):format(at,
      text.plural(banks.wavefronts, "wavefront"), text.plural(banks.requests, "request"), rules,
      once " A cell is a word, labeled with the lane that accesses it; a column is a bank.")), drawn
  end
  local unit = access.unit(worst, record.report.rules)
  return parts.figure(drawn, ("%s. %s; the minimum is %d.%s"):format(at,
    text.plural(worst.cost, unit), worst.ideal, once(" A square is a 32-byte sector, labeled with the number of"
      .. " lanes that access it; gaps are memory that no lane accesses."))), drawn
end

-- Steps and groups --------------------------------------------------------------------------------

local function shape(record)
  local function dims(d) return d and table.concat(d, " × ") or nil end
  return parts.pairs { { "kernel", record.kernel }, { "grid", dims(record.grid) }, { "block", dims(record.block) },
    { "launches", record.launches and tostring(#record.launches) },
    { "lecture", record.claim and record.claim.value and lecture.line(record.claim) },
    { "limited by", record.times and record.times.bound }, { "checked", record.verified == true and "right" or
      record.verified == false and "WRONG" or nil } }
end

local function step_section(record, run, listed)
  local step, params = record.step, record.params or run.params
  local out = { plain("h3", { id = "step-" .. step.id }, report.title(step, params)), markup.prose(step.text or "") }
  if record.outcome ~= "ok" and record.message then out[#out + 1] = plain("pre", { class = "bad" }, record.message) end
  if record.figure then
    out[#out + 1] = parts.simple_table(record.figure.columns, record.figure.rows)
    if record.figure.note then out[#out + 1] = plain("p", { class = "remark" }, record.figure.note) end
    return table.concat(out, "\n")
  end
  out[#out + 1] = shape(record)
  local drawn = record.timeline and timeline.svg(record.timeline)
  if drawn then
    out[#out + 1] = parts.figure(drawn, ("Operations in flight over time, %s; the numbers are chunks."):format(
      record.timeline.kind))
  end
  out[#out + 1] = parts.output(record.output)
  out[#out + 1] = worst_picture(record, listed.explained)
  out[#out + 1] = listing.html(record.report, { id = "step-" .. step.id, title = report.title(step, params) },
    listed)
  return table.concat(out, "\n")
end

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
  local out = { parts.table(group.columns, group.rows) }
  local svg, several
  if group.unit then svg, several = bars(group, run) end
  if svg then
    out[#out + 1] = parts.figure(svg, group.unit .. (several and
      "; each series is relative to its own best, because the GPUs have no common scale." or ""))
  end
  return heading(group.title or "Steps") .. tag("div", { class = "group" }, table.concat(out, "\n"))
end

-- The rest of the page ----------------------------------------------------------------------------

local backends <const> = { emu = "emulator: times are predicted from counters, not measured", cuda = "CUDA" }

local function environment(run, extras)
  local device = run.device or {}
  local params = lists.map(run.parameter_names, function(name)
    return ("%s = %s"):format(name, tostring(run.params[name]))
  end)
  return heading "Environment" .. parts.pairs {
    { "gpulab", gpu.version }, { "device", device.name }, { "GPU", device.gpu },
    { "backend", backends[device.backend] },
    { "driver", device.driver }, { "CUDA runtime", device.runtime }, { "NVRTC", device.nvrtc },
    { "parameters", table.concat(params, " · ") }, { "written", extras.when } }
end

-- The steps under the limits of the GPU; none where no step has a predicted time.
local function roofline_section(run)
  local roof = roofline.of_those_that_ran(run.records)
  if not roof then return "" end
  local operations = roof.kind.unit == "GFLOPS" and "floating-point operations" or "thread instructions"
  return tag("div", { class = "half" }, heading "Roofline" .. parts.figure(roofline.svg(roof), ("The %s: %s per second"
    .. " over operations per byte that DRAM reads and writes. On the left its bandwidth is the limit, on the right the"
    .. " arithmetic units are."):format(roof.gpu, operations)))
end

local function plots_section(plots)
  return table.concat(lists.map(plots, function(plot, i)
    return tag("div", { class = "half" }, (i == 1 and heading "Plots" or "") .. plain("h3", {}, plot.title)
      .. parts.figure(plot.svg, plot.text or ""))
  end), "\n")
end

-- Frozen warp views.
local function views_section(views)
  return section("Warp views", table.concat(lists.map(views, function(each)
    return plain("h3", {}, each.title) .. parts.figure(each.svg, each.text)
  end), "\n"))
end

local function predictions_section(predictions)
  if not predictions or #predictions == 0 then return "" end
  local rows = lists.map(predictions, function(p)
    return { p.ask, parts.number(p.predicted), parts.number(p.actual),
      p.right and { text = "right", style = "good" } or p.right == false and "wrong" or "–" }
  end)
  return heading "Predictions" .. parts.simple_table({ "question", "prediction", "actual", "" }, rows)
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

local function credit(lab)
  return table.concat(lists.map(lab.lecture, function(short)
    local source = lecture.sources[short]
    return ("%s, %s (%d)"):format(source.author, source.title, source.year)
  end), " · ")
end

-- The table of contents: the sections of the page, and under "Step by step" the steps.
local function contents(sections, run)
  local items = {}
  for id, title in table.concat(sections, "\n"):gmatch('<h2 id="([^"]*)">(.-)</h2>') do
    local steps = lists.map(id == "step-by-step" and run.records or {}, function(record)
      return tag("li", {}, plain("a", { href = "#step-" .. record.step.id }, report.title(record.step,
        record.params or run.params)))
    end)
    items[#items + 1] = tag("li", {}, tag("a", { href = "#" .. id }, title)
      .. (#steps > 0 and tag("ol", {}, steps) or ""))
  end
  return tag("nav", { ["aria-label"] = "Contents" }, tag("ul", {}, items))
end

-- By whom, when and where it was written.
local function head_line(run, extras)
  local said = { extras.who, extras.when, run.device and run.device.gpu, run.device and backends[run.device.backend] }
  local parts_said = {}
  for i = 1, 4 do parts_said[#parts_said + 1] = said[i] end
  return #parts_said > 0 and plain("p", { class = "credit" }, table.concat(parts_said, " · ")) or ""
end

-- Pieces of a page -------------------------------------------------------------------------------

---The worst access of a record with what is said of it, and the picture alone; nil without one.
---@param record Record @return string? html, string? svg
function page.worst(record)
  local line = record.report and record.report.lines and access.line(record)
  if not line or not line.worst then return nil end
  return worst_picture(record, {})
end

---The source lines of a record with their counters.
---@param record Record @return string
function page.listing(record)
  return listing.html(record.report, { id = "source", title = record.title }, { explained = {} })
end

---The tables of the steps that ran, and of a single one its worst access.
---@param run table as for page.html @return string html, string? svg
function page.tables(run)
  local out, svg, one = {}, nil, #run.records == 1 and run.records[1]
  for _, group in ipairs(report.groups(run)) do
    if #group.records > 0 then out[#out + 1] = parts.table(group.columns, group.rows) end
  end
  if one and one.report then
    local html
    html, svg = page.worst(one)
    out[#out + 1] = html
  end
  return table.concat(out, "\n"), svg
end

---The page.
---run: what report.json takes, records in the order of the page. extras, each optional: who; when; plots, a list of
---{title, text, svg}; views: as plots; predictions: {ask, predicted, actual, right}; exercises as
---page/exercises.lua takes them; notes:
---{text, step, when}.
---@param run table @param extras? table @return string
function page.html(run, extras)
  extras = extras or {}
  local lab = run.lab
  local out = { plain("h1", {}, ("Lab %d · %s"):format(lab.number, lab.title)),
    plain("p", { class = "credit" }, credit(lab)), head_line(run, extras), markup.prose(lab.intro) }
  if run.error then out[#out + 1] = plain("pre", { class = "bad" }, tostring(run.error)) end
  for _, group in ipairs(run.device and report.groups(run) or {}) do
    if #group.records > 0 then out[#out + 1] = group_section(group, run) end
  end
  if #run.records == 0 then out[#out + 1] = plain("p", {}, "No step has run yet.") end
  out[#out + 1] = section("Models", run.device and models.html(run))
  out[#out + 1] = roofline_section(run)
  out[#out + 1] = plots_section(extras.plots)
  out[#out + 1] = predictions_section(extras.predictions)
  if #run.records > 0 then out[#out + 1] = heading "Step by step" end
  local listed = { explained = {} }
  for _, record in ipairs(run.records) do out[#out + 1] = step_section(record, run, listed) end
  out[#out + 1] = views_section(extras.views)
  out[#out + 1] = section("Exercises", exercises.html(extras.exercises, listed))
  out[#out + 1] = notes_section(extras.notes)
  out[#out + 1] = environment(run, extras)
  table.insert(out, 5, contents(out, run))
  local title = ("gpulab, lab %d: %s"):format(lab.number, lab.title)
  return parts.document(title, out, report.json(run))
end

return page
