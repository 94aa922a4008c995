-- The labs that can be opened, as a table: number, name, title, and how far the student has come.
local lazy = require "gpulab.base.lazy"
local lists = require "gpulab.base.lists"
local tables = require "gpulab.base.table"
local marks = require "gpulab.run.marks"
local outline = lazy "gpulab.lab.outline"
local study = lazy "gpulab.prompt.study"
local targets = require "gpulab.lab.targets"
local text = require "gpulab.base.text"
local where = require "gpulab.base.where"

local labs = {}

-- The student's progress in a lab: exercises passed, and the step of the last visit, if any.
local function how_far(opened)
  local of = marks.new(opened.id)
  local place = of:list("place")[1]
  return study.summary(opened, of), place and "left at " .. text.printable(place.name)
end

-- A lab's cells in the list, without running it.
local function list_row(entry)
  local opened = outline.read(entry.path)
  if not opened then
    return { tostring(entry.number), entry.name, ("(does not load: run gpulab %d)"):format(entry.number), "" }
  end
  local passed, left
  if opened.id then passed, left = how_far(opened) end
  return { tostring(entry.number), entry.name, text.printable(opened.title or ""), passed, note = left }
end

---The table's lines; raises where there are no labs.
---@param color boolean? @return string[]
function labs.lines(color)
  local rows = lists.map(targets.labs(), list_row)
  if #rows == 0 then
    gpu.raise("setup", "no labs were found", "gpulab searched " .. table.concat(where.folders("labs"), ", ")
      .. "; set GPULAB_LABS to another folder")
  end
  return tables.render({ { header = {}, right = true }, { header = {} }, { header = {}, narrow = 20 },
    { header = {}, narrow = 12 } }, rows, { color = color })
end

return labs
