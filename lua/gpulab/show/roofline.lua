-- The roofline of a GPU with a lab's steps on it: how many operations a step does per byte that moves between the SMs'
-- caches and DRAM, and at which rate. Left of the ridge the memory limits a step, right of it the arithmetic units do.
--
-- The operations are the floating-point operations that the steps declare; if a step declares none, thread instructions
-- of all steps. The bytes are those the model expects DRAM to read and write, so that a step whose data stays in the
-- L2 cache can be above the DRAM roof. The peak of instructions is one per FP32 lane and cycle. The peak of operations
-- is an FMA per FP32 lane and cycle: it is no roof for a step whose instructions do more, as those of tensor cores do.
local chart = require "gpulab.show.chart"
local failure = require "gpulab.base.failure"
local limiter = require "gpulab.show.limiter"
local lists = require "gpulab.base.lists"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

local roofline = {}

local MOST <const> = 9 -- steps in one chart: more marks are hard to tell apart

local kinds <const> = {
  flops = { unit = "GFLOPS", short = "GFLOPS", x_label = "floating-point operations per DRAM byte",
    operations = function(record) return record:flops() end,
    peak = function(model) return model.sms * model.fp32_lanes * 2 * model.shader_ghz end },
  instructions = { unit = "thread instructions, 10^9/s", short = "Ginstr/s",
    x_label = "thread instructions per DRAM byte",
    operations = function(record) return record.report.counters.thread_instructions end,
    peak = function(model) return model.sms * model.fp32_lanes * model.shader_ghz end },
}

local FMA <const> = 2 -- operations

-- A step's place: {record, x, y, limiter, beyond}; nil if it has no time, or moves no bytes. beyond: the roof is not
-- that of its instructions.
local function point_of(record, kind)
  local prediction, name = limiter.prediction(record)
  local here = record.times and name == record.report.rules -- a time of this GPU, not of the one that is modeled
  local ms = here and record.times.ms or prediction and prediction.ms
  if not prediction or not ms or prediction.dram_bytes <= 0 then return nil end
  local operations = kind.operations(record)
  return { record = record, x = operations / prediction.dram_bytes, y = operations / ms / 1e6,
    limiter = prediction.limits[1] and prediction.limits[1].name or "",
    beyond = kind == kinds.flops and operations > FMA * record.report.counters.thread_instructions }
end

---The roofline of records that ran: {gpu, kind, bandwidth, peak, points, left_out}, or nil and why none has a place on
---it. left_out: the ids of those that have none. Runs nothing.
---@param records Record[] @return table?, string?
function roofline.of_those_that_ran(records)
  local flops, gpu_name = true, nil
  for _, record in ipairs(records) do
    flops = flops and record:flops() ~= nil
    local _, name = limiter.prediction(record)
    gpu_name = gpu_name or name
  end
  if not gpu_name then return nil, "nothing has a predicted time" end
  local kind, model, points, left_out = flops and kinds.flops or kinds.instructions, gpu.model(gpu_name), {}, {}
  for _, record in ipairs(records) do
    local point = point_of(record, kind)
    table.insert(point and points or left_out, point or record.id)
  end
  if #points == 0 then return nil, "no data moves in DRAM" end
  return { gpu = gpu_name, kind = kind, bandwidth = model.dram_gbps, peak = kind.peak(model), points = points,
    left_out = left_out }
end

---The same, or a failure that says what to do; a record alone that was not counted is.
---@param records Record[]
function roofline.of(records)
  local roof, why = roofline.of_those_that_ran(records)
  if roof then return roof end
  local first = records[1]
  if first and not first.report then
    if not failure.is_well(first.outcome) then first:fails "there is nothing to draw" end
    if #records == 1 then first:with_counters() end -- says why it has none
  end
  failure.usage("there is nothing to draw: " .. why, "run a kernel first, on a GPU with a model")
end

-- The two roofs as one line, a decade beyond the points and the ridge on both sides.
local function roof_points(roof)
  local ridge = roof.peak / roof.bandwidth
  local low, high = ridge, ridge
  for _, point in ipairs(roof.points) do low, high = math.min(low, point.x), math.max(high, point.x) end
  return { { low / 4, low / 4 * roof.bandwidth }, { ridge, roof.peak }, { high * 4, roof.peak } }
end

local function series_of(roof)
  local series = { { name = roof.gpu, points = roof_points(roof) } }
  for i = 1, math.min(MOST, #roof.points) do
    local point = roof.points[i]
    series[#series + 1] = { name = point.record.id, points = { { point.x, point.y } } }
  end
  return series
end

local function options_of(roof, options)
  return { title = "Roofline of the " .. roof.gpu, x_log = true, y_log = true, x_label = roof.kind.x_label,
    y_label = roof.kind.unit, color = options and options.color, ascii = options and options.ascii }
end

---The chart, and a table of the steps: their intensity, rate, share of the roof above them, and limiter.
---@param roof table of roofline.of @param options? table @return string[]
function roofline.lines(roof, options)
  return text.add_part(chart.terminal(series_of(roof), options_of(roof, options)), roofline.table(roof, options))
end

---What the chart shows as a table, and what is to be said of it.
---@return string[]
function roofline.table(roof, options)
  local rows = lists.map(roof.points, function(point)
    local above = math.min(roof.peak, point.x * roof.bandwidth)
    return { point.record.id, text.number(point.x), text.number(point.y),
      point.beyond and "–" or ("%.0f %%"):format(100 * point.y / above), point.limiter }
  end)
  local columns = tables.columns { "", roof.kind == kinds.flops and ">flop/B" or ">instr/B", ">" .. roof.kind.short,
    ">of roof", "limiter:20" }
  local lines = tables.render(columns, rows, options or {})
  text.add(lines, ("The roof: %s GB/s on the left, %s %s on the right; they meet at %s per byte."):format(
    text.number(roof.bandwidth), text.number(roof.peak), roof.kind.short, text.number(roof.peak / roof.bandwidth)))
  local beyond = lists.select(roof.points, function(point) return point.beyond end)
  if #beyond > 0 then
    text.add(lines, ("This is the roof of FP32. It does not hold for %s: tensor cores or packed types do more "
      .. "operations per instruction."):format(
      text.list(lists.map(beyond, function(point) return point.record.id end))))
  end
  if #roof.left_out > 0 then
    text.add(lines, ("Left out, because they have no time or move no data in DRAM: %s."):format(
      text.list(roof.left_out)))
  end
  if #roof.points > MOST then
    text.add(lines, ("The chart shows the first %d. `roofline A B` draws those that are named."):format(MOST))
  end
  return lines
end

---The chart as an SVG file's text.
---@param roof table @return string
function roofline.svg(roof)
  return chart.svg(series_of(roof), options_of(roof))
end

return roofline
