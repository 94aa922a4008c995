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
  if predictions:has_shown(step) then
    failure.usage(("the number of %s was already shown"):format(step.id),
      "predict before a step runs; `predict` alone draws your predictions")
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
  predictions:keep(step, given)
  journal.print_warnings()
  text.say_wrapped(("Saved your prediction %s. `run %s` shows the actual number."):format(predict.with_unit(given,
    step.predict.unit), step.id))
end

local function run(session, words)
  local predictions = session.predictions
  if #predictions:asking() == 0 then failure.usage(session.lab:heading() .. " asks for no predictions") end
  if #words == 0 then return predictions:draw() end
  if #words == 1 and (words[1] == "on" or words[1] == "off") then
    predictions.on = words[1] == "on"
    return text.say_wrapped(predictions.on and "Steps ask for a prediction before they run."
      or "Steps run without questions; `predict on` turns questions on.")
  end
  predict_step(session, words[1], table.concat(words, " ", 2))
end

return { name = "predict", usage = "predict [STEP [NUMBER]|on|off]", topic = "notes",
  summary = "predict a step's number before it runs",
  help = "Alone draws your predictions against the actual numbers. predict tile 30 saves a prediction for a step that"
    .. " has not run yet. Steps also ask before they run; Enter skips, and predict off turns them off.",
  complete = function(session) return session.predictions:asking() end,
  run = run }
