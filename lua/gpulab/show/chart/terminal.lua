-- A chart in the terminal: curves of braille dots, one mark per series at the data points, axes with round ticks. On an
-- ASCII terminal the dots are full stops and the marks letters.
local lists = require "gpulab.base.lists"
local scale = require "gpulab.show.chart.scale"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

local terminal = {}

local looks <const> = {
  utf8 = { marks = { "●", "○", "■", "□", "▲", "△", "◆", "◇", "★", "☆" }, corner = "└", across = "─", up = "│",
    left = "┤", below = "┴" },
  ascii = { marks = { "o", "x", "+", "*", "#", "@", "%", "&", "$", "?" }, corner = "+", across = "-", up = "|",
    left = "+", below = "+" },
}

local inks <const> = { "36", "33", "35", "32", "31", "34", "1;36", "1;33" }

local function inked(s, series, color)
  return color and ("\27[%sm%s\27[0m"):format(inks[(series - 1) % #inks + 1], s) or s
end

-- Dots of a braille cell: 2 across, 4 down, by their bit.
local DOTS <const> = { { 0x01, 0x08 }, { 0x02, 0x10 }, { 0x04, 0x20 }, { 0x40, 0x80 } }

local BESIDE <const> = { 0, 1, -1, 2, -2, 3, -3 } -- columns from a point to its mark, the best first

local Canvas = {}
Canvas.__index = Canvas

local function new_canvas(columns, rows, ascii)
  return setmetatable({ columns = columns, rows = rows, wide = ascii and 1 or 2, high = ascii and 1 or 4,
    dots = {}, marks = {}, inks = {}, ascii = ascii }, Canvas)
end

-- A dot at x, y in dots, y downwards; what is outside is left out.
function Canvas:dot(x, y, series)
  local column, row = x // self.wide, y // self.high
  if column < 0 or column >= self.columns or row < 0 or row >= self.rows then return end
  local cell = row * self.columns + column
  self.dots[cell] = (self.dots[cell] or 0) | (self.ascii and 1 or DOTS[y % 4 + 1][x % 2 + 1])
  self.inks[cell] = series
end

function Canvas:line(x1, y1, x2, y2, series)
  local steps = math.max(math.abs(x2 - x1), math.abs(y2 - y1), 1)
  for i = 0, steps do
    self:dot((x1 + (x2 - x1) * i / steps + 0.5) // 1, (y1 + (y2 - y1) * i / steps + 0.5) // 1, series)
  end
end

-- Where another series has its mark, this one's is drawn beside it: each is seen.
function Canvas:mark(x, y, series)
  local row = math.min(math.max(y // self.high, 0), self.rows - 1) * self.columns
  local column = math.min(math.max(x // self.wide, 0), self.columns - 1)
  local place = column
  for _, by in ipairs(BESIDE) do
    if column + by >= 0 and column + by < self.columns and not self.marks[row + column + by] then
      place = column + by
      break
    end
  end
  self.marks[row + place], self.inks[row + place] = series, series
end

function Canvas:cell(cell, look, color)
  local mark, dots = self.marks[cell], self.dots[cell]
  if not mark and not dots then return " " end
  local s = mark and look.marks[(mark - 1) % #look.marks + 1] or self.ascii and "." or utf8.char(0x2800 + dots)
  return inked(s, self.inks[cell], color)
end

function Canvas:row(row, look, color)
  local cells = {}
  for column = 0, self.columns - 1 do
    cells[#cells + 1] = self:cell(row * self.columns + column, look, color)
  end
  return (table.concat(cells):gsub("%s+$", ""))
end

-- Parts -------------------------------------------------------------------------------------------

local function draw(canvas, series, x_scale, y_scale)
  local wide, high = canvas.columns * canvas.wide - 1, canvas.rows * canvas.high - 1
  local function place(point)
    return (x_scale:at(point[1]) * wide + 0.5) // 1, (high - y_scale:at(point[2]) * high + 0.5) // 1
  end
  for i, one in ipairs(series) do
    local last_x, last_y
    for _, point in ipairs(one.points) do
      local x, y
      if point[2] then x, y = place(point) end
      if x and last_x then canvas:line(last_x, last_y, x, y, i) end
      last_x, last_y = x, y
    end
  end
  for i, one in ipairs(series) do
    local every = math.max(1, math.ceil(#one.points * 2 / canvas.columns))
    for k = 1, #one.points, every do
      if one.points[k][2] then
        local x, y = place(one.points[k])
        canvas:mark(x, y, i)
      end
    end
  end
end

-- By canvas row: the label of the y axis's tick there.
local function y_labels(y_scale, rows)
  local labels, width = {}, 0
  for _, tick in ipairs(y_scale.ticks) do
    local at = y_scale:at(tick)
    if at > -1e-9 and at < 1 + 1e-9 then
      local row = math.min(((1 - at) * (rows - 1) + 0.5) // 1, rows - 1)
      if not labels[row] then labels[row] = scale.label(tick) end
      width = math.max(width, text.width(labels[row]))
    end
  end
  return labels, width
end

-- The axis below with a tick for each name, and the names in as many lines as they need.
local function named_axis(x_scale, columns, look, names)
  local axis, lines = {}, {}
  for i = 1, columns do axis[i] = look.across end
  for x, name in ipairs(names) do
    local column = (x_scale:at(x) * (columns - 1) + 0.5) // 1
    local width = text.width(name)
    local first = math.max(0, math.min(column - width // 2, columns - width)) // 1
    local row = 1
    while lines[row] and text.width(lines[row]) >= first do row = row + 1 end
    lines[row] = text.left(lines[row] or "", first) .. name
    axis[column // 1 + 1] = look.below
  end
  return table.concat(axis), lines
end

-- The axis below with its ticks, and the line of their labels: a label that would touch the one before is left out.
local function x_axis(x_scale, columns, look)
  local axis, labels, used = {}, {}, -1
  for i = 0, columns - 1 do axis[i] = look.across end
  for _, tick in ipairs(x_scale.ticks) do
    local column = (x_scale:at(tick) * (columns - 1) + 0.5) // 1
    local label = scale.label(tick)
    local first = math.max(0, math.min(column - #label // 2, columns - #label))
    axis[column] = look.below
    if first > used then
      labels[#labels + 1] = (" "):rep(first - math.max(used, 0)) .. label
      used = first + #label
    end
  end
  return table.concat(axis, "", 0, columns - 1), { table.concat(labels) }
end

-- "● H200  ○ GTX 280", in as many lines as it takes.
local function legend(series, look, options)
  local lines, line, width = {}, "", 0
  for i, one in ipairs(series) do
    local mark = look.marks[(i - 1) % #look.marks + 1]
    local entry = text.clip(("%s %s"):format(mark, one.name), options.width - 4)
    local entry_width = text.width(entry)
    entry = inked(mark, i, options.color) .. entry:sub(#mark + 1)
    if width > 0 and width + 2 + entry_width > options.width - 2 then
      lines[#lines + 1] = "  " .. line
      line, width = "", 0
    end
    line, width = width > 0 and line .. "  " .. entry or entry, width + entry_width + 2
  end
  lines[#lines + 1] = "  " .. line
  return lines
end

local function values_of(series, which)
  local values = {}
  for _, one in ipairs(series) do
    for _, point in ipairs(one.points) do
      if point[2] then values[#values + 1] = point[which] end
    end
  end
  return values
end
terminal.values_of = values_of

---The chart as lines of text. options: title, x_label, x_names (of x = 1, 2, ...), y_label, x_log, y_log, width,
---height (all lines), ascii, color.
---@param series {name: string, points: number[][]}[] points {x, y}; a y that is nil or false is a gap
---@param options table @return string[]
function terminal.lines(series, options)
  local look = options.ascii and looks.ascii or looks.utf8
  local lines = {}
  if options.title then
    lines[1] = "  " .. tables.paint(text.clip(options.title, options.width - 2), "strong", options.color)
  end
  if #series > 1 then lists.append(lines, legend(series, look, options)) end
  if options.y_label then lines[#lines + 1] = "  " .. text.clip(options.y_label, options.width - 2) end
  local rows = math.max(5, options.height - #lines - (options.x_label and 3 or 2))
  local xs = values_of(series, 1)
  for x in ipairs(options.x_names or {}) do xs[#xs + 1] = x end
  local x_scale = scale.of(xs, { ticks = 8, log = options.x_log })
  local y_scale = scale.of(values_of(series, 2), { ticks = 5, log = options.y_log, from_zero = true })
  local labels, label_width = y_labels(y_scale, rows)
  local columns = math.max(10, options.width - label_width - 4)
  local canvas = new_canvas(columns, rows, options.ascii)
  draw(canvas, series, x_scale, y_scale)
  for row = 0, rows - 1 do
    local label = labels[row]
    lines[#lines + 1] = "  " .. text.right(label or "", label_width) .. (label and look.left or look.up)
      .. canvas:row(row, look, options.color)
  end
  local axis, ticks = (options.x_names and named_axis or x_axis)(x_scale, columns, look, options.x_names)
  local indent = (" "):rep(label_width + 2)
  lines[#lines + 1] = indent .. look.corner .. axis
  for _, line in ipairs(ticks) do lines[#lines + 1] = indent .. " " .. line end
  if options.x_label then
    local room = math.max(0, columns - text.width(options.x_label)) // 2
    lines[#lines + 1] = text.clip(indent .. " " .. (" "):rep(room) .. options.x_label, options.width)
  end
  return lines
end

return terminal
