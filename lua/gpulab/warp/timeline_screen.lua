-- The timeline on the whole screen: arrow keys move through the block, Enter goes to a moment.
local fullscreen = require "gpulab.warp.fullscreen"
local lists = require "gpulab.base.lists"
local rows = require "gpulab.warp.rows"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local timeline = require "gpulab.warp.timeline"

local timeline_screen = {}

local LABEL <const> = 10
local KEYS <const> = "←→ time · ↑↓ warp · + - zoom · c cycles · Enter goes there · ? · q quit"
local FEW_KEYS <const> = "←→ ↑↓ · + - · c cycles · Enter · ? keys · q quit"
local HELP <const> = {
  "  left, right  earlier, later; H, L: by a screen",
  "  up, down     another warp",
  "  n, N         the warp's next line, the one before",
  "  +, -         closer, further away",
  "  c            the model's cycles with stalls, or operations",
  "  Enter        go to this moment with this warp",
  "  q, escape    back to the prompt" }

local Screen = {}
Screen.__index = Screen

local function width_of(self) return self.keys.size() - LABEL - 1 end

-- The part of the time that is shown has the cursor in it.
local function show_cursor(self)
  local made = self.made
  self.at = math.max(made.from, math.min(made.to - 1, self.at))
  local span = self.to - self.from
  if self.at < self.from then self.from = math.max(made.from, self.at - span / 4) end
  if self.at >= self.from + span then self.from = math.min(made.to - span, self.at - 3 * span / 4) end
  self.to = self.from + span
end

local function moved(by)
  return function(self)
    local step = (self.to - self.from) / width_of(self)
    self.at = self.at + by * (self.made.unit == "operations" and math.max(1, step) or step)
    show_cursor(self)
  end
end

local function zoomed(by)
  return function(self)
    local made, span = self.made, (self.to - self.from) * by
    span = math.min(made.to - made.from, math.max(span, math.min(width_of(self) / 4, made.to - made.from)))
    local part = (self.at - self.from) / (self.to - self.from)
    self.from = math.max(made.from, math.min(made.to - span, self.at - part * span))
    self.to = self.from + span
  end
end

local function warp(by)
  return function(self) self.row = math.max(1, math.min(#self.made.order, self.row + by)) end
end

-- To the selected warp's next line, or the one before.
local function line(by)
  return function(self)
    local spans, here = self.made.warps[self.row], 0
    for i, span in ipairs(spans) do
      if span.from <= self.at then here = i end
    end
    local span = spans[math.max(1, math.min(#spans, here + by))]
    self.at = span.from
    show_cursor(self)
  end
end

local function take(self, made)
  self.made, self.from, self.to = made, made.from, made.to
  self.row = math.min(self.row, #made.order)
end

-- The moment of a span of cycles: where the warp gets to the line for as many times, if it does.
local function moment_of(self, span)
  if self.made.unit == "operations" then return self.at end
  local time
  for row, number in ipairs(self.operations.order) do
    for _, other in ipairs(number == self.made.order[self.row] and self.operations.warps[row] or {}) do
      if other.line == span.line and other.nth <= span.nth then time = other.from end
    end
  end
  return time
end

local actions <const> = { left = moved(-1), right = moved(1), up = warp(-1), down = warp(1), ["+"] = zoomed(1 / 2),
  ["="] = zoomed(1 / 2), ["-"] = zoomed(2), n = line(1), N = line(-1), ["]"] = warp(1), ["["] = warp(-1),
  H = function(self) moved(-width_of(self))(self) end,
  L = function(self) moved(width_of(self))(self) end,
  ["?"] = function(self) fullscreen.page(HELP, self.keys) end,
  c = function(self)
    local other = self.made.unit == "operations" and "cycles" or "operations"
    if other == "cycles" then self.cycles = self.cycles or timeline.of_cycles(self.dbg) end
    take(self, self[other])
    self.at = self.made.from
  end,
  enter = function(self)
    local span = timeline.at(self.made, self.row, self.at)
    local time = span and moment_of(self, span)
    if not time then
      self.note = span and ("the stepper does not stop at line %d"):format(span.line)
        or "the warp is before its first line"
      return
    end
    self.dbg.warp = self.made.order[self.row]
    self.dbg:go("time", { count = math.floor(time) })
    self.done = true
  end }

local function described(self)
  local span = timeline.at(self.made, self.row, self.at)
  local number = self.made.order[self.row]
  if not span then return ("warp %d is before its first line"):format(number) end
  local parts = { ("warp %d, line %d"):format(number, span.line) }
  if span.mask then parts[2] = text.plural(rows.count(span.mask), "lane") end
  local unit = self.made.unit == "cycles" and "cycle" or "operation"
  parts[#parts + 1] = ("%s %.0f to %.0f"):format(unit, span.from, span.to)
  local waits = self.made.waits and self.made.waits[span.state]
  parts[#parts + 1] = span.state == "barrier" and "at a barrier"
    or waits and ("%s: %s"):format(timeline.LETTERS[span.state], waits) or nil
  return table.concat(parts, " · ")
end

-- Rows of warps around the selected one.
local function visible_rows(self, room)
  local first = math.max(1, math.min(self.row - room // 2, #self.made.order - room + 1))
  return first, math.min(#self.made.order, first + room - 1)
end

function Screen:draw()
  local columns, height = self.keys.size()
  local made, width = self.made, width_of(self)
  local head = (" %s · block %s · %s"):format(self.dbg.title, made.block, made.unit == "cycles"
    and "cycles by the model of the " .. made.gpu or "operations of the emulator")
  local out = { text.left(text.clip(head, columns), columns) }
  local column = math.floor((self.at - self.from) * width / (self.to - self.from))
  out[2] = (" "):rep(LABEL + column) .. (rows.utf8 and "▼" or "v")
  local first, last = visible_rows(self, math.max(3, math.min(#made.order, height - 10)))
  for row = first, last do
    local cells = timeline.cells(made, row, self.from, self.to, width)
    local label = ("%s warp %2d  "):format(row == self.row and ">" or " ", made.order[row])
    out[#out + 1] = tables.paint(label .. cells, row == self.row and "strong" or "", self.color)
  end
  local ends = ("%.0f"):format(self.to)
  local begins = ("%.0f"):format(self.from)
  out[#out + 1] = (" "):rep(LABEL) .. begins .. (" "):rep(math.max(1, width - #begins - #ends)) .. ends
  out[#out + 1] = "  " .. text.clip(self.note or described(self), columns - 3)
  out[#out + 1] = ""
  local legend, letters = timeline.legend(made, self.dbg, columns - 1), timeline.letters(made)
  local span, room = timeline.at(made, self.row, self.at), height - #out - 1
  for i, one in ipairs(legend) do
    if i > room or i > room - #letters and #legend > room then break end
    local here = span and made.lines[i] == span.line
    out[#out + 1] = tables.paint((here and ">" or " ") .. one:sub(2), here and "strong" or "", self.color)
  end
  if #legend > room then lists.append(out, letters) end
  while #out < height - 1 do out[#out + 1] = "" end
  out[#out + 1] = "  " .. fullscreen.keys(KEYS, FEW_KEYS, columns)
  fullscreen.show(out)
end

---Shows the timeline of the block in focus until a key ends it; the debugger is then where Enter was pressed.
---@param dbg Debugger @param options {color: boolean?, cycles: boolean?}
function timeline_screen.run(dbg, options)
  local made = timeline.of_operations(dbg)
  local self = setmetatable({ dbg = dbg, color = options.color, operations = made, row = 1, at = dbg.moment.time },
    Screen)
  for row, number in ipairs(made.order) do
    if number == dbg.warp then self.row = row end
  end
  take(self, made)
  if options.cycles then
    self.cycles = timeline.of_cycles(dbg)
    take(self, self.cycles)
    self.at = self.made.from
  end
  fullscreen.run(self, actions)
end

return timeline_screen
