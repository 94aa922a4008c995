-- Records of launches written in Lua: k.scale{ grid = 4, block = 64 }(x, 2.0). A launch keeps what it was given
-- (gpu.inputs), so that it can be counted, stepped, or timed later with the inputs it had.
local lazy = require "gpulab.base.lazy"
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local given = require "gpulab.base.given"
local host = require "gpulab.host"
local lists = require "gpulab.base.lists"
local launch_list = lazy "gpulab.run.launch_list"
local printed = require "gpulab.run.printed"
local record = require "gpulab.record.record"
local runner = lazy "gpulab.run.runner"
local text = require "gpulab.base.text"

local launch = {}

---@class LaunchRecord : Record
---@field number integer @field call {kernel: Kernel, config: LaunchConfig, args: table}? nil: no longer kept
---@field written string the kernel as the source calls it
---@field issues Issue[]? of the checkers, if it was checked
---@field inputs Inputs? @field ran boolean it was launched, not only named
local Launch = record.class "launch"
launch.class = Launch

local SAMPLE <const> = 1920 -- blocks that are counted of a GPU's launch at most, as of a step

local function extent(v)
  local last = 3
  while last > 1 and (v[last] or 1) == 1 do last = last - 1 end
  return table.concat(v, " x ", 1, last)
end

---"hist<<<64, 256>>>", of a record or a table with these fields.
---@param self {kernel: string, grid: integer[], block: integer[]} @return string
function launch.title(self)
  return ("%s<<<%s, %s>>>"):format(text.printable(self.kernel), extent(self.grid), extent(self.block))
end

---@param number integer @param kernel Kernel @param config LaunchConfig @param args table
---@return LaunchRecord that has not run
function launch.new(number, kernel, config, args)
  local self = setmetatable({ id = "#" .. number, number = number, device = kernel.device, kernel = kernel.name,
    written = kernel.written,
    grid = config.grid, block = config.block, call = { kernel = kernel, config = config, args = args },
    models = {}, outcome = "ok", ran = false }, Launch)
  self.title = launch.title(self)
  self.inputs = gpu.inputs(kernel, config, args)
  return self
end

---Frees what it keeps: it cannot be run again.
function Launch:let_go()
  if self.inputs then self.inputs:close() end
  self.inputs, self.call = nil, nil
end

-- Running -----------------------------------------------------------------------------------------

-- The GPU's own model first, if there is one.
local function models_of(device, more)
  local names = { device.model }
  for _, name in ipairs(more or {}) do
    if name ~= device.model then names[#names + 1] = name end
  end
  return names
end

---What counting it gave.
---@param report CountReport
function Launch:take_report(report)
  self.report = report.outcome.status == "ok" and report or nil
  if not self.report then return end
  runner.take_report(self, report, models_of(self.device, self.asked))
  local own = report.models[self.device.model]
  if own and own.known and self.device.emulates then self.times = runner.predicted_times(own) end
end

---How it ended.
---@param outcome Outcome
function Launch:take_outcome(outcome)
  self.outcome, self.fault, self.output = outcome.status, outcome.fault, printed.of(outcome.output)
  if outcome.status ~= "ok" then self.message, self.brief = outcome.report, outcome.message end
end

-- Of a GPU's launch a sample of the blocks is counted.
local function count(self, call, options)
  if not self.device.emulates and not call.config.cooperative then
    options.sample, options.instructions = SAMPLE, 50e6
  end
  return gpu.count(call.kernel, call.config, call.args, options)
end

local wrote = setmetatable({}, { __mode = "k" }) -- kernels that an earlier launch was seen to write with

-- A launch may rightly have nothing to do where an earlier one of its kernel had: a pass of a sort, of a search.
local function without_idle(kernel, report)
  local issues = report.findings or {}
  local others = lists.select(issues, function(issue) return issue.check ~= "unused" end)
  if #others == #issues and report.status == "ok" then wrote[kernel] = true end
  return wrote[kernel] and others or report.findings
end

-- What the checkers find in it, with the inputs that it is about to get. What ends the launch is reported by itself.
local function check(self, checks)
  local ok, report = host.catch(function()
    return self:with_inputs(function(p) return gpu.check(p.kernel, p.config, p.args, checks, launch_list.ORDERS) end)
  end)
  local found = ok and report or type(report) == "table" and report
  return found and without_idle(self.call.kernel, found) or nil
end

---Makes the launch; on an emulator it is counted and predicted as it runs, if asked for.
---@param counting boolean @param models? string[] GPUs to predict besides the device's own
---@param checks? string[] checkers that look at it before, on an emulator: see issues
---@return Outcome
function Launch:run(counting, models, checks)
  local call, names, outcome = self.call, models_of(self.device, models), nil
  self.asked, self.ran = models, true
  if checks then self.issues = check(self, checks) end
  local ok, e = host.catch(function()
    if counting and self.device.emulates then
      local report = count(self, call, { models = names, print = true })
      outcome = report.outcome
      self:take_report(report)
    else
      outcome = call.kernel:launch(call.config, table.unpack(call.args))
    end
  end)
  if not ok then -- what counting raises of a launch that does not end well; or Ctrl-C, or a worker that died
    self.outcome, self.message = failure.kind(e), text.said(e)
    if type(e) == "table" and e.outcome then self:take_outcome(e.outcome) end
    error(e, 0)
  end
  self:take_outcome(outcome)
  self.ms = outcome.ms
  outcome.predicted = self:prediction()
  return outcome
end

---What was predicted for the device's GPU, in words; nil if it was not counted.
---@return string?
function Launch:prediction()
  if not self.report or not self.device.emulates then return nil end
  local name = self.device.model or self.device.gpu
  local own = self.report.models[name]
  if not own or not own.known then
    local why = own and own.note ~= "" and own.note or "there is no model of this GPU"
    return ("no prediction for the %s: %s"):format(name, why)
  end
  local error = own.error and ("± %.0f %%%s"):format(100 * own.error, own.kind and ", " .. own.kind or "")
    or "error unknown"
  local said = ("predicted %s %s (%s)"):format(name, text.duration(own.ms), error)
  for _, other in ipairs(self.models) do
    if other.known and other.gpu ~= name then
      said = ("%s, %s %s"):format(said, other.gpu, text.duration(other.ms))
    end
  end
  return said
end

---The error that a launch raises which did not end well.
---@param outcome Outcome
function launch.problem(outcome)
  local fault = outcome.fault
  local place = fault and fault.located and fault.file ~= "" and ("%s:%d"):format(fault.file, fault.line) or nil
  local e = failure.new(outcome.status == "limit" and "fault" or outcome.status, outcome.report, place)
  e.outcome = outcome
  return e
end

-- A record ------------------------------------------------------------------------------------------

local function must_be_kept(self)
  if self.call then return self.call end
  failure.usage(("the inputs of %s are no longer kept"):format(self:called()), "launch it again")
end

function Launch:with_inputs(f, options)
  local call, inputs = must_be_kept(self), self.inputs
  local buffers = {}
  for i, arg in ipairs(call.args) do
    local buffer = host.buffer_of(arg)
    if buffer then
      buffers[#buffers + 1] = { name = buffer.name ~= "" and buffer.name or ("argument %d"):format(i), buffer = buffer }
    end
  end
  local items = { { kernel = call.kernel, config = call.config, args = call.args } }
  inputs:restore()
  local results = table.pack(host.catch(f, { items = items, launches = 1, kernel = call.kernel, config = call.config,
    args = call.args, device = self.device, buffers = buffers, size = "", options = options }))
  inputs:put_back()
  if not results[1] then error(results[2], 0) end
  return table.unpack(results, 2, results.n)
end

-- The kernel once more without optimization, with the command line's -D and -I.
local function unoptimized(kernel)
  local path = kernel.module.path
  if files.read(path) ~= kernel.module.source then
    failure.usage(("%s has changed since this launch"):format(text.printable(path)), "launch it again, then debug -G")
  end
  return gpu.compile(path, given.with { names = { kernel.name }, options = { "-G" } }):kernel(kernel.name)
end

function Launch:with_launch(options, f)
  if options.number then failure.usage(("%s is one launch"):format(self:called())) end
  return self:with_inputs(function(prepared)
    return f(options.plain and unoptimized(prepared.kernel) or prepared.kernel, prepared.config, prepared.args)
  end)
end

function Launch:called() return ("launch %d (%s)"):format(self.number, text.printable(self.kernel)) end

local function missing_of(report, names)
  return lists.select(names, function(name) return not report.models[name] end)
end

function Launch:unpredicted()
  return self.report and missing_of(self.report, self.asked or {}) or {}, "launch it again"
end

---Could it be run another time?
---@return boolean
function Launch:can_run_again() return self.call ~= nil end

-- Counted again where `model` has named another GPU since, as far as its inputs are there.
function Launch:counted()
  if self.ran and self.outcome ~= "ok" then return self end
  local names = models_of(self.device, self.asked)
  if self.report and (#missing_of(self.report, names) == 0 or not self:can_run_again()) then
    runner.take_report(self, self.report, names)
    return self
  end
  local ok, report = host.catch(self.with_inputs, self, function(prepared)
    return count(self, prepared, { models = names })
  end)
  if not ok then
    if type(report) == "table" and report.outcome then self:take_outcome(report.outcome) end
    error(report, 0)
  end
  if not self.ran then self:take_outcome(report.outcome) end
  self:take_report(report)
  if report.outcome.status ~= "ok" then self.outcome, self.message = report.outcome.status, report.outcome.report end
  return self
end

return launch
