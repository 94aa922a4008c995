-- A table for a terminal: minimal column widths, multi-line headers, notes that move below their row if the line is
-- full. A column that may be narrowed continues its words on further lines; nothing is cut. Cells are plain strings;
-- color is added after all widths are known.
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"

local tables = {}

local GAP = 2    -- columns between two cells
local MARGIN = 2 -- columns left of the first

local styles = { good = "32", bad = "31", strong = "1", faint = "2" }

---s in a style ("good", "bad", "strong", "faint"), if color is on. The words carry the meaning, too.
function tables.paint(s, style, color)
  if not color or not styles[style] or s == "" then return s end
  return ("\27[%sm%s\27[0m"):format(styles[style], s)
end

local function cell_text(cell)
  return text.printable(type(cell) == "table" and cell.text or cell or "")
end

local function widths_of(columns, rows)
  local widths = {}
  for i, column in ipairs(columns) do
    local widest = 0
    for _, line in ipairs(column.header) do widest = math.max(widest, text.width(line)) end
    for _, row in ipairs(rows) do
      if row[i] then widest = math.max(widest, text.width(cell_text(row[i]))) end
    end
    widths[i] = widest
  end
  return widths
end

-- What two equal columns have each.
local function half_of(width) return (width - MARGIN - GAP) // 2 end

-- How narrow a column may become: its longest word stays whole, unless it takes more than half of the width.
local function least_width(column, rows, i, width)
  local longest = column.narrow
  local function look(s)
    for _, word in ipairs(text.wrap(s:match("^%s*(.*)$"), "", 1)) do longest = math.max(longest, text.width(word)) end
  end
  for _, line in ipairs(column.header) do look(line) end
  for _, row in ipairs(rows) do
    if row[i] then look(cell_text(row[i])) end
  end
  return math.min(longest, half_of(width))
end

local function total_width(widths)
  local total = MARGIN - GAP
  for _, w in ipairs(widths) do total = total + w + GAP end
  return total
end

-- The widths, with those columns that may be narrowed as narrow as the line needs; nil if it is too wide even so.
local function narrowed(widths, least, width)
  local made = table.move(widths, 1, #widths, 1, {})
  local over = total_width(made) - width
  while over > 0 do
    local widest
    for i in ipairs(made) do
      if least[i] and made[i] > least[i] and (not widest or made[i] > made[widest]) then widest = i end
    end
    if not widest then return nil end
    made[widest], over = made[widest] - 1, over - 1
  end
  return made
end

local function folded(cell, width)
  local s = cell_text(cell)
  if text.width(s) <= width then return { s } end
  local lines = text.wrap(s:match("^%s*(.*)$"), "", width)
  for i, line in ipairs(lines) do lines[i] = text.clip(line, width) end -- a word as long as half a line
  return lines
end

local function lines_of(columns, widths, cells, color)
  local lines, parts, height = {}, {}, 1
  for i in ipairs(columns) do
    parts[i] = folded(cells[i], widths[i])
    height = math.max(height, #parts[i])
  end
  for h = 1, height do
    local line = {}
    for i, column in ipairs(columns) do
      local s = (column.right and text.right or text.left)(parts[i][h] or "", widths[i])
      line[i] = tables.paint(s, type(cells[i]) == "table" and cells[i].style or nil, color)
    end
    local margin = h == 1 and cells.mark and text.left(cells.mark, MARGIN) or (" "):rep(MARGIN)
    local joined = margin .. table.concat(line, (" "):rep(GAP))
    lines[h] = color and joined or (joined:gsub("%s+$", ""))
  end
  return lines
end

local function add_header(lines, columns, widths, color)
  local heads, height = {}, 0
  for i, column in ipairs(columns) do
    heads[i] = {}
    for _, line in ipairs(column.header) do
      for _, part in ipairs(folded(line, widths[i])) do table.insert(heads[i], part) end
    end
    height = math.max(height, #heads[i])
  end
  for h = 1, height do
    local cells = {}
    for i in ipairs(columns) do cells[i] = { text = heads[i][h] or "", style = "faint" } end
    table.move(lines_of(columns, widths, cells, color), 1, 1, #lines + 1, lines)
  end
end

-- A row's note is on its line if it fits, else indented below it.
local function add_row(lines, columns, widths, row, options)
  local made, used = lines_of(columns, widths, row, options.color), total_width(widths)
  local note, style = cell_text(row.note), type(row.note) == "table" and row.note.style or nil
  if note ~= "" and #made == 1 and used + GAP + text.width(note) <= options.width then
    local filled = options.color and made[1] or text.left(made[1], used)
    lines[#lines + 1] = filled .. (" "):rep(GAP) .. tables.paint(note, style, options.color)
    return
  end
  table.move(made, 1, #made, #lines + 1, lines)
  if note == "" then return end
  for _, part in ipairs(text.wrap(note, (" "):rep(MARGIN + 2), options.width)) do
    lines[#lines + 1] = tables.paint(part, style, options.color)
  end
end

-- The columns of each part of a table that is too wide even when narrowed: the first column is in every part. Columns
-- are as wide as they need, but the first takes at most half of the width, and another what it leaves.
local function parts_of(widths, least, width)
  for i in ipairs(widths) do
    local room = i == 1 and half_of(width) or width - MARGIN - GAP - widths[1]
    if least[i] then widths[i] = math.min(widths[i], math.max(least[i], room)) end
  end
  local parts, part, used = {}, { 1 }, MARGIN + widths[1]
  for i = 2, #widths do
    if #part > 1 and used + GAP + widths[i] > width then
      parts[#parts + 1] = part
      part, used = { 1 }, MARGIN + widths[1]
    end
    part[#part + 1], used = i, used + GAP + widths[i]
  end
  parts[#parts + 1] = part
  return parts
end

local function picked(list, part)
  return lists.map(part, function(from) return list[from] end)
end

-- Without its optional columns, if it is too wide with them.
local function without_optional(columns, rows, width)
  if total_width(widths_of(columns, rows)) <= width then return columns, rows end
  local kept = {}
  for i, column in ipairs(columns) do
    if not column.optional then kept[#kept + 1] = i end
  end
  if #kept == #columns then return columns, rows end
  local fewer = {}
  for r, row in ipairs(rows) do
    fewer[r] = picked(row, kept)
    fewer[r].note, fewer[r].mark = row.note, row.mark
  end
  return picked(columns, kept), fewer
end

---Columns by their headers: "step"; ">time" is aligned right, "warp|instr." has two lines, "title:20" may become 20
---columns narrow. Others are tables already.
---@param list (string|table)[] @return table[]
function tables.columns(list)
  return lists.map(list, function(column)
    if type(column) == "table" then return column end
    local right, words = column:match "^(>?)(.*)$"
    local head, narrow = words:match "^(.*):(%d+)$"
    return { header = text.lines(((head or words):gsub("|", "\n"))), right = right == ">" or nil,
      narrow = tonumber(narrow) }
  end)
end

---Lines of text. columns: {header = {"lecture", "GTX 280"}, right = true, narrow = 12}; narrow: its words may continue
---on further lines, down to so many columns; a table that is still too wide continues below, with its first column
---again; optional: left out where the table would be too wide with it. rows: lists of cells, each a string, nil, or
---{text=, style=}; row.note: a remark at the end of the row; row.mark: what stands in the margin.
---@param columns table[] @param rows table[] @param options? {width: integer?, color: boolean?}
---@return string[]
function tables.render(columns, rows, options)
  options = { width = options and options.width or text.columns, color = options and options.color or false }
  columns, rows = without_optional(columns, rows, options.width)
  local widths, least = widths_of(columns, rows), {}
  for i, column in ipairs(columns) do
    if column.narrow then least[i] = least_width(column, rows, i, options.width) end
  end
  local fitting = narrowed(widths, least, options.width)
  local lines, parts = {}, { {} }
  if fitting then widths = fitting else parts = parts_of(widths, least, options.width) end
  for p, part in ipairs(parts) do
    local whole = #parts == 1
    local own, own_widths = whole and columns or picked(columns, part), whole and widths or picked(widths, part)
    add_header(lines, own, own_widths, options.color)
    for _, row in ipairs(rows) do
      local cells = whole and row or picked(row, part)
      cells.note, cells.mark = p == #parts and row.note or nil, row.mark
      add_row(lines, own, own_widths, cells, options)
    end
  end
  return lines
end

return tables
