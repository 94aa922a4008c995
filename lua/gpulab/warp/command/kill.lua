-- The command kill of a stepped launch.
local text = require "gpulab.base.text"

return { name = "kill", usage = "kill", aliases = "q", most = 0, summary = "end stepping",
  run = function(s)
    s.stepper:leave()
    text.say "  The stepped launch has ended; the buffers are as they were."
  end }
