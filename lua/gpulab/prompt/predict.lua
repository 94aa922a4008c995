-- Predictions: a step with `predict` asks for a number before it shows one. Predictions are stored as marks and drawn
-- against the actual numbers. Questions appear only on a terminal, and Enter skips them.
local failure = require "gpulab.base.failure"
local journal = require "gpulab.run.journal"
local lists = require "gpulab.base.lists"
local marks = require "gpulab.run.marks"
local report = require "gpulab.show.report"
local runner = require "gpulab.run.runner"
local show = require "gpulab.base.show"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local value = require "gpulab.base.value"

local predict = {}

local Predict = {}
Predict.__index = Predict

local WITHIN <const> = 10 -- percent that count as right, unless the step says otherwise
local COUNTED <const> = 64 -- a whole number up to here can be counted by hand: it is right or wrong
local TRIES <const> = 3

local SETTINGS <const> = "-" -- the lab of the marks that are about all labs
local LATE <const> = ", after it was shown" -- at the end of the circumstances of a late prediction

---@param session table of lua/gpulab/prompt/session.lua
function predict.new(session)
  local settings = marks.new(SETTINGS)
  local newest = settings:list("setting", "predict")[1]
  return setmetatable({ session = session, marks = session.marks, settings = settings,
    on = not newest or newest.text ~= "off", skipped = {}, undrawn = true }, Predict)
end

---Switches the questions on or off, in later sessions, too.
---@param on boolean
function Predict:switch(on)
  self.on = on
  self.settings:add("setting", "predict", { text = on and "on" or "off" })
end

---What the switch does, as a sentence.
function Predict:switched()
  return self.on and "Steps ask for a prediction before they run."
    or "Steps run without questions, in later sessions, too; `predict on` turns questions on."
end

-- Numbers -----------------------------------------------------------------------------------------

---The number that was typed: "32", "32 wavefronts", "50 %", "12,5", "1e3"; nil if it is not one number and its unit.
---@param said string
function predict.number(said)
  local digits, unit = said:match("^%s*~?%s*([-+]?%d*[.,]?%d[%d.,]*[eE][-+]?%d+)(.*)$")
  if not digits then digits, unit = said:match("^%s*~?%s*([-+]?[%d.,]*%d[.,]?)(.*)$") end
  if not digits or unit:find("%d") or unit:find("^%s*[-+*/^=(<>,.]") then return nil end
  if not digits:find("%.") and select(2, digits:gsub(",", "")) == 1 then digits = digits:gsub(",", ".") end
  local n = tonumber(digits)
  return n and n == n and math.abs(n) < 1e18 and n + 0.0 or nil
end

-- The number of a record by each name of `of`.
local takes = {
  rate = function(record) return record.rate and record.rate.number end,
  ms = function(record) return record.times and record.times.ms end,
  share = function(record, baseline)
    return record.rate and baseline and baseline.rate and 100 * record.rate.number / baseline.rate.number
  end,
}

---The actual number of a prediction, from a step's record; nil if the record has none.
---@param step table @param record table @param baseline? table the record of the group's baseline
function predict.actual(step, record, baseline)
  local of = step.predict.of
  if type(of) == "function" then return of(record) end
  if takes[of] then return takes[of](record, baseline) end
  return runner.ratio(runner.counters(record), of)
end

---What a step asks, with its parameters for {names}; without parameters the names.
---@param step table @param params? table
function predict.question(step, params)
  return (step.predict.ask:gsub("{([%a_]+)}", function(name) return tostring(params and params[name] or name) end))
end

---The question of a step, with its parameters for {names}; of a rate, a share, or cycles it says on which GPU.
---@param step table @param title? string of the step @param device Device @param params? table
function predict.asked(step, title, device, params)
  local of, unit, ask = step.predict.of, step.predict.unit, predict.question(step, params)
  local where = (takes[of] or unit == "cycles") and ("on the %s%s"):format(report.gpu(device),
    device.emulates and " (emulated)" or "")
  if not where then return (title and title .. ": " or "") .. ask end
  return ("%s: %s"):format(title and title .. " " .. where or where:gsub("^o", "O"), ask)
end

---Is the prediction right; if not, how far it is off, in words.
---@param predicted number @param actual number @param within? number percent
---@return boolean right, string said
function predict.judge(predicted, actual, within)
  local exact = not within and actual == math.floor(actual) and math.abs(actual) <= COUNTED
  local tolerance = exact and 0 or (within or WITHIN) / 100 * math.abs(actual)
  if math.abs(predicted - actual) <= tolerance + 1e-12 * math.abs(actual) then return true, "right" end
  if actual <= 0 or predicted <= 0 then return false, predicted < actual and "too low" or "too high" end
  local factor = math.max(predicted / actual, actual / predicted)
  if factor < 1.5 then return false, predicted < actual and "a little low" or "a little high" end
  return false, ("%s too %s"):format(value.times(factor), predicted < actual and "low" or "high")
end

---@param number number @param unit string?
function predict.with_unit(number, unit)
  local s = number == math.floor(number) and math.abs(number) < 1e15 and ("%d"):format(math.tointeger(number))
    or text.number(number)
  if not unit or unit == "" then return s end
  if number == 1 and unit:match("^%a+$") then unit = unit:gsub("(ss)es$", "%1"):gsub("([^s])s$", "%1") end
  return s .. " " .. unit
end

-- Keeping -----------------------------------------------------------------------------------------

-- Parameters and GPU of a prediction: another size or another GPU is another question.
local function circumstances(self)
  local session = self.session
  return ("%s on %s"):format(journal.params_text(session.lab, session.params), report.gpu(gpu.device))
end

-- The newest prediction for a step with the current parameters and GPU; late: made after the number was shown.
local function current(self, step, late)
  local about = circumstances(self) .. (late and LATE or "")
  return lists.find(self.marks:list("guess", step.id), "text", about)
end

---@param step table @param number number predicted @param actual number? @param late boolean? after it was shown
function Predict:keep(step, number, actual, late)
  self.marks:add("guess", step.id, { number = number, truth = actual, unit = step.predict.unit,
    text = circumstances(self) .. (late and LATE or "") })
  self.undrawn = true
end

---All predictions of the lab, with the actual number if known: {step, predicted, actual, unit, about, time, late}, the
---newest per step and size, in the order of the steps. late: the number had been shown before.
function Predict:list()
  local by_step = {}
  for _, mark in ipairs(self.marks:list("guess")) do
    local of = by_step[mark.name] or {}
    by_step[mark.name] = of
    local known = of[mark.text or ""]
    if not known then
      of[mark.text or ""] = mark
      of[#of + 1] = mark
    elseif not known.truth and mark.truth and known.number == mark.number then
      known.truth = mark.truth
    end
  end
  local found = {}
  for _, step in ipairs(self.session.lab.steps) do
    for _, mark in ipairs(step.predict and by_step[step.id] or {}) do
      if mark.number then
        found[#found + 1] = { step = step, predicted = mark.number, actual = mark.truth, unit = mark.unit,
          about = mark.text, time = mark.time, late = mark.text ~= nil and mark.text:sub(-#LATE) == LATE }
      end
    end
  end
  return found
end

-- Asking ------------------------------------------------------------------------------------------

---Was the step's number already shown with the current parameters, in this session or in an earlier one?
function Predict:has_shown(step)
  return lists.find(self.marks:list("seen", step.id), "text", circumstances(self)) ~= nil
end

---Records that the numbers of these steps were shown.
---@param steps table[]
function Predict:saw(steps)
  local run = self.session.run
  for _, step in ipairs(steps) do
    local record = run and run.results[step.id]
    if step.predict and record and record.report and not self:has_shown(step) then
      self.marks:add("seen", step.id, { text = circumstances(self) })
    end
  end
end

---Was there a prediction before the number was shown?
function Predict:has_predicted(step) return current(self, step) ~= nil end

---Is there a student to ask?
function Predict:is_interactive()
  local session = self.session
  return self.on and not session.commands.called and session.options.terminal and session.options.interactive
end

-- Does the line only ask for something that is known, as the parameters or a term are?
local function is_look(commands, said)
  local row, rest = commands:parse(said)
  return said:match("^%s*%?") or row and row.looks and select(2, rest:gsub("%S+", "")) <= row.looks
end

---One answer: a number, nil to skip, "off" to skip every question.
---@return number|"off"|nil
function Predict:read_answer()
  local commands = self.session.commands
  local line = require "gpulab.line"
  local tries = 0
  while tries < TRIES do
    local said = line.read("  your prediction (Enter skips)> ")
    if said == false then failure.raise("interrupted", "interrupted") end
    if not said or said:match("^%s*$") then return nil end
    local number = predict.number(said)
    if number and number >= 0 then return number end
    if said:match("^%s*off%s*$") then return "off" end
    if is_look(commands, said) then
      local shown, problem = self.session.prompt:run(said)
      if not shown then show.error(problem, self.session.options.color_stderr) end
      goto continue
    end
    if commands:parse(said) then
      text.say_wrapped "Skipped the question. Your command runs after the step."
      commands.typed_ahead = said
      return nil
    end
    text.say(number and "  No step has a negative number. Type another one; Enter skips the question."
      or "  Type one number. Enter skips the question, off turns questions off.")
    tries = tries + 1
    ::continue::
  end
  text.say_wrapped "Skipped the question."
end

-- A step's question at the current parameters.
local function question(self, step)
  return step.id .. " " .. journal.params_text(self.session.lab, self.session.params)
end

---Asks the questions of these steps that have no answer yet, before the steps run.
---@return integer lines of the questions
function Predict:before(steps)
  local lines = 0
  if not self:is_interactive() then return lines end
  for _, step in ipairs(steps) do
    if not self.on or self.session.commands.typed_ahead then return lines end
    local key = step.predict and question(self, step)
    if key and not self.skipped[key] and not self:has_shown(step) and not current(self, step) then
      local asked = predict.asked(step, self.session:title(step), gpu.device, self.session.params)
      asked = text.wrap(asked, "  ")
      text.say(asked)
      lines = lines + #asked + 1
      local answer = self:read_answer()
      if answer == "off" then
        self:switch(false)
        text.say_wrapped(self:switched())
      elseif answer then
        self:keep(step, answer)
      else
        self.skipped[key] = "open"
      end
    end
  end
  return lines
end

-- The record of the group's baseline, run now if necessary.
local function baseline_of(self, step)
  if step.predict.of ~= "share" then return nil end
  local baseline = self.session.lab:baseline(step)
  return baseline and self.session:record_of(baseline):counted()
end

---What became of a prediction, as a sentence.
---@param step table @param predicted number @param actual number @param unit string? @return string
function predict.verdict(step, predicted, actual, unit)
  local right, said = predict.judge(predicted, actual, step.predict.within)
  local mine, truth = predict.with_unit(predicted, unit), predict.with_unit(actual, unit)
  return ("Your prediction for %s: %s. Actual: %s. %s%s."):format(step.id, mine, truth,
    said:gsub("^%l", string.upper), right and mine ~= truth and ", within the tolerance" or "")
end

---The number that a step asks for, if it has run; nil if it is not known.
---@param step table @return number?
function Predict:answer(step)
  local record = self.session.run and self.session.run.results[step.id]
  return record and predict.actual(step, record, baseline_of(self, step))
end

-- Prints the answer to a question that was skipped, once.
local function answer_skipped(self, step)
  local key = question(self, step)
  local actual = self.skipped[key] == "open" and self:answer(step)
  if not actual then return end
  self.skipped[key] = "answered"
  text.say_wrapped(("Answer for %s: %s."):format(step.id, predict.with_unit(actual, step.predict.unit)))
end

-- Compares the prediction for a step with the actual number.
local function compare(self, step)
  local in_time = current(self, step)
  local mark = in_time or current(self, step, true)
  if not mark or not mark.number then return answer_skipped(self, step) end
  local actual = not mark.truth and self:answer(step)
  if not actual then return end
  self:keep(step, mark.number, actual, not in_time)
  text.say_wrapped(predict.verdict(step, mark.number, actual, step.predict.unit))
end

---After steps have run: how the predictions for them came out, and the answers to questions that were skipped.
function Predict:after(steps)
  for _, step in ipairs(steps) do
    if step.predict then compare(self, step) end
  end
end

-- Drawing -----------------------------------------------------------------------------------------

local SCALE <const> = 10 -- columns on each side of the middle, the actual number
local REACH <const> = 16 -- a prediction that is off by this factor or more is at the end

local function picture(predicted, actual)
  local cells = {}
  for i = -SCALE, SCALE do cells[i] = "·" end
  cells[0] = "|"
  local at = predicted < actual and -SCALE or predicted > actual and SCALE or 0
  if predicted > 0 and actual > 0 then
    at = math.floor(SCALE * math.log(predicted / actual) / math.log(REACH) + 0.5)
    at = math.max(-SCALE, math.min(SCALE, at))
  end
  local outside = predicted <= 0 or actual <= 0 or math.abs(math.log(predicted / actual)) > math.log(REACH)
  cells[at] = at == 0 and "╪" or not outside and "o" or at < 0 and "<" or ">"
  return table.concat(cells, "", -SCALE, SCALE)
end

---The predictions against the actual numbers, as lines of text.
---@param entries table[] what Predict:list gives @param options? {width: integer?, color: boolean?}
---@return string[]
function predict.drawing(entries, options)
  local scale = "low" .. (" "):rep(SCALE - 5) .. "right" .. (" "):rep(SCALE - 6) .. "high"
  local columns = tables.columns { "step:10", ">predicted", ">actual", scale, ":8" }
  local rows, right, judged = {}, 0, 0
  for i, e in ipairs(entries) do
    local cells = { e.step.id, predict.with_unit(e.predicted, e.unit),
      e.actual and predict.with_unit(e.actual, e.unit) or "–", "", "not run yet" }
    if e.actual then
      local ok, said = predict.judge(e.predicted, e.actual, e.step.predict and e.step.predict.within)
      if not e.late then judged, right = judged + 1, right + (ok and 1 or 0) end
      said = text.together(said)
      if e.late then said = said .. ", late" end
      cells[4], cells[5] = picture(e.predicted, e.actual), { text = said, style = ok and not e.late and "good" or nil }
    end
    rows[i] = cells
  end
  local lines = tables.render(columns, rows, options)
  if judged == 0 then return lines end
  local said = ("%d of %s right. | is the actual number, o your prediction, ╪ both. The ends of the scale are off"
    .. " by a factor of %d, < and > by more."):format(right, text.plural(judged, "prediction"), REACH)
  return text.add_part(lines, text.wrap(said, "  ", options and options.width))
end

function Predict:draw()
  local entries = self:list()
  if #entries == 0 then
    return text.say_wrapped("You have made no predictions in this lab yet. Steps that ask for one: "
      .. text.list(self:asking()) .. ".")
  end
  text.say(predict.drawing(entries, self.session:table_options()))
end

---At the end of a lab: draws the predictions, if there are new ones since the last time.
function Predict:conclude()
  if not self.undrawn or #self:list() == 0 then return end
  self.undrawn = false
  text.say ""
  self:draw()
end

---The ids of the steps that ask for a prediction.
---@return string[]
function Predict:asking()
  return lists.map(lists.select(self.session.lab.steps, "predict"), "id")
end

return predict
