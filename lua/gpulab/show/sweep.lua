-- Records over a parameter: how the predicted or measured time changes with it.
local chart = require "gpulab.show.chart"
local failure = require "gpulab.base.failure"
local limiter = require "gpulab.show.limiter"
local lists = require "gpulab.base.lists"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

local sweep = {}

local FAR <const> = 8 -- from the least to the most x: more is drawn on a logarithmic scale

local function number(x) return math.tointeger(x) and text.count(math.tointeger(x)) or text.number(x) end

---@param points {x: number, record: Record}[] in ascending order; the records are counted, as far as they can be
---@param x_label string @return table
function sweep.of(points, x_label)
  local found = { rows = {}, points = {}, x_label = x_label }
  for i, point in ipairs(points) do
    local record = point.record
    local prediction, gpu_name = limiter.prediction(record)
    local why = not prediction and ((record.message or ""):match "[^\n]+" or record.outcome)
    found.gpu, found.kernel = gpu_name or found.gpu, record.kernel
    if prediction then found.points[#found.points + 1] = { point.x, 1000 * prediction.ms } end
    found.rows[i] = { number(point.x), prediction and text.duration(prediction.ms) or { text = "none", style = "bad" },
      prediction and prediction.bound or "", note = why or nil }
  end
  local failed = lists.find(found.rows, function(row) return row.note end)
  if #points < 2 then failure.usage("a plot needs at least two values") end
  if #found.points < 2 then
    failure.usage(("there is no predicted time for %s = %s: %s"):format(x_label, failed[1], failed.note))
  end
  return found
end

local function options_of(found, options)
  local first, last = found.points[1][1], found.points[#found.points][1]
  local far = first > 0 and last / first >= FAR
  return { title = ("%s on the %s, predicted"):format(text.printable(found.kernel), found.gpu), x_label = found.x_label,
    y_label = "µs", x_log = far, y_log = far, color = options.color, width = options.width,
    ascii = not chart.is_utf8() }
end

local function series_of(found) return { { name = "time", points = found.points } } end

---@param found table of sweep.of @param options table of table.render @return string[]
function sweep.lines(found, options)
  local lines = chart.terminal(series_of(found), options_of(found, options))
  lines[#lines + 1] = ""
  local columns = tables.columns { ">" .. found.x_label, ">time", "limited by:12" }
  return lists.append(lines, tables.render(columns, found.rows, options))
end

---@param found table of sweep.of @return string
function sweep.svg(found) return chart.svg(series_of(found), options_of(found, {})) end

return sweep
