-- Exercises: a starter that does not meet its acceptance check, a task, hints, a solution. A check has four stages (it
-- compiles, the result is right, no checker reports an issue, the acceptance check is met) and names the next step.
-- Nothing here prints or waits; lua/gpulab/prompt/study.lua has the commands.
local check = require "gpulab.check"
local checkers = require "gpulab.run.checkers"
local files = require "gpulab.base.files"
local failure = require "gpulab.base.failure"
local acceptance = require "gpulab.run.acceptance"
local cheats = require "gpulab.run.cheats"
local printed = require "gpulab.run.printed"
local runner = require "gpulab.run.runner"
local schema = require "gpulab.lab.schema"
local steps = require "gpulab.lab.steps"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local launch_list = require "gpulab.run.launch_list"
local where = require "gpulab.base.where"

local exercise = {}

local RULES <const> = "H200" -- the default rules of an acceptance check: a grade must not depend on the machine
local MODELS <const> = { "GTX 280", "H200" } -- by which `why` says what limits the kernel

---An exercise as a step compiled from one of its files, which a launch that names a kernel only is looked for in.
---@param ex ExerciseDefinition @param file string
function exercise.compiled_from(ex, file)
  return { id = ex.id, title = ex.title, text = ex.task, exercise = ex, grid = ex.grid, block = ex.block,
    shared = ex.shared, args = ex.args, output = ex.output, reference = ex.reference, columns = ex.columns,
    tolerance = ex.tolerance, symbols = ex.symbols, with = ex.with, small = ex.small, timeout = ex.timeout,
    launches = ex.launches, claims = ex.claims, cooperative = ex.cooperative,
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
  local ids = {}
  for i, ex in ipairs(lab.exercises or {}) do ids[i] = ex.id end
  return ids
end

-- Checking ----------------------------------------------------------------------------------------

---The stages of a check, in order; "passed" follows the last.
exercise.stages = { "compile", "result", "checkers", "accept" }

local function ended(result, stage, outcome, message)
  result.stage, result.outcome, result.message = stage, outcome, message
  return result
end

-- A launch that did not end well. result.lost: the emulator's process died, which says nothing about the kernel.
local function launch_ended(result, outcome, message)
  result.lost = outcome.fault ~= nil and outcome.fault.kind == "unknown fault"
  return ended(result, "result", outcome.status, message)
end

-- Interrupting a check is no result of it.
local function raise_if_interrupted(e)
  if failure.kind(e) == "interrupted" then error(e, 0) end
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

-- A thread that leaves before a barrier also leaves shared memory unwritten: the barrier is what to look at.
local function likely_cause(issues)
  for _, issue in ipairs(issues) do
    if issue.check == "sync" then return issue end
  end
  return issues[1]
end

-- "race at sum.cu:12: thread ..., which nothing orders", wrapped.
local function issue_text(issue)
  local at = checkers.place(issue.sites and issue.sites[1])
  local said = ("%s%s: %s"):format(checkers.names[issue.check] or issue.check, at and " at " .. at or "", issue.message)
  return table.concat(text.wrap(said), "\n")
end

-- The checkers often see why a result is wrong: a race, an uninitialized read.
local function look_for_cause(at, step, result)
  if result.outcome ~= "wrong" then return end
  local ok, found = pcall(launch_list.check, at.device, runner.prepare(at, step).items, "all")
  if not ok then
    raise_if_interrupted(found)
    found = type(found) == "table" and found.findings or {} -- up to the failure
  end
  result.cause = likely_cause(found)
  if not result.cause then return end
  local uninitialized = result.cause.check == "init"
  local said = uninitialized and result.message:gsub("an element that was never written", "an uninitialized value")
    or result.message
  if uninitialized then result.mismatch.unwritten = false end
  result.message = ("Likely cause: %s\n%s"):format(issue_text(result.cause), said)
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

-- Runs with counters on the emulator, each launch by itself.
local function counted(at, step, accept, schedule)
  local prepared = runner.prepare(at, step)
  for _, item in ipairs(prepared.items) do item.config.schedule = schedule or item.config.schedule end
  local report = launch_list.count(at.device, prepared.items,
    { rules = accept.rules or RULES, models = MODELS, reach = true })
  return report, prepared
end

-- What a shipped file of the exercise does in a trial; nil if it does not end well, is wrong, or (checked) has an
-- issue.
local function shipped(context, ex, trial, file, checked)
  local step = exercise.compiled_from(ex, file)
  local at = context:for_trial(trial.number, trial.seed):at(step)
  at = setmetatable({ source = function() end }, { __index = at }) -- no student's copy
  local ok, report, prepared = pcall(counted, at, step, ex.accept or {}, trial.schedule)
  if not ok then
    raise_if_interrupted(report)
    return nil, report
  end
  if report.outcome.status ~= "ok" or mismatch_of(at, step) then return nil end
  if checked and #launch_list.check(at.device, runner.prepare(at, step).items, "all") > 0 then return nil end
  return { launches = acceptance.launches(report, prepared.items), counters = report.counters,
    inputs = inputs_of(at, step) }
end

-- The solution's launches by trial, and the budget that keeps the starter out: the same for every check of an exercise.
local known = setmetatable({}, { __mode = "k" })

local function solution_of(context, ex, trial)
  known[ex] = known[ex] or {}
  local key = ("%d %d"):format(trial.number, trial.seed)
  if not known[ex][key] then
    local solution, e = shipped(context, ex, trial, ex.solution)
    if not solution then
      failure.raise("setup",
        ("exercise %s: the reference solution fails%s"):format(ex.id, e and ": " .. tostring(e) or ""))
    end
    known[ex][key] = solution
    if trial.number == 1 then
      local starter = shipped(context, ex, trial, ex.starter, true)
      local rows = starter and acceptance.judge(ex.accept or {}, starter.counters, { launches = #starter.launches })
      if starter and acceptance.passed(rows)
        and acceptance.passed(acceptance.budgets(ex.accept or {}, starter.launches, solution.launches), true) then
        known[ex].tight = acceptance.tighten(starter.launches, solution.launches)
      end
    end
  end
  return known[ex][key], known[ex].tight
end

---The trials of an acceptance check: its sizes, the one that is shown first, with inputs that are not; and one more
---in another order of blocks and warps.
function exercise.trials(ex, seed)
  local trials = {}
  for i = 1, math.max(#(ex.sizes or {}), 2) do
    trials[i] = { number = i, seed = (seed or SEED) + i, schedule = i > 1 and i or nil }
  end
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

local function trial_name(ex, trial)
  local size = ex.sizes and ex.sizes[trial.number]
  return size and ("with other inputs, size %d"):format(size) or "with other inputs"
end

-- One trial: the result, the inputs afterwards, the budgets. True if something is not as it should be.
local function fails_trial(context, at, step, result, trial)
  local ex = step.exercise
  local accept = ex.accept or {}
  local solution, tight = solution_of(context, ex, trial) -- first, as it runs in the same buffers
  local report, prepared = counted(at, step, accept, trial.schedule)
  if report.outcome.status ~= "ok" then
    return launch_ended(result, report.outcome, report.outcome.message)
  end
  result.report = result.report or report
  local mismatch = mismatch_of(at, step)
  if mismatch then
    result.mismatch = mismatch
    ended(result, "result", "wrong", ("%s: %s"):format(trial_name(ex, trial), mismatch.message))
    look_for_cause(at, step, result)
    return true
  end
  for _, name in ipairs(solution.inputs) do
    if at.buffers[name]:download():differs(at:array_of(name)) then
      return ended(result, "result", "wrong", ("the kernel changes its input %s"):format(name))
    end
  end
  if trial.number == 1 then
    result.accept = acceptance.judge(accept, report.counters, { launches = prepared.launches })
  end
  local launches = acceptance.launches(report, prepared.items)
  for _, row in ipairs(acceptance.budgets(accept, launches, solution.launches, tight)) do
    if not row.ok or trial.number == 1 then result.accept[#result.accept + 1] = row end
  end
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
    if not order then return report.status ~= "ok" and launch_ended(result, report, report.message) end
    items = runner.prepare(at, step).items
    for _, item in ipairs(items) do item.config.schedule = order end
    local outcome = launch_list.run(at.device, items)
    failure.pass_interrupt(outcome)
    local mismatch = outcome.status == "ok" and mismatch_of(at, step)
    if outcome.status ~= "ok" or mismatch then
      result.mismatch = mismatch or nil
      launch_ended(result, outcome, ("%s, in another order of blocks and warps: %s"):format(
        trial_name(step.exercise, trial), mismatch and mismatch.message or outcome.message))
      if mismatch then result.outcome = "wrong" end
      look_for_cause(at, step, result)
      return true
    end
    first = order + 1
  end
end

-- What would pass runs again under the checkers, with the sizes and inputs that are not shown, and in adversarial
-- orders. Each launch has a module of its own, so a kernel cannot tell these runs from the counted ones.
local function fails_under_checkers(context, step, result, trial)
  local at = context:for_trial(trial.number, trial.seed):at(step)
  result.issues = launch_list.check(at.device, runner.prepare(at, step).items, "all")
  if #result.issues > 0 then
    return ended(result, "checkers", "finding", ("%s: %s"):format(trial_name(step.exercise, trial),
      result.issues[1].message))
  end
  return fails_in_orders(at, step, result, trial)
end

local function judge(context, step, result)
  local ex = step.exercise
  context = context:emulated()
  for _, trial in ipairs(exercise.trials(ex, context.seed)) do
    local at = context:for_trial(trial.number, trial.seed):at(step)
    if fails_trial(context, at, step, result, trial) then return result end
  end
  for _, row in ipairs(result.accept) do
    if not row.ok then return ended(result, "accept", "gate", row.text) end
  end
  for _, trial in ipairs(exercise.trials(ex, context.seed)) do
    if fails_under_checkers(context, step, result, trial) then return result end
  end
  return ended(result, "passed", "ok")
end

---Checks an exercise.
---@param context table of a run, whose source says which file is compiled
---@return table result {exercise, stage, outcome, message, error, lost, mismatch, cause, issues, accept, report,
---output, kernel, key, copy}; cause: what a checker sees in a kernel whose result is wrong; output: what the kernel
---printed when its result was compared (printed.lua)
--- stage is the one that was not passed, or "passed".
function exercise.check(context, ex)
  local step, result = exercise.step(ex), { exercise = ex }
  local at, prepared
  local ok, e = pcall(function()
    at = context:at(step)
    prepared = runner.prepare(at, step)
  end)
  if not ok then
    raise_if_interrupted(e)
    result.error = e
    return ended(result, "compile", failure.kind(e), tostring(e))
  end
  result.kernel, result.key = prepared.kernel.name, prepared.kernel.module.key
  local stage = "result"
  ok, e = pcall(function()
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
  if ok then return result end
  raise_if_interrupted(e)
  result.error = e
  if type(e) == "table" and e.outcome then launch_ended(result, e.outcome) end
  return ended(result, stage, failure.kind(e), tostring(e))
end

-- Reporting ---------------------------------------------------------------------------------------

-- The counter above each ratio's requests.
local ratios <const> = { shared_load = "wavefronts", shared_store = "wavefronts", global_load = "sectors",
  global_store = "sectors" }

-- A source line's part of an excess: for a ratio the count beyond the bound.
local function excess(row, counters)
  if row.lines then
    local n = 0
    for _, name in ipairs(row.lines) do n = n + (counters[name] or 0) end
    return n
  end
  local unit = ratios[row.name]
  if not unit then return counters[row.name] or 0 end
  return (counters[row.name .. "_" .. unit] or 0) - row.want.at_most * (counters[row.name .. "_requests"] or 0)
end

-- The source line with the largest part of the excess; nil without one.
local function worst_line(report, row)
  if row.budget and not row.lines then return nil end
  if not row.want.at_most or row.got <= row.want.at_most then return nil end
  local best, most
  for _, line in ipairs(report.lines or {}) do
    local n = excess(row, line.counters)
    if n > (most or 0) then best, most = line, n end
  end
  return best
end

---The line responsible for most of the first excess over a bound of the acceptance check; nil without one.
---@return {file: string, line: integer, why: string}?
function exercise.place(result)
  for _, row in ipairs(result.accept or {}) do
    if not row.ok then
      local line = worst_line(result.report, row)
      return line and { file = line.file, line = line.line, why = row.text .. "." } or nil
    end
  end
end

-- The first bound that is not met, and the line responsible for most of the excess.
local function accept_advice(result)
  for _, row in ipairs(result.accept or {}) do
    if not row.ok then
      local line = worst_line(result.report, row)
      local at = line and (" Most of it comes from %s: %s"):format(checkers.place(line),
        text.trim(line.text or ""))
      return row.text .. "." .. (row.cure and " " .. row.cure or "") .. (at or "")
    end
  end
  return (result.message or "the launch failed") .. "."
end

-- "race at sum.cu:12: put __syncthreads() between the two"
local function issue_advice(f)
  local at = checkers.place(f.sites and f.sites[1])
  return ("%s%s: %s"):format(checkers.names[f.check] or f.check, at and " at " .. at or "", f.hint or f.message)
end

-- The next thing to do, as a sentence.
local function advice(result)
  local id = result.exercise.id
  if result.lost or result.error and result.outcome ~= "compile" then
    return "The check could not finish: see the message above."
  elseif result.stage == "compile" then
    return "Fix the first compiler error; the others often disappear with it."
  elseif result.stage == "result" then
    if result.cause then return "Fix the likely cause first: " .. issue_advice(result.cause) end
    if result.outcome == "wrong" then
      if result.mismatch and result.mismatch.unwritten then
        return "Some elements are never written. Make sure that one thread writes each element."
      end
      if result.as_given then return ("The task is to make the result right; `hint %s` helps."):format(id) end
      return ("Make the result right first: `diff %s` shows what you changed."):format(id)
    elseif result.outcome == "timeout" then
      return "The kernel does not end: check its loops and which threads wait at a barrier."
    end
    return "The kernel stops early: fix the access reported above."
  elseif result.stage == "checkers" then
    return "Fix the " .. issue_advice(result.issues[1])
  end
  return accept_advice(result)
end

local titles <const> = { compile = "compiles", result = "result", checkers = "checkers", accept = "acceptance check" }
local TITLE <const> = 18 -- columns of a title with the space after it

-- The words for a passed stage.
local function passed_text(stage, result)
  if stage == "compile" then return "yes" end
  if stage == "result" then return "right" end
  if stage == "checkers" then return "no issues" end
  local texts, budgets = {}, 0
  for _, row in ipairs(result.accept or {}) do
    if row.budget then
      budgets = budgets + 1
    else
      texts[#texts + 1] = row.text
    end
  end
  if budgets > 0 then
    texts[#texts + 1] = ("within %s of the reference solution"):format(text.plural(budgets, "budget"))
  end
  return #texts > 0 and table.concat(texts, "; ") or "none"
end

local not_passed <const> = { compile = "NO", wrong = "WRONG", fault = "FAULT", limit = "needs more than the GPU has",
  timeout = "DOES NOT END", setup = "cannot run", usage = "cannot run" }

local function failed_text(stage, result)
  if result.error then return not_passed[result.outcome] or result.outcome end
  if stage == "checkers" then
    local n, first = #result.issues, result.issues[1].check
    return ("%s: %s"):format(text.plural(n, "issue"):upper(), checkers.names[first] or first)
  elseif stage == "accept" and result.accept then
    local failed = 0
    for _, row in ipairs(result.accept) do failed = failed + (row.ok and 0 or 1) end
    return ("not met, %d of %s"):format(failed, text.plural(#result.accept, "condition"))
  end
  return not_passed[result.outcome] or result.outcome
end

local function add(lines, more)
  for _, line in ipairs(more) do lines[#lines + 1] = line end
end

-- A stage and its result, which starts at the same column on every line.
local function stage_lines(stage, said, style, options)
  local indent = (" "):rep(2 + TITLE)
  local wrapped = text.wrap(said, indent, options.width)
  local first = (wrapped[1] or indent):sub(#indent + 1)
  wrapped[1] = "  " .. text.left(titles[stage], TITLE) .. tables.paint(first, style, options.color)
  for i = 2, #wrapped do wrapped[i] = indent .. tables.paint(wrapped[i]:sub(#indent + 1), style, options.color) end
  return wrapped
end

---The stages of a check as lines of text: what passed, what failed, the next thing to do.
---@param result table @param options {width: integer?, color: boolean?}
---@return string[]
function exercise.lines(result, options)
  options = { width = options and options.width or text.columns, color = options and options.color or false }
  local lines = {}
  for _, stage in ipairs(exercise.stages) do
    if stage == result.stage then
      add(lines, stage_lines(stage, failed_text(stage, result), "bad", options))
      break
    end
    add(lines, stage_lines(stage, passed_text(stage, result), "good", options))
  end
  if result.stage ~= "passed" then add(lines, text.wrap("Next: " .. advice(result), "  ", options.width)) end
  return lines
end

---What standard error gets before the stages: the compiler's messages, a fault's report, mismatches, issues.
---@return string?
function exercise.trouble(result)
  if result.stage == "passed" or result.stage == "accept" and result.outcome == "gate" then return nil end
  if result.error or result.stage ~= "checkers" then return result.message end
  local texts = {}
  for i, issue in ipairs(result.issues) do texts[i] = issue_text(issue) end
  return table.concat(texts, "\n")
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
