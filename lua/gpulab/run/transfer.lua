-- Steps about the link between host and GPU: single copies, and pipelines of copies and kernels with their timelines.
-- runner.lua calls run and overlap, report.lua prints lines and json.
local json = require "gpulab.base.json"
local launches = require "gpulab.run.launches"
local lists = require "gpulab.base.lists"
local steps = require "gpulab.lab.steps"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

local transfer = {}

local function whole(at, step, field, size)
  local n = math.tointeger(steps.size(size, at.params))
  if not n or n < 1 then steps.fail(step, field, "must be an integer, at least 1") end
  return n
end

-- A time and a rate per requested GPU.
local function model_rows(at, step, models)
  local rows = {}
  for _, name in ipairs(at.models) do
    local p = models[name]
    if p then
      rows[#rows + 1] = { gpu = name, known = p.known, ms = p.ms, bound = p.bound, note = p.note,
        rate = p.known and steps.rate(step, at.params, p.ms) or nil, spans = p.spans }
    end
  end
  return rows
end

local function keep_times(at, step, record, times)
  record.models = model_rows(at, step, times.models)
  if times.known == false then
    record.note = times.note
    return
  end
  record.times, record.rate = times, steps.rate(step, at.params, times.ms)
  if times.note and times.note ~= "" then record.note = times.note end
end

---A step with `transfer`: the copy is timed, or its time predicted.
function transfer.run(at, step, record)
  local t = step.transfer
  keep_times(at, step, record, at.device:transfer { direction = t.direction, memory = t.memory,
    bytes = whole(at, step, "transfer.bytes", t.bytes), models = at.models })
end

-- Pipelines ---------------------------------------------------------------------------------------

-- Arguments of a chunk; buffers are filled at first use.
local function arguments(at, step, buffers)
  local given = step.overlap.args
  local function value(arg)
    if type(arg) == "function" then return arg(at.params) end
    if type(arg) ~= "string" then return arg end
    if not at.lab.buffers[arg] then return at.params[arg] end
    buffers[arg] = buffers[arg] or at:filled(arg)
    return buffers[arg]
  end
  return function(first, count)
    local list = type(given) == "function" and given(first, count, at.params) or given
    if type(list) ~= "table" then steps.fail(step, "overlap.args", "must be a list, or a function that returns one") end
    return lists.map(list, value)
  end
end

local function config(at, step)
  local o = step.overlap
  return function(first, count)
    local grid = o.grid(first, count, at.params)
    local block = o.block
    if type(block) == "function" then block = block(at.params) end
    return { grid = grid, block = block, timeout = step.timeout or at.timeout }
  end
end

---A step with `overlap`: the output is verified, the time is that of the pipeline, record.timeline has its operations,
---and the launches of all chunks are counted.
function transfer.overlap(at, step, record)
  local o, launched = step.overlap, {}
  local kernel = launches.compile(at, o.kernel, step, record)
  local buffers = { [o.input] = at:filled(o.input), [o.output] = at:filled(o.output) }
  local config_of, args_of = config(at, step), arguments(at, step, buffers)
  local times = at.device:overlap { kernel = kernel, input = buffers[o.input], output = buffers[o.output],
    config = config_of, memory = o.memory, order = o.order, models = at.models,
    args = function(first, count)
      local args = args_of(first, count)
      launched[#launched + 1] = { kernel = kernel, config = config_of(first, count), args = args }
      return args
    end,
    chunks = whole(at, step, "overlap.chunks", o.chunks or 4),
    streams = whole(at, step, "overlap.streams", o.streams or 2) }
  if not launches.verify(at, step, record) then return end
  keep_times(at, step, record, times)
  if times.known then record.timeline = { spans = times.spans, ms = times.ms, kind = times.kind } end
  record.report = at.device:count(launched, { sample = not at.device.emulates and launches.SAMPLE or nil })
end

-- Timelines ---------------------------------------------------------------------------------------

local glyphs <const> = { ["to device"] = ">", kernel = "#", ["from device"] = "<" }
local order <const> = { "to device", "from device", "kernel" } -- kernels last, so that short ones are visible
local LABEL <const> = 12 -- columns before the lines

-- Columns from..to (0-based) of a span; at least one.
local function columns_of(span, ms, width)
  local from = math.floor(span.start_ms / ms * width)
  local to = math.ceil(span.end_ms / ms * width) - 1
  from = math.min(from, width - 1)
  return from, math.max(from, math.min(to, width - 1))
end

-- The chunk's number is in its span if the span's sign still fits on both sides.
local function draw(cells, span, from, to)
  for c = from, to do cells[c] = glyphs[span.what] end
  local number = tostring(span.chunk)
  if to - from + 1 < #number + 2 then return end
  for i = 1, #number do cells[from + i] = number:sub(i, i) end
end

local function rows_of(timeline, width)
  local rows, streams = {}, 0
  for _, span in ipairs(timeline.spans) do
    rows[span.stream] = rows[span.stream] or {}
    streams = math.max(streams, span.stream)
  end
  for _, what in ipairs(order) do
    for _, span in ipairs(timeline.spans) do
      if span.what == what then draw(rows[span.stream], span, columns_of(span, timeline.ms, width)) end
    end
  end
  return rows, streams
end

local function row_text(cells, width)
  local parts = {}
  for c = 0, width - 1 do parts[c + 1] = cells[c] or "." end
  return table.concat(parts)
end

---The share of the time in which each kind of operation was in flight: {["to device"] = 0.9, ...}.
function transfer.busy(timeline)
  local busy = {}
  for what in pairs(glyphs) do
    local list = lists.select(timeline.spans, function(span) return span.what == what end)
    table.sort(list, function(a, b) return a.start_ms < b.start_ms end)
    local sum, reached = 0, 0
    for _, span in ipairs(list) do
      local from = math.max(span.start_ms, reached)
      if span.end_ms > from then sum, reached = sum + span.end_ms - from, span.end_ms end
    end
    busy[what] = timeline.ms > 0 and sum / timeline.ms or 0
  end
  return busy
end

local function time_axis(timeline, width)
  local last = text.duration(timeline.ms)
  return (" "):rep(LABEL) .. text.left("0", width - text.width(last)) .. last
end

local function timeline_lines(timeline, title, options)
  local all = math.min(options.width or text.columns, text.columns)
  local width = all - LABEL - 2
  local rows, streams = rows_of(timeline, width)
  local lines = { "  " .. tables.paint(text.clip(title, all - 2), "strong", options.color) }
  for s = 1, streams do
    lines[#lines + 1] = "  " .. text.left(("stream %d"):format(s), LABEL - 2) .. row_text(rows[s] or {}, width)
  end
  lines[#lines + 1] = time_axis(timeline, width)
  local busy, parts = transfer.busy(timeline), {}
  for i, what in ipairs { "to device", "kernel", "from device" } do
    parts[i] = ("%s %s %.0f %%"):format(glyphs[what], what, 100 * busy[what])
  end
  text.add(lines, "Share of the time in flight: " .. table.concat(parts, ", ") .. ".", "  ", all)
  return lines
end

local MOST_MODELS <const> = 3 -- timelines of other GPUs

---The timelines of a record as lines of text: the device's own, and those of requested GPUs; empty if it has none.
---@param record table @param options {width: integer?, color: boolean?, asked: string[]?, params: table?}?
---@return string[]
function transfer.lines(record, options)
  local own = record.timeline
  if not own or own.ms <= 0 then return {} end
  options = options or {}
  local title = steps.title(record.step, record.params or options.params)
  local lines = timeline_lines(own, ("timeline, %s, %s"):format(own.kind, title), options)
  local asked, drawn = lists.set(options.asked), 0
  for _, row in ipairs(record.models or {}) do
    if asked[row.gpu] and row.spans and row.known and drawn < MOST_MODELS then
      drawn = drawn + 1
      lines[#lines + 1] = ""
      local theirs = ("timeline, predicted, %s on the %s"):format(title, row.gpu)
      lists.append(lines, timeline_lines({ spans = row.spans, ms = row.ms }, theirs, options))
    end
  end
  return lines
end

---The timeline for the JSON document; nil if there is none.
function transfer.json(record)
  local timeline = record.timeline
  return timeline and json.object("ms", timeline.ms, "kind", timeline.kind,
    "spans", json.each(timeline.spans, "what chunk stream start_ms end_ms"))
end

return transfer
