-- One line on standard error with the current part and the estimated remaining time, for work that takes longer than a
-- moment; erased before other output. Only on a terminal. The line is drawn by another thread (gpulab.ticker), because
-- the work is often one long wait.
local text = require "gpulab.base.text"

local Progress = {}
Progress.__index = Progress

local progress = {}

---Takes the line instead of a terminal: sink(what, number, total).
---@type fun(what: string, number: integer, total: integer)?
progress.sink = nil

local CLOCK <const> = 8 -- columns that the ticker has for the seconds
local STOP <const> = " Ctrl-C stops it"

-- Is standard error a terminal that can erase a line?
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
  local found, ticker = pcall(require, "gpulab.ticker")
  local on = not quiet and not progress.sink and found and watched()
  return setmetatable({ on = on, began = seconds(), ticker = ticker }, Progress)
end

---The estimated remaining time: "about 12 s left"; nil before the first part is done.
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
  if progress.sink then progress.sink(what, number, total) end
  if not self.on then return end
  local left = progress.left(seconds() - self.began, number - 1, total)
  local tail = left and (" (%s)"):format(left) or ""
  local head = total > 1 and ("%d of %d: "):format(number, total) or ""
  if total == 1 then tail = tail .. STOP end
  local line = text.clip(("  %s%s ..."):format(head, what), text.columns - CLOCK - #tail) .. tail
  io.stdout:flush()
  self.ticker.show(line)
end

function Progress:clear()
  if self.on then self.ticker.clear() end
end

---Calls f with a function that shows a part as it begins, and returns what f returns.
---@param quiet boolean? no line @param f fun(begins: fun(number: integer, total: integer, what: string)): any
function progress.parts(quiet, f)
  local line = progress.new(quiet)
  local results = table.pack(require("gpulab.host").catch(f, function(...) line:step(...) end))
  line:clear()
  if not results[1] then error(results[2], 0) end
  return table.unpack(results, 2, results.n)
end

---Calls f with a line about what it does, and returns what f returns.
---@param what string @param quiet boolean? no line
function progress.during(what, quiet, f, ...)
  local given = table.pack(...)
  return progress.parts(quiet, function(begins)
    begins(1, 1, what)
    return f(table.unpack(given, 1, given.n))
  end)
end

return progress
