-- The commands about steps: next, prev, run, show, text, steps.
local background = require "gpulab.prompt.background"
local failure = require "gpulab.base.failure"
local journal = require "gpulab.run.journal"
local lecture = require "gpulab.lecture"
local lists = require "gpulab.base.lists"
local pager = require "gpulab.base.pager"
local remote = require "gpulab.prompt.remote"
local steps_of = require "gpulab.lab.steps"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

local function move(by)
  return function(session, words)
    local lab = session.lab
    if #lab.steps == 0 then
      failure.usage(lab:heading() .. " has no steps", "`exercises` lists the exercises")
    elseif #words > 1 then
      failure.usage("next and prev take one step", ("for example: next %s"):format(lab.steps[1].id))
    elseif words[1] then
      return session:show_and_run(words[1])
    end
    local at = session.at + by
    if at < 1 then failure.usage("this is the first step") end
    if at > #lab.steps then
      failure.usage("this is the last step", #(lab.exercises or {}) > 0
        and "`exercises` lists the exercises, `run` runs all steps again" or "`run` runs all steps again")
    end
    session:show_and_run(lab.steps[at].id)
  end
end

local function run(session, words)
  local rest, later = background.words(words)
  local names, elsewhere = remote.words(rest)
  if #names == 1 and names[1] == "all" then names = {} end
  local steps = lists.map(names, function(name) return (session.lab:step(name)) end)
  local all = #steps > 0 and steps or session.lab.steps
  if later then return session.background:run(all, "run " .. table.concat(rest, " "), elsewhere) end
  if elsewhere then return remote.run(session, all) end
  if #steps == 1 then return session:show_and_run(names[1]) end
  session:run_and_judge(all, false, 0)
end

-- A step's text again, or the access that an issue is about.
local function show(session, words)
  if words[1] == "it" then
    local step = session.here and session:target { session.here } or session:named_step {}
    return session.stepper:show_it(session, step, words[2], session:found_in(step))
  end
  local left = session.left
  local step = session:visit(session:target(words))
  session.left = left -- reading a text again is no progress
  if step.exercise then return text.say(session.study:paragraph(step.exercise)) end
  text.say(session:paragraph(step))
end

-- How a step ended: in this session, else the last time, as the journal has it; nil: it never ran.
local function ended(session, step)
  local known = session.run and session.run.results[step.id]
  local ok, runs = failure.try(journal.history, session.lab.id, step.id, 1)
  known = known or ok and runs[1]
  return known and { text = known.outcome, style = known.outcome == "ok" and "good" or "bad" }
end

local function list(session)
  local columns = tables.columns { ">", "step", ":20" }
  local rows, numbers, results = {}, false, {}
  for i, step in ipairs(session.lab.steps) do
    local claim = step.claim and lecture.find(step.claim)
    local mark = (i == session.at and "> " or "") .. i
    local alike = claim and claim.value and claim.unit == steps_of.unit(step) -- else nothing is there to compare with
    local said = alike and lecture.number(claim) .. " " .. claim.unit or ""
    numbers = numbers or said ~= ""
    results[i] = ended(session, step) or ""
    rows[i] = { mark, step.id, session:title(step), said }
  end
  if numbers then columns[#columns + 1] = { header = { "lecture" }, right = true } end
  if lists.any(results, function(result) return result ~= "" end) then
    columns[#columns + 1] = { header = { "last run" } }
    for i, row in ipairs(rows) do row[#columns] = results[i] end
  end
  pager.show(tables.render(columns, rows, session:table_options()))
end

local function step_ids(session) return session:step_ids() end

return {
  { name = "next", usage = "next [STEP]", topic = "steps", summary = "show and run the next step",
    help = "Shows the next step's text and runs it. next 2 and next tile continue at that step.",
    complete = step_ids, run = move(1) },
  { name = "prev", usage = "prev [STEP]", topic = "steps", summary = "show and run the previous step",
    help = "Shows the previous step's text and runs it. prev 2 and prev tile go back to that step.",
    complete = step_ids, run = move(-1) },
  { name = "run", usage = "run [--remote] [STEP...|all] [&]", topic = "steps",
    summary = "run steps; without arguments, all of them",
    help = "Runs the named steps, or all of them, verifies each result and prints a table. A single step shows its text"
      .. " first. A step's number or a unique prefix of its id is enough. --remote runs them on the remote GPU that the"
      .. " site file names; your own device does not change. With & at the end you can go on typing while gpulab waits"
      .. " for a remote GPU; the table appears when it is available. See ?jobs.",
    complete = function(session) return lists.append({ "all" }, session:step_ids()) end, run = run },
  { name = "show", usage = "show [STEP|it]", topic = "steps", summary = "show a step's text again",
    help = "Shows the text of a step or the task of an exercise, by default of the current step. show it steps to the"
      .. " access that an issue of a checker is about, to the store of a wrong element, or to the line that an"
      .. " acceptance check names.",
    complete = function(session) return session:target_ids() end, run = show },
  { name = "text", usage = "text [STEP]", topic = "steps", summary = "the same as show",
    help = "Shows the text of a step, by default of the current one.", complete = step_ids, run = show },
  { name = "steps", usage = "steps", aliases = "list", topic = "steps", looks = 0,
    summary = "list the steps of this lab",
    help = "Lists the steps with their numbers; > marks the current one.", run = list },
}
