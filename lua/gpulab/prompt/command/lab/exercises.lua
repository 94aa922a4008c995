-- The commands about exercises: exercises, check, hint, solution.
local copies = require "gpulab.prompt.copies"
local exercise = require "gpulab.run.exercise"
local exercises = require "gpulab.prompt.study"
local failure = require "gpulab.base.failure"
local journal = require "gpulab.run.journal"
local lists = require "gpulab.base.lists"
local pager = require "gpulab.base.pager"
local source = require "gpulab.prompt.source"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

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

local function list(session)
  local study = session.study
  study:need_exercises()
  local states = study:states()
  local rows = lists.map(states, function(state) -- without numbers: those are the steps'
    local ex = state.exercise
    return { ex == study.current and ">" or "", ex.id, ex.title,
      { text = state_text(state), style = state.passed and "good" or nil } }
  end)
  text.say(tables.render(tables.columns { ">", "exercise", ":16", "state:11" }, rows, session:table_options()))
  local following = exercises.next_one(states, study.current)
  text.say_wrapped(("%s.%s"):format(exercises.tally(states), following
    and (" `edit %s` starts the next one; use `check`, `hint` and `solution` with it."):format(following.id) or ""))
end

local function check(session, words)
  session.study:check(session.study:named(words, "check"))
end

local function hint_line(session, ex, k)
  local heading_line = ("  Hint %d of %d for %s"):format(k, #ex.hints, ex.id)
  text.say(tables.paint(heading_line, "strong", session.options.color))
  text.say_wrapped(ex.hints[k])
end

local function hint(session, words)
  local ex = session.study:named(words, "hint")
  local hints = ex.hints or {}
  if #hints == 0 then
    failure.usage(("there are no hints for %s"):format(ex.id), ("`show %s` shows the task"):format(ex.id))
  end
  local seen = session.study:state(ex).hints
  if seen >= #hints then
    for k = 1, #hints do hint_line(session, ex, k) end
    local way = session.study:state(ex).passed and "" or " --anyway"
    return text.say_wrapped(("These were all hints. `solution %s%s` shows the solution."):format(ex.id, way))
  end
  hint_line(session, ex, seen + 1)
  session.marks:add("hint", ex.id, { number = seen + 1 })
  journal.print_warnings()
end

local function solution(session, words)
  local rest = lists.select(words, function(word) return word ~= "--anyway" end)
  local ex, anyway = session.study:named(rest, "solution"), #rest < #words
  local state = session.study:state(ex)
  if not state.passed and not anyway then
    local left = #(ex.hints or {}) - state.hints
    local hints = left > 0 and ("%s %s left: `hint %s`. "):format(text.plural(left, "hint"),
      left == 1 and "is" or "are", ex.id) or ""
    failure.usage(("%s is not passed yet"):format(ex.id),
      ("%s`solution %s --anyway` shows the solution and records it in the journal."):format(hints, ex.id))
  end
  local content, path = exercise.solution(ex)
  if not state.passed then
    session.marks:add("solution", ex.id)
    journal.print_warnings()
  end
  local lines = { tables.paint(copies.shown(path), "faint", session.options.color) }
  local code = text.lines(content)
  text.add_part(lines, text.lines(text.folded(table.concat(source.printable(code, 1, #code), "\n"))))
  pager.show(text.add_part(lines, ex.debrief and text.wrap(ex.debrief, "  ") or {}))
end

local function ids(session) return exercise.ids(session.lab) end

return {
  { name = "exercises", usage = "exercises", topic = "exercises", summary = "list the exercises and their state",
    help = "Lists the lab's exercises: passed, started or not, how many hints you saw, whether you saw the solution."
      .. " > marks the one that check, hint and solution use by default.",
    run = list },
  { name = "check", usage = "check [EX]", topic = "exercises",
    summary = "check an exercise: compile, result, checkers, acceptance",
    help = "Compiles your copy of the exercise (or its starter), compares the result, runs all checkers, and tests the"
      .. " counters against the exercise's acceptance check. Prints what passed and what to do next. Saving the copy"
      .. " does the same. The rules are the same on every machine.",
    complete = ids, run = check },
  { name = "hint", usage = "hint [EX]", topic = "exercises", summary = "show the next hint for an exercise",
    help = "Shows the next hint each time. After the last one it shows all hints again.",
    complete = ids, run = hint },
  { name = "solution", usage = "solution [EX] [--anyway]", topic = "exercises",
    summary = "show an exercise's solution after passing it",
    help = "Shows the solution and its explanation once you have passed the exercise. --anyway shows it earlier and"
      .. " records that in the journal.",
    complete = ids, run = solution },
}
