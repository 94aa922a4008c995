-- Charts of one or several series of points, in the terminal and as SVG.
--
-- series: list of {name, points}, points {x, y}; a y that is nil, false or no number is a gap
-- options: title, x_label, x_names (of x = 1, 2, ..., in the terminal), y_label, x_log, y_log, width, height, ascii,
-- color
local svg = require "gpulab.show.chart.svg"
local terminal = require "gpulab.show.chart.terminal"
local text = require "gpulab.base.text"

local chart = {}

local HEIGHT <const> = 20

---Whether the terminal's character set is UTF-8, as the locale says.
---@param getenv? fun(name: string): string? for tests
function chart.is_utf8(getenv)
  getenv = getenv or os.getenv
  for _, name in ipairs { "LC_ALL", "LC_CTYPE", "LANG" } do
    local locale = getenv(name)
    if locale and locale ~= "" then return locale:lower():match("utf%-?8") ~= nil end
  end
  return false
end

local function is_number(v)
  return type(v) == "number" and v == v and v ~= math.huge and v ~= -math.huge
end

-- Only what can be drawn: points in the order of x, gaps where there is no number or none that has a logarithm.
local function cleaned(series, options)
  local clean = {}
  for i, one in ipairs(series) do
    local points = {}
    for _, point in ipairs(one.points) do
      local x, y = point[1], point[2]
      if is_number(x) and not (options.x_log and x <= 0) then
        local drawn = is_number(y) and not (options.y_log and y <= 0)
        points[#points + 1] = { x + 0.0, drawn and y + 0.0 or false }
      end
    end
    table.sort(points, function(a, b) return a[1] < b[1] end)
    clean[i] = { name = tostring(one.name or ("series %d"):format(i)), points = points }
  end
  return clean
end

---Lines of text that fit options.width (80) columns and options.height (20) lines.
---@param series table[] @param options? table @return string[]
function chart.terminal(series, options)
  options = options or {}
  local clean = cleaned(series, options)
  local ascii = options.ascii
  if ascii == nil then ascii = not chart.is_utf8() end
  if #terminal.values_of(clean, 2) == 0 then return { ("  %s: no data to draw"):format(options.title or "chart") } end
  return terminal.lines(clean, { title = options.title, x_label = options.x_label, x_names = options.x_names,
    y_label = options.y_label, x_log = options.x_log, y_log = options.y_log, ascii = ascii, color = options.color,
    width = math.max(30, options.width or text.columns), height = math.max(10, options.height or HEIGHT) })
end

---The chart as the text of an SVG file.
---@param series table[] @param options? table @return string
function chart.svg(series, options)
  options = options or {}
  return svg.text(cleaned(series, options), options, terminal.values_of)
end

return chart
