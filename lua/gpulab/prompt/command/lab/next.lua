-- The commands next and prev.
local failure = require "gpulab.base.failure"

local function move(session, words, by)
  local lab = session.lab
  if #lab.steps == 0 then
    failure.usage(lab:heading() .. " has no steps", "`exercises` lists the exercises")
  elseif #words > 1 then
    failure.usage("next and prev take one step", ("for example: next %s"):format(lab.steps[1].id))
  elseif words[1] then
    return session:show_and_run(words[1])
  end
  local at = session.at + by
  if at < 1 then failure.usage("this is the first step") end
  if at > #lab.steps then
    failure.usage("this is the last step", #(lab.exercises or {}) > 0
      and "`exercises` lists the exercises, `run` runs all steps again" or "`run` runs all steps again")
  end
  session:show_and_run(lab.steps[at].id)
end

local function step_ids(session) return session:step_ids() end

return {
  { name = "next", usage = "next [STEP]", topic = "steps", summary = "show and run the next step",
    help = "Shows the next step's text and runs it. next 2 and next tile continue at that step.",
    complete = step_ids, run = function(session, words) move(session, words, 1) end },
  { name = "prev", usage = "prev [STEP]", topic = "steps", summary = "show and run the previous step",
    help = "Shows the previous step's text and runs it. prev 2 and prev tile go back to that step.",
    complete = step_ids, run = function(session, words) move(session, words, -1) end },
}
