-- One line on standard error that says what is being done and about how long it will still take, for work that has
-- already taken a second; wiped before anything else is printed. Only ever on a terminal.
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

local function seconds()
  local found, host = pcall(require, "gpulab.host")
  return found and host.seconds and host.seconds() or os.time()
end

---@param quiet? boolean nothing is to be shown at all
function progress.new(quiet)
  return setmetatable({ on = not quiet and watched(), began = seconds(), shown = false }, Progress)
end

---How long the rest will take if it goes on as it went: "about 12 s left"; nil before anything is done.
---@param elapsed number seconds @param done integer parts that are done @param total integer
---@return string?
function progress.left(elapsed, done, total)
  if done < 1 or done >= total then return nil end
  local left = elapsed / done * (total - done)
  if left < 90 then return ("about %d s left"):format(math.max(1, math.floor(left + 0.5))) end
  return ("about %d min left"):format(math.floor(left / 60 + 0.5))
end

---@param number integer of the part that begins @param total integer @param what string
function Progress:step(number, total, what)
  local elapsed = seconds() - self.began
  if not self.on or elapsed < AFTER then return end
  local left = progress.left(elapsed, number - 1, total)
  local tail = left and ", " .. left or ""
  local line = text.clip(("  %d of %d: %s ..."):format(number, total, what), text.columns - 1 - #tail) .. tail
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
