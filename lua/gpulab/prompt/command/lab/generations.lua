-- The commands generations and partitions: a step on other GPUs.
local generations = require "gpulab.show.generations"
local pager = require "gpulab.base.pager"
local progress = require "gpulab.base.progress"
local text = require "gpulab.base.text"

local function every_gpu(session, words)
  local step = session:named_step(words)
  local title = session:title(step)
  local result = progress.during("every GPU: " .. title, session.options.quiet, generations.study,
    session:current_run().context, step)
  pager.show(generations.lines(result, title, session:table_options()))
end

local function partitions(session, words)
  local step = session:named_step(words)
  local name = #words > 1 and table.concat(words, " ", 2) or "GTX 280"
  local result = progress.during(session:title(step), session.options.quiet, generations.partitions,
    session:current_run().context, step, name)
  text.say(generations.histogram(result, step.id))
end

local function step_ids(session) return session:step_ids() end

return {
  { name = "generations", usage = "generations [STEP]", topic = "results",
    summary = "predict a step on every GPU since 2006 and whether its lesson matters there",
    help = "Runs the step on the emulator, with the steps of its group that compute the same result. For every GPU it"
      .. " shows the predicted rate, its share of the peak, what limits it, and whether the difference to the best step"
      .. " of the group matters there. GPUs made with gpu.model come last.",
    complete = step_ids, run = every_gpu },
  { name = "partitions", usage = "partitions [STEP] [GPU]", topic = "results",
    summary = "show a step's traffic by DRAM partition of a GTX 280",
    help = "GPUs of cc 1.x divide their memory into partitions, 256 consecutive bytes each. Shows the traffic per"
      .. " partition of blocks that start together. partitions STEP 8800 GTX shows another GPU.",
    complete = step_ids, run = partitions },
}
