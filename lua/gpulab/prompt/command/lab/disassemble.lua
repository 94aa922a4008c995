-- The command disassemble.
local disassembly = require "gpulab.show.disassembly"

return { name = "disassemble", usage = "disassemble [STEP] [ptx|sass]", topic = "results",
  summary = "show the SASS or PTX of a step's kernel",
  help = "Shows SASS, the GPU's own instructions, if nvdisasm or cuobjdump is installed, else PTX. Each instruction is"
    .. " below its source line, and the inner loop is marked. `diff STEP STEP` compares two steps' inner loops.",
  complete = function(session) return session:target_ids() end,
  run = disassembly.disassemble }
