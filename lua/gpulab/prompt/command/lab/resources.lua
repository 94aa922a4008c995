-- The command resources: registers, shared memory and occupancy of a kernel.
local failure = require "gpulab.base.failure"
local resources = require "gpulab.show.resources"
local runner = require "gpulab.run.runner"
local text = require "gpulab.base.text"

local function run(session, words)
  local step = session:visit(session:named_step(words))
  local context = session:current_run().context
  local prepared = runner.prepare(context, step)
  if not prepared.kernel then
    failure.usage(("%s runs a library, whose kernels are unknown"):format(step.id))
  end
  text.say(resources.lines(resources.of(context.device, prepared.kernel, prepared.config), session:table_options()))
end

return { name = "resources", usage = "resources [STEP]", topic = "results",
  summary = "show a kernel's registers, shared memory and occupancy",
  help = "Shows registers, shared and local memory, how many blocks fit on an SM, and what limits their number.",
  complete = function(session) return session:step_ids() end,
  run = run }
