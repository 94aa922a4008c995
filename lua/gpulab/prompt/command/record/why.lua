-- The command why: what limits a step or launch.
local lazy = require "gpulab.base.lazy"
local failure = require "gpulab.base.failure"
local view = require "gpulab.prompt.view"
local why = lazy "gpulab.show.why"

return view.command { name = "why",
  summary = "explain what limits a step or launch and what would change that",
  help = "Shows the resource that limits its time and what would shorten it; then what its warps wait for,"
    .. " divergence, atomics, and the access that exceeds its ideal cost the most, for shared memory with the bank"
    .. " that each lane accesses. A launch is named by its number in `launches`, by its kernel, or written out: why"
    .. " k.scale{grid=1, block=32}(x, 5) counts it and leaves the buffers as they are.",
  run = function(record)
    record = record:counted()
    failure.pass_interrupt(record)
    return why.explain(record)
  end }
