-- What the debugger opens: a launch of a record.
local debugger = require "gpulab.warp.debugger"

local open = {}

---Opens a launch of a record with the inputs that it had, all launches before it done.
---@param record Record
---@param options {number: integer?, plain: boolean?, writes: boolean?}? the launch: the numbered one, else the first,
---or the last that takes the step's output; plain: without optimization
---@return Debugger, fun()? close, Buffer? output
function open.record(record, options)
  return record:with_launch(options or {}, function(kernel, config, args)
    return debugger.open(kernel, config, args, record.step and record.id or kernel.name)
  end)
end

return open
