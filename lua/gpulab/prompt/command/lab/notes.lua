-- The commands about what a student writes and predicts, and the page of a session: note, notes, predict, report.
local lazy = require "gpulab.base.lazy"
local copies = require "gpulab.prompt.copies"
local failure = require "gpulab.base.failure"
local journal = require "gpulab.run.journal"
local notes = require "gpulab.prompt.notes"
local pager = require "gpulab.base.pager"
local predict = require "gpulab.prompt.predict"
local progress = require "gpulab.base.progress"
local session_page = lazy "gpulab.prompt.page"
local text = require "gpulab.base.text"

-- The step or exercise that the first word names, and the rest; otherwise the current step and the whole text.
local function about(session, rest)
  local word, more = rest:match("^(%S+)%s*(.*)$")
  local target = word and session:known_target(word)
  if target then return target.id, more end
  return session.here or session:target({}).id, rest
end

local function write_note(session, _, rest)
  local name, said = about(session, rest)
  if not said:match("%S") then
    failure.usage("the note has no text", ("for example: note %s 32 lanes, one bank"):format(name))
  end
  session.marks:add("note", name, { text = said })
  journal.print_warnings()
  text.say_wrapped(("Saved your note on %s; `notes` lists all notes."):format(name))
end

local function list_notes(session, words)
  local name = words[1] and session:target(words).id or nil
  local found = notes.list(session.marks, name)
  if #found == 0 then
    local said = "There are no notes%s yet. `note TEXT` writes a note on the current step, `note STEP TEXT` on another"
      .. " step."
    return text.say_wrapped(said:format(name and " on " .. name or ""))
  end
  pager.show(notes.lines(found, session:table_options()))
end

local function target_ids(session) return session:target_ids() end

local function predict_step(session, name, given)
  local predictions = session.predictions
  local step, at = session.lab:step(name)
  if not step.predict then
    failure.usage(step.id .. " asks for no prediction", "these steps do: " .. text.list(predictions:asking()))
  end
  session:look(step, at)
  local late = predictions:has_shown(step)
  if late and predictions:has_predicted(step) then
    failure.usage(("%s has your prediction: a second one after its number was shown does not count"):format(step.id),
      "`predict` alone draws your predictions")
  end
  if given == "" then
    text.say_wrapped(predict.asked(step, nil, gpu.device, session.params))
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
    if number < 0 then failure.usage "no step has a negative number" end
    given = number
  end
  local actual = late and predictions:answer(step) or nil
  predictions:keep(step, given, actual, late)
  journal.print_warnings()
  if actual then
    return text.say_wrapped(predict.verdict(step, given, actual, step.predict.unit)
      .. " The number had been shown before, so this one does not count.")
  end
  text.say_wrapped(("Saved your prediction %s%s. `run %s` shows the actual number."):format(predict.with_unit(given,
    step.predict.unit), late and ", which does not count: the number had been shown before" or "", step.id))
end

local function run_predict(session, words)
  local predictions = session.predictions
  if #predictions:asking() == 0 then failure.usage(session.lab:heading() .. " asks for no predictions") end
  if #words == 0 then return predictions:draw() end
  if #words == 1 and (words[1] == "on" or words[1] == "off") then
    predictions:switch(words[1] == "on")
    journal.print_warnings()
    return text.say_wrapped(predictions:switched())
  end
  predict_step(session, words[1], table.concat(words, " ", 2))
end

local function write_report(session, _, rest)
  local path = text.trim(rest)
  if path ~= "" and not path:lower():find("%.html?$") then
    failure.usage(("%q does not end in .html"):format(path), "for example: report lab3.html")
  end
  if path == "" then path = session.book.copies:make_folder() .. "/report.html" end
  local lines = text.wrap("Wrote the report (open it in a browser) and the same data as JSON and CSV:", "  ")
  local files = progress.during("the report", session.options.quiet, session_page.write, session, path)
  for _, written in ipairs(files) do lines[#lines + 1] = "  " .. copies.shown(written) end
  text.say(lines)
end

return {
  { name = "note", usage = "note [STEP] TEXT", topic = "notes", raw = true, summary = "write a note on a step",
    help = "Saves a note on the named step, or on the current one, in the journal.",
    complete = target_ids, run = write_note },
  { name = "notes", usage = "notes [STEP]", topic = "notes", summary = "list your notes",
    help = "Lists the notes of this lab, or of one step or exercise, oldest first.",
    complete = target_ids, run = list_notes },
  { name = "predict", usage = "predict [STEP [NUMBER]|on|off]", topic = "notes",
    summary = "predict a step's number before it runs",
    help = "Alone draws your predictions against the actual numbers. predict tile 30 saves a prediction for a step that"
      .. " has not run yet; a later one is compared, too, but does not count. Steps also ask before they run; Enter"
      .. " skips a question, and its answer follows the row. predict off turns the questions off, until predict on.",
    complete = function(session) return session.predictions:asking() end,
    run = run_predict },
  { name = "report", usage = "report [FILE.html]", topic = "notes", raw = true,
    summary = "write this session's results to one HTML page",
    help = "Writes a self-contained page: tables, bars, plots, each step's source with its counters, bank and sector"
      .. " pictures, predictions, exercises and notes. Writes the same data as JSON and CSV next to it. Without a file"
      .. " name the page goes to the folder of your copies.",
    run = write_report },
}
