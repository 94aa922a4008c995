-- Runs one step of a lab on a device and tells everything about it in one record. Nothing here prints.
--
-- record: {step, outcome, message, brief, error, fault, kernel, key, grid, block, verified, mismatch, rate, times,
-- report, models, claim, expectations, finding}
--   key       the program's: equal keys, equal programs
--   changed   true if it was compiled from a student's copy that is not as the original, which expectations are about
--   outcome   "ok", or the first thing that went wrong: "compile", "fault", "limit", "timeout", "interrupted", "setup",
--             "usage", "wrong" (differs from the reference), "gate" (a counter is not what the rules say)
--   message   all there is to say about what went wrong; brief: in one line
--   rate      a value (value.lua); times: {kind, ms, q1, q3, min, samples, ...} behind it; nil if none was taken
--   report    the CountReport of the emulated run; nil if there was none
--   models    list of {gpu, rate, ms, bound, error, note, known}
local check = require "gpulab.check"
local checkers = require "gpulab.checkers"
local failure = require "gpulab.failure"
local lecture = require "gpulab.lecture"
local value = require "gpulab.value"

local runner = {}

local Context = {}
Context.__index = Context

---What the steps of one run share: device, parameters, buffers, host arrays, references.
---@param lab Lab @param device Device @param params table @param options? {models: string[]?, timeout: integer?}
function runner.context(lab, device, params, options)
  options = options or {}
  return setmetatable({ lab = lab, device = device, params = params, models = options.models or {},
    timeout = options.timeout, checks = options.checks, buffers = {}, arrays = {}, references = {} }, Context)
end

-- A size is a number, a parameter's name, or a function of the parameters.
local function resolve(size, params)
  if type(size) == "function" then return size(params) end
  if type(size) == "string" then return params[size] end
  return size
end

local function fail(step, field, message)
  failure.raise("usage", ("step %q, field %q: %s"):format(step.id, field, message))
end

-- Grid and block as three integers, whatever way the author wrote them.
local function dimensions(step, field, params)
  local given = step[field]
  if type(given) == "function" then given = given(params) end
  if type(given) ~= "table" then given = { given } end
  local dims = { 1, 1, 1 }
  for i = 1, math.max(#given, 1) do
    local n = math.tointeger(given[i])
    if i > 3 or not n or n < 1 then fail(step, field, "must be one to three integers, each at least 1") end
    dims[i] = n
  end
  return dims
end

-- Buffers -----------------------------------------------------------------------------------------

local function definition_of(context, name)
  local spec = context.lab.buffers[name]
  local count = math.tointeger(resolve(spec.count, context.params))
  if not count or count < 1 then
    failure.raise("usage", ("buffer %q: its count must be a positive integer"):format(name))
  end
  local fill = spec.fill
  if type(fill) == "function" then fill = fill(context.params) end
  return spec, count, fill or "poison"
end

-- What a buffer holds at the beginning, on the host: made once.
local function array_of(context, name)
  if not context.arrays[name] then
    local spec, count, fill = definition_of(context, name)
    context.arrays[name] = gpu.array(spec.type, count, fill, spec.seed)
  end
  return context.arrays[name]
end

---Host arrays by buffer name, as references get them: filled when they are asked for.
function Context:host()
  return setmetatable({}, { __index = function(_, name)
    if not self.lab.buffers[name] then
      failure.raise("usage", ("a reference asks for a buffer %q, which the lab does not define"):format(tostring(name)))
    end
    return array_of(self, name)
  end })
end

-- The buffer, freshly filled as its definition says.
local function filled(context, name)
  local spec, count, fill = definition_of(context, name)
  local buffer = context.buffers[name]
  if buffer then
    buffer:fill(fill, spec.seed)
  else
    buffer = context.device:buffer(spec.type, count, { name = name, fill = fill, seed = spec.seed })
    context.buffers[name] = buffer
  end
  return buffer
end

local function arguments(context, step)
  local args = {}
  for i, arg in ipairs(step.args) do
    if type(arg) == "function" then
      args[i] = arg(context.params)
    elseif type(arg) == "number" then
      args[i] = arg
    elseif context.lab.buffers[arg] then
      args[i] = filled(context, arg)
    else
      args[i] = context.params[arg]
    end
  end
  return args
end

---Gives the device's memory back.
function Context:close()
  for _, buffer in pairs(self.buffers) do buffer:free() end
  self.buffers, self.arrays, self.references = {}, {}, {}
end

-- The steps of a step -----------------------------------------------------------------------------

local function compile(context, step, record)
  local k, params = step.kernel, context.params
  record.kernel = type(k.name) == "function" and k.name(params) or k.name
  local defines = type(k.defines) == "function" and k.defines(params) or k.defines
  local copy = context.source and context.source(k.file) -- the student's, which may lie elsewhere than what it includes
  local kernel = context.device:kernel(copy and copy.path or k.file, record.kernel,
    { defines = defines, options = k.options, include = copy and copy.include })
  record.changed = copy and copy.changed or nil
  record.key = kernel.module.key
  return kernel
end

local function launch_config(context, step, record)
  record.grid = dimensions(step, "grid", context.params)
  record.block = dimensions(step, "block", context.params)
  return { grid = record.grid, block = record.block, shared = resolve(step.shared, context.params),
    timeout = step.timeout or context.timeout }
end

local function reference(context, step)
  local known = context.references[step.reference]
  if not known then
    known = step.reference(context.params, context:host())
    context.references[step.reference] = known
  end
  return known
end

-- False, with the record filled in, if the output is not what the reference says.
local function verify(context, step, record)
  local tolerance = step.tolerance or {}
  record.mismatch = check.compare(context.buffers[step.output]:download(), reference(context, step), {
    relative = tolerance.relative, absolute = tolerance.absolute, columns = resolve(step.columns, context.params),
    name = step.output })
  record.verified = record.mismatch == nil
  if record.mismatch then record.outcome, record.message = "wrong", record.mismatch.message end
  return record.verified
end

local function ended_well(record, outcome)
  if outcome.status == "ok" then return true end
  record.outcome, record.brief, record.fault = outcome.status, outcome.message, outcome.fault
  record.message = outcome.report or outcome.message
  return false
end

-- Useful work over time: GB/s of 10^9 bytes, GFLOPS.
local function rate_of(step, params, ms)
  if not ms or ms <= 0 then return nil end
  if step.useful_flops then return value.new("rate", "arithmetic", step.useful_flops(params) / ms / 1e6) end
  return value.new("rate", "bandwidth", step.useful_bytes(params) / ms / 1e6)
end

local function model_rows(context, step, record)
  local rows = {}
  for _, name in ipairs(context.models) do
    local prediction = record.report.models[name]
    if prediction then
      rows[#rows + 1] = { gpu = name, known = prediction.known, ms = prediction.ms, bound = prediction.bound,
        error = prediction.error, note = prediction.note,
        rate = prediction.known and rate_of(step, context.params, prediction.ms) or nil }
    end
  end
  record.models = rows
end

local function count(context, step, record, kernel, config, args)
  local models = { table.unpack(context.models) }
  local own = context.device.backend == "emu" and context.device.model or nil
  if own then models[#models + 1] = own end
  local report = context.device:count(kernel, config, args, { models = models })
  record.report = report
  if not ended_well(record, report.outcome) then return nil end
  model_rows(context, step, record)
  return own and report.models[own] or nil
end

-- On the emulator one run does it all: the result to verify, the counters, and the time predicted for the emulated
-- GPU.
local function run_emulated(context, step, record, kernel, config, args)
  local own = count(context, step, record, kernel, config, args)
  if record.outcome ~= "ok" or not verify(context, step, record) then return end
  if own and own.known then
    record.times = { kind = "predicted", ms = own.ms, bound = own.bound, error = own.error, note = own.note }
    record.rate = rate_of(step, context.params, own.ms)
  else
    record.note = "no time predicted: " .. (own and own.note ~= "" and own.note or "there is no model of this GPU yet")
  end
end

-- Bytes of memory traffic that the step cannot do without, so that an impossible time is noticed.
local function least_traffic(step, params)
  if step.useful_bytes and step.useful_of ~= "shared memory" then return step.useful_bytes(params) end
end

-- An output that begins with something in it is changed by every run: what many timed runs left of it proves nothing.
local function works_in_place(context, step)
  local _, _, fill = definition_of(context, step.output)
  return fill ~= "poison"
end

local FRESH_TRIES <const>, FRESH_FACTOR <const>, FRESH_SLACK_MS <const> = 3, 3, 0.03

-- Once more over fresh buffers. A kernel that looks whether its answer is there already does its work only now, and
-- takes far longer for it than the time it was given credit for. The fastest of a few tries: one alone may be unlucky.
-- True if all is well.
local function works_when_fresh(context, step, record, kernel, config, timed_ms)
  local fastest
  for _ = 1, FRESH_TRIES do
    local outcome = kernel:launch(config, table.unpack(arguments(context, step)))
    if not ended_well(record, outcome) then return false end
    fastest = math.min(fastest or outcome.ms, outcome.ms)
    if fastest <= FRESH_FACTOR * timed_ms + FRESH_SLACK_MS then return verify(context, step, record) end
  end
  record.outcome, record.verified = "wrong", false
  record.message = ("timed it takes %.3g ms, but %.3g ms when its output is new: it does not do its work every time")
    :format(timed_ms, fastest)
  return false
end

-- On a GPU: run and verify, poison again, time, verify what the timed runs left, run afresh, then count on the
-- emulator.
local function run_measured(context, step, record, kernel, config, args)
  if not ended_well(record, kernel:launch(config, table.unpack(args))) then return end
  if not verify(context, step, record) then return end
  args = arguments(context, step)
  local times = context.device:time(kernel, config, args, { min_bytes = least_traffic(step, context.params) })
  if not works_in_place(context, step) and not verify(context, step, record) then
    record.message = "right at first, but not after it was timed: " .. record.message
    return
  end
  if not works_when_fresh(context, step, record, kernel, config, times.ms) then return end
  record.times, record.rate = times, rate_of(step, context.params, times.ms)
  if times.note and times.note ~= "" then record.note = times.note end
  count(context, step, record, kernel, config, arguments(context, step))
end

-- Rules -------------------------------------------------------------------------------------------

local per_request = {
  shared_load = { "shared_load_wavefronts", "shared_load_requests" },
  shared_store = { "shared_store_wavefronts", "shared_store_requests" },
  global_load = { "global_load_sectors", "global_load_requests" },
  global_store = { "global_store_sectors", "global_store_requests" },
}

---Wavefronts or sectors for each request of a kind ("shared_load"); a plain counter by its own name; nil if there
---is none.
function runner.ratio(counters, name)
  local pair = per_request[name]
  if not pair then return counters[name] end
  local requests = counters[pair[2]]
  if not requests or requests == 0 then return nil end
  return counters[pair[1]] / requests
end

---"1.x", "2.x", ... from the compute capability of the rules that counted.
function runner.generation(cc)
  return ("%d.x"):format(cc // 10)
end

-- What is expected of this generation: a number, or a table of them by generation with "else" for the others.
local function expected(want, cc)
  if type(want) ~= "table" then return want end
  local of = want[runner.generation(cc)]
  if of == nil then of = want["else"] end
  return of
end

local function check_expectations(context, step, record)
  local expect = step.expect
  if type(expect) == "function" then expect = expect(context.params) end
  record.expectations = {}
  local names = {}
  for name in pairs(expect or {}) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local want, got = expected(expect[name], context.device.cc), runner.ratio(record.report.counters, name)
    if want then
      local ok = got ~= nil and math.abs(got - want) < 1e-9
      record.expectations[#record.expectations + 1] = { name = name, want = want, got = got, ok = ok }
      if not ok and record.outcome == "ok" then
        record.outcome = "gate"
        record.message = ("%s: %s by the rules of cc %d.%d, counted %s"):format(name, want, context.device.cc // 10,
          context.device.cc % 10, got and ("%.4g"):format(got) or "nothing")
      end
    end
  end
end

-- The line whose worst access costs most against what it could have cost: that is what there is to say about the
-- step.
local function worst_line(report)
  local best, ratio
  for _, line in ipairs(report.lines) do
    local worst = line.worst
    if worst and worst.ideal > 0 and worst.cost > worst.ideal then
      local r = worst.cost / worst.ideal
      if not ratio or r > ratio then best, ratio = line, r end
    end
  end
  return best, ratio
end

local function base_name(path)
  return path:match("[^/]+$") or path
end

local function find(record)
  local line, ratio = worst_line(record.report)
  if not line then return end
  local at = ("%s:%d"):format(base_name(line.file), line.line)
  local what
  if line.worst.space == "shared" then
    local form = ratio == math.floor(ratio) and "%d-way bank conflict" or "%.1f-way bank conflict"
    what = form:format(ratio == math.floor(ratio) and math.floor(ratio) or ratio)
  else
    what = ("%d sectors a request where %d would do"):format(line.worst.cost, line.worst.ideal)
  end
  record.finding = { text = ("%s, %s"):format(what, at), line = line, ratio = ratio }
end

---Everything a launch of the step needs: kernel, config, args (buffers freshly filled). Raises what goes wrong.
---@param context table @param step table
---@return {kernel: Kernel, config: LaunchConfig, args: table}
function runner.prepare(context, step)
  local record = { step = step }
  local config = launch_config(context, step, record)
  return { config = config, kernel = compile(context, step, record), args = arguments(context, step) }
end

---Runs a step; never raises for what the step or the device did wrong, the record says it.
---@param context table @param step table @return table record
function runner.run(context, step)
  local record = { step = step, outcome = "ok", claim = step.claim and lecture.find(step.claim) or nil, models = {} }
  local ok, e = pcall(function()
    local config = launch_config(context, step, record)
    local kernel = compile(context, step, record)
    if context.checks then checkers.run(record, kernel, config, arguments(context, step), context.checks) end
    local args = arguments(context, step)
    local how = context.device.backend == "emu" and run_emulated or run_measured
    how(context, step, record, kernel, config, args)
    if record.report and record.report.counters then
      find(record)
      if record.outcome == "ok" and not record.changed then check_expectations(context, step, record) end
    end
  end)
  if not ok then
    record.outcome, record.message, record.error = failure.kind(e), tostring(e), e
    local outcome = type(e) == "table" and e.outcome
    if outcome then ended_well(record, outcome) end
  end
  checkers.judge(record)
  return record
end

return runner
