-- A chart as one self-contained SVG file. Series differ by mark and dash as well as by color.
local markup = require "gpulab.base.markup"
local scale = require "gpulab.show.chart.scale"

local svg = {}

local WIDTH <const>, HEIGHT <const> = 720, 440
local LEFT <const>, RIGHT <const>, TOP <const>, BOTTOM <const> = 76, 24, 48, 60

-- Okabe and Ito's colors, which most color-blind people can distinguish.
local colors <const> = { "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#8c8c00" }
local dashes <const> = { "", "6 3", "2 3", "8 3 2 3" }

local function n(x) return (("%.2f"):format(x):gsub("%.?0+$", "")) end

-- Shapes around a point, by series.
local marks <const> = {
  function(x, y) return ('<circle cx="%s" cy="%s" r="4"/>'):format(n(x), n(y)) end,
  function(x, y) return ('<rect x="%s" y="%s" width="7" height="7"/>'):format(n(x - 3.5), n(y - 3.5)) end,
  function(x, y) return ('<path d="M%s %sl5 8.5h-10z"/>'):format(n(x), n(y - 5)) end,
  function(x, y) return ('<path d="M%s %sl5 5-5 5-5-5z"/>'):format(n(x), n(y - 5)) end,
}

local function mark(i, x, y) return marks[(i - 1) % #marks + 1](x, y) end

local function ink(i)
  local dash = dashes[(i - 1) // #marks % #dashes + 1]
  local color = colors[(i - 1) % #colors + 1]
  return color, dash ~= "" and (' stroke-dasharray="%s"'):format(dash) or ""
end

local Drawing = {}
Drawing.__index = Drawing

function Drawing:add(format, ...)
  self.parts[#self.parts + 1] = select("#", ...) > 0 and format:format(...) or format
end

function Drawing:text(x, y, s, more)
  self:add('<text x="%s" y="%s"%s>%s</text>', n(x), n(y), more and " " .. more or "", markup.escape(s))
end

function Drawing:x(v) return LEFT + self.x_scale:at(v) * (WIDTH - LEFT - RIGHT) end
function Drawing:y(v) return self.bottom - self.y_scale:at(v) * (self.bottom - self.top) end

function Drawing:axes(options)
  self:add('<g class="grid" stroke="#d0d0d0" stroke-width="1">')
  for _, tick in ipairs(self.y_scale.ticks) do
    self:add('<line x1="%d" y1="%s" x2="%d" y2="%s"/>', LEFT, n(self:y(tick)), WIDTH - RIGHT, n(self:y(tick)))
  end
  for _, tick in ipairs(self.x_scale.ticks) do
    self:add('<line x1="%s" y1="%s" x2="%s" y2="%s"/>', n(self:x(tick)), n(self.bottom), n(self:x(tick)),
      n(self.bottom + 5))
  end
  self:add "</g>"
  self:add('<path class="axis" d="M%d %sV%sH%d" fill="none" stroke="#333" stroke-width="1.2"/>', LEFT, n(self.top),
    n(self.bottom), WIDTH - RIGHT)
  for _, tick in ipairs(self.y_scale.ticks) do
    self:text(LEFT - 8, self:y(tick) + 4, scale.label(tick), 'text-anchor="end"')
  end
  for _, tick in ipairs(self.x_scale.ticks) do
    self:text(self:x(tick), self.bottom + 20, scale.label(tick), 'text-anchor="middle"')
  end
  if options.x_label then
    self:text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 16, options.x_label, 'text-anchor="middle"')
  end
  if options.y_label then
    local middle = (self.top + self.bottom) / 2
    self:text(18, middle, options.y_label, ('text-anchor="middle" transform="rotate(-90 18 %s)"'):format(n(middle)))
  end
end

-- A polyline per run of points without a gap, then the marks.
function Drawing:curve(i, points)
  local color, dash = ink(i)
  local run = {}
  local function flush()
    if #run > 1 then
      self:add('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"%s/>', table.concat(run, " "), color,
        dash)
    end
    run = {}
  end
  for _, point in ipairs(points) do
    if point[2] then
      run[#run + 1] = n(self:x(point[1])) .. "," .. n(self:y(point[2]))
    else
      flush()
    end
  end
  flush()
  self:add('<g fill="%s">', color)
  for _, point in ipairs(points) do
    if point[2] then self:add(mark(i, self:x(point[1]), self:y(point[2]))) end
  end
  self:add "</g>"
end

-- Entries in rows below the title; returns how many rows.
local PER_ROW <const> = 4
local function legend_rows(series) return #series > 1 and (#series + PER_ROW - 1) // PER_ROW or 0 end

function Drawing:legend(series)
  if #series < 2 then return end
  local column = (WIDTH - LEFT - RIGHT) / PER_ROW
  for i, one in ipairs(series) do
    local x, y = LEFT + (i - 1) % PER_ROW * column, TOP + (i - 1) // PER_ROW * 18
    local color, dash = ink(i)
    self:add('<line x1="%s" y1="%s" x2="%s" y2="%s" stroke="%s" stroke-width="2"%s/>', n(x), n(y), n(x + 22), n(y),
      color, dash)
    self:add('<g fill="%s">%s</g>', color, mark(i, x + 11, y))
    self:text(x + 28, y + 4, one.name)
  end
end

---The chart as SVG text; options as in chart/terminal.lua.
---@param series {name: string, points: number[][]}[] @param options table @return string
function svg.text(series, options, values_of)
  local self = setmetatable({ parts = {} }, Drawing)
  self.x_scale = scale.of(values_of(series, 1), { ticks = 8, log = options.x_log })
  self.y_scale = scale.of(values_of(series, 2), { ticks = 6, log = options.y_log, from_zero = true })
  self.top, self.bottom = TOP + legend_rows(series) * 18, HEIGHT - BOTTOM
  self:add('<svg class="chart" role="img" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" '
    .. 'width="%d" height="%d" font-family="sans-serif" font-size="13" fill="#222">', WIDTH, HEIGHT, WIDTH, HEIGHT)
  self:add("<title>%s</title>", markup.escape(options.title or "chart"))
  self:add('<rect class="paper" width="%d" height="%d" fill="#fff"/>', WIDTH, HEIGHT)
  if options.title then self:text(WIDTH / 2, 26, options.title, 'text-anchor="middle" font-size="16"') end
  self:axes(options)
  self:legend(series)
  for i, one in ipairs(series) do self:curve(i, one.points) end
  self:add "</svg>"
  return table.concat(self.parts, "\n") .. "\n"
end

return svg
