-- The journal: gpulab records every run of a step, and `history STEP` lists earlier ones. The C core (gpulab.store)
-- owns the file and creates it at the first record; records.lua knows its tables. If it cannot be written, gpulab warns
-- once and continues.
local failure = require "gpulab.base.failure"
local json = require "gpulab.base.json"
local lists = require "gpulab.base.lists"
local records = require "gpulab.run.records"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local value = require "gpulab.base.value"
local workbook = require "gpulab.run.workbook"

local journal = {}

journal.folder = workbook.folder

local opened

local function store()
  local folder, reason = journal.folder()
  if not folder then return nil, reason end
  opened = opened or require("gpulab.store").open(folder)
  return opened
end

-- Warnings ----------------------------------------------------------------------------------------

local pending, known = {}, {}

local function note(e)
  local said = type(e) == "table" and e.message and text.wrap("gpulab: " .. e.message) or { "gpulab: " .. tostring(e) }
  for _, line in ipairs(type(e) == "table" and text.wrap(e.hint or "", "  ") or {}) do said[#said + 1] = line end
  local message = table.concat(said, "\n")
  if not known[message] then pending[#pending + 1] = message end
  known[message] = true
end

-- What went wrong, else what the file has to say.
local function note_of(file, e)
  e = e or select(2, failure.try(file.notice, file))
  if e then note(e) end
end

---Writes the journal's new warnings to standard error, each once per session.
function journal.print_warnings()
  for i, message in ipairs(pending) do
    io.stderr:write(text.printable(message), "\n")
    pending[i] = nil
  end
end

-- Recording ---------------------------------------------------------------------------------------

---"block=256 n=1024", as --set takes them.
---@param lab Lab @param params table @param used? table<string, boolean> those that are named; nil: all
function journal.params_text(lab, params, used)
  local parts = {}
  for name in pairs(lab.params) do
    if not used or used[name] then parts[#parts + 1] = ("%s=%s"):format(name, tostring(params[name])) end
  end
  table.sort(parts)
  return table.concat(parts, " ")
end

-- The rate at another time than the median.
local function rate_at(record, ms)
  if not ms or ms <= 0 then return nil end
  return record.rate.number * record.times.ms / ms
end

local function row_of(record, context)
  local device = context.device
  -- What was interrupted is not asked again what it uses: a function of the lab may never end.
  local used = record.outcome ~= "interrupted" and context:used_by(record.step) or nil
  local row = { lab = context.lab.id, step = record.step.id, kernel = record.kernel, source = record.key,
    params = journal.params_text(context.lab, record.params or context.params, used),
    device = device.name, gpu = device.gpu, driver = device.driver, nvrtc = device.nvrtc,
    outcome = record.outcome, verified = record.verified }
  if record.rate then
    local times = record.times
    row.value, row.unit, row.kind = record.rate.number, value.unit(record.rate), times.kind
    row.q1, row.q3, row.min = rate_at(record, times.q1), rate_at(record, times.q3), rate_at(record, times.min)
    row.samples, row.clock_ghz, row.temperature = times.samples, times.clock_ghz, times.temperature
  end
  if record.report and record.report.counters then
    row.counters = json.encode(record.report.counters):gsub(",\n%s*", ", "):gsub("\n%s*", "")
  end
  return row
end

-- Writes to the file, or reads: what fails, and what the file has to say, becomes a warning. Raises Ctrl-C alone.
local function kept(file, f, ...)
  local ok, result = failure.try(f, file, ...)
  note_of(file, not ok and result or nil)
  return ok, result
end

---Records how a step ended, if there is a journal. Raises only Ctrl-C; other failures become warnings.
---@param record table what runner.run returned @param context table the run's
function journal.record(record, context)
  local file = store()
  if not file then return end
  kept(file, records.run, row_of(record, context))
end

---The newest runs of a step, newest first, and the number of invalid rows in the file.
---@param lab string its id @param step string its id @param n? integer
---@return table[] runs, integer left_out
function journal.history(lab, step, n)
  local file, reason = store()
  if not file then
    failure.raise("setup", "there is no journal: " .. reason, nil,
      "set GPULAB_HOME to a folder, or leave it unset for ~/gpulab-work")
  end
  local runs, left_out = records.runs(file, lab, step, n)
  note_of(file)
  return runs, left_out
end

-- Marks -------------------------------------------------------------------------------------------

---Records a mark: {lab, what, name, text, unit, number, truth}. True if it was stored; failures become warnings.
---@param mark table @return boolean
function journal.mark(mark)
  local file = store()
  if not file then return false end
  return (kept(file, records.mark, mark))
end

---The marks of a lab, newest first; nil: of all labs. Empty if there is no journal.
---@param lab? string its id @return table[]
function journal.marks(lab)
  local file = store()
  if not file then return {} end
  local ok, marks = kept(file, records.marks, lab)
  return ok and marks or {}
end

-- Showing -----------------------------------------------------------------------------------------

local words = { ok = "ok", compile = "does not compile", fault = "fault", limit = "limit", timeout = "timed out",
  wrong = "wrong result", setup = "missing setup", usage = "cannot run", interrupted = "interrupted",
  gate = "acceptance check: not met", finding = "checker issue", absent = "not run" }

-- The file may come from an untrusted source: terminal control sequences are replaced.
local function plain(s)
  return ((s or ""):gsub("\xC2[\x80-\x9F]", "?"):gsub("%c", "?"))
end

local function gpu_of(run)
  local name = plain(run.gpu or run.device):gsub("^NVIDIA ", ""):gsub("^GeForce ", "")
  local emulated = run.kind == "predicted" or (run.device or ""):match("^emu") -- one elsewhere is ssh:HOST/emu
  return emulated and "emu " .. name or name
end

-- Half the distance between the quartiles of the time, as in the table of a run.
local function spread(run)
  if run.kind ~= "measured" or not run.q1 or not run.q3 or run.q1 <= 0 or run.q3 <= 0 then return nil end
  return (1 / run.q3 - 1 / run.q1) / 2 * run.value
end

local function value_cell(run, unit)
  if not run.value then return "–" end
  local s, around = text.number(run.value), spread(run)
  if not unit then s = s .. " " .. plain(run.unit) end
  return { text = around and ("%s ±%.1f %%"):format(s, 100 * around) or s, style = "strong" }
end

local function verdict_cell(run)
  if run.outcome ~= "ok" then return { text = words[run.outcome] or plain(run.outcome), style = "bad" } end
  return run.verified and { text = "ok", style = "good" } or "ok, not verified"
end

-- The common value of a field; nil if runs differ or have none.
local function common(runs, field)
  local first
  for _, run in ipairs(runs) do
    if run[field] and first and first ~= run[field] then return nil end
    first = first or run[field]
  end
  return first
end

-- The parameters of each run that differ between runs; nil if none do.
local function differing_params(runs)
  local having = {}
  for _, run in ipairs(runs) do
    for part in (run.params or ""):gmatch("%S+") do having[part] = (having[part] or 0) + 1 end
  end
  local texts, differ = {}, false
  for i, run in ipairs(runs) do
    local parts = {}
    for part in (run.params or ""):gmatch("%S+") do
      if having[part] < #runs then parts[#parts + 1] = part end
    end
    texts[i], differ = table.concat(parts, " "), differ or #parts > 0
  end
  return differ and texts or nil
end

local function history_table(runs, options)
  local unit, kind = common(runs, "unit"), common(runs, "kind")
  local params = differing_params(runs)
  local columns = tables.columns { "when", { header = { kind or "rate", unit and plain(unit) or nil }, right = true },
    "device:12", "program", params and "params:8" or "verdict:8", params and "verdict:8" or nil }
  local rows = lists.map(runs, function(run, i)
    local cells = { os.date("%Y-%m-%d %H:%M", run.time // 1000), value_cell(run, unit), gpu_of(run),
      plain(run.source):sub(1, 7) }
    if params then cells[5] = plain(params[i]) end
    return lists.append(cells, { verdict_cell(run) })
  end)
  return tables.render(columns, rows, options)
end

local BARS <const> = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" }
local FLATTEST <const> = 0.9 -- of the highest value: a spread below a tenth stays visibly small

---Values as a line of bars, oldest first; false, for a run without a value, is a cross.
---@param values (number|false)[] @return string bars, number? lowest, number? highest
function journal.sparkline(values)
  local low, high
  for _, v in ipairs(values) do
    if v then low, high = math.min(low or v, v), math.max(high or v, v) end
  end
  if not low then return ("×"):rep(#values) end
  local bottom, parts = math.min(low, FLATTEST * high), {}
  for i, v in ipairs(values) do
    local level = v and high > bottom and (v - bottom) / (high - bottom) or 1
    parts[i] = v and BARS[1 + math.floor(level * (#BARS - 1) + 0.5)] or "×"
  end
  return table.concat(parts), low, high
end

local compared = { "device", "gpu", "params" }

-- Runs comparable with the newest one that has a value: same device, same parameters.
local function comparable(runs)
  local newest
  for _, run in ipairs(runs) do newest = newest or run.value and run end
  local found = {}
  for _, run in ipairs(newest and runs or {}) do
    local alike = not run.value or run.unit == newest.unit and run.kind == newest.kind
    for _, field in ipairs(compared) do alike = alike and run[field] == newest[field] end
    if alike then table.insert(found, 1, run) end
  end
  return found, newest
end

local MOST_BARS <const> = 40

-- Bars, their range, and which runs they cover if not all of the table.
local function sparkline_line(runs, width)
  local alike, newest = comparable(runs)
  if #alike < 2 then return nil end
  local values = {}
  for i = math.max(1, #alike - MOST_BARS + 1), #alike do values[#values + 1] = alike[i].value or false end
  local bars, low, high = journal.sparkline(values)
  local range = low == high and text.number(low) or text.number(low) .. " to " .. text.number(high)
  local whose = #alike < #runs and (" (%s, %s)"):format(gpu_of(newest), plain(newest.params)) or ""
  return text.clip(("  %s  %s %s%s"):format(bars, range, plain(newest.unit), whose), width)
end

-- What the letters under program and the bars mean.
local function legend(bars)
  local said = "Equal letters under program mean equal programs from the same file."
  if not bars then return said end
  said = said .. " Each bar is a run on the same device with the same parameters, the newest on the right."
  return bars:find("×", 1, true) and said .. " × is a run without a value." or said
end

---The history of a step as lines of text.
---@param step string @param runs table[] newest first @param left_out integer
---@param options? {width: integer?, color: boolean?, verb: string?} verb: the command that records a run of it
---@return string[]
function journal.lines(step, runs, left_out, options)
  local width, verb, lines = options and options.width or text.columns, options and options.verb, {}
  if #runs == 0 then
    text.add(lines, ("The journal has no run of %s yet: `%s %s` records one."):format(step, verb or "run", step), "  ",
      width)
  else
    lines = history_table(runs, options)
    local bars = sparkline_line(runs, width)
    if #runs > 1 then
      lines[#lines + 1] = ""
      text.add(lines, legend(bars), "  ", width)
    end
    lines[#lines + 1] = bars
  end
  if left_out > 0 then
    lines[#lines + 1] = ("  Skipped %s of the journal."):format(text.plural(left_out, "invalid row"))
  end
  return lines
end

return journal
