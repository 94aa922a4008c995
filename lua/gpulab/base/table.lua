-- A table for a terminal: minimal column widths, multi-line headers, notes that move below their row if the line is
-- full. Cells are plain strings; color is added after all widths are known.
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

-- Narrows the widest clippable column until the line fits.
local function fit(columns, widths, width)
  local total = MARGIN - GAP
  for _, w in ipairs(widths) do total = total + w + GAP end
  while total > width do
    local widest
    for i, column in ipairs(columns) do
      if column.clip and widths[i] > column.clip and (not widest or widths[i] > widths[widest]) then widest = i end
    end
    if not widest then return end
    local less = math.min(total - width, widths[widest] - columns[widest].clip)
    widths[widest], total = widths[widest] - less, total - less
  end
end

local function place(column, s, width)
  s = text.clip(s, width)
  return column.right and text.right(s, width) or text.left(s, width)
end

local function line_of(columns, widths, cells, color)
  local parts = {}
  for i, column in ipairs(columns) do
    local cell = cells[i]
    local s = place(column, cell_text(cell), widths[i])
    parts[i] = tables.paint(s, type(cell) == "table" and cell.style or nil, color)
  end
  local line = (" "):rep(MARGIN) .. table.concat(parts, (" "):rep(GAP))
  return color and line or (line:gsub("%s+$", ""))
end

local function add_header(lines, columns, widths, color)
  local height = 0
  for _, column in ipairs(columns) do height = math.max(height, #column.header) end
  for h = 1, height do
    local cells = {}
    for i, column in ipairs(columns) do cells[i] = { text = column.header[h] or "", style = "faint" } end
    lines[#lines + 1] = line_of(columns, widths, cells, color)
  end
end

-- A row's note is on its line if it fits, else indented below it.
local function add_row(lines, columns, widths, row, options)
  local line = line_of(columns, widths, row, options.color)
  local used = MARGIN - GAP
  for _, w in ipairs(widths) do used = used + w + GAP end
  local note, style = cell_text(row.note), type(row.note) == "table" and row.note.style or nil
  if note ~= "" and used + GAP + text.width(note) <= options.width then
    local filled = options.color and line or text.left(line, used)
    lines[#lines + 1] = filled .. (" "):rep(GAP) .. tables.paint(note, style, options.color)
    return
  end
  lines[#lines + 1] = line
  if note == "" then return end
  for _, part in ipairs(text.wrap(note, (" "):rep(MARGIN + 2), options.width)) do
    lines[#lines + 1] = tables.paint(part, style, options.color)
  end
end

local function total_width(widths)
  local total = MARGIN - GAP
  for _, w in ipairs(widths) do total = total + w + GAP end
  return total
end

-- The columns of each part of a table that is too wide even when narrowed: the first column is in every part.
local function parts_of(widths, width)
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
  local found = {}
  for i, from in ipairs(part) do found[i] = list[from] end
  return found
end

---Lines of text. columns: {header = {"lecture", "GTX 280"}, right = true, clip = 12}; clip: may be narrowed down to
---so many columns; a table that is still too wide continues below, with its first column again. rows: lists of cells,
---each a string, nil, or {text=, style=}; row.note: a remark at the end of the row.
---@param columns table[] @param rows table[] @param options? {width: integer?, color: boolean?}
---@return string[]
function tables.render(columns, rows, options)
  options = { width = options and options.width or text.columns, color = options and options.color or false }
  local widths = widths_of(columns, rows)
  fit(columns, widths, options.width)
  local lines, parts = {}, { {} }
  if total_width(widths) > options.width then parts = parts_of(widths, options.width) end
  for p, part in ipairs(parts) do
    local whole = #parts == 1
    local own, own_widths = whole and columns or picked(columns, part), whole and widths or picked(widths, part)
    add_header(lines, own, own_widths, options.color)
    for _, row in ipairs(rows) do
      local cells = whole and row or picked(row, part)
      cells.note = p == #parts and row.note or nil
      add_row(lines, own, own_widths, cells, options)
    end
  end
  return lines
end

return tables
