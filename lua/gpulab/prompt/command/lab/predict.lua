-- The command predict.
local failure = require "gpulab.base.failure"
local journal = require "gpulab.run.journal"
local predict = require "gpulab.prompt.predict"
local text = require "gpulab.base.text"

local function predict_step(session, name, given)
  local predictions = session.predictions
  local step, at = session.lab:step(name)
  if not step.predict then
    failure.usage(step.id .. " asks for no prediction", "these steps do: " .. text.list(predictions:asking()))
  end
  session:visit(step, at)
  local late = predictions:has_shown(step)
  if late and predictions:has_predicted(step) then
    failure.usage(("the number of %s was already shown"):format(step.id),
      "`predict` alone draws your predictions")
  end
  if given == "" then
    text.say_wrapped(step.predict.ask)
    if not predictions:is_interactive() then
      return text.say_wrapped(("`predict %s NUMBER` saves your prediction."):format(step.id))
    end
    given = predictions:read_answer()
    if type(given) ~= "number" then return end
  else
    local number = predict.number(given)
    if not number then
      failure.usage(("%q is not a number"):format(given), ("for example: predict %s 32"):format(step.id))
    end
    given = number
  end
  local actual = late and predictions:answer(step) or nil
  predictions:keep(step, given, actual, late)
  journal.print_warnings()
  if actual then
    return text.say_wrapped(predict.verdict(step, given, actual, step.predict.unit)
      .. " The number had been shown before, so this one does not count.")
  end
  text.say_wrapped(("Saved your prediction %s. `run %s` shows the actual number."):format(predict.with_unit(given,
    step.predict.unit), step.id))
end

local function run(session, words)
  local predictions = session.predictions
  if #predictions:asking() == 0 then failure.usage(session.lab:heading() .. " asks for no predictions") end
  if #words == 0 then return predictions:draw() end
  if #words == 1 and (words[1] == "on" or words[1] == "off") then
    predictions:switch(words[1] == "on")
    journal.print_warnings()
    return text.say_wrapped(predictions.on and "Steps ask for a prediction before they run."
      or "Steps run without questions, in later sessions, too; `predict on` turns questions on.")
  end
  predict_step(session, words[1], table.concat(words, " ", 2))
end

return { name = "predict", usage = "predict [STEP [NUMBER]|on|off]", topic = "notes",
  summary = "predict a step's number before it runs",
  help = "Alone draws your predictions against the actual numbers. predict tile 30 saves a prediction for a step that"
    .. " has not run yet; a later one is compared, too, but does not count. Steps also ask before they run; Enter skips"
    .. " a question, and its answer follows the row. predict off turns the questions off, until predict on.",
  complete = function(session) return session.predictions:asking() end,
  run = run }
