-- The exercises of a session: their state, and of each that was begun its verdict, conditions and source.
local listing = require "gpulab.show.page.listing"
local lists = require "gpulab.base.lists"
local markup = require "gpulab.base.markup"
local parts = require "gpulab.show.page.parts"

local exercises = {}

local tag, plain = markup.tag, markup.text

---@class ReportedExercise
---@field id string @field title string @field state string "passed" @field hints integer? how many were seen
---@field verdict string[]? lines of text: the stages of the last check
---@field passed boolean? did the last check pass?
---@field conditions {text: string, ok: boolean}[]? of the acceptance check
---@field report CountReport? of the counted run
---@field output KernelOutput? what the kernel printed
---@field source string? the student's copy, where it has no counted lines

local function conditions_of(exercise)
  if #(exercise.conditions or {}) == 0 then return "" end
  local content = parts.simple_table({ "condition", "" }, lists.map(exercise.conditions, function(each)
    return { each.text, each.ok and { text = "met", style = "good" } or { text = "NOT MET", style = "bad" } }
  end))
  return tag("details", {}, plain("summary", {}, "Acceptance check: the conditions") .. content)
end

local function source_of(exercise, listed)
  local counted = listing.html(exercise.report, { id = "exercise-" .. exercise.id, title = exercise.title }, listed)
  if counted ~= "" or not exercise.source then return counted end
  return plain("pre", {}, (exercise.source:gsub("\t", "    ")))
end

local function part(exercise, listed)
  if not exercise.verdict and not exercise.source then return "" end
  local verdict = exercise.verdict
    and plain("pre", { class = exercise.passed and "good" or nil }, table.concat(exercise.verdict, "\n"))
    or plain("p", { class = "remark" }, "Not checked in this session.")
  return table.concat({ plain("h3", { id = "exercise-" .. exercise.id }, ("%s (%s)"):format(
    exercise.title, exercise.id)), verdict,
    parts.output(exercise.output), conditions_of(exercise), source_of(exercise, listed) }, "\n")
end

---The table of all exercises, then each that was begun; "" without any.
---@param list ReportedExercise[]? @param listed table of listing.html @return string
function exercises.html(list, listed)
  if not list or #list == 0 then return "" end
  local rows, out = {}, {}
  for i, e in ipairs(list) do rows[i] = { ("%s (%s)"):format(e.title, e.id), e.state, tostring(e.hints or 0) } end
  out[1] = parts.simple_table({ "exercise", "state", "hints seen" }, rows)
  for _, e in ipairs(list) do out[#out + 1] = part(e, listed) end
  return table.concat(out, "\n")
end

return exercises
