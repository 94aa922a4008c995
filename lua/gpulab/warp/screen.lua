-- The warp view on the whole screen: keys step, go back, move between lanes and warps.
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local rows = require "gpulab.warp.rows"
local text = require "gpulab.base.text"
local view = require "gpulab.warp.view"

local screen = {}

local CLEAR <const>, HOME <const> = "\27[2J", "\27[H"
local OWN_SCREEN <const> = "\27[?1049h\27[?25l" -- without a cursor
local SHELL_SCREEN <const> = "\27[?25h\27[?1049l"
local KEYS <const> = "s step · b back · n over · c on · u barrier · ←→ lane · w warps · ? · q quit"
local HELP <const> = { "  s, space, down   step to the next line", "  b, up            back to the line before",
  "  n                the next line, over calls", "  N                back, over calls",
  "  i, I             an instruction forward, back", "  f                until the function returns",
  "  c, C             on to the next stop, back to the last one",
    "  u                until the warp waits at a barrier",
  "  left, right      another lane in the variables' last column", "  [, ]             the warp before, the next warp",
  "  r                to the beginning of the block", "  w                all warps of the block",
  "  q, escape        back to the prompt, at this moment" }

local Screen = {}
Screen.__index = Screen

local function move(way, back)
  return function(self) self.dbg:go(way, { back = back }) end
end

local function turn(by)
  return function(self)
    local m = self.dbg.moment
    self.dbg:focus(self.dbg.block, (m.warp + by) % #m.warps)
  end
end

local function lane(by)
  return function(self) self.dbg.lane = (self.dbg.lane + by) % rows.LANES end
end

local actions <const> = { s = move "line", space = move "line", down = move "line", enter = move "line",
  b = move("line", true), up = move("line", true), backspace = move("line", true), n = move "over", N = move("over",
    true),
  i = move "instruction", I = move("instruction", true), f = move "out", c = move "on", C = move("on", true),
  u = move "barrier", U = move("barrier", true), left = lane(-1), right = lane(1), ["["] = turn(-1), ["]"] = turn(1),
  r = function(self) self.dbg:restart() end,
  w = function(self) self:page(view.warps(self.dbg)) end,
  ["?"] = function(self) self:page(HELP) end }

function Screen:draw()
  local columns, height = self.keys.size()
  local lines = view.screen(self.dbg, { columns = columns, rows = height, color = self.color, keys = text.clip(KEYS,
    columns - 3),
    note = self.note, ruler = true })
  lines[1] = "\27[7m" .. lines[1] .. "\27[0m"
  io.stdout:write(CLEAR, HOME, table.concat(lines, "\r\n"))
  io.stdout:flush()
end

function Screen:suspend()
  io.stdout:write(SHELL_SCREEN)
  io.stdout:flush()
  self.keys.suspend()
  io.stdout:write(OWN_SCREEN)
end

function Screen:page(lines)
  io.stdout:write(CLEAR, HOME, table.concat(lines, "\r\n"), "\r\n\r\n  press any key to go back")
  io.stdout:flush()
  local key
  repeat key = self.keys.read(3600) until key ~= nil
end

---One key; false at the end.
function Screen:press(key)
  if key == "q" or key == "escape" or key == "end of input" then return false end
  self.note = nil
  if key == "suspend" then
    self:suspend()
    return true
  end
  local action = actions[key]
  if not action then return true end
  local ok, e = host.catch(action, self)
  if not ok then self.note = tostring(type(e) == "table" and e.message or e):match("[^\n]*") end
  return true
end

---Shows the view until a key ends it.
---@param dbg Debugger @param options {color: boolean?}
function screen.run(dbg, options)
  local keys = require "gpulab.keys"
  local self = setmetatable({ dbg = dbg, keys = keys, color = options.color }, Screen)
  local problem = keys.open()
  if problem then failure.raise("setup", problem) end
  io.stdout:write(OWN_SCREEN)
  local ok, e = host.catch(function()
    self:draw()
    while true do
      local key = keys.read(3600)
      if key == false or key and not self:press(key) then break end
      if key then self:draw() end
    end
  end)
  io.stdout:write(SHELL_SCREEN)
  io.stdout:flush()
  keys.close()
  if not ok then error(e, 0) end
end

return screen
