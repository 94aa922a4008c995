-- Notes: what a student writes about a step, stored as marks.
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
    text.add(lines, show.printable(note.text), "    ", options and options.width)
  end
  return lines
end

return notes
