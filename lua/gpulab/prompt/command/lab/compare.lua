-- The command compare: whether a step is faster than another.
local compare = require "gpulab.run.compare"
local failure = require "gpulab.base.failure"
local launch_list = require "gpulab.run.launch_list"
local progress = require "gpulab.base.progress"
local report = require "gpulab.show.report"
local runner = require "gpulab.run.runner"
local text = require "gpulab.base.text"

-- Only steps with a verified result are compared.
local function right_or_raise(session, step)
  local record = session:record(step)
  failure.pass_interrupt(record)
  if record.verified then return end
  if failure.is_well(record.outcome) then
    failure.usage(("%s has no verified result, so it cannot be compared"):format(step.id),
      "compare needs two steps with verified results")
  end
  failure.usage(("%s fails, so it cannot be compared"):format(step.id),
    ("`run %s` shows the error"):format(step.id))
end

local function run(session, words)
  if #words ~= 2 then failure.usage("compare takes two steps", "for example: compare tile padded") end
  local first, second = session.lab:step(words[1]), session.lab:step(words[2])
  right_or_raise(session, first)
  right_or_raise(session, second)
  local context = session:current_run().context
  local a, b = runner.prepare(context, first), runner.prepare(context, second)
  local c = progress.during(("%s and %s"):format(first.id, second.id), session.options.quiet, launch_list.compare,
    context.device, a.items, b.items)
  text.say(compare.lines(c, first.id, second.id, report.gpu(context.device)))
end

return { name = "compare", usage = "compare STEP STEP", topic = "results",
  summary = "test whether the second step is faster than the first",
  help = "Samples both steps alternately and answers faster, slower or cannot tell, with a confidence interval for the"
    .. " ratio of their times. On the emulator it compares predictions.",
  complete = function(session) return session:step_ids() end,
  run = run }
