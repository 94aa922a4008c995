-- Exercises: a starter that does not meet its acceptance check, a task, hints, a solution. A check has four stages (it
-- compiles, the result is right, no checker reports an issue, the acceptance check is met) and names the next step.
-- Nothing here prints or waits; lua/gpulab/prompt/study.lua has the commands.
local lazy = require "gpulab.base.lazy"
local cause = lazy "gpulab.run.cause"
local check = require "gpulab.check"
local files = require "gpulab.base.files"
local failure = require "gpulab.base.failure"
local acceptance = lazy "gpulab.run.acceptance"
local cheats = require "gpulab.run.cheats"
local lists = require "gpulab.base.lists"
local parameters = lazy "gpulab.run.parameters"
local printed = require "gpulab.run.printed"
local runner = require "gpulab.run.runner"
local schema = require "gpulab.lab.schema"
local steps = require "gpulab.lab.steps"
local launch_list = require "gpulab.run.launch_list"
local where = require "gpulab.base.where"

local exercise = {}

local RULES <const> = "H200" -- the default rules of an acceptance check: a grade must not depend on the machine
local MODELS <const> = { "GTX 280", "H200" } -- by which `why` says what limits the kernel

---An exercise as a step compiled from one of its files, which a launch that names a kernel only is looked for in.
---@param ex ExerciseDefinition @param file string
function exercise.compiled_from(ex, file)
  if ex.project then
    return { id = ex.id, title = ex.title, text = ex.task, exercise = ex, claims = ex.claims,
      kernel = { file = file, name = "" } }
  end
  return { id = ex.id, title = ex.title, text = ex.task, exercise = ex, grid = ex.grid, block = ex.block,
    shared = ex.shared, args = ex.args, output = ex.output, reference = ex.reference, columns = ex.columns,
    tolerance = ex.tolerance, symbols = ex.symbols, with = ex.with, small = ex.small, timeout = ex.timeout,
    launches = ex.launches, claims = ex.claims, cooperative = ex.cooperative, crowded = ex.crowded,
    kernel = { file = file, name = ex.kernel, defines = ex.defines } }
end

---An exercise as a step that the runner can run, from its starter: the same table for the same exercise.
local as_step = setmetatable({}, { __mode = "k" })
function exercise.step(ex)
  as_step[ex] = as_step[ex] or exercise.compiled_from(ex, ex.starter)
  return as_step[ex]
end

---The exercise with this id or number, or the only one whose id begins so; nil without one.
---@param lab Lab @param name string
---@return table? exercise, integer? number
function exercise.find(lab, name)
  local found, number
  for i, ex in ipairs(lab.exercises or {}) do
    if ex.id == name or tostring(i) == name then return ex, i end
    if name ~= "" and ex.id:sub(1, #name) == name then
      if found then return nil end
      found, number = ex, i
    end
  end
  return found, number
end

---@return string[]
function exercise.ids(lab)
  return lists.map(lab.exercises, "id")
end

-- Checking ----------------------------------------------------------------------------------------

local function ended(result, stage, outcome, message)
  result.stage, result.outcome, result.message = stage, outcome, message
  return result
end

-- A launch that did not end well. result.lost: the emulator's process died, which says nothing about the kernel.
local function launch_ended(result, outcome, message)
  result.fault = outcome.fault
  result.lost = outcome.fault ~= nil and outcome.fault.kind == "unknown fault"
  return ended(result, "result", outcome.status, message)
end

local function mismatch_of(at, step)
  local tolerance = step.tolerance or {}
  return check.compare(at.buffers[step.output], at:reference(step), { relative = tolerance.relative,
    absolute = tolerance.absolute, columns = steps.size(step.columns, at.params), name = step.output })
end

-- Runs it on the session's device and compares; true if the result is wrong or missing.
local function is_wrong(at, step, prepared, result)
  local outcome = launch_list.run(at.device, prepared.items)
  result.output = printed.of(outcome.output)
  failure.pass_interrupt(outcome)
  if outcome.status ~= "ok" then
    return launch_ended(result, outcome, outcome.report ~= "" and outcome.report or outcome.message)
  end
  local mismatch = mismatch_of(at, step)
  if not mismatch then return nil end
  result.mismatch = mismatch
  return ended(result, "result", "wrong", mismatch.message)
end

-- Looks for the cause in the inputs that are wrong, and in their order of blocks and warps.
local function look_for_cause(at, step, result, schedule)
  if result.outcome ~= "wrong" or at.verdict_only then return end
  local mismatch = result.mismatch
  local head = result.message:sub(1, -#mismatch.message - 1) -- such as "with other inputs"
  local found = cause.of(at, step, mismatch, function()
    local items = runner.prepare(at, step).items
    for _, item in ipairs(items) do item.config.schedule = schedule or item.config.schedule end
    return items
  end)
  result.cause, result.message = found.issue, cause.said(found, head .. mismatch.message)
end

-- Acceptance --------------------------------------------------------------------------------------

local SEED <const> = 20260901 -- of the inputs that no lab shows; those of a trial are the same on every machine

-- The buffers that the solution's kernels take as pointers to const: they are compared afterwards.
local function inputs_of(at, step)
  local content, names = exercise.solution(step.exercise), {}
  for _, item in ipairs(steps.items(step, at.params)) do
    local kernel = cheats.read(content, item.kernel.name)
    for i, arg in ipairs(item.args) do
      local param = kernel and kernel.params[i]
      local spec = at.lab.buffers[arg]
      if param and param.type:find "const" and spec and spec.fill then names[arg] = true end
    end
  end
  return schema.sorted_keys(names)
end

-- Runs with counters on the emulator, each launch by itself, with the times of models.
local function counted(at, step, accept, schedule, models)
  local prepared = runner.prepare(at, step)
  for _, item in ipairs(prepared.items) do item.config.schedule = schedule or item.config.schedule end
  local report = launch_list.count(at.device, prepared.items,
    { rules = accept.rules or RULES, models = models, reach = true })
  return report, prepared
end

-- What a shipped file of the exercise does in a trial; nil and why if it does not end well, is wrong, or (checked) has
-- an issue.
local function shipped(context, ex, trial, file, checked)
  local step = exercise.compiled_from(ex, file)
  local at = context:for_trial(trial.number, trial.seed):at(step)
  at = setmetatable({ source = function() end }, { __index = at }) -- no student's copy
  local ok, report, prepared = failure.try(counted, at, step, ex.accept or {}, trial.schedule)
  if not ok then return nil, report end
  if report.outcome.status ~= "ok" then return nil, report.outcome.report end
  local wrong = mismatch_of(at, step)
  if wrong then return nil, wrong.message end
  if checked and #launch_list.check(at.device, runner.prepare(at, step).items, "all") > 0 then return nil end
  return { launches = acceptance.launches(report, prepared.items), counters = report.counters, lines = report.lines,
    inputs = inputs_of(at, step) }
end

-- The solution's launches by trial, and the budget that keeps the starter out: the same for every check of an exercise.
local known = setmetatable({}, { __mode = "k" })

-- The conditions that the starter misses, if its result is right; and the budget that keeps it out if it misses none.
local function look_at_starter(context, ex, trial, solution)
  local starter, misses = shipped(context, ex, trial, ex.starter, true), {}
  if not starter then return misses end
  local accept, clear = ex.accept or {}, true
  for _, rows in ipairs { acceptance.judge(accept, starter.counters, starter.launches),
    acceptance.budgets(accept, starter.launches, solution.launches) } do
    for _, row in ipairs(rows) do
      if not row.ok then misses[row.name], clear = true, clear and row.vague or false end
    end
  end
  if not clear then return misses end
  local tight = acceptance.tighten(starter.launches, solution.launches)
  if tight then misses[tight.name] = true end
  return misses, tight
end

-- What the solution does in a trial, and what is known of the starter: {misses, tight}.
local function solution_of(context, ex, trial)
  known[ex] = known[ex] or {}
  local key = ("%d %d"):format(trial.number, trial.seed)
  if not known[ex][key] then
    local solution, e = shipped(context, ex, trial, ex.solution)
    if not solution then
      local sizes = ex.sizes
      failure.raise("setup", ("exercise %s: the reference solution fails%s: %s"):format(ex.id,
        sizes and (" with size = %s"):format(sizes[trial.number] or sizes[1]) or "", tostring(e)))
    end
    known[ex][key] = solution
    if trial.number == 1 then
      local misses, tight = look_at_starter(context, ex, trial, solution)
      known[ex].starter = { misses = misses, tight = tight }
    end
  end
  return known[ex][key], known[ex].starter
end

-- A launch much smaller than the one that is shown says nothing of how the work is done: only its result counts.
local function is_small(sizes, i) return sizes ~= nil and sizes[i] ~= nil and 8 * sizes[i] <= sizes[1] end

---The trials of an acceptance check: its sizes, the one that is shown first, with inputs that are not; and one more
---in another order of blocks and warps. If no size is larger than the one that is shown, the last trial has such a one.
---result_only: its conditions are not asked for.
function exercise.trials(ex, seed)
  local trials, sizes = {}, ex.sizes or {}
  local largest = #sizes > 1 and math.max(table.unpack(sizes)) == sizes[1]
  for i = 1, math.max(#sizes + (largest and 1 or 0), 2) do
    trials[i] = { number = i, seed = (seed or SEED) + i, schedule = i > 1 and i or nil,
      result_only = is_small(ex.sizes, i) or i > 2 and i > #sizes, larger = i > 2 and i > #sizes }
  end
  return trials
end

-- Those in which the solution is right: the lab's buffers may be too small for the larger size.
local function possible_trials(context, ex)
  local trials = exercise.trials(ex, context.seed)
  if not trials[#trials].larger then return trials end
  known[ex] = known[ex] or {}
  if known[ex].grows == nil then
    local ok, right = failure.try(shipped, context, ex, trials[#trials], ex.solution)
    known[ex].grows = ok and right ~= nil
  end
  if not known[ex].grows then trials[#trials] = nil end
  return trials
end

---How many basic blocks a launch may execute before it counts as endless: more than any budget allows, and the same on
---every machine.
---@param context Context @param ex table @return integer
function exercise.work_limit(context, ex)
  local most = 0
  for _, launch in ipairs(solution_of(context:emulated(), ex, exercise.trials(ex, context.seed)[1]).launches) do
    most = math.max(most, launch.counters.warp_instructions)
  end
  return 64 * most + (1 << 18)
end

-- A launch of a trial that did not end well.
local function trial_ended(result, outcome, said)
  launch_ended(result, outcome, ("%s%s:\n%s"):format(result.inputs, said or "",
    outcome.report ~= "" and outcome.report or outcome.message))
  return true
end

-- What f says of a trial: true if something is not as it should be. A kernel may fault in it wherever it runs;
-- result.inputs says with which inputs.
local function in_trial(f, context, step, result, trial)
  local at = context:for_trial(trial.number, trial.seed):at(step)
  local sizes = step.exercise.sizes and parameters.sizes(at, step)
  result.inputs = "with other inputs" .. (sizes and ", " .. sizes or "")
  local ok, e = failure.try(f, context, at, step, result, trial)
  if ok then
    if not e then result.inputs = nil end
    return e
  end
  if type(e) ~= "table" or not e.outcome then error(e, 0) end
  return trial_ended(result, e.outcome)
end

-- One trial: the result, the inputs afterwards, the budgets. True if something is not as it should be.
local function fails_trial(context, at, step, result, trial)
  local ex = step.exercise
  local accept, solution, starter = ex.accept or {}, nil, nil
  if not trial.result_only then solution, starter = solution_of(context, ex, trial) end -- first: in the same buffers
  local shown = solution and not result.report and not at.verdict_only
  local report, prepared = counted(at, step, accept, trial.schedule, shown and MODELS or nil)
  if report.outcome.status ~= "ok" then return trial_ended(result, report.outcome) end
  if solution then
    result.report, result.solution_lines = result.report or report, result.solution_lines or solution.lines
    result.starter_misses = starter.misses
    local config = #prepared.items == 1 and prepared.items[1].config or {}
    result.grid, result.block = result.grid or config.grid, result.block or config.block
  end
  local mismatch = mismatch_of(at, step)
  if mismatch then
    result.mismatch = mismatch
    ended(result, "result", "wrong", ("%s:\n%s"):format(result.inputs, mismatch.message))
    look_for_cause(at, step, result, trial.schedule)
    return true
  end
  if not solution then return end
  for _, name in ipairs(solution.inputs) do
    if at.buffers[name]:download():differs(at:array_of(name)) then
      return ended(result, "result", "wrong", ("the kernel changes its input `%s`"):format(name))
    end
  end
  local launches = acceptance.launches(report, prepared.items)
  result.accept = acceptance.joined(result.accept,
    acceptance.judge(accept, report.counters, launches, trial.number > 1))
  result.accept = acceptance.joined(result.accept,
    acceptance.budgets(accept, launches, solution.launches, starter.tight))
end

-- The first of some orders of blocks and warps that makes the result wrong. Other bits alone do not: sums of floats
-- depend on the order.
local function fails_in_orders(at, step, result, trial)
  local first, last = 100 * trial.number + 1, 100 * trial.number + launch_list.ORDERS
  while first <= last do
    local items = runner.prepare(at, step).items
    for _, item in ipairs(items) do item.config.schedule = trial.schedule end
    local report = launch_list.orders(at.device, items, last - first + 1, first)
    failure.pass_interrupt(report)
    local order = report.order
    if not order then return report.status ~= "ok" and trial_ended(result, report) end
    items = runner.prepare(at, step).items
    for _, item in ipairs(items) do item.config.schedule = order end
    local outcome = launch_list.run(at.device, items)
    failure.pass_interrupt(outcome)
    local mismatch = outcome.status == "ok" and mismatch_of(at, step)
    if outcome.status ~= "ok" or mismatch then
      result.mismatch = mismatch or nil
      local said = ", in another order of blocks and warps"
      if not mismatch then return trial_ended(result, outcome, said) end
      ended(result, "result", "wrong", ("%s%s:\n%s"):format(result.inputs, said, mismatch.message))
      look_for_cause(at, step, result, order)
      return true
    end
    first = order + 1
  end
end

-- What would pass runs again under the checkers, with the sizes and inputs that are not shown, and in adversarial
-- orders. Each launch has a module of its own, so a kernel cannot tell these runs from the counted ones.
local function fails_under_checkers(_, at, step, result, trial)
  result.issues = launch_list.check(at.device, runner.prepare(at, step).items, "all")
  if #result.issues > 0 then
    return ended(result, "checkers", "finding", ("%s: %s"):format(result.inputs, result.issues[1].message))
  end
  return not trial.result_only and fails_in_orders(at, step, result, trial)
end

local function judge(context, step, result)
  local ex = step.exercise
  context = context:emulated()
  local trials = possible_trials(context, ex)
  for _, trial in ipairs(trials) do
    if in_trial(fails_trial, context, step, result, trial) then return result end
    if context.verdict_only and not acceptance.passed(result.accept) then break end
  end
  result.accept = acceptance.in_order(result.accept, ex.accept or {}, result.starter_misses)
  for _, row in ipairs(result.accept) do
    if not row.ok then return ended(result, "accept", "gate", row.text) end
  end
  for _, trial in ipairs(trials) do
    if in_trial(fails_under_checkers, context, step, result, trial) then return result end
  end
  return ended(result, "passed", "ok")
end

-- A kernel that cannot be launched with what the exercise passes is the student's mistake, as one that does not
-- compile.
local function wrong_parameters(result, e)
  local why = type(e) == "string" and e:match "bad argument #%d+ to '[^']*' %((.*)%)$"
  result.has_other_parameters = why ~= nil
  return why and ended(result, "compile", "compile", why)
end

---Checks an exercise.
---@param context table of a run, whose source says which file is compiled
---@return table result {exercise, stage, outcome, message, error, lost, mismatch, cause, issues, accept, report,
---output, kernel, key, copy, warnings, inputs}; cause: what a checker sees in a kernel whose result is wrong; output:
---what the kernel printed when its result was compared (printed.lua); warnings: the compiler's, of a changed copy;
---inputs: "with other inputs, n = 31" where it fails with those alone
--- stage is the one that was not passed, or "passed".
function exercise.check(context, ex)
  local step, result = exercise.step(ex), { exercise = ex }
  local at, prepared
  local ok, e = failure.try(function()
    at = context:at(step)
    prepared = runner.prepare(at, step)
  end)
  if not ok then
    result.error = e
    return ended(result, "compile", failure.kind(e), tostring(e))
  end
  local copy = at.source and at.source(ex.starter)
  result.kernel, result.key = prepared.kernel.name, prepared.kernel.module.key
  result.as_given = not (copy and copy.changed)
  result.warnings = copy and copy.changed and prepared.kernel.module.log or nil
  local stage = "result"
  ok, e = failure.try(function()
    if is_wrong(at, step, prepared, result) then return look_for_cause(at, step, result) end
    stage = "checkers"
    result.issues = launch_list.check(at.device, runner.prepare(at, step).items, "all")
    if #result.issues > 0 then
      ended(result, "checkers", "finding", result.issues[1].message)
    else
      stage = "accept"
      judge(context, step, result)
    end
  end)
  if ok then
    parameters.name(at, step, result)
    return result
  end
  if wrong_parameters(result, e) then return result end
  result.error = e
  if type(e) == "table" and e.outcome then launch_ended(result, e.outcome) end
  return ended(result, stage, failure.kind(e), tostring(e))
end

-- Hints and solutions -----------------------------------------------------------------------------

local function text_of(file)
  local path = where.find(file, "kernels")
  local content, reason = files.read(path)
  if not content then failure.raise("setup", "cannot read " .. reason) end
  return content, path
end

---The starter's source text and its path.
---@return string text, string path
function exercise.starter(ex) return text_of(ex.starter) end

---The solution's source text and its path.
---@return string text, string path
function exercise.solution(ex) return text_of(ex.solution) end

return exercise
