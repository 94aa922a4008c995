-- A window on an array, or on what a pointer points to: the elements around those that the lanes access, as lines of
-- text. What fits on the screen is read, however large the array is.
local expression = require "gpulab.warp.source.expression"
local failure = require "gpulab.base.failure"
local rows = require "gpulab.warp.rows"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

local window = {}

---@class Window
---@field source string the expression @field dbg Debugger
---@field base integer address @field own integer? the lane whose address it is, if the lanes differ @field space string
---@field element CxxType @field total integer elements @field leaves table[]? of structures: a column each
---@field across integer? columns of a row that the declaration gives; nil: as many as fit
---@field start integer the first element that is shown @field wanted integer? the element to be in the middle
---@field width integer columns of a row @field first integer row @field column integer the first that is shown

local Window = {}
Window.__index = Window

local LABEL <const> = 10
local ACCESSED <const>, MINE <const> = "*", "<" -- by a lane; by the lane in focus

local function code_of(self, address, of)
  return expression.at(("#%x:u64"):format(address), self.space, of).code
end

-- How many elements there are behind a pointer: to the end of the allocation.
local function extent(self)
  local read = self.dbg.stepping:read({ ("#%x:u64 extent:%s"):format(self.base, self.space) })[1]
  return (read.lanes[next(read.lanes) or -1] or 0) // self.element.bytes
end

local function shape(self, value)
  local dims, total = value.dims or {}, 1
  for _, d in ipairs(dims) do total = total * d end
  self.element, self.space = value.element, value.space or "generic"
  self.leaves = value.element.members and expression.leaves(value.element) or nil
  self.across = self.leaves and #self.leaves or #dims > 1 and dims[#dims] or nil
  self.total = (#dims == 0 or total == 0) and extent(self) or total
end

-- At this moment: a pointer may point to something else after a step.
function Window:look()
  local value = self.dbg:compile(self.source)
  if not value.element then
    failure.usage(("%s is neither an array nor a pointer"):format(self.source),
      "for example: view tile; view alone shows the warp")
  end
  local base, own = self.dbg:base_of(value)
  if not base then failure.usage(("%s has no value here"):format(self.source)) end
  if base ~= self.base then
    self.base, self.own = base, own
    shape(self, value)
  end
end

local function elements_per_row(self) return self.leaves and 1 or self.width end

---Elements that lanes access from here: by index the lanes as a mask; the first of them, and that of the lane in focus.
function Window:accessed()
  local masks, lowest, mine = {}, nil, nil
  for _, access in ipairs(self.dbg.moment.accesses) do
    local here = access.space == self.space or self.space == "generic" and access.space == "global"
    for lane = 0, here and 31 or -1 do
      local from = access.lanes[lane] and access.lanes[lane] - self.base
      for index = from and from // self.element.bytes or 0, from and (from + access.width - 1) // self.element.bytes
        or -1 do
        if 0 <= index and index < self.total then
          masks[index] = (masks[index] or 0) | 1 << lane
          lowest = math.min(lowest or index, index)
          if lane == self.dbg.lane then mine = mine or index end
        end
      end
    end
  end
  return masks, lowest, mine
end

---To the elements that the lanes access; nowhere if there are none.
function Window:follow()
  local _, lowest, mine = self:accessed()
  if mine or lowest then self:go(mine or lowest) end
end

---An element to the middle of the window.
function Window:go(index)
  self.wanted = math.max(0, math.min(index, self.total - 1))
end

---Rows up or down, columns left or right.
function Window:move(by_rows, by_columns)
  self.start, self.column = self.start + (by_rows or 0) * elements_per_row(self), self.column + (by_columns or 0)
end

local function cell_text(self, row, column, reads, at, masks)
  local index = self.leaves and row or row * self.width + column
  if index >= self.total then return "" end
  local read = reads[at]
  local v = read and read.lanes[next(read.lanes) or -1]
  local mask = masks[index]
  local sign = not mask and " " or rows.has(mask, self.dbg.lane) and MINE or ACCESSED
  return (v == nil and "?" or rows.number(v, read.type)) .. sign
end

-- The cells of the rows that are shown, as text; and how wide the widest is.
local function cells_of(self, height, columns, masks)
  local codes, places = {}, {}
  for row = self.first, self.first + height - 1 do
    for column = self.column, math.min(self.width, self.column + columns) - 1 do
      local index = self.leaves and row or row * self.width + column
      if index < self.total then
        local leaf = self.leaves and self.leaves[column + 1]
        codes[#codes + 1] = code_of(self, self.base + index * self.element.bytes + (leaf and leaf.offset or 0),
          leaf and leaf.type or self.element)
        places[row * self.width + column] = #codes
      end
    end
  end
  local reads, widest, cells = self.dbg:read(codes), 2, {}
  for place, at in pairs(places) do
    cells[place] = cell_text(self, place // self.width, place % self.width, reads, at, masks)
    widest = math.max(widest, text.width(cells[place]))
  end
  return cells, widest
end

local function heading(self, column)
  if self.leaves then return self.leaves[column + 1].path end
  return self.across and ("[%d]"):format(column) or ("+%d"):format(column)
end

local function clamp(self, height)
  local per = elements_per_row(self)
  local count = (self.total + per - 1) // per
  self.first = self.wanted and self.wanted // per - height // 2 or self.start // per
  if self.wanted and self.across and not self.leaves then self.column = self.wanted % self.width - 1 end
  self.first = math.max(0, math.min(self.first, count - height))
  self.column = math.max(0, math.min(self.column, self.width - 1))
end

-- Cells in as many columns as fit; the number of columns.
local function fitted(self, height, columns, masks)
  if self.across then
    self.width = self.across
    clamp(self, height)
    local most = (columns - LABEL) // 3
    local cells, widest = cells_of(self, height, most, masks)
    for c = self.column, math.min(self.width, self.column + most) - 1 do
      if self.leaves then widest = math.max(widest, text.width(heading(self, c))) end
    end
    return cells, widest, math.max(1, math.min(self.width - self.column, (columns - LABEL) // (widest + 1)))
  end
  self.width = 64
  repeat
    self.width = self.width // 2
    clamp(self, height)
    local cells, widest = cells_of(self, height, self.width, masks)
    if self.width * (widest + 1) + LABEL <= columns or self.width == 1 then return cells, widest, self.width end
  until false
end

-- "lanes 0..31 access elements 64 to 95".
local function said(self, masks)
  local all, low, high = 0, nil, nil
  for index, mask in pairs(masks) do
    all, low, high = all | mask, math.min(low or index, index), math.max(high or index, index)
  end
  if not low then return ("line %d accesses none of these elements"):format(self.dbg.moment.line) end
  return ("%s by %s at line %d: %s"):format(ACCESSED, all == 0xffffffff and "all lanes" or rows.lanes(all),
    self.dbg.moment.line, low == high and ("element %d"):format(low) or ("elements %d to %d"):format(low, high))
    .. (rows.has(all, self.dbg.lane) and ("; %s lane %d"):format(MINE, self.dbg.lane) or "")
end

---@param columns integer @param height integer of the elements alone @param color boolean?
---@return string[] the first is a title, the last says what the lanes access
function Window:lines(columns, height, color)
  local masks = self:accessed()
  local cells, widest, shown = fitted(self, height, columns - 1, masks)
  self.wanted = nil
  local per = elements_per_row(self)
  self.start = self.first * per
  local last = math.min(self.total, (self.first + height) * per) - 1
  local out = { text.clip((" %s: %d to %d of %s%s"):format(self.source, math.min(self.first * per, math.max(last, 0)),
    math.max(last, 0), text.plural(self.total, "element"),
    self.own and (", as lane %d has it"):format(self.dbg.lane) or ""), columns - 1) }
  local head = {}
  for column = self.column, self.column + shown - 1 do
    head[#head + 1] = text.right(heading(self, column) .. " ", widest)
  end
  local more = self.column + shown < self.width and " …" or ""
  out[2] = (" "):rep(LABEL - 1) .. table.concat(head, " ") .. more
  for row = self.first, self.first + height - 1 do
    local line, any = {}, false
    for column = self.column, self.column + shown - 1 do
      local cell = text.right(cells[row * self.width + column] or "", widest)
      any = any or cell:find "%S"
      line[#line + 1] = cell:find("[*<]$") and tables.paint(cell, "strong", color) or cell
    end
    local label = self.across and ("[%d]"):format(row) or tostring(row * self.width)
    if any then out[#out + 1] = text.right(label, LABEL - 2) .. " " .. table.concat(line, " ") end
  end
  out[#out + 1] = text.clip("  " .. said(self, masks), columns - 1)
  return out
end

---How many rows there are.
function Window:rows() return (self.total + elements_per_row(self) - 1) // elements_per_row(self) end

---@param dbg Debugger @param source string @param index integer? an element to begin at
---@return Window
function window.of(dbg, source, index)
  local self = setmetatable({ dbg = dbg, source = source, start = 0, first = 0, column = 0, width = 1 }, Window)
  self:look()
  if self.total == 0 then
    failure.usage(("%s points to no memory of this launch"):format(source))
  end
  if index then self:go(index) else self:follow() end
  return self
end

return window
