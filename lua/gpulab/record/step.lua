-- Records of the steps and exercises of a lab.
local context = require "gpulab.run.context"
local definition = require "gpulab.lab.definition"
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local launch_list = require "gpulab.run.launch_list"
local launches = require "gpulab.run.launches"
local lazy = require "gpulab.base.lazy"
local lists = require "gpulab.base.lists"
local parameters = lazy "gpulab.run.parameters"
local record = require "gpulab.record.record"
local runner = require "gpulab.run.runner"
local steps = require "gpulab.lab.steps"
local text = require "gpulab.base.text"

local step_record = {}

---@class StepRecord : Record
---@field step table @field context Context @field obtain (fun(): table)? runs it
local Step = record.class "step"
step_record.class = Step

---What was found out about a step as a record.
---@param result table as runner.run returns it, or {step} if it has not run
---@param at Context of the run @param obtain? fun(): StepRecord runs it, if it has not run
---@return StepRecord
function step_record.of(result, at, obtain)
  local step = result.step
  result.id, result.context, result.device, result.obtain = step.id, at, at.device, obtain
  result.cached, result.demonstrates = step.useful_of ~= nil, step.shows
  local ok, own = pcall(at.at, at, step)
  local titled, title = pcall(steps.title, step, result.params or ok and own.params or at.params)
  result.title = titled and title or step.id
  return setmetatable(result, Step)
end

---Runs a step. Errors of the step or the device are in the record and not raised.
---@param at Context @param step table @return StepRecord
function step_record.run(at, step) return step_record.of(runner.run(at, step), at) end

function Step:supported_on(cc) return steps.supported(self.step, cc) end

function Step:counted()
  return self.obtain and self.obtain() or self
end

-- On an emulator a step is run as `run` does it; nothing is shown or recorded.
function Step:report_of_run(begins)
  if self.report or self.step.exercise or not self.device.emulates then return self.report end
  begins()
  local ran = runner.run(self.context, self.step)
  failure.pass_interrupt(ran)
  return ran.outcome == "ok" and ran.report or nil
end

function Step:unpredicted()
  local report, models = self.report, self.context.models
  return lists.select(report and self.outcome == "ok" and models or {}, function(name)
    return not report.models[name] and self:supported_on(gpu.model(name).cc)
  end), (self.step.exercise and "a check makes none, `generations %s` does" or "`run %s` makes one"):format(self.id)
end

-- The parameters of a step whose sizes a small run changes, in words.
local function small_size(at, step)
  local changed, lab, params, used = {}, at.lab, at.params, at:used_by(step)
  for name, spec in pairs(lab.params) do
    if spec.small ~= nil and (not used or used[name]) then
      changed[#changed + 1] = ("%s = %s"):format(name, tostring(params[name]))
    end
  end
  table.sort(changed)
  return table.concat(changed, ", ")
end

local function buffers_of(at, output)
  local list = {}
  for name, buffer in pairs(at.buffers) do list[#list + 1] = { name = name, buffer = buffer } end
  table.sort(list, function(a, b)
    if (a.name == output) ~= (b.name == output) then return a.name == output end
    return a.name < b.name
  end)
  return list
end

-- A value that cannot be used is a mistake of the lab, as it is where the step runs.
local function raise(e, step)
  error(failure.of_definition(e, ("step %q"):format(step.id), definition.place_of(step, 1)), 0)
end

function Step:with_inputs(f, options)
  options = options or {}
  local own, step = self.context, self.step
  if options.small then
    own = context.new(own.lab, own.device, own.params, { small = true })
    own.source, own.seed = self.context.source, self.context.seed
  end
  local at = own:at(step)
  if options.emulated then at = at:emulated() end
  local _ <close> = setmetatable({}, { __close = function() if options.small then own:close() end end })
  local done, prepared = pcall(runner.prepare, at, step)
  if not done then raise(prepared, step) end
  prepared.device, prepared.buffers = at.device, buffers_of(at, step.output)
  local sizes = step.exercise and step.exercise.sizes
  prepared.size = not options.small and "" or sizes and ("size = %s"):format(at.params.size)
    or small_size(at, step)
  return f(prepared)
end

-- Stepping ----------------------------------------------------------------------------------------

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

-- The numbered launch, or the first, or the last of the output; those before it are done.
local function launch_at(at, step, options)
  local job = launches.build(at, step, {})
  if #job.list == 0 then failure.usage(("%s launches no kernel"):format(step.id)) end
  local list = launches.fresh(at, step, job)
  local output = options.writes and at.buffers[step.output] or nil
  local which = options.number or wanted_launch(job, list, output)
  if which < 1 or which > #job.list then
    failure.usage(("%s has %s"):format(step.id, text.plural(#job.list, "launch")))
  end
  if not job.list[which].kernel then
    failure.usage(("launch %d of %s is a library routine"):format(which, step.id))
  end
  if which > 1 then
    local outcome = launch_list.run(at.device, table.move(list, 1, which - 1, 1, {}))
    if outcome.status ~= "ok" then failure.raise("fault", outcome.report or outcome.message) end
  end
  local item = list[which]
  local kernel = options.plain and unoptimized(at, job.items[which], step) or item.kernel
  return kernel, item.config, item.args, output
end

function Step:with_launch(options, f)
  local own = context.new(self.context.lab, self.device, self.context.params, {})
  own.source, own.seed = self.context.source, self.context.seed
  local at, output = own:at(self.step), nil
  if self.step.exercise then at = at:emulated() end
  local ok, result = host.catch(function()
    local kernel, config, args
    kernel, config, args, output = launch_at(at, self.step, options)
    return f(kernel, config, args)
  end)
  if not ok then
    own:close()
    raise(result, self.step)
  end
  return result, function() own:close() end, output
end

-- What it says of itself ------------------------------------------------------------------------------

function Step:rename(found) parameters.name(self.context, self.step, found) end

function Step:namer() return parameters.namer(self.context:at(self.step), self.step) end

function Step:params_here() return self.params or self.context:at(self.step).params end

function Step:rate_of(ms) return steps.rate(self.step, self:params_here(), ms) end

function Step:work()
  local useful = steps.useful(self.step, self:params_here())
  if useful then return { number = useful, unit = self:unit() } end
  local report = self.step.exercise and self:counted().report
  local c = report and report.counters
  return c and { number = c.global_load_bytes + c.global_store_bytes, unit = "GB/s", own = true }
end

function Step:unit() return steps.unit(self.step) end

function Step:flops()
  return self.step.useful_flops and self.step.useful_flops(self:params_here())
end

-- Steps of the same table with the same reference and parameters; else the table's baseline, or its first other step,
-- with the same useful work.
function Step:peers()
  local same, work, at, step = {}, nil, self.context, self.step
  local params = at:at(step).params
  local function known(other) return at.results and at.results[other.id] or step_record.of({ step = other }, at) end
  local mine, useful, baseline = steps.key(params), steps.useful(step, params), at.lab:baseline(step)
  for _, other in ipairs(at.lab.steps) do
    local alike = other.group == step.group and not other.shows and steps.unit(other) == steps.unit(step)
      and (steps.kind(other) == "kernel" or steps.kind(other) == "launches")
      and steps.key(at:at(other).params) == mine
    if other == step then same[#same + 1] = self
    elseif alike and step.reference and other.reference == step.reference then
      same[#same + 1] = known(other)
    elseif alike and useful and (not work or other == baseline) and steps.useful(other, params) == useful then
      work = known(other)
    end
  end
  if #same < 2 and work then return { work, self }, false end
  return #same > 0 and same or { self }, true
end

function Step:calls_library() return lists.any(steps.items(self.step, self:params_here()), "library") end

function Step:check_right()
  local counted = self.step.exercise and self:counted() or self
  failure.pass_interrupt(counted)
  if failure.is_well(counted.outcome or "ok") or counted.outcome == "gate" then return end
  counted:fails "there is nothing to predict"
end

function Step:check_comparable()
  local counted = self:counted()
  failure.pass_interrupt(counted)
  local verb = self.step.exercise and "check" or "run"
  if not failure.is_well(counted.outcome) and counted.outcome ~= "gate" then
    failure.usage(("%s fails, so it cannot be compared"):format(self.id),
      ("`%s %s` shows the error"):format(verb, self.id))
  end
  if not counted.verified and self.step.reference then
    failure.usage(("%s has no verified result, so it cannot be compared"):format(self.id),
      "compare needs two steps with verified results")
  end
end

return step_record
