-- The command counters.
local lazy = require "gpulab.base.lazy"
local counters = lazy "gpulab.show.counters"
local view = require "gpulab.prompt.view"

return view.command { name = "counters", usage = "counters [STEP|LAUNCH] [COUNTER...]",
  summary = "show what was counted, with ratios",
  help = "Shows the counters that are not zero, with sectors or wavefronts per request, and names those that are zero."
    .. " With names, shows those: counters tile divergent_branches. docs/reference/counters.md defines each.",
  is_option = function(prompt, word, i)
    return i > 1 or counters.is_name(word) and not prompt.records:has(word)
  end,
  complete = function(prompt)
    local names = prompt.records:names()
    local known = counters.names(prompt.records:last())
    return table.move(known, 1, #known, #names + 1, names)
  end,
  run = function(record, wanted, options) return counters.of(record, wanted, options) end }
