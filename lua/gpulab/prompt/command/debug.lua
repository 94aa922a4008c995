-- The command debug: steps a launch of a step or exercise, or one written in Lua.
local debugger = require "gpulab.warp.debugger"
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local open = require "gpulab.warp.open"

-- debug k{grid=1, block=32}(out, 5)
local function debug_launch(prompt, source)
  local call = open.recorded(source)
  local ok, d = host.catch(debugger.open, call.kernel, call.config, call.args, call.kernel.name)
  if not ok then -- what the launch itself would say of its arguments
    local said = tostring(d):match("bad argument #%d+ to '[^']*' %((.*)%)")
    if type(d) == "string" and said then failure.usage((said:gsub("^%[%d+%]: ", ""))) end
    error(d, 0)
  end
  prompt.stepper:enter(d, { color = prompt.options.color })
end

local function debug_step(prompt, words, plain)
  local session = prompt.session
  if not session then failure.usage("debug takes a launch", "for example: debug k{grid=1, block=32}(out, 5)") end
  local number = words[2] and math.tointeger(tonumber(words[2]))
  if words[2] and not number then failure.usage(("%q is not the number of a launch"):format(words[2])) end
  local step = session:visit(session:target { words[1] })
  prompt.stepper:leave()
  local d, close = open.step(session, step, { number = number, plain = plain })
  prompt.stepper:enter(d, { color = prompt.options.color, close = close, step = step })
end

local function run(prompt, words, rest)
  local plain = words[1] == "-G" or words[1] == "-O0"
  if plain then
    table.remove(words, 1)
    rest = rest:gsub("^%S+%s*", "")
  end
  if rest:match("[%w_%]%)]%s*{") then return debug_launch(prompt, rest) end
  debug_step(prompt, words, plain)
end

return { name = "debug", usage = "debug [-G] [STEP [LAUNCH]]", topic = "kernels", raw = true,
  summary = "step through a kernel, look at the lanes of a warp, go back",
  help = "Stops at the beginning of the step's first launch, or the numbered one, on an emulator of its own: the"
    .. " step's buffers stay as they are. Then step, next, finish, continue, back, break, watch, print, info and focus"
    .. " work as in gdb, and view shows the warp. -G compiles the kernel without optimization, so that every variable"
    .. " has a value. debug k{grid=1, block=32}(out, 5) steps a launch from Lua.",
  complete = function(prompt) return prompt.session and prompt.session.lab:step_ids("") or {} end,
  run = run }
