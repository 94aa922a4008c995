-- What the debugger opens: a launch of a step or exercise, or one written in Lua.
local context = require "gpulab.run.context"
local debugger = require "gpulab.warp.debugger"
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local launch_list = require "gpulab.run.launch_list"
local launches = require "gpulab.run.launches"
local text = require "gpulab.base.text"

local open = {}

local function usage(message, hint)
  failure.usage(message, hint)
end

open.FORM = "debug STEP, or debug k{grid=1, block=32}(arguments)"

---k{grid=1, block=32}(out, 5), as it would be launched.
---@param source string @return {kernel: Kernel, config: table, args: table}
function open.recorded(source)
  local call
  local function wrap(kernel)
    return setmetatable({}, { __call = function(_, config)
      return function(...) call = { kernel = kernel, config = config, args = { ... } } end
    end, __index = kernel })
  end
  local own_gpu = setmetatable({ kernel = function(...) return wrap(gpu.kernel(...)) end }, { __index = gpu })
  local env = setmetatable({ gpu = own_gpu }, { __index = function(_, name)
    local v = _G[name]
    return type(v) == "userdata" and getmetatable(v) == false and tostring(v):match("^kernel ") and wrap(v) or v
  end })
  local chunk, problem = load("return " .. source, "=debug", "t", env)
  if not chunk then usage("not a launch: " .. tostring(problem):gsub("^debug:%d+: ", ""), open.FORM) end
  local ok, e = pcall(chunk)
  if not ok then usage("not a launch: " .. tostring(e):gsub("^debug:%d+: ", ""), open.FORM) end
  if not call then usage("no kernel is launched there", "for example: debug k{grid=1, block=32}(out, 5)") end
  return call
end

-- The kernel once more without optimization.
local function unoptimized(at, item, step)
  local path, name, options = launches.program(at, item.kernel, step)
  options.options = { "-G", table.unpack(options.options or {}) }
  return at.device:kernel(path, name, options)
end

-- The first launch of a kernel; of `output` the last one that takes it.
local function wanted_launch(job, list, output)
  local which = output and #job.list or 1
  local function wanted(item)
    if not item or not item.kernel then return false end
    for _, arg in ipairs(output and item.args or {}) do
      if arg == output then return true end
    end
    return output == nil
  end
  while list[which] and not wanted(list[which]) do which = which + (output and -1 or 1) end
  return math.max(1, which)
end

---Opens a launch of a step, all launches before it done.
---@param session table @param step table
---@param options {number: integer?, plain: boolean?, writes: boolean?}? the launch: the numbered one, else the first,
---or the last that takes the step's output; plain: without optimization
---@return Debugger, fun() close, Buffer? output
function open.step(session, step, options)
  options = options or {}
  local run = session:current_run()
  local own = context.new(session.lab, run.context.device, session.params, {})
  own.source = run.context.source
  local at = own:at(step)
  if step.exercise then at = at:emulated() end
  local output
  local ok, result = host.catch(function()
    local record = {}
    local job = launches.build(at, step, record)
    if #job.list == 0 then usage(("%s launches no kernel"):format(step.id)) end
    local list = launches.fresh(at, step, job)
    output = options.writes and at.buffers[step.output] or nil
    local which = options.number or wanted_launch(job, list, output)
    if which < 1 or which > #job.list then
      usage(("%s has %s"):format(step.id, text.plural(#job.list, "launch")))
    end
    if not job.list[which].kernel then usage(("launch %d of %s is a library routine"):format(which, step.id)) end
    local before = {}
    for i = 1, which - 1 do before[i] = list[i] end
    if #before > 0 then
      local outcome = launch_list.run(at.device, before)
      if outcome.status ~= "ok" then failure.raise("fault", outcome.report or outcome.message) end
    end
    local item = list[which]
    local kernel = options.plain and unoptimized(at, job.items[which], step) or item.kernel
    return debugger.open(kernel, item.config, item.args, step.id)
  end)
  if not ok then
    own:close()
    error(result, 0)
  end
  return result, function() own:close() end, output
end

return open
