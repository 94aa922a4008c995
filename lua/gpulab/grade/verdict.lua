-- The verdict about one file for one exercise, as plain data: what `check` prints, what is graded, what documents say.
-- It comes from the emulator alone, so it is the same on every machine; but for the rate of a project, where that is to
-- be measured.
--
--   { id = "03-row-sums", lab = 3, exercise = "row-sums", title = "Row sums", file = "row_sums.cu",
--     passed = false, stage = "checkers", outcome = "finding",
--     message = "race at row_sums.cu:15: ...",     -- what standard error gets at the prompt
--     printed = "x = 3\n",                         -- what the kernel printed: the first lines
--     text = { "  compiles          yes", ... },   -- what standard output gets
--     conditions = { { text = "...", ok = true } } }
local exercise = require "gpulab.run.exercise"
local failure = require "gpulab.base.failure"
local json = require "gpulab.base.json"
local labs = require "gpulab.grade.labs"
local lists = require "gpulab.base.lists"
local printed = require "gpulab.run.printed"
local project = require "gpulab.record.project"
local runner = require "gpulab.run.runner"
local show = require "gpulab.base.show"
local stages = require "gpulab.run.stages"
local text = require "gpulab.base.text"

local verdict = {}

---What checks of a lab's exercises share.
---@param lab Lab @param device Device an emulator @param measures_on? Device a GPU, for the rate of a project
function verdict.context(lab, device, measures_on)
  local at = runner.context(lab, device, lab:parameters(nil, { emulated = true }))
  at.repeatable, at.measures_on = true, measures_on
  return at
end

---The GPU that --measure names; nil: none.
---@param name string? @return Device?
function verdict.measuring(name)
  if not name then return nil end
  local device = gpu.open(name)
  if device.measures then return device end
  device:close()
  failure.usage(("--measure %s is not a GPU that measures"):format(text.printable(name)), "name one, such as cuda:0")
end

-- The text without folders: those are this machine's.
local function message_of(result)
  local said = result.error and show.error_text(result.error, false) or stages.trouble(result)
  if not said then return nil end
  said = said:gsub("%f[^\n ]%./", ""):gsub("(\n  source +)[^\n]*/([^/\n]*:%d+)", "%1%2")
  return show.printable(said:match("^.*%S") or "")
end

---Checks a file.
---@param at Context @param ex table @param path? string the file; nil: the unchanged starter
---@param options? {width: integer?, name: string?} name: how the file is called in the verdict
---@return table verdict, table result of exercise.check
function verdict.of(at, ex, path, options)
  options = options or {}
  at.work_limit = nil
  at.work_limit = not ex.project and exercise.work_limit(at, ex) or nil
  at.source = path and function() return { path = path, changed = true } end or nil
  local result = project.check(at, ex)
  failure.pass_interrupt(result)
  result.as_given = path == nil
  return { id = labs.id(at.lab, ex), lab = at.lab.number, exercise = ex.id, title = text.printable(ex.title),
    file = text.printable(options.name or path and text.file_name(path) or ex.starter),
    passed = result.stage == "passed", stage = result.stage, outcome = result.lost and "stopped" or result.outcome,
    message = message_of(result), score = result.score,
    printed = printed.text(result.output),
    text = stages.lines(result, { width = options.width or 80, lab = at.lab.number }),
    conditions = lists.map(result.accept, function(row) return { text = row.text, ok = row.ok } end) }, result
end

---A verdict without a check: no file, or one that cannot be taken.
---@param lab Lab @param ex table @param outcome "missing"|"refused"|"stopped" @param message string
function verdict.without(lab, ex, outcome, message)
  return { id = labs.id(lab, ex), lab = lab.number, exercise = ex.id, title = text.printable(ex.title),
    passed = false, stage = "file", outcome = outcome, message = message, text = { "  " .. message }, conditions = {} }
end

-- Others mean that the check could not finish, which says nothing about the kernel.
local final <const> = lists.set { "ok", "compile", "fault", "limit", "wrong", "timeout", "finding", "gate", "missing",
  "refused" }

---Whether a verdict is about what was submitted, and so would be the same another time.
---@param v table @return boolean
function verdict.is_final(v) return final[v.outcome] == true end

function verdict.object(v)
  local object = json.pick(v, "id lab exercise title file passed stage outcome message printed")
  if v.score then json.put(object, "score", json.pick(v.score, "rate unit gpu kind ms tier tiers share samples")) end
  json.put(object, "text", json.each(v.text))
  return json.put(object, "conditions", json.each(v.conditions, "ok text"))
end

return verdict
