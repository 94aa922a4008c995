-- What a step launches: its programs, its launch list with fresh buffers, and the comparison of its output.
local check = require "gpulab.check"
local given = require "gpulab.base.given"
local lists = require "gpulab.base.lists"
local steps = require "gpulab.lab.steps"
local where = require "gpulab.base.where"

local launches = {}

---The most blocks counted per launch if a GPU computes the result; the other blocks behave alike.
launches.SAMPLE = 1920

local LEAST_SAMPLE <const>, SAMPLE_FLOPS <const> = 60, 4e9 -- operations that take a few seconds on the emulator

---How many blocks are counted of a step that a GPU computes: fewer if each does a large part of the useful operations,
---of which one instruction of a tensor core does thousands.
---@param step table @param params table @param blocks integer of its launches @return integer
function launches.sample_of(step, params, blocks)
  local flops = step.useful_flops and step.useful_flops(params) or 0
  if flops <= 0 then return launches.SAMPLE end
  return math.max(LEAST_SAMPLE, math.min(launches.SAMPLE, math.floor(SAMPLE_FLOPS * blocks / flops)))
end

---Grid and block as three integers.
function launches.dimensions(step, item, field, params)
  local wanted = item[field]
  if type(wanted) == "function" then wanted = wanted(params) end
  if type(wanted) ~= "table" then wanted = { wanted } end
  local dims = { 1, 1, 1 }
  for i = 1, math.max(#wanted, 1) do
    local n = math.tointeger(wanted[i])
    if i > 3 or not n or n < 1 then steps.fail(step, field, "must be one to three integers, each at least 1") end
    dims[i] = n
  end
  return dims
end

---The program of a kernel of a step: path, name, options; and the student's copy, if there is one.
---@param at Context @param k KernelDefinition @param step table
---@return string path, string name, table options, table? copy
function launches.program(at, k, step)
  local params = at.params
  local name = type(k.name) == "function" and k.name(params) or k.name
  local defines = type(k.defines) == "function" and k.defines(params) or k.defines
  local copy = at.source and at.source(k.file) -- the student's; its includes may be in another folder
  local options = { defines = defines, options = k.options, include = copy and copy.include }
  if not step.exercise then options = given.with(options) end
  if copy then options.partial = nil end -- whoever edits a file wants to see every error in it
  return copy and copy.path or where.find(k.file, "kernels"), name, options, copy
end

---Compiles a kernel table for a step and notes its name and key in the record.
---@param at Context @param k table @param step table @param record table @return Kernel kernel, string name
function launches.compile(at, k, step, record)
  local path, name, options, copy = launches.program(at, k, step)
  record.kernel = record.kernel or name
  if at.failed then error(at.failed.error, 0) end
  local kernel = at.device:kernel(path, name, options)
  if copy and copy.changed then record.changed, record.warnings = true, kernel.module.log end
  record.key = record.key or kernel.module.key
  return kernel, name
end

-- Equal texts for equal programs.
local function kernel_key(at, k)
  local name = type(k.name) == "function" and k.name(at.params) or k.name
  local defines = type(k.defines) == "function" and k.defines(at.params) or k.defines or {}
  return ("%s %s %s"):format(k.file, name, steps.key(defines))
end

-- One item as it is launched, without its arguments.
local function build_item(at, step, item, record, compiled)
  if item.library then return { library = item.library }, { library = item.library } end
  local params = at.params
  local grid, block = launches.dimensions(step, item, "grid", params), launches.dimensions(step, item, "block", params)
  record.grid, record.block = record.grid or grid, record.block or block
  local key = kernel_key(at, item.kernel)
  local known = compiled[key]
  if not known then
    local kernel, name = launches.compile(at, item.kernel, step, record)
    known = { kernel = kernel, name = name }
    compiled[key] = known
  end
  local config = { grid = grid, block = block, shared = steps.size(item.shared, params),
    timeout = step.timeout or at.timeout, cooperative = item.cooperative, crowded = item.crowded,
    work_limit = at.work_limit, schedule = at.repeatable and 0 or nil }
  return { kernel = known.kernel, config = config }, { kernel = known.name, grid = grid, block = block }
end

---A step's launches: `items` as the author wrote them, `list` as the device takes them, without arguments.
---@param at Context @param step table @param record table @return table job
function launches.build(at, step, record)
  local job = { items = steps.items(step, at.params), list = {}, compiled = {} }
  local built = {}
  for i, item in ipairs(job.items) do
    job.list[i], built[i] = build_item(at, step, item, record, job.compiled)
  end
  if #built > 1 then record.launches = built end
  record.kernel = record.kernel or built[1] and built[1].library
  return job
end

local function compile_each(at, step, how)
  local own = at:at(step)
  for _, item in ipairs(steps.items(step, own.params)) do
    if item.kernel then own.device[how](own.device, launches.program(own, item.kernel, step)) end
  end
end

---Compiles a step's kernels into the cache for a later run. Raises errors.
function launches.compile_ahead(at, step) compile_each(at, step, "compile_ahead") end

---Starts the compiler and precompiles the CUDA headers of a step's kernels, in the background.
function launches.compile_prepare(at, step) compile_each(at, step, "compile_prepare") end

-- Copies buffers' contents to module variables, in every module of the step.
local function set_symbols(at, step, job)
  for symbol, name in pairs(step.symbols or {}) do
    local found = false
    for _, known in pairs(job.compiled) do
      local module = known.kernel.module
      local has, variable = pcall(module.symbol, module, symbol)
      if has then
        variable:upload(at:array_of(name))
        found = true
      elseif type(variable) == "table" and variable.kind ~= "usage" then
        error(variable, 0)
      end
    end
    if not found then steps.fail(step, "symbols", ("no kernel of the step has a variable %q"):format(symbol)) end
  end
end

---The launch list with its arguments: every buffer freshly filled.
---@param at Context @param step table @param job table @return table[] list
function launches.fresh(at, step, job)
  set_symbols(at, step, job)
  local args = at:arguments(job.items)
  for i, item in ipairs(job.list) do item.args = args[i] end
  return job.list
end

-- How a step's output is compared with its reference.
local function comparison(at, step, output)
  local tolerance = step.tolerance or {}
  return { relative = tolerance.relative, absolute = tolerance.absolute, columns = steps.size(step.columns, at.params),
    name = output }
end

---Is what a sample of alike blocks wrote right? Each block writes its part of the output, in their order.
---@param at Context @param step table @param sampled table of a CountReport @return boolean
function launches.sample_is_right(at, step, sampled)
  local want = at:reference(step)
  local part, options = #want // sampled.of, comparison(at, step, step.output)
  return not lists.any(sampled.runs, function(run)
    local first, count = run[1] * part, run[2] * part
    return check.compare(at.buffers[step.output]:download(first, count), want:slice(first, count), options) ~= nil
  end)
end

---False, with the record filled in, if the output differs from the reference.
---@param at Context @param step table @param record table @return boolean
function launches.verify(at, step, record)
  if not step.reference then return true end
  local output = step.output or step.overlap.output
  local options = comparison(at, step, output)
  options.known = at:known_right(step, output)
  record.mismatch = check.compare(at.buffers[output], at:reference(step), options)
  record.verified = record.mismatch == nil
  if step.tolerance and not record.relative_error then -- of the first run
    record.relative_error = at.buffers[output]:download():relative_error(at:reference(step))
  end
  if record.mismatch then record.outcome, record.message = "wrong", record.mismatch.message end
  return record.verified
end

return launches
