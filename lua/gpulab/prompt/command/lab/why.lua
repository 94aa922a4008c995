-- The command why: what limits a step or exercise.
local failure = require "gpulab.base.failure"
local pager = require "gpulab.base.pager"
local why = require "gpulab.show.why"

return { name = "why", usage = "why [STEP]", topic = "results",
  summary = "explain what limits a step and what would change that",
  help = "Shows the resource that limits the step's time and what would shorten it; then what its warps wait for,"
    .. " divergence, atomics, and the access that exceeds its ideal cost the most, for shared memory with the bank"
    .. " that each lane accesses.",
  complete = function(session) return session:target_ids() end,
  run = function(session, words)
    local record = session:record(session:visit(session:target(words)))
    failure.pass_interrupt(record)
    pager.show(why.explain(record, session.params))
  end }
