-- Exercises: a starter that misses its gate, a task, hints, a solution. A check goes through four stages (it compiles,
-- the result is right, no checker finds anything, the gate holds) and tells what passed and the one next thing to do.
-- Nothing here prints or waits; lua/gpulab/study.lua has the commands.
local check = require "gpulab.check"
local checkers = require "gpulab.checkers"
local documents = require "gpulab.documents"
local failure = require "gpulab.failure"
local gate = require "gpulab.gate"
local host = require "gpulab.host"
local runner = require "gpulab.runner"
local steps = require "gpulab.steps"
local tables = require "gpulab.table"
local text = require "gpulab.text"
local works = require "gpulab.works"

local exercise = {}

local RULES <const> = "H200" -- whose rules count a gate that names no others: a grade must not depend on the machine

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

---The exercise of this id or number, or of the only id that begins so; nil if there is none.
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

---What a stage of a check can end with, in order; "passed" is after the last.
exercise.stages = { "compile", "result", "checkers", "gate" }

local function ended(result, stage, outcome, message)
  result.stage, result.outcome, result.message = stage, outcome, message
  return result
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

-- Runs it on the session's device and compares; true if the result is wrong, or there is none.
local function is_wrong(at, step, prepared, result)
  local outcome = works.run(at.device, prepared.items)
  if outcome.status == "interrupted" then failure.raise("interrupted", "interrupted") end
  if outcome.status ~= "ok" then
    return ended(result, "result", outcome.status, outcome.report ~= "" and outcome.report or outcome.message)
  end
  local mismatch = mismatch_of(at, step)
  if not mismatch then return nil end
  result.mismatch = mismatch
  return ended(result, "result", "wrong", mismatch.message)
end

-- Why a result is wrong is often what the checkers see: a race, a read of what nobody wrote.
local function look_for_cause(at, step, result)
  if result.outcome ~= "wrong" then return end
  local ok, found = pcall(works.check, at.device, runner.prepare(at, step).items, "all")
  if not ok then
    raise_if_interrupted(found)
    found = type(found) == "table" and found.findings or {} -- until it did not end well
  end
  result.cause = found[1]
end

local function judge(at, step, result)
  local want = step.exercise.gate or {}
  local prepared = runner.prepare(at, step)
  local report = works.count(at.device, prepared.items, { rules = want.rules or RULES, models = {} })
  result.report = report
  if report.outcome.status ~= "ok" then
    return ended(result, "gate", report.outcome.status, report.outcome.message)
  end
  result.gate = gate.judge(want, report.counters, { launches = prepared.launches })
  for _, row in ipairs(result.gate) do
    if not row.ok then return ended(result, "gate", "gate", row.text) end
  end
  return ended(result, "passed", "ok")
end

---Checks an exercise.
---@param context table of a run, whose source says which file is compiled
---@return table result {exercise, stage, outcome, message, error, mismatch, cause, findings, gate, report, kernel, key,
---copy}; cause: what a checker sees in a kernel whose result is wrong
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
    result.findings = works.check(at.device, runner.prepare(at, step).items, "all")
    if #result.findings > 0 then
      ended(result, "checkers", "finding", result.findings[1].message)
    else
      stage = "gate"
      judge(at, step, result)
    end
  end)
  if ok then return result end
  raise_if_interrupted(e)
  result.error = e
  return ended(result, stage, failure.kind(e), tostring(e))
end

-- Telling -----------------------------------------------------------------------------------------

-- What of a ratio is counted line by line, and for how many requests.
local ratios <const> = { shared_load = "wavefronts", shared_store = "wavefronts", global_load = "sectors",
  global_store = "sectors" }

-- What a source line has of that which is too much: of a ratio what goes beyond the bound.
local function excess(row, counters)
  local unit = ratios[row.name]
  if not unit then return counters[row.name] or 0 end
  return (counters[row.name .. "_" .. unit] or 0) - row.want.at_most * (counters[row.name .. "_requests"] or 0)
end

-- The source line that has most of it; nil where nothing is too much, or no line has it.
local function worst_line(report, row)
  if not row.want.at_most or row.got <= row.want.at_most then return nil end
  local best, most
  for _, line in ipairs(report.lines or {}) do
    local n = excess(row, line.counters)
    if n > (most or 0) then best, most = line, n end
  end
  return best
end

-- What was counted against what is allowed, and where most of it comes from.
local function gate_advice(result)
  for _, row in ipairs(result.gate or {}) do
    if not row.ok then
      local line = worst_line(result.report, row)
      local at = line and (" Most of it comes from %s: %s"):format(checkers.place(line),
        (line.text or ""):match("^%s*(.-)%s*$"))
      return row.text .. "." .. (at or "")
    end
  end
  return (result.message or "the launch did not end well") .. "."
end

local called <const> = { memory = "bad access", init = "read of what nobody wrote", sync = "barrier",
  unused = "launch that writes nothing" }

-- "race at sum.cu:12: put __syncthreads() between the two"
local function finding_advice(f)
  local at = checkers.place(f.sites and f.sites[1])
  return ("%s%s: %s"):format(called[f.check] or f.check, at and " at " .. at or "", f.hint or f.message)
end

-- The one next thing to do, as a sentence.
local function advice(result)
  local id = result.exercise.id
  if result.error and result.outcome ~= "compile" then
    return "It could not be tried to the end: see what stands above."
  elseif result.stage == "compile" then
    return "Mend what the compiler says first; the rest often goes with it."
  elseif result.stage == "result" then
    if result.cause then return "Mend first what may be the cause: " .. finding_advice(result.cause) end
    if result.outcome == "wrong" then
      if result.mismatch and result.mismatch.unwritten then
        return "Some elements are never written: see to it that every element has a thread that writes it."
      end
      if result.as_given then return ("Making the result right is the task; `hint %s` helps."):format(id) end
      return ("Make the result right before anything else: `diff %s` shows what you changed."):format(id)
    elseif result.outcome == "timeout" then
      return "It does not end: look at the loops and at who waits at a barrier."
    end
    return "It stops before its end: mend the access that is named above."
  elseif result.stage == "checkers" then
    return "Mend the " .. finding_advice(result.findings[1])
  end
  return gate_advice(result)
end

local titles <const> = { compile = "compiles", result = "result", checkers = "checkers", gate = "gate" }

-- What there is to say of a stage that was passed.
local function passed_text(stage, result)
  if stage == "compile" then return "yes" end
  if stage == "result" then return "right" end
  if stage == "checkers" then return "nothing found" end
  local texts = {}
  for i, row in ipairs(result.gate or {}) do texts[i] = row.text end
  return #texts > 0 and table.concat(texts, "; ") or "there is none"
end

local not_passed <const> = { compile = "NO", wrong = "WRONG", fault = "FAULT", limit = "asks for more than the GPU has",
  timeout = "DOES NOT END", setup = "cannot be tried", usage = "cannot be tried" }

local function missed_text(stage, result)
  if result.error then return not_passed[result.outcome] or result.outcome end
  if stage == "checkers" then
    local n = #result.findings
    return ("%s: %s"):format(text.plural(n, "finding"):upper(), result.findings[1].check)
  elseif stage == "gate" and result.gate then
    local missed = 0
    for _, row in ipairs(result.gate) do missed = missed + (row.ok and 0 or 1) end
    return ("MISSED, %d of %s"):format(missed, text.plural(#result.gate, "condition"))
  end
  return not_passed[result.outcome] or result.outcome
end

local function add(lines, more)
  for _, line in ipairs(more) do lines[#lines + 1] = line end
end

-- A stage and what it ended with, from the same column on over as many lines as it takes.
local function stage_lines(stage, said, style, options)
  local indent = (" "):rep(14)
  local wrapped = text.wrap(said, indent, options.width)
  local first = (wrapped[1] or indent):sub(#indent + 1)
  wrapped[1] = "  " .. text.left(titles[stage], 12) .. tables.paint(first, style, options.color)
  for i = 2, #wrapped do wrapped[i] = indent .. tables.paint(wrapped[i]:sub(#indent + 1), style, options.color) end
  return wrapped
end

---The stages of a check as lines of text: what passed, what did not, the one next thing to do.
---@param result table @param options {width: integer?, color: boolean?}
---@return string[]
function exercise.lines(result, options)
  options = { width = options and options.width or text.columns, color = options and options.color or false }
  local lines = {}
  for _, stage in ipairs(exercise.stages) do
    if stage == result.stage then
      add(lines, stage_lines(stage, missed_text(stage, result), "bad", options))
      break
    end
    add(lines, stage_lines(stage, passed_text(stage, result), "good", options))
  end
  if result.stage ~= "passed" then add(lines, text.wrap("Next: " .. advice(result), "  ", options.width)) end
  return lines
end

---What stands on standard error before the stages: the compiler's words, a fault's report, mismatches, findings.
---@return string?
function exercise.trouble(result)
  if result.stage == "passed" or result.stage == "gate" and result.outcome == "gate" then return nil end
  if result.error or result.stage ~= "checkers" then return result.message end
  local texts = {}
  for i, f in ipairs(result.findings) do
    local at = checkers.place(f.sites and f.sites[1])
    local said = ("%s%s: %s"):format(f.check, at and " at " .. at or "", f.message)
    texts[i] = table.concat(text.wrap(said), "\n")
  end
  return table.concat(texts, "\n")
end

-- Hints and solutions -----------------------------------------------------------------------------

---The solution's source text and where it lies.
---@return string text, string path
function exercise.solution(ex)
  local path = host.find(ex.solution, "kernels")
  local content, reason = documents.read(path)
  if not content then failure.raise("setup", "cannot read " .. reason) end
  return content, path
end

return exercise
