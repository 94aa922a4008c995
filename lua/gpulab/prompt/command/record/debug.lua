-- The command debug: steps a launch of a step or exercise, or one written in Lua.
local lazy = require "gpulab.base.lazy"
local debugger = lazy "gpulab.warp.debugger"
local failure = require "gpulab.base.failure"
local progress = require "gpulab.base.progress"
local record_list = require "gpulab.record.list"

local function run(prompt, words, rest)
  local plain = words[1] == "-G" or words[1] == "-O0"
  if plain then
    table.remove(words, 1)
    rest = rest:gsub("^%S+%s*", "")
  end
  local number
  if not record_list.is_launch(rest) and words[2] then
    number = math.tointeger(tonumber(words[2]))
    if not number then failure.usage(("%q is not the number of a launch"):format(words[2])) end
    words = { words[1] }
  end
  local record = prompt.records:find(words, rest)
  if record:calls_library() then
    failure.usage(("%s calls a library: there is no kernel of the lab to step through"):format(record.id))
  end
  prompt.stepper:leave()
  local d, close = progress.during("opening " .. record.title, prompt.options.quiet, debugger.of_record, record,
    { number = number, plain = plain })
  prompt.stepper:enter(d, { color = prompt.options.color, close = close, step = record.step })
end

return { name = "debug", usage = "debug [-G] [STEP|LAUNCH [N]]", topic = "kernels", raw = true,
  summary = "step through a kernel, look at the lanes of a warp, go back",
  help = "Stops at the beginning of a launch, of a step's first or numbered one, on an emulator of its own: the"
    .. " buffers stay as they are. Then step, next, finish, continue, back, break, watch, print, info and focus"
    .. " work as in gdb, and view shows the warp. -G compiles the kernel without optimization, so that every"
    .. " variable has a value. debug k.scale{grid=1, block=32}(x, 5) steps a launch that is written out.",
  complete = function(prompt) return prompt.records:names() end,
  run = run }
