-- The command resources: registers, shared memory and occupancy of a kernel.
local lazy = require "gpulab.base.lazy"
local resources = lazy "gpulab.show.resources"
local view = require "gpulab.prompt.view"

return view.command { name = "resources",
  summary = "show a kernel's registers, shared memory and occupancy",
  help = "Shows registers, shared and local memory, how many blocks fit on an SM, and what limits their number.",
  run = function(record, _, options) return resources.lines(resources.of(record), options) end }
