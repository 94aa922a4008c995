-- The stepped launch of a prompt: it comes with commands of its own, gdb's names where gdb has the command.
local lazy = require "gpulab.base.lazy"
local chart = lazy "gpulab.show.chart"
local commands = require "gpulab.base.commands"
local debugger = lazy "gpulab.warp.debugger"
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local issues = require "gpulab.warp.issues"
local moves = require "gpulab.warp.moves"
local rows = require "gpulab.warp.rows"
local text = require "gpulab.base.text"

local stepper = {}

---@class Stepper
---@field commands Commands of the prompt @field current Stepped?
---@field kept table[] the views that `keep` kept for the report: {title, svg, text}
local Stepper = {}
Stepper.__index = Stepper

---@param list Commands @return Stepper
function stepper.new(list)
  return setmetatable({ commands = list, kept = {} }, Stepper)
end

---Can a view take the whole screen?
function Stepper:at_terminal()
  local term = os.getenv "TERM"
  return host.isatty(0) and host.isatty(1) and term and term ~= "dumb" and not self.commands.called
end

-- Stepping cannot go on without the worker.
local function after(s, e)
  if type(e) ~= "table" or not tostring(e.message):match("^the worker process") then return end
  local message = e.message
  s.stepper:leave()
  failure.raise("fault", message, nil, "stepping has ended; `debug` begins again")
end

---Ends stepping, if a launch is stepped.
function Stepper:leave()
  local was = self.current
  if not was then return end
  self.current = nil
  was.leave()
  self.commands.prompt = was.prompt
  pcall(was.dbg.close, was.dbg)
  if was.close then was.close() end
end

---Steps a launch at the prompt from now on.
---@param d Debugger @param options {color: boolean?, close: fun()?, step: table?, output: Buffer?} step: of the lab
function Stepper:enter(d, options)
  self:leave()
  rows.utf8 = chart.is_utf8()
  local list = self.commands
  local s = { dbg = d, color = options.color, prompt = list.prompt, close = options.close, stepper = self,
    step = options.step, output = options.output }
  s.leave = list:layer(commands.of "gpulab.warp.command", s,
    { topic = "stepping", raw = true, abbreviated = true, after = after })
  self.current = s
  list.prompt = (s.prompt ~= "" and s.prompt or "gpulab") .. " debug"
  text.say_wrapped(("%s: grid %s, block %s, %s"):format(d.kernel.name, table.concat(d.grid, " x "),
    table.concat(d.threads, " x "),
    d.unoptimized and "compiled without optimization" or "as compiled for the run"))
  moves.show_place(s)
  text.say_wrapped "`step`, `back`, `view`; `kill` ends stepping."
end

-- The step for `show it`: the one that is stepped, or opened but not entered yet, with what enters and what closes it.
local function open_for(self, session, step, writes)
  local current = self.current
  if current and current.step == step and (current.output or not writes) then return current.dbg end
  local d, close, output = debugger.of_record(session:record_of(step), { writes = writes })
  local options = { color = session.options.color, close = close, step = step, output = output }
  return d, function() self:enter(d, options) end, function()
    d:close()
    if close then close() end
  end
end

---Goes to what a step's last result is about: the access of an issue, else the store of a wrong element, else the
---line that keeps an exercise from being accepted. Stepping goes on from there; it does not begin without any of these.
---@param session table @param step table @param which? string the number of an issue, or a checker
---@param found {mismatch: table?, place: {file: string, line: integer, why: string}?, unmet: string?}?
function Stepper:show_it(session, step, which, found)
  found = found or {}
  local mismatch = not which and found.mismatch and found.mismatch.first[1] and found.mismatch or nil
  if found.unmet and not found.place and not which then
    failure.usage(("%s: no single line is the cause"):format(found.unmet), "`lines` shows what each line costs")
  end
  local d, enter, close = open_for(self, session, step, mismatch ~= nil)
  local ok, list = host.catch(d.issues, d)
  if enter and (not ok or #list == 0 and not mismatch and not found.place) then
    close()
    if not ok then error(list, 0) end
    failure.usage("the checkers report nothing about this launch",
      ("`debug %s` steps it"):format(session:record_of(step).id))
  end
  if enter then enter() end
  if not which and #d:issues() == 0 then
    if mismatch then return issues.element(self.current, step, mismatch) end
    if found.place then return issues.line(self.current, found.place) end
  end
  issues.show(self.current, which)
end

return stepper
