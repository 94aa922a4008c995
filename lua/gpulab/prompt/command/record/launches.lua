-- The command launches.
local lazy = require "gpulab.base.lazy"
local failure = require "gpulab.base.failure"
local launches = lazy "gpulab.show.launches"
local pager = require "gpulab.base.pager"
local view = require "gpulab.prompt.view"

return { name = "launches", usage = "launches", topic = "results", most = 0,
  summary = "list the kernels that you launched, with counters and predicted times",
  help = "Lists what k.NAME{grid=, block=}(...) launched at this prompt, and scripts before it with -i. The numbers, or"
    .. " the kernels' names, are for why, lines, counters, and the other commands of results; without a number they"
    .. " take the last launch.",
  run = function(prompt)
    local list = prompt.records.launches
    if #list == 0 then failure.usage("nothing was launched yet", "for example: k.scale{grid=1, block=32}(x, 5)") end
    pager.show(launches.lines(list, view.options(prompt)))
  end }
