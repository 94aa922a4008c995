-- Marks as documents: CSV, JSON, Gradescope's results.json, Classroom 50's result.json. Bytes depend on the submissions
-- and NVRTC's version alone, except for Classroom's date.
local csv = require "gpulab.base.csv"
local failure = require "gpulab.base.failure"
local host = require "gpulab.host"
local json = require "gpulab.base.json"
local lists = require "gpulab.base.lists"
local marks = require "gpulab.grade.marks"
local verdict = require "gpulab.grade.verdict"

local formats = {}

---A line per submission: student_id, score, max_score and comments, as nbgrader and others read them, then the outcome
---of each exercise.
function formats.csv(list, items)
  local rows = { { "student_id", "score", "max_score", "comments" } }
  for _, item in ipairs(items) do table.insert(rows[1], item.id) end
  for _, submission in ipairs(list) do
    local row = { submission.name, submission.points, submission.of, marks.summary(submission, items) }
    for _, item in ipairs(items) do row[#row + 1] = marks.word(submission.verdicts[item.id]) end
    rows[#rows + 1] = row
  end
  return csv.document(rows)
end

function formats.json(list, items)
  local submissions = json.each(list, function(submission)
    local object = json.pick(submission, "name form points of passed")
    json.put(object, "notes", json.each(submission.notes))
    local checked = lists.select(items, function(item) return submission.verdicts[item.id] end)
    return json.put(object, "verdicts",
      json.each(checked, function(item) return verdict.object(submission.verdicts[item.id]) end))
  end)
  return json.encode(json.object("schema", "gpulab/grades/1", "gpulab", gpu.version,
    "nvrtc", (host.nvrtc()), "scheme", json.each(items, "id points"), "submissions", submissions)) .. "\n"
end

-- One submission -------------------------------------------------------------------------------------

---@param submission table also one whose verdicts are not complete
function formats.gradescope(submission, items)
  local tests = {}
  for i, item in ipairs(items) do
    local v = submission.verdicts[item.id]
    local output = v and marks.report(v) or "This exercise has not been checked: the grader was stopped before."
    tests[i] = json.object("name", ("%s: %s"):format(item.id, v and v.title or item.exercise.title),
      "number", tostring(i), "score", marks.points(v, item.points), "max_score", item.points,
      "status", v and v.passed and "passed" or "failed", "output", output, "output_format", "text",
      "visibility", "visible", "tags", json.list { item.id })
  end
  local said = { marks.summary(submission, items) }
  table.move(submission.notes, 1, #submission.notes, 2, said)
  return json.encode(json.object("score", submission.points, "output", table.concat(said, "\n"),
    "output_format", "text", "visibility", "visible", "stdout_visibility", "hidden",
    "extra_data", json.object("gpulab", gpu.version, "nvrtc", (host.nvrtc())), "tests", json.list(tests))) .. "\n"
end

local about <const> = { "classroom", "assignment", "usernames", "submission", "commit", "release", "review",
  "datetime" }

---What --about gives: {"classroom=gpu", "usernames=ann,bob"}.
---@param settings string[] @return table<string, string>
function formats.about(settings)
  local values, names = {}, table.concat(about, ", ")
  for _, setting in ipairs(settings) do
    local name, value = setting:match("^(%l+)=(.*)$")
    if not name or not (", " .. names .. ","):find(", " .. name .. ",", 1, true) then
      failure.raise("usage", ("--about %s is not NAME=VALUE"):format(setting), nil, "names: " .. names)
    end
    values[name] = value
  end
  return values
end

-- Scores are integers there: points with a fraction are all scaled by a power of ten that makes them whole.
local function scale_of(items)
  local scale = 1
  local function is_fraction(item)
    local scaled = item.points * scale
    return math.abs(scaled - math.floor(scaled + 0.5)) >= 1e-9
  end
  while scale < 1000 and lists.any(items, is_fraction) do scale = scale * 10 end
  return scale
end

---@param submission table @param items table[] @param values table<string, string> of formats.about
function formats.classroom(submission, items, values)
  local scale, tests, sum, most = scale_of(items), {}, 0, 0
  for i, item in ipairs(items) do
    local v = submission.verdicts[item.id]
    local points = math.floor(item.points * scale + 0.5)
    local passed = v ~= nil and v.passed
    local got = marks.points(v, points)
    tests[i] = json.object("test-name", item.id, "passed", passed, "score", got, "max-score", points)
    sum, most = sum + got, most + points
  end
  local names
  if values.usernames then -- Classroom 50 itself adds the owner
    names = {}
    for name in values.usernames:gmatch("[^,]+") do names[#names + 1] = name end
    names = json.list(names)
  end
  return json.encode(json.object("schema", "classroom50/result/v1", "classroom", values.classroom or "",
    "assignment", values.assignment or "", "usernames", names, "submission", values.submission or submission.name,
    "commit", values.commit or "", "release", values.release or "", "review", values.review or "",
    "datetime", values.datetime or os.date("!%Y-%m-%dT%H:%M:%SZ"), "score", sum, "max-score", most,
    "tests", json.list(tests))) .. "\n"
end

return formats
