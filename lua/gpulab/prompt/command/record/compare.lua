-- The command compare: whether a step or launch is faster than another.
local lazy = require "gpulab.base.lazy"
local compare = lazy "gpulab.show.compare"
local failure = require "gpulab.base.failure"
local progress = require "gpulab.base.progress"
local report = lazy "gpulab.show.report"
local text = require "gpulab.base.text"

local function run(prompt, words)
  if #words ~= 2 then
    failure.usage("compare takes two steps or launches", "for example: compare tile padded, or compare 1 2")
  end
  local a, b = prompt.records:named(words[1]), prompt.records:named(words[2])
  local c = progress.during(("%s and %s"):format(a.id, b.id), prompt.options.quiet, compare.of, a, b)
  text.say(compare.lines(c, a:called(), b:called(), report.gpu(a.device)))
end

return { name = "compare", usage = "compare A B", topic = "results",
  summary = "test whether the second of two steps or launches is faster than the first",
  help = "Samples both alternately and answers faster, slower or cannot tell, with a confidence interval for the"
    .. " ratio of their times. On the emulator it compares predictions. A and B are steps, or launches by their numbers"
    .. " or kernels.",
  complete = function(prompt) return prompt.records:names() end,
  run = run }
