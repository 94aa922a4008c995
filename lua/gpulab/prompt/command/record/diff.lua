-- The command diff of two records. A lab's diff also compares a student's copy with the original (lab/edit.lua).
local lazy = require "gpulab.base.lazy"
local disassembly = lazy "gpulab.show.disassembly"
local failure = require "gpulab.base.failure"
local pager = require "gpulab.base.pager"
local view = require "gpulab.prompt.view"

local function run(prompt, words)
  if #words ~= 2 then
    failure.usage("diff takes two steps or launches", "for example: diff tile padded, or diff 1 2")
  end
  local a, b = prompt.records:named(words[1]), prompt.records:named(words[2])
  pager.show(disassembly.diff(a, b, view.options(prompt)))
end

return { name = "diff", usage = "diff A B", topic = "kernels",
  summary = "compare the inner loops of two kernels",
  help = "Compares the compiled inner loops of two steps' or launches' kernels: the instructions by category, and those"
    .. " that differ.",
  complete = function(prompt) return prompt.records:names() end,
  run = run }
