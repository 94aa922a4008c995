-- The screen of a demo: the step's text, its kernel and its numbers at once. The current row of numbers is always
-- whole; text, kernel and earlier rows share what is left, and none is cut while a line is empty.
local big = require "gpulab.base.big"
local highlight = require "gpulab.base.highlight"
local lists = require "gpulab.base.lists"
local report = require "gpulab.show.report"
local source = require "gpulab.prompt.source"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

local screen = {}

local LABEL <const>, CELL <const> = 19, 20
local SIDE_BY_SIDE <const> = 132 -- columns from which the kernel stands beside the text

screen.KEYS = "space next · b back · e edit · r run · w why · v view · t text · ? · q quit"

-- The lines of a screen -----------------------------------------------------------------------------

local function minutes(seconds)
  return ("%d:%02d"):format(seconds // 60, seconds % 60)
end

---Lab and step, the next step, and the time since the start.
function screen.title(demo, width)
  local step, following = demo.lab.steps[demo.at], demo.lab.steps[demo.at + 1]
  local left = (" Lab %d · %d/%d %s"):format(demo.lab.number, demo.at, #demo.lab.steps, demo:title(step))
  local right = ("%s   %s "):format(following and "next: " .. demo:title(following) or "the last step",
    minutes(os.time() - demo.began))
  left = text.clip(left, math.max(10, width - text.width(right) - 2))
  return left .. (" "):rep(math.max(1, width - text.width(left) - text.width(right))) .. right
end

-- Rows of numbers -----------------------------------------------------------------------------------

-- The title next to a row, in two lines; "n = 4096" stays together.
local function label_lines(title)
  local lines = text.wrap(title:gsub(" = ", "\u{a0}=\u{a0}"), "", LABEL - 1)
  for i = 1, 2 do lines[i] = text.clip((lines[i] or ""):gsub("\u{a0}", " "), LABEL - 1) end
  return lines
end

-- The title in one line: titles of a table mostly differ at their ends.
local function short_label(title)
  local room = LABEL - 1
  if text.width(title) > room then title = title:gsub(" = ", "=") end
  if text.width(title) <= room then return title end
  local last = title:match ", ([^,]+)$" or ""
  local left = room - text.width(last) - 1
  return left < 4 and text.clip(title, room) or text.clip(title, left) .. " " .. last
end

local function record_of(demo, index)
  return demo:known(demo.lab.steps[index])
end

local function cell_number(demo, cell, there, half)
  local large = there and demo.utf8 and big.lines(cell.number)
  if large then return large[half] end
  if half ~= 2 then return "" end
  return there and cell.number or "  ?"
end

-- One step's row in large digits: the numbers revealed so far, each under its head.
local function large_row(demo, index, columns)
  local record = record_of(demo, index)
  local cells = record and demo:cells(demo.lab.steps[index], record) or {}
  local shown = index < demo.at and math.huge or demo.stage
  local unit = cells[1] and cells[1].unit or ""
  local label = label_lines(demo:title(demo.lab.steps[index]))
  local lines = { "", label[1], label[2], unit ~= "" and "  " .. unit or "" }
  for i = 1, 4 do lines[i] = text.left(lines[i], LABEL) end
  for i, cell in ipairs(cells) do
    local there = i <= shown
    local head = there and cell.head .. (cell.unit ~= unit and " " .. cell.unit or "") or ""
    lines[1] = lines[1] .. text.left(text.clip(head, CELL - 1), CELL)
    for half = 1, big.HEIGHT do
      lines[half + 1] = lines[half + 1] .. text.left(cell_number(demo, cell, there, half), CELL)
    end
  end
  local said = record and shown >= #cells and demo:has_own_result(demo.lab.steps[index], record)
    and report.summary(record)
  local sizes = record and shown >= #cells and demo:sizes(demo.lab.steps[index], record)
  if sizes then
    said = lists.joined({ said or nil }, { ("recorded with %s; model, w: %s"):format(sizes.recorded, sizes.here) })
  end
  for _, line in ipairs(type(said) == "table" and said or { said or nil }) do
    lines[#lines + 1] = (" "):rep(LABEL) .. text.clip(line, columns - LABEL - 2)
  end
  for i, line in ipairs(lines) do lines[i] = " " .. line:gsub("%s+$", "") end
  return lines
end

-- An earlier step's row in one line, its numbers in the columns of the large ones.
local function small_row(demo, index)
  local record = record_of(demo, index)
  local line = text.left(short_label(demo:title(demo.lab.steps[index])), LABEL)
  for _, cell in ipairs(record and demo:cells(demo.lab.steps[index], record) or {}) do
    line = line .. text.left(text.clip(cell.number .. " " .. cell.unit, CELL - 1), CELL)
  end
  return " " .. line:gsub("%s+$", "")
end

-- Earlier steps of the current one's group, the nearest first.
local function earlier_steps(demo)
  local list, steps = {}, demo.lab.steps
  for index = demo.at - 1, 1, -1 do
    if steps[index].group ~= steps[demo.at].group then break end
    list[#list + 1] = index
  end
  return list
end

-- The lines that all earlier rows take in large digits, an empty one below each.
local function earlier_height(rows)
  local height = 0
  for _, each in ipairs(rows) do height = height + #each.large + 1 end
  return height
end

local function earlier_rows(demo, columns)
  return lists.map(earlier_steps(demo), function(index)
    return { large = large_row(demo, index, columns), small = small_row(demo, index) }
  end)
end

-- As many earlier rows as fit into `room` lines: the nearest in large digits, those before it in small ones.
local function draw_earlier(rows, room, out)
  local count = math.min(#rows, room - 1)
  local left, chosen = room - 1 - count, {}
  for i = 1, count do
    local more = #rows[i].large + (i > 1 and 1 or 0) - 1
    chosen[i] = left >= more and rows[i].large or { rows[i].small }
    if chosen[i] == rows[i].large then left = left - more else left = -1 end
  end
  for i = count, 1, -1 do
    for _, line in ipairs(chosen[i]) do out[#out + 1] = line end
    if i > 1 and #chosen[i] > 1 then out[#out + 1] = "" end
  end
  if count > 0 then out[#out + 1] = "" end
end

-- Text and kernel -----------------------------------------------------------------------------------

-- A line with an ellipsis, cut at the end of a word.
local function cut_short(line, columns)
  while text.width(line) > columns - 2 do line = line:gsub("%s*%S+$", "") end
  return line .. " …"
end

local function draw_text(prose, room, columns)
  local out = table.move(prose, 1, math.min(#prose, room), 1, {})
  if #prose > room and room > 0 then out[room] = cut_short(out[room], columns) end
  return out
end

-- The step's kernel from its signature on; nil where it has none.
local function kernel_of(demo)
  local step = demo.lab.steps[demo.at]
  local found = source.kernel(demo.session, step)
  if not found then return nil end
  local first = found.first
  while first < found.last and found.lines[first]:match("^%s*//") do first = first + 1 end
  local record = record_of(demo, demo.at)
  local worst = record and not demo:hides_numbers() and record.worst and record.worst.line
  local hot = worst and worst.line
  if hot and (hot < first or hot > found.last) then hot = nil end
  return { lines = source.printable(found.lines, first, found.last), first = first, hot = hot }
end

-- `room` lines of the kernel, around the line of its worst access once the numbers are shown; that line has a mark.
local function draw_kernel(kernel, room, columns, color)
  local hot = kernel.hot and kernel.hot - kernel.first + 1 or 1
  local from = math.max(1, math.min(hot - room // 2, #kernel.lines - room + 1))
  local out = highlight.lines(kernel.lines, columns - 8, color)
  local drawn = {}
  for i = from, math.min(#out, from + room - 1) do
    local at = kernel.first + i - 1
    drawn[#drawn + 1] = tables.paint(("%s%4d  "):format(at == kernel.hot and ">" or " ", at),
      at == kernel.hot and "strong" or "faint", color) .. out[i]
  end
  return drawn
end

-- The room ------------------------------------------------------------------------------------------

-- Deals lines to parts {least, most}: each its least, then what is left in their order.
local function deal(room, parts)
  local given = {}
  for i, part in ipairs(parts) do
    given[i] = math.min(part.least, part.most, room)
    room = room - given[i]
  end
  for i, part in ipairs(parts) do
    local more = math.min(part.most - given[i], room)
    given[i], room = given[i] + more, room - more
  end
  return given
end

-- Text and kernel, one below the other.
local function stacked(demo, prose, kernel, room, columns, earlier)
  local gap = kernel and 2 or 1
  local given = deal(math.max(0, room - gap), { { least = 4, most = #prose },
    { least = 7, most = kernel and #kernel.lines or 0 }, { least = 2, most = earlier } })
  local out = draw_text(prose, given[1], columns)
  out[#out + 1] = ""
  if kernel and given[2] > 0 then
    for _, line in ipairs(draw_kernel(kernel, given[2], columns, demo.color)) do out[#out + 1] = line end
    out[#out + 1] = ""
  end
  return out, given[3]
end

-- The columns of the text, and what stands left of a kernel beside it.
local function text_width(columns, wide)
  return wide and math.min(columns // 2, 78) or math.min(columns, text.columns)
end

-- The kernel to the right of the text.
local function beside(demo, prose, kernel, room, columns, earlier)
  local half = text_width(columns, true)
  local given = deal(math.max(0, room - 1), { { least = 8, most = math.max(#prose, #kernel.lines) },
    { least = 2, most = earlier } })
  local left = draw_text(prose, given[1], half)
  local right = draw_kernel(kernel, given[1], columns - half, demo.color)
  local out = {}
  for i = 1, math.max(#left, #right) do out[i] = text.left(left[i] or "", half) .. (right[i] or "") end
  out[#out + 1] = ""
  return out, given[2]
end

---The whole screen as lines: title, text and kernel, rows, keys.
---@param demo table @param columns integer @param rows integer @return string[]
function screen.lines(demo, columns, rows)
  local kernel = kernel_of(demo)
  local wide = kernel and columns >= SIDE_BY_SIDE
  local prose = text.wrap(demo.lab.steps[demo.at].text or "", "  ", text_width(columns, wide) - (wide and 2 or 0))
  local current = large_row(demo, demo.at, columns)
  local before = earlier_rows(demo, columns)
  local room = rows - 4 - #current
  local body, left = (wide and beside or stacked)(demo, prose, kernel, room, columns, earlier_height(before))
  local out = lists.joined({ screen.title(demo, columns), "" }, body)
  draw_earlier(before, left, out)
  lists.append(out, current)
  while #out > rows - 1 do table.remove(out) end
  while #out < rows - 1 do out[#out + 1] = "" end
  out[#out + 1] = "  " .. (demo.note and text.clip(demo.note, 76) or screen.KEYS)
  return out
end

return screen
