-- Records over a parameter: how the predicted or measured time changes with it.
local chart = require "gpulab.show.chart"
local failure = require "gpulab.base.failure"
local limiter = require "gpulab.show.limiter"
local lists = require "gpulab.base.lists"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

local sweep = {}

local FAR <const> = 8 -- from the least to the most x: more is drawn on a logarithmic scale

---@param points {x: number, record: Record}[] in ascending order @return table
function sweep.of(points)
  local found = { rows = {}, points = {} }
  for i, point in ipairs(points) do
    local record = point.record:with_counters()
    local prediction, gpu_name = limiter.prediction(record)
    if not prediction then
      failure.usage(("there is no predicted time of %s"):format(record:called()))
    end
    found.gpu, found.kernel = gpu_name, record.kernel
    found.points[i] = { point.x, 1000 * prediction.ms }
    found.rows[i] = { text.number(point.x), text.duration(prediction.ms), prediction.bound }
  end
  if #points < 2 then failure.usage("a plot needs at least two values") end
  return found
end

local function options_of(found, options)
  local first, last = found.points[1][1], found.points[#found.points][1]
  local far = first > 0 and last / first >= FAR
  return { title = ("%s on the %s, predicted"):format(text.printable(found.kernel), found.gpu), x_label = "x",
    y_label = "µs", x_log = far, y_log = far, color = options.color, width = options.width,
    ascii = not chart.is_utf8() }
end

local function series_of(found) return { { name = "time", points = found.points } } end

---@param found table of sweep.of @param options table of table.render @return string[]
function sweep.lines(found, options)
  local lines = chart.terminal(series_of(found), options_of(found, options))
  lines[#lines + 1] = ""
  return lists.append(lines, tables.render(tables.columns { ">x", ">time", "limited by:12" }, found.rows, options))
end

---@param found table of sweep.of @return string
function sweep.svg(found) return chart.svg(series_of(found), options_of(found, {})) end

return sweep
