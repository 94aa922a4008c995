-- The whole terminal for something that draws itself and takes keys, until a key ends it.
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local text = require "gpulab.base.text"

local fullscreen = {}

local CLEAR <const>, HOME <const> = "\27[2J", "\27[H"
local OWN_SCREEN <const> = "\27[?1049h\27[?25l" -- without a cursor
local SHELL_SCREEN <const> = "\27[?25h\27[?1049l"

local function write(...)
  io.stdout:write(...)
  io.stdout:flush()
end

---Shows lines in place of what is on the screen; the first one reversed.
---@param lines string[]
function fullscreen.show(lines)
  lines[1] = "\27[7m" .. lines[1] .. "\27[0m"
  write(CLEAR, HOME, table.concat(lines, "\r\n"))
end

---The line of keys: all of them, or on a narrow terminal the most important ones.
---@param all string @param few string @param columns integer
function fullscreen.keys(all, few, columns)
  return text.clip(text.width(all) <= columns - 3 and all or few, columns - 3)
end

---Shows lines until a key is pressed.
---@param lines string[] @param keys table gpulab.keys
function fullscreen.page(lines, keys)
  write(CLEAR, HOME, table.concat(lines, "\r\n"), "\r\n\r\n  press any key to go back")
  local key
  repeat key = keys.read(3600) until key ~= nil
end

-- One key; false at the end. What an action raises is shown as the note.
local function press(self, key, actions)
  if key == "q" or key == "escape" or key == "end of input" then return false end
  self.note = nil
  if key == "suspend" then
    write(SHELL_SCREEN)
    self.keys.suspend()
    write(OWN_SCREEN)
  elseif actions[key] then
    local ok, e = host.catch(actions[key], self)
    if not ok then self.note = tostring(type(e) == "table" and e.message or e):match("[^\n]*") end
  end
  return not self.done
end

---Runs until q, or until an action sets `done`. `keys` and `note` of the object are set here.
---@param self {draw: fun(self: table), done: boolean?} @param actions table<string, fun(self: table)> by key
function fullscreen.run(self, actions)
  local keys = require "gpulab.keys"
  self.keys = keys
  local problem = keys.open()
  if problem then failure.raise("setup", problem) end
  write(OWN_SCREEN)
  local ok, e = host.catch(function()
    self:draw()
    while true do
      local key = keys.read(3600)
      if key == false or key and not press(self, key, actions) then break end
      if key then self:draw() end
    end
  end)
  write(SHELL_SCREEN)
  keys.close()
  if not ok then error(e, 0) end
end

return fullscreen
