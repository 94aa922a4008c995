-- The command history: a step's earlier runs.
local failure = require "gpulab.base.failure"
local journal = require "gpulab.run.journal"
local pager = require "gpulab.base.pager"
local text = require "gpulab.base.text"

local SHOWN <const> = 20

local function list(session, words)
  local n = math.tointeger(tonumber(words[#words]))
  if n then words = table.move(words, 1, #words - 1, 1, {}) end
  if #words > 1 or n and n < 1 then
    failure.usage("history takes a step and a number of runs", "for example: history "
      .. session.lab.steps[1].id .. " 50")
  end
  local step = session:visit(session:target(words))
  local runs, left_out = journal.history(session.lab.id, step.id, math.min(n or SHOWN, 10000))
  local lines = journal.lines(step.id, runs, left_out, { color = session.options.color, width = text.columns,
    verb = step.exercise and "check" or "run" })
  pager.show(lines)
  io.stdout:flush()
  journal.print_warnings()
end

return { name = "history", usage = "history [STEP] [N]", topic = "results", summary = "list a step's earlier runs",
  help = "Lists the newest runs of a step, 20 by default: date, value and spread, device, program (equal letters mean"
    .. " equal programs), the parameters that differ, and the verdict. The bars compare runs on the same device with"
    .. " the same parameters, the newest on the right. A cross is a run without a value.",
  complete = function(session) return session:step_ids() end,
  run = list }
