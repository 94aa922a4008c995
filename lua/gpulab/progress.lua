-- One line on standard error that says what is being done, for work that has already taken a second; wiped before
-- anything else is printed. Only ever on a terminal.
local text = require "gpulab.text"

local Progress = {}
Progress.__index = Progress

local progress = {}

local AFTER = 1 -- seconds of silence before the first line

---@param on boolean is there someone at a terminal to read it?
function progress.new(on)
  return setmetatable({ on = on, began = os.time(), shown = false }, Progress)
end

---@param done integer @param total integer @param what string
function Progress:step(done, total, what)
  if not self.on or os.time() - self.began < AFTER then return end
  local line = text.clip(("  %d of %d: %s ..."):format(done, total, what), text.columns - 1)
  io.stderr:write("\r\27[K", line)
  io.stderr:flush()
  self.shown = true
end

function Progress:clear()
  if not self.shown then return end
  io.stderr:write("\r\27[K")
  io.stderr:flush()
  self.shown = false
end

return progress
