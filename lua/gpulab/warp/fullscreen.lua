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

local PAGE_KEYS <const> = { down = 1, up = -1, j = 1, k = -1, pagedown = "page", space = "page", pageup = "back" }

---Shows lines until a key is pressed; what does not fit on the screen comes up with the arrow keys, and page by page
---with the space bar, which goes back from the last one.
---@param lines string[] @param keys table gpulab.keys
function fullscreen.page(lines, keys)
  local first = 1
  while true do
    local columns, height = keys.size()
    local room = math.max(1, height - 3)
    first = math.max(1, math.min(first, #lines - room + 1))
    local shown = {}
    for i = first, math.min(#lines, first + room - 1) do shown[#shown + 1] = text.clip(lines[i], columns - 1) end
    local scrolls = #lines > room
    local last = math.min(#lines, first + room - 1)
    local said = scrolls and ("%d to %d of %d · space, ↑↓ more lines · any other key to go back"):format(first, last,
      #lines) or "press any key to go back"
    write(CLEAR, HOME, table.concat(shown, "\r\n"), "\r\n\r\n  ", text.clip(said, columns - 3))
    local key
    repeat key = keys.read(3600) until key ~= nil
    if key == "suspend" then return fullscreen.suspend(keys) end
    local by = scrolls and PAGE_KEYS[key]
    if key ~= "resize" and not by or key == "space" and last == #lines then return end
    first = first + (by == "page" and room or by == "back" and -room or tonumber(by) or 0)
  end
end

---Ctrl-Z: the shell's screen until `fg`.
---@param keys table gpulab.keys
function fullscreen.suspend(keys)
  write(SHELL_SCREEN)
  keys.suspend()
  write(OWN_SCREEN)
end

-- One key; false at the end. What an action raises is shown as the note.
local function press(self, key, actions)
  if key == "q" or key == "escape" or key == "end of input" then return false end
  self.note = nil
  if key == "suspend" then
    fullscreen.suspend(self.keys)
  elseif actions[key] then
    local ok, e = host.catch(actions[key], self)
    if not ok then self.note = tostring(type(e) == "table" and e.message or e):match("[^\n]*") end
  else
    self.note = self.hint
  end
  return not self.done
end

---Runs until q, or until an action sets `done`. `keys` and `note` of the object are set here.
---@param self {draw: fun(self: table), done: boolean?, hint: string?, begin: fun(self: table)?, seconds: number?,
---idle: fun(self: table)?} hint: the note after a key without an action; begin: called first, on the screen; idle:
---called when no key came for so many seconds, true: to be drawn
---@param actions table<string, fun(self: table)> by key
function fullscreen.run(self, actions)
  local keys = require "gpulab.keys"
  self.keys = keys
  local problem = keys.open()
  if problem then failure.raise("setup", problem) end
  write(OWN_SCREEN)
  local ok, e = host.catch(function()
    if self.begin then self:begin() end
    self:draw()
    while true do
      local key = keys.read(self.seconds or 3600)
      if key == false or key and not press(self, key, actions) then break end
      if key or self.idle and self:idle() then self:draw() end
    end
  end)
  write(SHELL_SCREEN)
  keys.close()
  if not ok then error(e, 0) end
end

fullscreen.CLEAR, fullscreen.OWN_SCREEN = CLEAR .. HOME, OWN_SCREEN

return fullscreen
