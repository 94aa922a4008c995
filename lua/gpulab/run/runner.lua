-- Runs one step of a lab on a device and returns everything about it in one record. Nothing here prints.
--
-- record: {step, params, outcome, message, brief, error, fault, kernel, key, grid, block, launches, verified, mismatch,
-- rate, times, report, models, claim, claims, expectations, worst, issues, detail, figure, shown}
--   params    its parameters: those of the run with the step's changes
--   key       the program's: equal keys, equal programs
--   launches  of a step with several: list of {kernel, grid, block, library}; kernel, grid, block are then the first's
--   changed   true if it was compiled from a changed copy, to which expectations do not apply
--   outcome   "ok", or the first thing that went wrong: "compile", "fault", "limit", "timeout", "interrupted", "setup",
--             "usage", "wrong" (differs from the reference), "gate" (a counter differs from `expect`); or "absent": a
--             library or a compute capability that the step needs is missing, which is no failure
--   message   the full text of an error; brief: the same in one line
--   rate      a value (value.lua); times: {kind, ms, q1, q3, min, samples, ...} it comes from; nil if there is none
--   report    the CountReport of the emulated run; nil if there was none
--   relative_error  of the output, if the step has a tolerance: the norm of the difference over the reference's
--   models    list of {gpu, rate, ms, bound, error, note, known}
--   worst     the most expensive access: {text, line, ratio}; issues: what the checkers reported
--   detail    a remark that the step computed from its record
--   figure    {columns, rows, note} of a step that is a figure
--   output    what its kernels printed in the run that was verified (printed.lua); nil: nothing
--   shown     the error of a step that demonstrates one: {what, text}
local lazy = require "gpulab.base.lazy"
local cause = lazy "gpulab.run.cause"
local checkers = require "gpulab.run.checkers"
local context = require "gpulab.run.context"
local definition = require "gpulab.lab.definition"
local failure = require "gpulab.base.failure"
local figure = require "gpulab.run.figure"
local host = require "gpulab.host"
local lecture = require "gpulab.lecture"
local lists = require "gpulab.base.lists"
local parameters = lazy "gpulab.run.parameters"
local printed = require "gpulab.run.printed"
local steps = require "gpulab.lab.steps"
local text = require "gpulab.base.text"
local transfer = require "gpulab.run.transfer"
local launch_list = require "gpulab.run.launch_list"
local launches = require "gpulab.run.launches"

local runner = {}

---What the steps of one run share (context.lua).
runner.context = context.new

local function ended_well(record, outcome)
  record.output = record.output or printed.of(outcome.output)
  if outcome.status == "ok" then return true end
  record.outcome, record.brief, record.fault = outcome.status, outcome.message, outcome.fault
  record.message = outcome.report or outcome.message
  return false
end

-- Running, counting, timing -----------------------------------------------------------------------

-- What a record keeps of a prediction.
local function kept_of(prediction, more)
  for _, name in ipairs { "ms", "bound", "error", "note", "limits", "stalls", "stalled" } do
    more[name] = prediction[name]
  end
  more.error_of = prediction.kind
  return more
end

local function model_rows(report, names, rate)
  return lists.map(lists.select(names, function(name) return report.models[name] end), function(name)
    local p = report.models[name]
    return kept_of(p, { gpu = name, known = p.known, rate = p.known and rate and rate(p.ms) or nil })
  end)
end

---The times of a record that a known prediction gives.
---@param prediction table of a report's models @return table
function runner.predicted_times(prediction) return kept_of(prediction, { kind = "predicted" }) end

local function counted(at, step, list, models, sample)
  if at.device.emulates then return launch_list.count(at.device, list, { models = models, sample = sample }) end
  local blocks = 0
  for _, item in ipairs(list) do
    local grid = item.config and item.config.grid or {}
    blocks = blocks + (grid[1] or 1) * (grid[2] or 1) * (grid[3] or 1)
  end
  return launch_list.sample(at.device, list, models, launches.sample_of(step, at.params, blocks))
end

-- The models asked for, and the GPU's own, on a GPU, too: what limits it is explained by its own model.
local function models_of(at, step)
  local able = lists.select(at.models, function(name) return steps.supported(step, gpu.model(name).cc) end)
  return lists.append(able, { at.device.model })
end

local function count(at, step, record, list, sample)
  local own = at.device.model
  local report = counted(at, step, list, models_of(at, step), sample)
  record.report = report
  if not ended_well(record, report.outcome) then return nil end
  record.models = model_rows(report, at.models, function(ms) return steps.rate(step, at.params, ms) end)
  return at.device.emulates and own and report.models[own] or nil
end

-- Compares the result. The cause of a wrong one is looked for in a run of the same launches.
local function verified(at, step, record, job)
  if launches.verify(at, step, record) then return true end
  local found = cause.of(at, step, record.mismatch, function() return launches.fresh(at, step, job) end)
  record.cause, record.message = found.issue, cause.said(found, record.mismatch.message)
  return false
end

-- On the emulator one run gives the result to verify, the counters, and the predicted time of the emulated GPU. Of
-- blocks that the lab says are alike a sample runs; all do where it is wrong, and where a student changed the file.
local function run_emulated(at, step, record, job)
  local sample = not record.changed and step.reference and step.alike or nil
  local own = count(at, step, record, launches.fresh(at, step, job), sample)
  local sampled = record.outcome == "ok" and record.report.sampled
  if sampled and launches.sample_is_right(at, step, sampled) then
    record.verified = true
  else
    if sampled then own = count(at, step, record, launches.fresh(at, step, job)) end
    if record.outcome ~= "ok" or not verified(at, step, record, job) then
      for _, row in ipairs(record.models) do row.rate = nil end -- what is wrong has none on any GPU
      return
    end
  end
  if own and own.known then
    record.times = runner.predicted_times(own)
    record.rate = steps.rate(step, at.params, own.ms)
  else
    record.note = "no time predicted: " .. (own and own.note ~= "" and own.note or "there is no model of this GPU")
  end
end

-- The least possible memory traffic in bytes, to detect impossible times.
local function least_traffic(step, params)
  local of = step.useful_of or "global memory"
  if step.useful_bytes and of == "global memory" then return step.useful_bytes(params) end
end

-- An initialized output changes with every run, so that it cannot be verified after the timed runs.
local function updates_output(at, step)
  if not step.output then return true end
  local _, _, fill = at:definition_of(step.output)
  return fill ~= "sentinel"
end

local FRESH_TRIES <const>, FRESH_FACTOR <const>, FRESH_SLACK_MS <const> = 3, 3, 0.03

-- Runs once more with fresh buffers. A kernel that skips its work when the output is already right takes much longer
-- now than when it was timed. Takes the fastest of a few tries. True on success.
local function computes_every_time(at, step, record, job, timed_ms)
  local fastest
  for _ = 1, FRESH_TRIES do
    local outcome = launch_list.run(at.device, launches.fresh(at, step, job))
    if not ended_well(record, outcome) then return false end
    fastest = math.min(fastest or outcome.ms, outcome.ms)
    if fastest <= FRESH_FACTOR * timed_ms + FRESH_SLACK_MS then return launches.verify(at, step, record) end
  end
  record.outcome, record.verified = "wrong", false
  record.message = ("the kernel took %.3g ms when timed, but %.3g ms with a fresh output: it skips work")
    :format(timed_ms, fastest)
  return false
end

-- On a GPU: run and verify, refill, time, verify the output of the timed runs, run with fresh buffers, then count on
-- the emulator, which has no libraries.
local function run_measured(at, step, record, job)
  if not ended_well(record, launch_list.run(at.device, launches.fresh(at, step, job))) then return end
  if not verified(at, step, record, job) then return end
  local times = launch_list.time(at.device, launches.fresh(at, step, job), { min_bytes = least_traffic(step, at.params),
    wall = at.wall })
  if not updates_output(at, step) and not launches.verify(at, step, record) then
    record.message = "the result was right at first but wrong after the timed runs: " .. record.message
    return
  end
  if not computes_every_time(at, step, record, job, times.ms) then return end
  record.times, record.rate = times, steps.rate(step, at.params, times.ms)
  if times.note and times.note ~= "" then record.note = times.note end
  if launch_list.has_library(job.list) then return end
  count(at, step, record, launches.fresh(at, step, job))
  if record.outcome ~= "timeout" then return end
  -- The GPU's result was right; the emulator's time limit is no error of the kernel.
  record.outcome, record.message, record.brief, record.report, record.models = "ok", nil, nil, nil, {}
  record.note = (record.note and record.note .. "; " or "") .. "not counted: too large for the emulator's time limit"
end

-- What is missing for the library routines of a step; nil if all are available.
local function missing_library(at, job)
  for _, item in ipairs(job.list) do
    if item.library then
      local there, reason = at.device:library(item.library)
      if not there then return reason end
    end
  end
end

-- Rules -------------------------------------------------------------------------------------------

local per_request = {
  shared_load = { "shared_load_wavefronts", "shared_load_requests" },
  shared_store = { "shared_store_wavefronts", "shared_store_requests" },
  global_load = { "global_load_sectors", "global_load_requests" },
  constant = { "constant_wavefronts", "constant_requests" },
  texture = { "texture_sectors", "texture_requests" },
  surface = { "surface_sectors", "surface_requests" },
  global_store = { "global_store_sectors", "global_store_requests" },
}

---The counters of a record; nil where none were counted.
function runner.counters(record) return record.report and record.report.counters end

---Wavefronts or sectors per request of a kind ("shared_load"); a plain counter by its name; nil if there is none.
---@param counters table? @param name string
function runner.ratio(counters, name)
  local pair = per_request[name]
  if not counters or not pair then return counters and counters[name] end
  local requests = counters[pair[2]]
  if not requests or requests == 0 then return nil end
  return counters[pair[1]] / requests
end

---"1.x", "2.x", ... from the compute capability of the rules that counted.
function runner.generation(cc)
  return ("%d.x"):format(cc // 10)
end

-- The expected number for this generation: the number itself, or an entry of a table by generation with "else".
local function expected(want, cc)
  if type(want) ~= "table" then return want end
  local of = want[runner.generation(cc)]
  if of == nil then of = want["else"] end
  return of
end

-- Counters that are scaled up from a sample are not exact.
local function is_near(got, want, sampled)
  return math.abs(got - want) <= (sampled and 0.01 * math.abs(want) or 1e-9)
end

local function check_expectations(at, step, record)
  local expect = step.expect
  if type(expect) == "function" then expect = expect(at.params) end
  record.expectations = {}
  for _, name in ipairs(lists.keys(expect or {})) do
    local want, got = expected(expect[name], at.device.cc), runner.ratio(record.report.counters, name)
    if want and type(want) ~= "number" then
      steps.fail(step, "expect", ("%s must be a number or false, got a %s"):format(text.printable(name), type(want)))
    elseif want then
      local ok = got ~= nil and is_near(got, want, record.report.sampled)
      record.expectations[#record.expectations + 1] = { name = name, want = want, got = got, ok = ok }
      if not ok and record.outcome == "ok" then
        record.outcome = "gate"
        record.message = ("%s: expected %s on cc %d.%d, counted %s"):format(name, want, at.device.cc // 10,
          at.device.cc % 10, got and ("%.4g"):format(got) or "nothing")
      end
    end
  end
end

-- The line with the largest ratio of cost to ideal cost in its worst access.
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

---Notes the most expensive access of a record that has a report.
function runner.find_worst(record)
  local line, ratio = worst_line(record.report)
  if not line then return end
  local at = ("%s:%d"):format(text.file_name(line.file), line.line)
  local what
  if line.worst.space == "shared" then
    local form = ratio == math.floor(ratio) and "%d-way bank conflict" or "%.1f-way bank conflict"
    what = form:format(ratio == math.floor(ratio) and math.floor(ratio) or ratio)
  elseif line.worst.space == "const" then
    what = ("%d words of constant memory per request, ideally %d"):format(line.worst.cost, line.worst.ideal)
  else
    local mean = runner.ratio(runner.counters(record), "global_" .. line.worst.access)
    local differs = mean and mean ~= line.worst.cost
    what = ("%s%d sectors per request, ideally %d"):format(differs and "at most " or "", line.worst.cost,
      line.worst.ideal)
  end
  record.worst = { text = ("%s, %s"):format(what, at), line = line, ratio = ratio }
end

---What a count of a launch that ended well says, in its record.
---@param record table @param report CountReport @param names string[] the GPUs that were predicted
function runner.take_report(record, report, names)
  record.report, record.models = report, model_rows(report, names)
  runner.find_worst(record)
end

---Everything a run of the step needs, with freshly filled buffers. Raises errors. items: the launch list; launches:
---their number; kernel, config and args: of the first launch; list: the items again if they are more than one launch.
---@param at Context @param step table
---@return {items: table[], launches: integer, kernel: Kernel?, config: LaunchConfig?, args: table, list: table[]?}
function runner.prepare(at, step)
  at = at:at(step)
  local items = launches.fresh(at, step, launches.build(at, step, { step = step }))
  local first = items[1]
  if not first then
    failure.usage(("step %q launches no kernel"):format(step.id), "name another step; `steps` lists them")
  end
  return { items = items, launches = #items, kernel = first.kernel, config = first.config, args = first.args,
    list = (#items > 1 or first.library) and items or nil }
end

-- What a GPU without the instructions of a step says of it; nil if this one can run it.
local function missing_capability(at, step)
  local cc = at.device.cc
  if steps.supported(step, cc) then return nil end
  local named = {}
  for i, needed in ipairs(type(step.needs_cc) == "table" and step.needs_cc or { step.needs_cc }) do
    named[i] = ("%d.%d"):format(needed // 10, needed % 10)
  end
  return ("needs compute capability %s, this GPU has %d.%d"):format(table.concat(named, " to "), cc // 10, cc % 10)
end

local function run_launches(at, step, record)
  local job = launches.build(at, step, record)
  local missing = missing_library(at, job)
  if missing then
    record.outcome, record.message = "absent", missing
    return
  end
  if at.checks and not launch_list.has_library(job.list) then
    record.issues, record.shadow_bytes =
      launch_list.check(at.device, launches.fresh(at, step, job), at.checks, at.orders)
  end
  local how = at.device.measures and run_measured or run_emulated
  how(at, step, record, job)
  if runner.counters(record) then
    runner.find_worst(record)
    if record.outcome == "ok" and not record.changed then check_expectations(at, step, record) end
  end
end

-- A step that demonstrates an error: it runs on the emulator only and succeeds if the error occurs.
local function run_shown(at, step, record)
  at = at:emulated()
  local job, what = launches.build(at, step, record), step.shows
  local found
  if what == "wrong" then
    if not ended_well(record, launch_list.run(at.device, launches.fresh(at, step, job))) then return end
    found = not launches.verify(at, step, record) and ("%d of %d elements of `%s` are wrong"):format(
      record.mismatch.count, record.mismatch.total, step.output)
    record.outcome, record.message, record.verified = "ok", nil, nil
  elseif what == "fault" then
    local outcome = launch_list.run(at.device, launches.fresh(at, step, job))
    found = outcome.status ~= "ok" and outcome.message
  else
    record.issues, record.shadow_bytes = launch_list.check(at.device, launches.fresh(at, step, job), what)
    found = checkers.texts(record.issues)
  end
  if found then
    record.shown = { what = what, text = found }
  else
    record.outcome = "gate"
    record.message = ("the step should show %s, but none occurred"):format(runner.shows[what])
  end
end

---The errors that a step can demonstrate, in words.
runner.shows = { race = "a race", sync = "a misplaced barrier", init = "an uninitialized read",
  memory = "an access outside its buffer", wrong = "a wrong result", fault = "a fault" }

local handlers = {
  kernel = run_launches, launches = run_launches, library = run_launches,
  transfer = transfer.run, overlap = transfer.overlap,
  figure = function(at, step, record) record.figure = figure.of(step, at.params, at.device) end,
}

local function add_detail(step, record)
  if not step.detail or record.outcome ~= "ok" then return end
  local said = step.detail(record, record.params)
  if said ~= nil and type(said) ~= "string" then steps.fail(step, "detail", "must return a string or nil") end
  record.detail = said
end

---Runs a step; errors of the step or the device are in the record and not raised.
---@param at Context @param step table @return table record
function runner.run(at, step)
  local record = { step = step, outcome = "ok", params = at.params, models = {},
    claim = step.claim and lecture.find(step.claim) or nil, claims = lists.map(step.claims, lecture.find) }
  local own
  local ok, e = host.catch(function()
    own = at:at(step)
    record.params = own.params
    local missing = missing_capability(step.shows and own:emulated() or own, step)
    if missing then
      record.outcome, record.message = "absent", missing
      return
    end
    local handler = step.shows and run_shown or handlers[steps.kind(step)]
    handler(own, step, record)
    add_detail(step, record)
  end)
  if not ok then
    e = failure.of_definition(e, ("step %q"):format(tostring(step.id)), definition.place_of(step, 1))
    record.outcome, record.message, record.error = failure.kind(e), text.said(e), e
    local outcome = type(e) == "table" and e.outcome
    if outcome then ended_well(record, outcome) end
  end
  if own and (record.message or record.issues or record.shown) then parameters.name(own, step, record) end
  if not record.shown then checkers.judge(record) end
  return record
end

return runner
