-- The command steps: the steps of the lab as a table.
local lecture = require "gpulab.lecture"
local pager = require "gpulab.base.pager"
local tables = require "gpulab.base.table"

local function list(session)
  local columns = { { header = { "" }, right = true }, { header = { "step" } }, { header = { "" }, narrow = 20 } }
  local rows, numbers = {}, false
  for i, step in ipairs(session.lab.steps) do
    local claim = step.claim and lecture.find(step.claim)
    local known = session.run and session.run.results[step.id]
    local mark = (i == session.at and "> " or "") .. i
    local said = claim and claim.value and lecture.number(claim) .. " " .. claim.unit or ""
    numbers = numbers or said ~= ""
    rows[i] = { mark, step.id, session:title(step), said,
      note = known and { text = known.outcome, style = known.outcome == "ok" and "good" or "bad" } }
  end
  if numbers then columns[#columns + 1] = { header = { "lecture" }, right = true } end
  pager.show(tables.render(columns, rows, session:table_options()))
end

return { name = "steps", usage = "steps", aliases = "list", topic = "steps", summary = "list the steps of this lab",
  help = "Lists the steps with their numbers; > marks the current one.",
  run = list }
