-- The commands show and text: a step's text again, or the access that an issue is about.
local text = require "gpulab.base.text"

local function show(session, words)
  if words[1] == "it" then
    local step = session.here and session:target { session.here } or session:named_step {}
    return session.stepper:show_it(session, step, words[2], session:found_in(step))
  end
  local step = session:visit(session:target(words))
  if step.exercise then return text.say(session.study:paragraph(step.exercise)) end
  text.say(session:paragraph(step))
end

return {
  { name = "show", usage = "show [STEP|it]", topic = "steps", summary = "show a step's text again",
    help = "Shows the text of a step or the task of an exercise, by default of the current step. show it steps to the"
      .. " access that an issue of a checker is about, to the store of a wrong element, or to the line that an"
      .. " acceptance check names.",
    complete = function(session) return session:target_ids() end, run = show },
  { name = "text", usage = "text [STEP]", topic = "steps", summary = "the same as show",
    help = "Shows the text of a step, by default of the current one.",
    complete = function(session) return session:step_ids() end, run = show },
}
