-- The command lines: instructions and memory traffic per source line.
local lazy = require "gpulab.base.lazy"
local lines = lazy "gpulab.show.lines"
local view = require "gpulab.prompt.view"

return view.command { name = "lines",
  summary = "show instructions and memory traffic per source line",
  help = "Shows warp instructions, and sectors and wavefronts per request, for each source line.",
  run = function(record, _, options) return lines.of(record, options) end }
