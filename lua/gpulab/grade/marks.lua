-- Points from verdicts: an exercise that is passed gets all of its points, a project those of its tier, any other none.
local lists = require "gpulab.base.lists"
local marks = {}

---@param v table? a verdict @param points number of the exercise @return number
function marks.points(v, points)
  if not v or not v.passed then return 0 end
  return v.score and points * v.score.share or points
end

---Fills in submission.points, .passed and .of.
---@param submission table with verdicts @param items table[]
function marks.count(submission, items)
  submission.points, submission.passed, submission.of = 0, 0, 0
  for _, item in ipairs(items) do
    local v = submission.verdicts[item.id]
    submission.of = submission.of + item.points
    if v and v.passed then
      submission.points = submission.points + marks.points(v, item.points)
      submission.passed = submission.passed + 1
    end
  end
end

local words <const> = { ok = "passed", compile = "does not compile", fault = "fault", limit = "limit",
  wrong = "wrong", timeout = "endless", finding = "checker issue", gate = "not accepted", setup = "no check",
  usage = "no check", missing = "missing", refused = "refused", stopped = "stopped" }

---An outcome in a word or two.
---@param v table? a verdict; nil: not yet
function marks.word(v) return v and (words[v.outcome] or v.outcome) or "not yet" end

---"4 of 6 exercises, 8.5 of 12 points"
function marks.summary(submission, items)
  return ("%d of %d exercises, %g of %g points"):format(submission.passed, #items, submission.points, submission.of)
end

---What is said about one exercise, as text.
---@param v table a verdict
function marks.report(v)
  local lines = {}
  if v.message and v.text[1] ~= "  " .. v.message then lines[1] = v.message end
  return table.concat(lists.append(lines, v.text), "\n")
end

return marks
