-- One line on standard error that says what is being done, for work that has already taken a second; wiped before
-- anything else is printed. Only ever on a terminal.
local text = require "gpulab.text"

local Progress = {}
Progress.__index = Progress

local progress = {}

local AFTER = 1 -- seconds of silence before the first line

-- Is there someone to read it, on a terminal that can wipe a line?
local function watched()
  local term = os.getenv("TERM")
  local found, host = pcall(require, "gpulab.host")
  return found and host.isatty ~= nil and host.isatty(2) and term ~= nil and term ~= "dumb"
end

---@param quiet? boolean nothing is to be shown at all
function progress.new(quiet)
  return setmetatable({ on = not quiet and watched(), began = os.time(), shown = false }, Progress)
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
