-- Records of the launches that a program made under gpulab exec. They have the counters and predictions of that run.
-- Where a view needs another one, the launch is made again on an emulator that gets what the launch was given, at the
-- addresses that it had (exec/kept.h).
local failure = require "gpulab.base.failure"
local gpu = require "gpulab.gpu"
local launch = require "gpulab.record.launch"
local record = require "gpulab.record.record"

local program = {}

---@class ProgramLaunch : LaunchRecord
---@field kept table its kernel, and its inputs where there is no why_not
---@field why_not string? why there are no inputs @field group table {costliest} of its kernel
local Program = record.class("launch", launch.class)

local MOST_COPIES <const> = 3 -- emulators with the inputs of a launch each; `compare` needs two

local copies = {} -- {record, device, kernel, config, args, buffers}, the latest last

---@param made table a launch as exec.run reports it, with the report of its counters
---@param device Device an emulator of the same GPU @param models string[] GPUs to predict besides its own
---@param names {short: fun(self, name: string): string} what allocations are called
---@return ProgramLaunch
function program.new(made, device, models, names)
  local self = setmetatable({ names = names, id = "#" .. made.number, number = made.number, device = device,
    kernel = made.kept.name, written = made.kept.name, linked = made.kernel, grid = made.grid, block = made.block,
    kept = made.kept, why_not = made.why_not_kept, models = {}, outcome = "ok", ran = true, asked = models }, Program)
  self.title = launch.title(self)
  self.ms = made.outcome.ms
  self:take_outcome(made.outcome)
  made.report.outcome = made.outcome
  self:take_report(made.report)
  return self
end

---What it cost, for a choice among launches of one kernel: of two that take as long, the one that executes more.
---@return number
function Program:cost()
  return (self.times and self.times.ms or 0) + (self.report and self.report.counters.warp_instructions or 0) * 1e-12
end

-- Another run -------------------------------------------------------------------------------------------

local function close(copy)
  copy.device:close()
end

local function buffers_on(device, kept, names)
  local list = {}
  for i, b in ipairs(kept:buffers()) do
    local name = names:short(b.name)
    list[i] = { name = name, of_bytes = not b.typed,
      buffer = device:buffer(b.type, b.count, { name = name:sub(1, 63), address = b.address }) }
  end
  return list
end

-- What had been freed is freed again, so that its use is called what it is.
local function free_on(device, kept, names)
  for _, b in ipairs(kept:freed()) do
    device:buffer(b.type, b.bytes, { name = names:short(b.name):sub(1, 63), address = b.address }):free()
  end
end

-- Buffers come before the module, whose variables take any addresses that are free.
local function open(self)
  local device = gpu.open("emu:" .. self.device.model)
  local buffers = buffers_on(device, self.kept, self.names)
  free_on(device, self.kept, self.names)
  local plain = {}
  for i, b in ipairs(buffers) do plain[i] = b.buffer end
  return { record = self, device = device, kernel = self.kept:kernel(device), config = self.kept:config(),
    args = self.kept:args(), buffers = buffers, plain = plain }
end

-- The emulator with its inputs as they were.
local function copy_of(self)
  local found
  for i, copy in ipairs(copies) do
    if copy.record == self then found = table.remove(copies, i) end
  end
  if not found then
    if #copies == MOST_COPIES then close(table.remove(copies, 1)) end
    found = open(self)
  end
  copies[#copies + 1] = found
  return found
end

local function prepared(copy, options)
  local item = { kernel = copy.kernel, config = copy.config, args = copy.args }
  return { items = { item }, launches = 1, kernel = copy.kernel, config = copy.config, args = copy.args,
    device = copy.device, buffers = copy.buffers, size = "", options = options }
end

function Program:with_kernels(f) return f(prepared(copy_of(self))) end

-- Which launch of the kernel has inputs, or how this one gets some.
local function instead(self)
  local other = self.group and self.group.costliest
  return (other and not other.why_not and ("`debug %d` steps one that has them; "):format(other.number) or "")
    .. ("gpulab exec --keep %d keeps those of this one"):format(self.number)
end

function Program:with_inputs(f, options)
  if self.why_not then
    failure.usage(("the inputs of %s were not kept: %s"):format(self:called(), self.why_not),
      self.unwanted and instead(self) or "")
  end
  local copy = copy_of(self)
  self.kept:restore(copy.kernel, copy.plain)
  return f(prepared(copy, options))
end

function Program:with_launch(options, f)
  if options.plain then
    failure.usage("-G is for steps of a lab", "compile the program with nvcc -G, and run it again")
  end
  return launch.class.with_launch(self, options, f)
end

function Program:unpredicted()
  return launch.class.unpredicted(self), ("its inputs were not kept; gpulab exec --model predicts every launch as it"
    .. " runs, and --keep %d keeps those of this one"):format(self.number)
end

---Its inputs are given up for those of others.
function Program:forget_inputs()
  if self.why_not then return end
  self.kept:forget_inputs()
  self.why_not, self.unwanted = "it is neither the first nor the costliest of its kernel", true
end

function Program:can_run_again() return not self.why_not end

return program
