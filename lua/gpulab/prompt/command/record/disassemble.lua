-- The command disassemble.
local lazy = require "gpulab.base.lazy"
local disassembly = lazy "gpulab.show.disassembly"
local view = require "gpulab.prompt.view"

return view.command { name = "disassemble", usage = "disassemble [STEP|LAUNCH] [ptx|sass]",
  summary = "show the SASS or PTX of a kernel",
  help = "Shows SASS, the GPU's own instructions, if nvdisasm or cuobjdump is installed, else PTX. Each instruction is"
    .. " below its source line, and the inner loop is marked. `diff A B` compares two inner loops.",
  is_option = function(_, word) return word == "ptx" or word == "sass" end,
  run = function(record, words, options) return disassembly.of(record, words[1], options) end }
