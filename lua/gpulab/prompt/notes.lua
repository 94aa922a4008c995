-- Notes: what a student writes about a step, stored as marks.
local failure = require "gpulab.base.failure"
local journal = require "gpulab.run.journal"
local pager = require "gpulab.base.pager"
local show = require "gpulab.base.show"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

local notes = {}

---The notes of a lab, oldest first: {name, text, time}.
---@param marks table of lua/gpulab/run/marks.lua @param name? string on this step or exercise alone
---@return table[]
function notes.list(marks, name)
  local found = {}
  for _, mark in ipairs(marks:list("note", name)) do
    if mark.text then table.insert(found, 1, mark) end
  end
  return found
end

---Notes as lines of text.
---@param list table[] @param options? {color: boolean?, width: integer?}
function notes.lines(list, options)
  local lines = {}
  for _, note in ipairs(list) do
    local head = ("  %s  %s"):format(os.date("%Y-%m-%d %H:%M", note.time // 1000), show.printable(note.name))
    lines[#lines + 1] = tables.paint(head, "faint", options and options.color)
    for _, line in ipairs(text.wrap(show.printable(note.text), "    ", options and options.width)) do
      lines[#lines + 1] = line
    end
  end
  return lines
end

-- The step or exercise that the first word names, and the rest; otherwise the current step and the whole text.
local function about(session, rest)
  local word, more = rest:match("^(%S+)%s*(.*)$")
  local target = word and session:known_target(word)
  if target then return target.id, more end
  return session.here or session:target({}).id, rest
end

---note [STEP] TEXT
function notes.write(session, rest)
  local name, said = about(session, rest)
  if not said:match("%S") then
    failure.raise("usage", "the note has no text", nil, ("for example: note %s 32 lanes, one bank"):format(name))
  end
  session.marks:add("note", name, { text = said })
  journal.print_warnings()
  text.say(text.wrap(("Saved your note on %s; `notes` lists all notes."):format(name), "  "))
end

---notes [STEP]
function notes.show(session, args)
  local name = args[1] and session:target(args).id or nil
  local list = notes.list(session.marks, name)
  if #list == 0 then
    local said = "There are no notes%s yet. `note TEXT` writes a note on the current step, `note STEP TEXT` on another"
      .. " step."
    return text.say(text.wrap(said:format(name and " on " .. name or ""), "  "))
  end
  pager.show(notes.lines(list, session:table_options()))
end

return notes
