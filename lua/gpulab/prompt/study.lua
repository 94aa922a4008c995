-- The exercises of an open lab at the prompt: their state, and checking them. The student's copy of a starter is
-- edited, watched and reset like any other copy (workbook.lua).
local copies = require "gpulab.prompt.copies"
local exercise = require "gpulab.run.exercise"
local failure = require "gpulab.base.failure"
local journal = require "gpulab.run.journal"
local lists = require "gpulab.base.lists"
local printed = require "gpulab.run.printed"
local project = require "gpulab.record.project"
local progress = require "gpulab.base.progress"
local show = require "gpulab.base.show"
local stages = require "gpulab.run.stages"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local warnings = require "gpulab.run.warnings"

local study = {}

local Study = {}
Study.__index = Study

---@param session table of lua/gpulab/prompt/session.lua; its book has the copies, its marks the earlier work
function study.new(session)
  return setmetatable({ session = session, lab = session.lab, marks = session.marks, results = {} }, Study)
end

-- State -----------------------------------------------------------------------------------------

---The state of each exercise: {exercise, passed, hints (seen), solution (was it shown?), begun (is there a copy?)}.
function Study:states()
  local counts = self.marks:counts()
  return lists.map(self.lab.exercises, function(ex)
    return { exercise = ex, passed = counts.passed[ex.id] > 0, hints = counts.hint[ex.id],
      solution = counts.solution[ex.id] > 0, begun = copies.stamp(self:entry(ex)) ~= nil }
  end)
end

---@param ex table an exercise
function Study:state(ex)
  return lists.find(self:states(), "exercise", ex)
end

function Study:entry(ex)
  return self.session.book.copies.entries[ex.starter]
end

---"2 of 4 exercises passed"
---@param states table[] what Study:states gives
function study.tally(states)
  return ("%d of %s passed"):format(#lists.select(states, "passed"), text.plural(#states, "exercise"))
end

---The first exercise that is not passed, starting after the given one and wrapping around.
---@param states table[] what Study:states gives @param after table? an exercise
function study.next_one(states, after)
  local from = 0
  for i, state in ipairs(states) do
    if state.exercise == after then from = i end
  end
  for k = 1, #states do
    local state = states[(from + k - 1) % #states + 1]
    if not state.passed then return state.exercise end
  end
end

-- Naming ------------------------------------------------------------------------------------------

---Raises an error if the lab has none.
function Study:need_exercises()
  if not self.lab.exercises or #self.lab.exercises == 0 then
    failure.usage(("%s has no exercises"):format(self.lab:heading()),
      "gpulab --list shows which labs have exercises")
  end
end

---The named exercise, else the one named last, else the first that is not passed. It is the current one from now on.
---@param args string[] @param verb string the command that names it
function Study:named(args, verb)
  self:need_exercises()
  if #args > 1 then
    failure.usage(verb .. " takes one exercise", ("for example: %s %s"):format(verb, self.lab.exercises[1].id))
  end
  local ex = args[1] and (exercise.find(self.lab, args[1]) or self.lab:exercise(args[1]))
    or self.current or study.next_one(self:states()) or self.lab.exercises[1]
  self.session:visit(exercise.step(ex))
  return ex
end

-- Checking ----------------------------------------------------------------------------------------

local verified_from <const> = lists.set "checkers accept passed"

---Whether the output was found right; nil where that is not known.
---@param result table of a check @return boolean?
function study.verified(result)
  if verified_from[result.stage] then return true end
  if result.outcome == "wrong" then return false end
end

local function record(result, context)
  local verified = study.verified(result)
  journal.record({ step = exercise.step(result.exercise), kernel = result.kernel, key = result.key,
    outcome = result.outcome, verified = verified, report = result.report }, context)
end

local function heading(self, ex)
  local entry = self:entry(ex)
  local which = copies.stamp(entry) and "your copy " .. copies.shown(entry.path) or "the unchanged starter"
  local lines = text.wrap(("%s (%s), %s"):format(ex.title, ex.id, which), "  ")
  for i, line in ipairs(lines) do lines[i] = tables.paint(line, "strong", self.session.options.color) end
  return lines
end

local function celebrate(self, ex, first)
  local states = self:states()
  text.say { "", tables.paint("  Passed.", "good", self.session.options.color) }
  if first and ex.debrief then
    text.say { "" }
    text.say_wrapped(ex.debrief)
  end
  local following = study.next_one(states, ex)
  text.say { "" }
  text.say_wrapped(("%s.%s"):format(study.tally(states),
    following and (" Next exercise: `edit %s`."):format(following.id) or " You have passed all exercises of this lab."))
end

---Checks an exercise, prints the result, and records a pass.
---@param head? string replaces the heading after a save @param briefly? boolean a pass that is known is one line
function Study:check(ex, head, briefly)
  local session = self.session
  local context = session:current_run().context
  session.touched = true
  session.book:saw(ex.starter)
  if head then
    text.say { tables.paint(text.clip("  " .. head, text.columns), "faint", session.options.color) }
  elseif not briefly then
    text.say(heading(self, ex))
  end
  io.stdout:flush()
  local result = progress.during(ex.title, session.options.quiet, project.check, context, ex)
  result.as_given = result.as_given or not copies.stamp(self:entry(ex))
  self.results[ex.id] = result
  if result.launches then session.records:take(result.launches.list.launches) end
  record(result, context)
  if briefly and result.stage == "passed" and self:state(ex).passed then
    text.say_wrapped(("%s was checked again: passed."):format(ex.id))
    return result
  end
  if briefly then text.say(heading(self, ex)) end
  local warned, trouble = warnings.once(result.warnings), stages.trouble(result)
  if warned then io.stderr:write(show.compiler(show.at_home(warned)), "\n") end
  if trouble then
    local shown = result.error and show.error_text(result.error, session.options.color_stderr)
      or show.printable(trouble)
    shown = show.at_home(shown)
    local lines = {} -- as far in as the stages below; a compiler's lines are as it prints them
    if result.outcome == "compile" then lines[1] = show.folded(result.error, shown)
    else text.add_lines(lines, shown) end
    io.stderr:write(table.concat(lines, "\n"), "\n")
    io.stderr:flush()
  end
  if result.output then text.say(printed.lines(result.output, ex.id, session:table_options())) end
  text.say(stages.lines(result, session:table_options()))
  if result.stage == "passed" then
    local before = self:state(ex).passed
    if not before then self.marks:add("passed", ex.id, { text = result.key }) end
    celebrate(self, ex, not before or not head)
  elseif not copies.stamp(self:entry(ex)) then
    local said = "This was the unchanged starter. `edit %s` makes your copy; saving it runs the check again."
    text.say_wrapped(said:format(ex.id))
  end
  io.stdout:flush()
  journal.print_warnings()
  return result
end

---The task, for `show EX` and when the copy is made.
function Study:paragraph(ex)
  local lines = { tables.paint(("  %s  (%s)"):format(ex.title, ex.id), "strong", self.session.options.color), "" }
  text.add(lines, ex.task)
  return lines
end

---The state of a lab's exercises, for lists of labs: "2 of 4 passed", nil without exercises.
---@param lab Lab @param marks table of lua/gpulab/run/marks.lua
---@return string?
function study.summary(lab, marks)
  local n = #(lab.exercises or {})
  if n == 0 then return nil end
  local passed, counts = 0, marks:counts()
  for _, ex in ipairs(lab.exercises) do passed = passed + (counts.passed[ex.id] > 0 and 1 or 0) end
  return ("%d of %d passed"):format(passed, n)
end

return study
