-- A step that is a table computed from data: no kernel runs.
local lists = require "gpulab.base.lists"
local steps = require "gpulab.lab.steps"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

local figure = {}

local function fail(step, message) steps.fail(step, "figure", message) end

local function check_row(step, row, i, width)
  if type(row) ~= "table" then fail(step, ("row %d must be a list of cells"):format(i)) end
  for c = 1, width do
    local kind = type(row[c])
    if kind ~= "string" and kind ~= "number" and row[c] ~= nil and row[c] ~= false then
      fail(step, ("row %d, column %d: a cell must be a string, a number or false"):format(i, c))
    end
  end
end

---What the step's function returns, checked: {columns, rows, note}.
function figure.of(step, params, device)
  local made = step.figure(params, device)
  if type(made) ~= "table" or type(made.columns) ~= "table" or type(made.rows) ~= "table" then
    fail(step, "must return {columns = {...}, rows = {...}}")
  end
  if #made.columns == 0 then fail(step, "has no columns") end
  for i, header in ipairs(made.columns) do
    if type(header) ~= "string" then fail(step, ("column %d: its header must be a string"):format(i)) end
  end
  for i, row in ipairs(made.rows) do check_row(step, row, i, #made.columns) end
  if made.note ~= nil and type(made.note) ~= "string" then fail(step, "its note must be a string") end
  return { columns = made.columns, rows = made.rows, note = made.note }
end

local function cell(v)
  if v == nil or v == false then return "–" end
  if type(v) == "string" then return v end
  return math.type(v) == "integer" and text.count(v) or text.number(v)
end

-- Columns of numbers are right-aligned.
local function is_numeric(made, c)
  local any = false
  for _, row in ipairs(made.rows) do
    if type(row[c]) == "string" then return false end
    any = any or type(row[c]) == "number"
  end
  return any
end

---The table as lines, its title first.
---@param title string @param made table @param options table as tables.render has them
---@return string[]
function figure.lines(title, made, options)
  local columns, rows = {}, {}
  for c, header in ipairs(made.columns) do
    columns[c] = { header = text.lines(header), right = is_numeric(made, c), narrow = 8 }
  end
  for r, row in ipairs(made.rows) do
    rows[r] = {}
    for c = 1, #columns do rows[r][c] = cell(row[c]) end
  end
  local lines = { tables.paint("  " .. text.clip(title, text.columns - 2), "strong", options.color) }
  lists.append(lines, tables.render(columns, rows, options))
  if made.note then text.add(lines, made.note, "  ", options.width) end
  return lines
end

return figure
