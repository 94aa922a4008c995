-- Predict first: a step with `predict` asks for a number before it shows one. Guesses are kept among the marks and
-- drawn against the truth. Nothing is asked unless somebody sits at a terminal, and Enter skips.
local commands = require "gpulab.commands"
local failure = require "gpulab.failure"
local journal = require "gpulab.journal"
local report = require "gpulab.report"
local runner = require "gpulab.runner"
local tables = require "gpulab.table"
local text = require "gpulab.text"

local predict = {}

local Predict = {}
Predict.__index = Predict

local WITHIN <const> = 10 -- percent that count as right, unless the step says otherwise
local TRIES <const> = 3

local function say(lines)
  io.stdout:write(table.concat(lines, "\n"), "\n")
end

local function say_wrapped(s)
  say(text.wrap(s, "  "))
end

---@param session table of lua/gpulab/session.lua
function predict.new(session)
  return setmetatable({ session = session, marks = session.marks, on = true, skipped = {} }, Predict)
end

-- Numbers -----------------------------------------------------------------------------------------

---The number somebody typed: "32", "32 passes", "50 %", "12,5", "1e3"; nil if it is none.
---@param said string
function predict.number(said)
  local digits = said:match("^%s*~?%s*([-+]?[%d.,]+[eE]?[-+]?%d*)") or said:match("^%s*~?%s*([-+]?[.,]?%d+)")
  if not digits then return nil end
  if not digits:find("%.") and select(2, digits:gsub(",", "")) == 1 then digits = digits:gsub(",", ".") end
  local n = tonumber(digits) or tonumber((digits:gsub("[eE+-]+$", "")))
  return n and n == n and math.abs(n) < 1e18 and n + 0.0 or nil
end

local function counters_of(record)
  return record.report and record.report.counters
end

-- What each name of `of` takes from a record.
local takes = {
  rate = function(record) return record.rate and record.rate.number end,
  ms = function(record) return record.times and record.times.ms end,
  share = function(record, baseline)
    return record.rate and baseline and baseline.rate and 100 * record.rate.number / baseline.rate.number
  end,
}

---The number that was asked for, from a step's record; nil if the record has none.
---@param step table @param record table @param baseline? table the record of the group's baseline
function predict.truth(step, record, baseline)
  local of = step.predict.of
  if type(of) == "function" then return of(record) end
  if takes[of] then return takes[of](record, baseline) end
  return counters_of(record) and runner.ratio(record.report.counters, of)
end

---Is the guess right, and if not, in words how far it is off.
---@param guess number @param truth number @param within? number percent
---@return boolean right, string said
function predict.judge(guess, truth, within)
  local room = (within or WITHIN) / 100 * math.abs(truth)
  if math.abs(guess - truth) <= room + 1e-12 * math.abs(truth) then return true, "right" end
  if truth <= 0 or guess <= 0 then return false, guess < truth and "too low" or "too high" end
  local factor = math.max(guess / truth, truth / guess)
  if factor < 1.5 then return false, guess < truth and "a little low" or "a little high" end
  return false, ("%s times too %s"):format(text.number(factor), guess < truth and "low" or "high")
end

local function with_unit(number, unit)
  local s = number == math.floor(number) and math.abs(number) < 1e15 and ("%d"):format(math.tointeger(number))
    or text.number(number)
  if not unit or unit == "" then return s end
  if number == 1 and unit:match("^%a+$") then unit = unit:gsub("(ss)es$", "%1"):gsub("([^s])s$", "%1") end
  return s .. " " .. unit
end

-- Keeping -----------------------------------------------------------------------------------------

-- What a guess is about besides the step: another size or another GPU is another question.
local function circumstances(self)
  local session = self.session
  return ("%s on %s"):format(journal.params_text(session.lab, session.params), report.gpu(gpu.device))
end

-- The newest guess on a step as things are now.
local function present(self, step)
  local about = circumstances(self)
  for _, mark in ipairs(self.marks:list("guess", step.id)) do
    if mark.text == about then return mark end
  end
end

local function keep(self, step, number, truth)
  self.marks:add("guess", step.id, { number = number, truth = truth, unit = step.predict.unit,
    text = circumstances(self) })
end

---All guesses of the lab that are known, with the truth where it is: {step, guess, truth, unit, about, time}, the
---newest for each step and size, in the order of the steps.
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
        found[#found + 1] = { step = step, guess = mark.number, truth = mark.truth, unit = mark.unit,
          about = mark.text, time = mark.time }
      end
    end
  end
  return found
end

-- Asking ------------------------------------------------------------------------------------------

-- Was the step's number shown already in this session, as things are now?
local function was_shown(self, step)
  local run = self.session.run
  local record = run and run.results[step.id]
  return record ~= nil and record.report ~= nil
end

local function somebody_there(self)
  return self.on and not commands.called and self.session.options.terminal and self.session.options.interactive
end

-- One answer: a number, nil to skip, "all" to skip every question.
local function read_answer()
  local line = require "gpulab.line"
  for _ = 1, TRIES do
    local said = line.read("  your guess (Enter skips)> ")
    if said == false then failure.raise("interrupted", "interrupted") end
    if not said or said:match("^%s*$") then return nil end
    local number = predict.number(said)
    if number then return number end
    if said:match("^%s*off%s*$") then return "off" end
    say { "  A number is wanted; Enter skips, off ends such questions." }
  end
end

---Asks about the steps that have a question and no answer yet, before they run.
---@param steps table[]
function Predict:before(steps)
  if not somebody_there(self) then return end
  for _, step in ipairs(steps) do
    if not self.on then return end
    local key = step.predict and step.id .. " " .. journal.params_text(self.session.lab, self.session.params)
    if key and not self.skipped[key] and not was_shown(self, step) and not present(self, step) then
      say_wrapped(("%s: %s"):format(self.session:title(step), step.predict.ask))
      local answer = read_answer()
      if answer == "off" then
        self.on = false
      elseif answer then
        keep(self, step, answer)
      else
        self.skipped[key] = true
      end
    end
  end
end

-- The record of the step that the group's shares are taken of, run now if need be.
local function baseline_of(self, step)
  if step.predict.of ~= "share" then return nil end
  for _, group in ipairs(self.session.lab.groups or {}) do
    if group.id == step.group and group.baseline then
      return self.session:record((self.session.lab:step(group.baseline)))
    end
  end
end

local function tell(step, guess, truth, unit)
  local right, said = predict.judge(guess, truth, step.predict.within)
  return ("Your guess on %s: %s. It is %s: %s%s."):format(step.id, with_unit(guess, unit), with_unit(truth, unit), said,
    right and (guess == truth and "" or ", as near as was asked") or "")
end

---Holds the guesses on these steps against what came out.
---@param steps table[]
function Predict:after(steps)
  local run = self.session.run
  for _, step in ipairs(steps) do
    local mark = step.predict and present(self, step)
    local record = run and run.results[step.id]
    if mark and mark.number and not mark.truth and record then
      local truth = predict.truth(step, record, baseline_of(self, step))
      if truth then
        keep(self, step, mark.number, truth)
        say_wrapped(tell(step, mark.number, truth, step.predict.unit))
      end
    end
  end
end

-- Drawing -----------------------------------------------------------------------------------------

local SCALE <const> = 10 -- columns on each side of the middle, which is the truth
local REACH <const> = 16 -- a guess that is off by this factor or more stands at the end

local function picture(guess, truth)
  local cells = {}
  for i = -SCALE, SCALE do cells[i] = "·" end
  cells[0] = "|"
  local at = guess < truth and -SCALE or guess > truth and SCALE or 0
  if guess > 0 and truth > 0 then
    at = math.floor(SCALE * math.log(guess / truth) / math.log(REACH) + 0.5)
    at = math.max(-SCALE, math.min(SCALE, at))
  end
  cells[at] = at == 0 and "╪" or "o"
  return table.concat(cells, "", -SCALE, SCALE)
end

---The guesses against the truth, as lines of text.
---@param entries table[] what Predict:list gives @param options? {width: integer?, color: boolean?}
---@return string[]
function predict.drawing(entries, options)
  local scale = "low" .. (" "):rep(SCALE - 5) .. "right" .. (" "):rep(SCALE - 6) .. "high"
  local columns = { { header = { "step" }, clip = 10 }, { header = { "guess" }, right = true },
    { header = { "it is" }, right = true }, { header = { scale } }, { header = { "" }, clip = 8 } }
  local rows, right, judged = {}, 0, 0
  for i, e in ipairs(entries) do
    local cells = { e.step.id, with_unit(e.guess, e.unit), e.truth and with_unit(e.truth, e.unit) or "–", "",
      "not run yet" }
    if e.truth then
      local ok, said = predict.judge(e.guess, e.truth, e.step.predict and e.step.predict.within)
      judged, right = judged + 1, right + (ok and 1 or 0)
      cells[4], cells[5] = picture(e.guess, e.truth), { text = said, style = ok and "good" or nil }
    end
    rows[i] = cells
  end
  local lines = tables.render(columns, rows, options)
  if judged > 0 then
    lines[#lines + 1] = ""
    local said = ("%d of %d %s right. | is the truth, o your guess, ╪ where they meet; the ends are a factor of"
      .. " %d off."):format(right, judged, judged == 1 and "guess" or "guesses", REACH)
    for _, line in ipairs(text.wrap(said, "  ", options and options.width)) do lines[#lines + 1] = line end
  end
  return lines
end

---Draws all guesses of the lab.
function Predict:draw()
  local entries = self:list()
  if #entries == 0 then
    return say_wrapped("No guess of yours is known in this lab yet. Steps that ask for one: "
      .. text.list(self:asking()) .. ".")
  end
  say(predict.drawing(entries, self.session:table_options()))
end

---The ids of the steps that ask for a guess.
---@return string[]
function Predict:asking()
  local ids = {}
  for _, step in ipairs(self.session.lab.steps) do
    if step.predict then ids[#ids + 1] = step.id end
  end
  return ids
end

-- The command -------------------------------------------------------------------------------------

local function need_questions(self)
  if #self:asking() == 0 then failure.raise("usage", self.session.lab:heading() .. " asks for no guesses") end
end

local function guess_on(self, name, given)
  local step, at = self.session.lab:step(name)
  if not step.predict then
    failure.raise("usage", step.id .. " asks for no guess", nil, "those that do: " .. text.list(self:asking()))
  end
  self.session:visit(step, at)
  if was_shown(self, step) then
    failure.raise("usage", ("the number of %s has been shown already"):format(step.id), nil,
      "a guess counts only before that; `predict` draws the guesses there are")
  end
  if given == "" then
    say_wrapped(step.predict.ask)
    if not somebody_there(self) then return say_wrapped(("`predict %s NUMBER` keeps your guess."):format(step.id)) end
    given = read_answer()
    if type(given) ~= "number" then return end
  else
    local number = predict.number(given)
    if not number then
      failure.raise("usage", ("%q is no number"):format(given), nil, ("for example: predict %s 32"):format(step.id))
    end
    given = number
  end
  keep(self, step, given)
  journal.tell()
  say_wrapped(("%s is kept. `run %s` shows whether it holds."):format(with_unit(given, step.predict.unit), step.id))
end

---predict [STEP [NUMBER]] | on | off
function Predict:command(args)
  need_questions(self)
  if #args == 0 then return self:draw() end
  if #args == 1 and (args[1] == "on" or args[1] == "off") then
    self.on = args[1] == "on"
    return say_wrapped(self.on and "Steps ask for a guess before they run."
      or "Steps run without asking; `predict on` asks again.")
  end
  guess_on(self, args[1], table.concat(args, " ", 2))
end

return predict
