-- The commands note and notes.
local failure = require "gpulab.base.failure"
local journal = require "gpulab.run.journal"
local notes = require "gpulab.prompt.notes"
local pager = require "gpulab.base.pager"
local text = require "gpulab.base.text"

-- The step or exercise that the first word names, and the rest; otherwise the current step and the whole text.
local function about(session, rest)
  local word, more = rest:match("^(%S+)%s*(.*)$")
  local target = word and session:known_target(word)
  if target then return target.id, more end
  return session.here or session:target({}).id, rest
end

local function write(session, _, rest)
  local name, said = about(session, rest)
  if not said:match("%S") then
    failure.usage("the note has no text", ("for example: note %s 32 lanes, one bank"):format(name))
  end
  session.marks:add("note", name, { text = said })
  journal.print_warnings()
  text.say_wrapped(("Saved your note on %s; `notes` lists all notes."):format(name))
end

local function list(session, words)
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

return {
  { name = "note", usage = "note [STEP] TEXT", topic = "notes", raw = true, summary = "write a note on a step",
    help = "Saves a note on the named step, or on the current one, in the journal.",
    complete = target_ids, run = write },
  { name = "notes", usage = "notes [STEP]", topic = "notes", summary = "list your notes",
    help = "Lists the notes of this lab, or of one step or exercise, oldest first.",
    complete = target_ids, run = list },
}
