-- The exercises of an open lab at the prompt: their state, and the commands check, hint and solution. The student's
-- copy of a starter is edited, watched and reset like any other copy (workbook.lua).
local copies = require "gpulab.prompt.copies"
local exercise = require "gpulab.run.exercise"
local failure = require "gpulab.base.failure"
local journal = require "gpulab.run.journal"
local pager = require "gpulab.base.pager"
local progress = require "gpulab.base.progress"
local show = require "gpulab.base.show"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

local study = {}

local Study = {}
Study.__index = Study

local function say_wrapped(s)
  text.say(text.wrap(s, "  "))
end

---@param session table of lua/gpulab/prompt/session.lua; its book has the copies, its marks the earlier work
function study.new(session)
  return setmetatable({ session = session, lab = session.lab, marks = session.marks, results = {} }, Study)
end

-- State -----------------------------------------------------------------------------------------

---The state of each exercise: {exercise, passed, hints (seen), solution (was it shown?), begun (is there a copy?)}.
function Study:states()
  local counts, states = self.marks:counts(), {}
  for i, ex in ipairs(self.lab.exercises or {}) do
    states[i] = { exercise = ex, passed = counts.passed[ex.id] > 0, hints = counts.hint[ex.id],
      solution = counts.solution[ex.id] > 0, begun = copies.stamp(self:entry(ex)) ~= nil }
  end
  return states
end

local function state_of(self, ex)
  for _, state in ipairs(self:states()) do
    if state.exercise == ex then return state end
  end
end

function Study:entry(ex)
  return self.session.book.copies.entries[ex.starter]
end

local function state_text(state)
  local parts = {}
  parts[1] = state.passed and "passed" or state.begun and "started" or "not started"
  if state.solution then parts[#parts + 1] = "solution shown" end
  local of = state.exercise.hints and #state.exercise.hints or 0
  if state.hints > 0 then
    parts[#parts + 1] = ("%d of %s seen"):format(math.min(state.hints, of), text.plural(of, "hint"))
  end
  return table.concat(parts, ", ")
end

---"2 of 4 exercises passed"
local function tally(states)
  local passed = 0
  for _, state in ipairs(states) do passed = passed + (state.passed and 1 or 0) end
  return ("%d of %s passed"):format(passed, text.plural(#states, "exercise"))
end

-- The first exercise that is not passed, starting after the given one and wrapping around.
local function next_one(states, after)
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

local function need_exercises(self)
  if not self.lab.exercises or #self.lab.exercises == 0 then
    failure.raise("usage", ("%s has no exercises"):format(self.lab:heading()), nil,
      "gpulab --list shows which labs have exercises")
  end
end

-- The named exercise, else the one named last, else the first that is not passed.
local function named(self, args, verb)
  need_exercises(self)
  if #args > 1 then
    failure.raise("usage", verb .. " takes one exercise", nil,
      ("for example: %s %s"):format(verb, self.lab.exercises[1].id))
  end
  local ex
  if args[1] then
    ex = exercise.find(self.lab, args[1]) or self.lab:exercise(args[1])
  else
    ex = self.current or next_one(self:states()) or self.lab.exercises[1]
  end
  self.session:visit(exercise.step(ex))
  return ex
end

-- Checking ----------------------------------------------------------------------------------------

local verified_from <const> = { checkers = true, accept = true, passed = true }

local function record(result, context)
  local verified
  if verified_from[result.stage] then verified = true elseif result.outcome == "wrong" then verified = false end
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
    text.say(text.wrap(ex.debrief, "  "))
  end
  local following = next_one(states, ex)
  text.say { "" }
  say_wrapped(("%s.%s"):format(tally(states),
    following and (" Next exercise: `edit %s`."):format(following.id) or " You have passed all exercises of this lab."))
end

---Checks an exercise, prints the result, and records a pass.
---@param head? string replaces the heading after a save
function Study:check(ex, head)
  local session = self.session
  local context = session:current_run().context
  session.touched = true
  session.book:saw(ex.starter)
  if head then
    text.say { tables.paint(text.clip("  " .. head, text.columns), "faint", session.options.color) }
  else
    text.say(heading(self, ex))
  end
  io.stdout:flush()
  local result = progress.during(ex.title, session.options.quiet, exercise.check, context, ex)
  result.as_given = not copies.stamp(self:entry(ex))
  self.results[ex.id] = result
  record(result, context)
  local trouble = exercise.trouble(result)
  if trouble then
    local shown = result.error and show.error_text(result.error, session.options.color_stderr) or trouble
    io.stderr:write(shown, "\n")
    io.stderr:flush()
  end
  text.say(exercise.lines(result, session:table_options()))
  if result.stage == "passed" then
    local before = state_of(self, ex).passed
    if not before then self.marks:add("passed", ex.id, { text = result.key }) end
    celebrate(self, ex, not before or not head)
  elseif not copies.stamp(self:entry(ex)) then
    say_wrapped(("This was the unchanged starter. `edit %s` makes your copy; saving it runs the check again."):format(
      ex.id))
  end
  io.stdout:flush()
  journal.print_warnings()
  return result
end

-- Commands ----------------------------------------------------------------------------------------

local verbs = {}

function verbs.exercises(self)
  need_exercises(self)
  local states = self:states()
  local columns = { { header = { "" }, right = true }, { header = { "exercise" } }, { header = { "" }, narrow = 16 },
    { header = { "state" }, narrow = 11 } }
  local rows = {}
  for i, state in ipairs(states) do
    local ex = state.exercise
    rows[i] = { (ex == self.current and "> " or "") .. i, ex.id, ex.title,
      { text = state_text(state), style = state.passed and "good" or nil } }
  end
  text.say(tables.render(columns, rows, self.session:table_options()))
  local following = next_one(states, self.current)
  say_wrapped(("%s.%s"):format(tally(states), following
    and (" `edit %s` starts the next one; use `check`, `hint` and `solution` with it."):format(following.id) or ""))
end

function verbs.check(self, args)
  self:check(named(self, args, "check"))
end

local function hint_line(self, ex, k)
  local heading_line = ("  Hint %d of %d for %s"):format(k, #ex.hints, ex.id)
  text.say(tables.paint(heading_line, "strong", self.session.options.color))
  say_wrapped(ex.hints[k])
end

function verbs.hint(self, args)
  local ex = named(self, args, "hint")
  local hints = ex.hints or {}
  if #hints == 0 then
    failure.raise("usage", ("there are no hints for %s"):format(ex.id), nil, ("`show %s` shows the task"):format(ex.id))
  end
  local seen = state_of(self, ex).hints
  if seen >= #hints then
    for k = 1, #hints do hint_line(self, ex, k) end
    return say_wrapped(("These were all hints. `solution %s --anyway` shows the solution."):format(ex.id))
  end
  hint_line(self, ex, seen + 1)
  self.marks:add("hint", ex.id, { number = seen + 1 })
  journal.print_warnings()
end

function verbs.solution(self, args)
  local anyway, rest = false, {}
  for _, word in ipairs(args) do
    if word == "--anyway" then anyway = true else rest[#rest + 1] = word end
  end
  local ex = named(self, rest, "solution")
  local state = state_of(self, ex)
  if not state.passed and not anyway then
    local left = #(ex.hints or {}) - state.hints
    local hints = left > 0 and ("%s %s left: `hint %s`. "):format(text.plural(left, "hint"),
      left == 1 and "is" or "are", ex.id) or ""
    failure.raise("usage", ("%s is not passed yet"):format(ex.id), nil,
      ("%s`solution %s --anyway` shows the solution and records it in the journal."):format(hints, ex.id))
  end
  local content, path = exercise.solution(ex)
  if not state.passed then
    self.marks:add("solution", ex.id)
    journal.print_warnings()
  end
  local lines = { tables.paint(text.clip(copies.shown(path), text.columns), "faint", self.session.options.color), "" }
  for line in (content:gsub("\n$", "") .. "\n"):gmatch("(.-)\n") do
    lines[#lines + 1] = show.printable((line:gsub("\t", "    ")))
  end
  if ex.debrief then
    lines[#lines + 1] = ""
    text.add(lines, ex.debrief)
  end
  pager.show(lines)
end

---The task, for `show EX` and when the copy is made.
function Study:paragraph(ex)
  local lines = { tables.paint(("  %s  (%s)"):format(ex.title, ex.id), "strong", self.session.options.color), "" }
  text.add(lines, ex.task)
  return lines
end

local function exercise_ids(self)
  return function(prefix)
    local ids = {}
    for _, id in ipairs(exercise.ids(self.lab)) do
      if id:sub(1, #prefix) == prefix then ids[#ids + 1] = id end
    end
    return ids
  end
end

local rows = {
  { name = "exercises", usage = "exercises", summary = "list the exercises and their state",
    help = "Lists the lab's exercises: passed, started or not, how many hints you saw, whether you saw the solution."
      .. " > marks the one that check, hint and solution use by default." },
  { name = "check", usage = "check [EX]", summary = "check an exercise: compile, result, checkers, acceptance",
    help = "Compiles your copy of the exercise (or its starter), compares the result, runs all checkers, and tests the"
      .. " counters against the exercise's acceptance check. Prints what passed and what to do next. Saving the copy"
      .. " does the same. The rules are the same on every machine." },
  { name = "hint", usage = "hint [EX]", summary = "show the next hint for an exercise",
    help = "Shows the next hint each time. After the last one it shows all hints again." },
  { name = "solution", usage = "solution [EX] [--anyway]", summary = "show an exercise's solution after passing it",
    help = "Shows the solution and its explanation once you have passed the exercise. --anyway shows it earlier and"
      .. " records that in the journal." },
}

---Registers the exercises' commands of an open lab.
---@param session table @return table
function study.open(session)
  local commands = require "gpulab.base.commands"
  local self = study.new(session)
  for _, row in ipairs(rows) do
    local verb = verbs[row.name]
    commands.define { name = row.name, usage = row.usage, summary = row.summary, help = row.help,
      complete = row.name ~= "exercises" and exercise_ids(self) or nil,
      run = function(args) return verb(self, args or {}) end }
  end
  -- The global check is the module that compares arrays; as a function it is the command.
  setmetatable(require "gpulab.check", { __call = function(_, ...) return commands.as_function("check")(...) end })
  return self
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
