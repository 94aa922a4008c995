-- A window on an array on the whole screen: keys move the window, step, and go back.
local fullscreen = require "gpulab.warp.fullscreen"
local screen = require "gpulab.warp.screen"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local view = require "gpulab.warp.view"
local window = require "gpulab.warp.window"

local window_screen = {}

local KEYS <const> = "↑↓ rows · t accessed · ←→ lane · s step · b back · c on · ? · q quit"
local FEW_KEYS <const> = "↑↓ rows · t accessed · s step · b back · ? · q quit"
local HELP <const> = { "  up, down          one row", "  page up, down     one screen",
  "  home, end         to the first element, to the last", "  < >               columns that do not fit",
  "  t                 to the elements that the lanes access", "  left, right       another lane",
  "  s, b              to the next line, back to the line before", "  n, N              the same over calls",
  "  i, I              an instruction forward, back", "  c, C              to the next stop, back to the last one",
  "  u                 until the warp waits at a barrier",
  "  [, ]              the warp before, the next warp", "  q, escape         back to the prompt, at this moment" }

local Screen = {}
Screen.__index = Screen

local function scroll(pages, lines)
  return function(self) self.window:move(pages * self.height + lines) end
end

-- The window follows the lanes.
local actions <const> = screen.moves(function(self, _, moved)
  self.note = moved and view.headline(self.dbg) or nil
  self.window:look()
  self.window:follow()
end)
actions.up, actions.down, actions.pageup, actions.pagedown = scroll(0, -1), scroll(0, 1), scroll(-1, 0), scroll(1, 0)
actions["<"] = function(self) self.window:move(0, -1) end
actions[">"] = function(self) self.window:move(0, 1) end
function actions:home() self.window:go(0) end
actions["end"] = function(self) self.window:go(self.window.total - 1) end
function actions:t() self.window:follow() end
actions["?"] = function(self) fullscreen.page(HELP, self.keys) end

function Screen:draw()
  local columns, height = self.keys.size()
  self.height = math.max(1, height - 6)
  local ended = self.dbg.moment.alive == 0
  local out = ended and { " " .. self.window.source, "", "  the warp has ended: `b` goes back" }
    or self.window:lines(columns, self.height, self.color)
  out[1] = text.left(out[1], columns)
  local m, frame = self.dbg.moment, self.dbg.moment.frames[1]
  local line = frame and self.dbg:source_line(frame.file, frame.line)
  while #out < height - 2 do out[#out + 1] = "" end
  local place = self.note or line and ("block %s, warp %d, line %d: %s"):format(self.dbg:block_text(), m.warp,
    frame.line, text.printable(text.trim(line))) or ""
  out[#out + 1] = "  " .. tables.paint(text.clip(place, columns - 3), "strong", self.color)
  out[#out + 1] = "  " .. fullscreen.keys(KEYS, FEW_KEYS, columns)
  fullscreen.show(out)
end

---Shows the elements until a key ends it.
---@param dbg Debugger @param source string an array or a pointer @param options {index: integer?, color: boolean?}
function window_screen.run(dbg, source, options)
  local self = setmetatable({ dbg = dbg, color = options.color, window = window.of(dbg, source, options.index),
    height = 1 }, Screen)
  fullscreen.run(self, actions)
end

---The same as text.
---@param dbg Debugger @param source string @param options {index: integer?, color: boolean?} @return string[]
function window_screen.text(dbg, source, options)
  local ROWS <const> = 16
  local made = window.of(dbg, source, options.index)
  local out = made:lines(text.columns, ROWS, options.color)
  if made:rows() > ROWS then out[#out + 1] = ("  `view %s N` shows the elements around N"):format(source) end
  return out
end

return window_screen
