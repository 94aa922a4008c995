-- A session's results as a page and as data.
local copies = require "gpulab.prompt.copies"
local documents = require "gpulab.show.documents"
local files = require "gpulab.base.files"
local json = require "gpulab.base.json"
local lists = require "gpulab.base.lists"
local notes = require "gpulab.prompt.notes"
local page = require "gpulab.show.page"
local predict = require "gpulab.prompt.predict"
local report = require "gpulab.show.report"
local stages = require "gpulab.run.stages"

local session_page = {}

-- The session's records in the order of the lab's steps.
local function run_of(session)
  local current = session:current_run()
  local ran = lists.select(session.lab.steps, function(step) return current.results[step.id] end)
  local records = lists.map(ran, function(step) return current.results[step.id] end)
  return setmetatable({ records = records }, { __index = current })
end

local function predictions_of(session)
  return lists.map(session.predictions:list(), function(e)
    local right
    if e.actual and not e.late then
      right = predict.judge(e.predicted, e.actual, e.step.predict and e.step.predict.within)
    end
    return { ask = e.step.predict and predict.question(e.step) or e.step.id, predicted = e.predicted, actual = e.actual,
      right = right }
  end)
end

-- What the page says of an exercise: its state and, once it was begun, the last check and the copy's source.
local function exercise_of(session, state)
  local ex = state.exercise
  local result, entry = session.study.results[ex.id], session.study:entry(ex)
  local copy = copies.stamp(entry) and session.book.copies:text(entry)
  return { id = ex.id, title = ex.title, hints = state.hints, source = copy or nil,
    state = (state.passed and "passed" or state.begun and "started" or "not started")
      .. (state.solution and ", solution shown" or ""),
    verdict = result and stages.lines(result, { width = 100 }), passed = result and result.stage == "passed",
    conditions = result and result.accept, report = result and result.report,
    output = result and result.output }
end

local function note_of(note)
  return { text = note.text, step = note.name, when = os.date("%Y-%m-%d %H:%M", note.time // 1000) }
end

---A session's plots, predictions, exercises and notes, as page.html takes them.
---@param session table of lua/gpulab/prompt/session.lua
function session_page.extras(session)
  local plots = {}
  for _, plot in ipairs(session.lab.plots or {}) do plots[#plots + 1] = session.drawn and session.drawn[plot.id] end
  return { who = documents.who(), when = documents.now(), plots = plots, predictions = predictions_of(session),
    exercises = lists.map(session.study:states(), function(state) return exercise_of(session, state) end),
    notes = lists.map(notes.list(session.marks), note_of), views = session.stepper.kept }
end

---The session's page.
---@param session table @return string
function session_page.html(session)
  return page.html(run_of(session), session_page.extras(session))
end

---Writes the session's page and, next to it, the same data as JSON and CSV; returns their paths.
---@param session table @param path string ends in .html
---@return string[]
function session_page.write(session, path)
  local run, stem = run_of(session), path:gsub("%.html?$", "")
  local paths = { path, stem .. ".json", stem .. ".csv" }
  files.write(paths[1], page.html(run, session_page.extras(session)))
  files.write(paths[2], json.encode(report.json(run)) .. "\n")
  files.write(paths[3], report.csv(run))
  return paths
end

return session_page
