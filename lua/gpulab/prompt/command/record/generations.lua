-- The commands generations and partitions: a step or launch on other GPUs.
local lazy = require "gpulab.base.lazy"
local generations = lazy "gpulab.show.generations"
local progress = require "gpulab.base.progress"
local view = require "gpulab.prompt.view"

return {
  view.command { name = "generations",
    summary = "predict a step or launch on every GPU since 2006 and whether its lesson matters there",
    help = "Runs it on the emulator; a step with the steps of its group that compute the same result. For every GPU it"
      .. " shows the predicted rate or time, the share of the peak, what limits it, and whether the difference to the"
      .. " best step of the group matters there. GPUs made with gpu.model come last.",
    run = function(record, _, options, prompt)
      return generations.lines(progress.during("every GPU: " .. record.title, prompt.options.quiet, generations.study,
        record), options)
    end },
  view.command { name = "partitions", usage = "partitions [STEP|LAUNCH] [GPU]",
    summary = "show the traffic by DRAM partition of a GTX 280",
    help = "GPUs of cc 1.x divide their memory into partitions, 256 consecutive bytes each. Shows the traffic per"
      .. " partition of blocks that start together. partitions STEP 8800 GTX shows another GPU.",
    is_option = function(_, _, i) return i > 1 end,
    run = function(record, words, _, prompt)
      local name = #words > 0 and table.concat(words, " ") or "GTX 280"
      return generations.histogram(progress.during(record.title, prompt.options.quiet, generations.partitions, record,
        name), record.id)
    end },
}
