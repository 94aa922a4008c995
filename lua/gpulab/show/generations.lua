-- One record on every GPU with a model: its rate, its share of the peak, its limiter, and whether its lesson matters
-- there. Also how its traffic is distributed over the DRAM partitions of a GPU that has them.
local chart = require "gpulab.show.chart"
local failure = require "gpulab.base.failure"
local lecture = require "gpulab.lecture"
local lists = require "gpulab.base.lists"
local nondeterminism = require "gpulab.show.nondeterminism"
local pictures = require "gpulab.base.pictures"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local value = require "gpulab.base.value"
local launch_list = require "gpulab.run.launch_list"

local generations = {}

local PEAK_BAR <const> = 10 -- columns of the whole peak
local SAMPLE <const> = 2400 -- blocks per launch at most; larger grids are sampled
local MATTERS <const>, NOTHING <const> = 1.15, 1.05 -- speedups: it matters from, it does not matter up to

-- Predicting --------------------------------------------------------------------------------------

-- The models are rows of gpu.models(). A launch that a GPU does not support has no rate there.
local function predict_one(record, models)
  return record:with_inputs(function(prepared)
    local items = prepared.items
    local able = lists.select(models, function(model) return record:supported_on(model.cc) end)
    local report = launch_list.sample(prepared.device, items, lists.map(able, "name"), SAMPLE)
    if report.outcome.status ~= "ok" then failure.raise("fault", report.outcome.message) end
    for _, model in ipairs(models) do
      report.models[model.name] = report.models[model.name] or { known = false, note = "no such instructions or types" }
    end
    return report
  end)
end

local function larger(a, b) return a and b and math.max(a, b) or a or b end

-- Two predictions for launches that run one after the other: the limiter is that of the longest launch.
local function both(p, q)
  if not p or not p.known then return p end
  if not q.known then return q end
  local longest = q.ms > (p.longest or p.ms) and q or p
  return { known = true, ms = p.ms + q.ms, longest = longest.longest or longest.ms, bound = longest.bound,
    partitions = longest.partitions, error = larger(p.error, q.error), order = larger(p.order, q.order) }
end

local function summed(reports)
  if #reports == 1 then return reports[1] end
  local models, sampled = {}, nil
  for name, p in pairs(reports[1].models) do models[name] = p end
  for i, report in ipairs(reports) do
    for name, p in pairs(i > 1 and models or {}) do models[name] = both(p, report.models[name] or { known = false }) end
    local part = report.sampled
    if part then
      sampled = sampled or { blocks = 0, of = 0, error = 0 }
      sampled.blocks, sampled.of = sampled.blocks + part.blocks, sampled.of + part.of
      sampled.error = math.max(sampled.error, part.error)
    end
  end
  return { models = models, sampled = sampled }
end

local function predict(record, models)
  return summed(lists.map(record:launched(), function(one) return predict_one(one, models) end))
end

-- What its run predicted of all blocks; empty where that was a sample, or nothing.
local function predicted_whole(record)
  local list = record:launched()
  local partly = lists.any(list, function(one) return not one.report or one.report.sampled end)
  return partly and {} or summed(lists.map(list, "report")).models
end

-- The fastest of them (geometric mean over the GPUs that run all of them), or the first other if that is the record.
local function counterpart(record, list, reports, names)
  local best, least
  for _, other in ipairs(list) do
    local sum = 0
    for _, name in ipairs(names) do
      local mine, its = reports[record].models[name], reports[other].models[name]
      if mine.known and its.known then sum = sum + math.log(its.ms / mine.ms) end
    end
    if not least or sum < least - 1e-9 then best, least = other, sum end
  end
  if best ~= record then return best end
  return list[1] ~= record and list[1] or list[2]
end

---A GPU's peak in a unit, by its datasheet; nil if unknown.
---@param model table a row of gpu.models() @param unit string?
function generations.peak(model, unit)
  if unit == "GB/s" then return model.dram_gbps end
  if unit == "GFLOPS" then return 2 * model.sms * model.fp32_lanes * model.shader_ghz end
end

---Whether what makes one of two steps faster matters on each GPU: "matters", "matters little", "does not matter",
---or "no longer matters" if it did on older ones and does on no later one; "slower there" for a slowdown; "cannot
---tell" for a speedup that is within the error of the predictions, or so small that they are often in the wrong order.
---factors: speedups, oldest GPU first, nil where unknown; orders: the ratio from which the order is known, nil where
---there is no data.
---@param factors table @param count integer @param orders? table @return string[]
function generations.verdicts(factors, count, orders)
  local verdicts, last = {}, nil
  for i = 1, count do
    local exact = factors[i]
    local factor = exact and tonumber((value.times(exact):gsub("×", ""))) -- as it is shown
    if not factor then
      verdicts[i] = "–"
    elseif factor > NOTHING and orders and orders[i] and exact < orders[i] then
      verdicts[i] = "cannot tell"
    elseif factor >= MATTERS then
      verdicts[i], last = "matters", i
    elseif factor > NOTHING then
      verdicts[i] = "matters little"
    elseif factor < 1 / NOTHING then
      verdicts[i] = orders and orders[i] and exact > 1 / orders[i] and "cannot tell" or "slower there"
    else
      verdicts[i] = "does not matter"
    end
  end
  for i = last and last + 1 or count + 1, count do
    if verdicts[i] == "does not matter" then verdicts[i] = "no longer matters" end
  end
  return verdicts
end

-- The ratio from which the order of two predictions for one GPU is known; nil: no data.
local function order_of(p, q)
  local error = math.max(p.error or 0, q.error or 0)
  return p.order or error > 0 and 1 + error or nil
end

-- The landmarks, and the GPU at hand if it is none of them, where its generation is.
local function models_of(device)
  local models, own = gpu.models(), device.model and gpu.model(device.model)
  local at = #models + 1
  for i, model in ipairs(models) do
    if not own or model.name == own.name then return models end
    if not model.base and model.cc <= own.cc then at = i + 1 end
  end
  table.insert(models, at, own)
  return models
end

local function claim_of(record)
  local claim = record.step and record.step.claim and lecture.find(record.step.claim)
  return claim and claim.unit == record:unit() and claim.value and claim
end

-- Is the record the better one: by the lecture's numbers where it has both, so that the lesson is the lecture's, else
-- by the predictions. sum: of the logarithms of its counterpart's speedups.
local function is_better(record, other, sum)
  local its, others = claim_of(record), claim_of(other)
  if its and others and its.gpu == others.gpu and its.value ~= others.value then return its.value > others.value end
  return sum < 0
end

-- The predictions from all blocks: where a sample represents the grid, those that the record's run shows. A sample
-- cannot have what blocks share that run together and are far apart in the grid, pages of DRAM for example.
local function models_of_run(record, report, begins)
  if not report.sampled then return report.models end
  if #record:launched() > 1 then return predicted_whole(record) end
  local of_run = record:report_of_run(function() begins(("%s, all blocks"):format(record.title)) end)
  return of_run and of_run.models or {}
end

-- One GPU's predictions: by the runs of both records, if those have them, so that like is compared with like.
local function pair_of(name, own, its, reports, result)
  local p, q = reports.own.models[name], reports.its and reports.its.models[name]
  local all, others = own[name], its[name]
  if not (all and all.known) then return p, q, p end
  lists.add_new(result.counted, name)
  result.off = math.max(result.off or 0, p.known and math.abs(all.ms / p.ms - 1) or 0)
  if q and others and others.known then return all, others, all end
  result.mixed = result.mixed or q ~= nil
  return p, q, all
end

---The record and its counterpart on every GPU. begins: called with each step that is predicted (progress.parts).
---@param record Record @param begins? fun(number: integer, total: integer, what: string)
---@return {rows: table[], record: Record, other: Record?, same: boolean, slower: Record?, sampled: table?,
--- unit: string?, counted: string[], off: number?, mixed: boolean?} counted: GPUs with the number of the record's run,
--- though this samples; off: by how much the sample differs from those; mixed: not so in their speedups
function generations.study(record, begins)
  if record.demonstrates then failure.usage(("%s shows an error, so there is nothing to predict"):format(record.id)) end
  if record:calls_library() then
    failure.usage(("%s calls a library, which no model describes"):format(record.id))
  end
  record:check_right()
  local models = models_of(record.device)
  local names, reports = lists.map(models, "name"), {}
  local peers, same = record:peers()
  local list = lists.select(peers, function(one) return not one:calls_library() end)
  for i, one in ipairs(list) do
    if begins then begins(i, #list, ("%s on every GPU"):format(one.title)) end
    reports[one] = predict(one, models) -- on all GPUs at once
  end
  local other, unit = counterpart(record, list, reports, names), record:unit()
  local result = { rows = {}, record = record, other = other, same = same, unit = unit,
    sampled = reports[record].sampled, counted = {} }
  local factors, orders, sum = {}, {}, 0
  local function goes_on(what) if begins then begins(#list, #list, what) end end
  local own = models_of_run(record, reports[record], goes_on)
  local its = other and next(own) and models_of_run(other, reports[other], goes_on) or {}
  local sampled = { own = reports[record], its = reports[other] }
  for i, model in ipairs(models) do
    local p, q, shown = pair_of(model.name, own, its, sampled, result)
    local rate = p.known and record:rate_of(shown.ms)
    local peak = not record.cached and generations.peak(model, unit) -- else the bytes are not DRAM's
    result.rows[i] = { gpu = model.name, known = p.known, ms = shown.ms, rate = rate or nil, bound = shown.bound,
      note = p.note, share = rate and peak and rate.number / peak or nil, error = p.error,
      other_rate = q and q.known and other:rate_of(q.ms) or nil }
    if p.known and q and q.known then
      factors[i], orders[i] = p.ms / q.ms, order_of(p, q)
      sum = sum + math.log(factors[i])
    end
  end
  -- More than the peak of the FP32 lanes: other units do the work.
  if unit == "GFLOPS" and lists.any(result.rows, function(row) return (row.share or 0) > 1 end) then
    for _, row in ipairs(result.rows) do row.share = nil end
  end
  -- The speedup of the better one; on a single GPU it may be the slower one.
  result.slower, result.faster = record, other
  if other and is_better(record, other, sum) then
    result.slower, result.faster = other, record
    for i in pairs(models) do factors[i] = factors[i] and 1 / factors[i] end
  end
  local verdicts = generations.verdicts(factors, #models, orders)
  for i, row in ipairs(result.rows) do row.factor, row.verdict = factors[i], other and verdicts[i] or nil end
  return result
end

-- Showing -----------------------------------------------------------------------------------------

local function rate_cell(row)
  if not row.known then return "not supported" end
  return row.rate and value.number(row.rate) or text.duration(row.ms)
end

local function bar_cell(row) return row.share and pictures.bar(row.share, PEAK_BAR) end

-- Omits empty columns.
local function table_lines(result, options)
  local columns, rows = {}, {}
  local function column(header, cell, wanted, more)
    if not wanted then return end
    more = more or { right = true }
    more.header = { header }
    columns[#columns + 1] = more
    for i, row in ipairs(result.rows) do
      rows[i] = rows[i] or {}
      rows[i][#columns] = cell(row) or "–"
    end
  end
  column("GPU", function(row) return text.clip(row.gpu, 16) end, true, {})
  column(result.unit or "time", rate_cell, true)
  local shares = lists.any(result.rows, "share")
  column("of peak", function(row) return row.share and ("%.0f %%"):format(100 * row.share) end, shares)
  column("", bar_cell, shares, { optional = true })
  column("speedup", function(row) return row.factor and value.times(row.factor) end, result.other)
  column("the lesson", function(row) return row.verdict end, result.other, {})
  column("limited by", function(row) return row.known and row.bound end, true, { narrow = 8 })
  for i, row in ipairs(result.rows) do rows[i].note = not row.known and row.note or nil end
  return tables.render(columns, rows, options)
end

local function plot_lines(result, options)
  local names = {}
  local series = { { name = result.record.id, points = {} } }
  if result.other then series[2] = { name = result.other.id, points = {} } end
  for i, row in ipairs(result.rows) do
    names[i] = (row.gpu:gsub("^Tesla ", ""))
    local peak = row.share and row.rate.number / row.share
    series[1].points[i] = { i, row.share and 100 * row.share or false }
    if series[2] then
      series[2].points[i] = { i, peak and row.other_rate and 100 * row.other_rate.number / peak or false }
    end
  end
  return chart.terminal(series, { title = "Share of each GPU's peak, oldest first", y_label = "%", height = 14,
    width = options.width, x_names = names, color = options.color, ascii = not chart.is_utf8() })
end

local function percent(part) return part < 0.001 and "less than 0.1 %" or ("%.1f %%"):format(100 * part) end

local function notes_of_sample(result)
  local sampled = ("a sample of %s of %s blocks represents the grid"):format(text.count(result.sampled.blocks),
    text.count(result.sampled.of))
  if #result.counted == 0 then
    return { ("%s. Its two halves differ by %s. The numbers may differ by more from those of all blocks: blocks"
      .. " that are far apart share L2 and DRAM pages, too."):format((sampled:gsub("^a", "A")),
      percent(result.sampled.error)) }
  end
  return { ("For the %s the %s is that of %s%s."):format(text.list(result.counted), result.unit and "rate" or "time",
    result.record.step and "the step's row" or "the list of `launches`",
    result.mixed and "; the speedup compares samples of both steps" or ""),
    ("For the other GPUs %s; it is off by up to %s for the %s, and may be off by more there."):format(sampled,
      percent(result.off), text.list(result.counted, "or")) }
end

local function notes_of(result)
  local said = {}
  if result.other then
    said[1] = ("%s. The lesson matters from a speedup of %s on and does not matter up to %s."):format(result.same
      and "Both compute the same result" or "Both are in one table and do the same amount of useful work",
      value.times(MATTERS), value.times(NOTHING))
  elseif result.record.step and result.record.step.group then
    said[1] = "No other step of its table does the same work, so there is no comparison."
  end
  if result.unit == "GB/s" and lists.any(result.rows, "share") then
    said[#said + 1] = "Peak is the datasheet's DRAM bandwidth; a cache can deliver more."
  elseif result.unit == "GFLOPS" then
    said[#said + 1] = "Peak is one FMA (MAD on cc 1.x) per FP32 lane and cycle."
  end
  said[#said + 1] = "All numbers are predicted. docs/reference/models.md lists the models' errors, unknown for most"
    .. " GPUs."
  if #result.record:launched() > 1 then said[#said + 1] = "`limited by` is about the longest launch." end
  said[#said + 1] = nondeterminism.of_time(result.record.report)
  if result.sampled then lists.append(said, notes_of_sample(result)) end
  return table.concat(said, " ")
end

-- ", n = 512": the parameters that a step uses, unless its title says them. A lesson may be another one at another
-- size.
local function parameters_of(record)
  local params = record.step and not record.title:find(" = ", 1, true) and record:params_here() or {}
  local ex = record.step and record.step.exercise -- the lab's parameters are the steps'
  local used = ex and { size = ex.sizes ~= nil } or record.step and record.context:used_by(record.step)
  local names = lists.select(lists.keys(params), function(name) return not used or used[name] end)
  return table.concat(lists.map(names, function(name)
    return (", %s = %s"):format(name, tostring(params[name]))
  end))
end

-- Of a record of several launches: whether the numbers are of all of them.
local function launches_of(record)
  local list, count = record:launched()
  if count == 1 then return "" end
  return #list == count and (", %d launches,"):format(count)
    or (": %s, the costliest of %d launches,"):format(list[1].title, count)
end

---@param result table generations.study's @param options? table of table.render
---@return string[]
function generations.lines(result, options)
  options = options or {}
  local record = result.record
  local lines = text.wrap(record.title .. launches_of(record) .. " on every GPU" .. parameters_of(record), "  ")
  if result.other then
    lists.append(lines, text.wrap(("Speedup: `%s` over `%s`."):format(result.faster.id, result.slower.id), "  "))
  end
  lines[#lines + 1] = ""
  lists.append(lines, table_lines(result, options))
  text.add(lines, notes_of(result))
  if #lists.select(result.rows, "share") < 2 then return lines end
  return text.add_part(lines, plot_lines(result, options))
end

-- Partitions --------------------------------------------------------------------------------------

local BAR <const> = 40

---The traffic of blocks that start together, by DRAM partition.
---@param record Record @param name string a GPU of cc 1.x
---@return {gpu: string, partitions: table[], bound: string, sms: integer}
function generations.partitions(record, name)
  local model = gpu.model(name)
  if model.partitions == 0 then
    failure.usage(("the %s has no partition camping: a hash spreads addresses over its memory")
      :format(model.name), "name a GPU of cc 1.x: 8800 GTX, GTX 280 or Tesla C1060")
  end
  local p = predict(record, { model }).models[model.name]
  if not p.known then failure.usage(("%s on the %s: %s"):format(record.id, model.name, p.note)) end
  return { gpu = model.name, partitions = p.partitions, bound = p.bound, sms = model.sms }
end

---@param result table generations.partitions' @param id string the step's
---@return string[]
function generations.histogram(result, id)
  local most, sum, idle = 0, 0, 0
  for _, p in ipairs(result.partitions) do
    most, sum = math.max(most, p.bytes), sum + p.bytes
    if p.bytes == 0 then idle = idle + 1 end
  end
  local mark = chart.is_utf8() and "█" or "#"
  local rows = lists.map(result.partitions, function(p, i)
    return { tostring(i - 1), mark:rep(most > 0 and math.floor(BAR * p.bytes / most + 0.5) or 0),
      ("%.1f KB"):format(p.bytes / 1024), ("%.0f"):format(p.pages) }
  end)
  local lines = text.wrap(("%s on the %s: of blocks that start together, the %d with the longest memory time")
    :format(id, result.gpu, result.sms), "  ")
  lists.append(lines, tables.render(tables.columns { ">partition", "traffic", ">", ">pages opened" }, rows, {}))
  local mean = sum / #result.partitions
  text.add(lines, mean > 0 and ("The busiest partition has %s the mean traffic%s. Limiter: %s."):format(
    value.times(most / mean), idle > 0 and (", %d of %d are idle"):format(idle, #result.partitions) or "", result.bound)
    or "It does not access global memory.")
  return lines
end

return generations
