-- The warp view on the whole screen: keys step, go back, move between lanes and warps.
local fullscreen = require "gpulab.warp.fullscreen"
local rows = require "gpulab.warp.rows"
local text = require "gpulab.base.text"
local view = require "gpulab.warp.view"

local screen = {}

local KEYS <const> = "s step · b back · n over · c on · u barrier · ←→ lane · w warps · ? · q quit"
local FEW_KEYS <const> = "s step · b back · n over · c on · ? keys · q quit"
local HELP <const> = { "  s, space, down   step to the next line", "  b, up            back to the line before",
  "  n                the next line, over calls", "  N                back, over calls",
  "  i, I             an instruction forward, back", "  f                until the function returns",
  "  c, C             to the next stop, back to the last one",
  "  u                until the warp waits at a barrier",
  "  left, right      another lane: ▼ shows its value", "  [, ]             the warp before, the next warp",
  "  r                to the beginning of the block", "  w                all warps of the block",
  "                   at the prompt: `view tile` shows an array, `display x` adds a row",
  "  q, escape        back to the prompt, at this moment" }

local Screen = {}
Screen.__index = Screen

---Keys that move a stepped launch, and its focus.
---@param after fun(self: table, before: StepMoment, moved: boolean) moved: in time, not to another warp or lane
---@return table<string, fun(self: table)>
function screen.moves(after)
  local function go(way, back)
    return function(self)
      local before = self.dbg.moment
      self.dbg:go(way, { back = back })
      after(self, before, true)
    end
  end
  local function turn(by)
    return function(self)
      local m = self.dbg.moment
      self.dbg:focus(self.dbg.block, (m.warp + by) % #m.warps)
      after(self, m, false)
    end
  end
  local function lane(by)
    return function(self)
      self.dbg.lane = (self.dbg.lane + by) % rows.LANES
      after(self, self.dbg.moment, false)
    end
  end
  return { s = go "line", space = go "line", enter = go "line", b = go("line", true), backspace = go("line", true),
    n = go "over", N = go("over", true), i = go "instruction", I = go("instruction", true), c = go "on",
    C = go("on", true), u = go "barrier", left = lane(-1), right = lane(1), ["["] = turn(-1), ["]"] = turn(1),
    f = go "out", U = go("barrier", true) }
end

local actions <const> = screen.moves(function(self, before)
  local printed = self.dbg:printed_since(before)
  if printed then self.note = "printed: " .. text.printable(text.last_line(printed)) end
end)
actions.down, actions.up = actions.s, actions.b
function actions:r() self.dbg:restart() end
function actions:w() fullscreen.page(view.warps(self.dbg), self.keys) end
actions["?"] = function(self) fullscreen.page(HELP, self.keys) end

function Screen:draw()
  local columns, height = self.keys.size()
  local lines = view.screen(self.dbg, { columns = columns, rows = height, color = self.color,
    keys = fullscreen.keys(KEYS, FEW_KEYS, columns), note = self.note, ruler = true })
  fullscreen.show(lines)
end

---Shows the view until a key ends it.
---@param dbg Debugger @param options {color: boolean?}
function screen.run(dbg, options)
  fullscreen.run(setmetatable({ dbg = dbg, color = options.color }, Screen), actions)
end

return screen
