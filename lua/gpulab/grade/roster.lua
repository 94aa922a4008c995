-- A roster as a learning management system exports it: one column gets the points, every other byte stays as it was.
-- The columns are named by the first line, or by their numbers where there is no such line.
local composed = require "gpulab.base.composed"
local csv = require "gpulab.base.csv"
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"

local roster = {}

local Roster = {}
Roster.__index = Roster

local trimmed <const> = csv.trimmed

-- The place of a column in the first row; nil without one.
local function named(row, name)
  for i, cell in ipairs(row or {}) do
    if trimmed(cell.value) == name then return i end
  end
end

-- The rows by the delimiter that shows both columns, and the columns' places.
local function columns_of(content, options)
  for _, delimiter in ipairs(csv.delimiters) do
    local rows = csv.rows(content, delimiter)
    local id, column = named(rows[1], options.id), named(rows[1], options.column)
    if id and column then return rows, id, column, delimiter end
  end
  local delimiter = csv.delimiter(content)
  local rows = csv.rows(content, delimiter)
  local id = named(rows[1], options.id) or math.tointeger(tonumber(options.id))
  local column = named(rows[1], options.column) or math.tointeger(tonumber(options.column))
  if id and column then return rows, id, column, delimiter end
  local names = lists.map(rows[1], function(cell) return trimmed(cell.value) end)
  failure.raise("usage", ("the roster has no column %q"):format(id and options.column or options.id), options.roster,
    "its columns: " .. table.concat(names, ", ") .. "; or give the number of a column")
end

-- A format with one number in it, such as "*%g".
local function check_format(format)
  local plain = format:gsub("%%%%", "")
  local _, n = plain:gsub("%%%d*%.?%d*[gfd]", "")
  local _, all = plain:gsub("%%", "")
  if n ~= 1 or all ~= 1 or not pcall(string.format, format, 1) then
    failure.usage(("--points %q is not a format with one number, such as %%g or *%%g"):format(format))
  end
end

---The roster of the options of a command line; nil without one. Raises what is wrong with it.
---@param options {roster: string?, id: string?, column: string?, points: string?}
function roster.open(options)
  local points, path = options.points or "%g", options.roster
  check_format(points)
  if not path then return nil end
  if not (options.id and options.column) then failure.usage("--roster needs --id COLUMN and --column COLUMN") end
  local content = csv.read(path)
  local rows, id, column, delimiter = columns_of(content, options)
  if rows.open then
    failure.raise("usage", "a cell begins with a quotation mark that nothing closes",
      ("%s, row %d"):format(text.printable(path), rows.open))
  end
  if id == column then failure.usage("--id and --column name the same column, which the points would replace") end
  return setmetatable({ path = path, content = content, points = points, rows = rows, id = id, column = column,
    delimiter = delimiter }, Roster)
end

---Whether the name of a submission means this identifier: it is equal, or a part of it between other characters, as in
---"Ann Lee_12345_assignsubmission_file".
---@param name string @param id string
function roster.matches(name, id)
  if id == "" then return false end
  name, id = name:lower(), id:lower()
  if name == id then return true end
  local from = 1
  while true do
    local first, last = name:find(id, from, true)
    if not first then return false end
    local before, after = name:sub(first - 1, first - 1), name:sub(last + 1, last + 1)
    if not before:match("[%w\x80-\xFF]") and not after:match("[%w\x80-\xFF]") then return true end
    from = first + 1
  end
end

local function cell_text(format, points, cell, delimiter)
  local whole = math.tointeger(points) and format:find("%%%d*d") and math.tointeger(points) or points
  local ok, said = pcall(string.format, format, whole)
  if not ok then said = format:gsub("%%%d*d", "%%g"):format(points) end
  if cell.quoted or said:find('["\r\n]') or said:find(delimiter, 1, true) then
    return '"' .. said:gsub('"', '""') .. '"'
  end
  return said
end

-- What identifies the student of a row; "" if nothing does.
local function identifier(self, i)
  local cell = self.rows[i][self.id]
  local value = cell and composed(trimmed(cell.value)) or ""
  return value:match("^%S+%s+(%d+)$") or value -- "Participant 1234": folders have the number alone
end

-- The rows that may be a submission's; if one has its very name, that one.
local function rows_of(self, submission)
  local found = {}
  for i = 1, #self.rows do
    local value = identifier(self, i)
    if value:lower() == submission.name:lower() then return { i } end
    if roster.matches(submission.name, value) then found[#found + 1] = i end
  end
  return found
end

-- What a line has to have to be a submission's, with a line of the roster as an example.
local function rule(self)
  local value = lists.find(lists.map(self.rows, function(_, i) return identifier(self, i) end),
    function(one) return one ~= "" end)
  local example = value and (", as in %q"):format(text.printable(value)) or ""
  return ("its cell in the column of --id%s has to equal the submission's name, or to be a part of it"):format(example)
end

-- The submission for each row, and what is not clear.
local function match(self, list)
  local of_row, unclear, problems = {}, {}, {}
  local function problem(...) problems[#problems + 1] = string.format(...) end
  for _, submission in ipairs(list) do
    local found = rows_of(self, submission)
    if #found == 0 then problem("%s: no line of the roster is this student's; %s", submission.name, rule(self)) end
    if #found > 1 then
      problem("%s: the lines %s of the roster may be this student's; none was filled in", submission.name,
        table.concat(found, ", "))
    end
    for _, i in ipairs(found) do
      if of_row[i] then
        problem("%s: both %s and %s are from this student; neither was filled in",
          text.printable(identifier(self, i)), of_row[i].name, submission.name)
      end
      unclear[i] = unclear[i] or of_row[i] ~= nil or #found > 1
      of_row[i] = of_row[i] or submission
    end
  end
  return of_row, unclear, problems
end

---Raises if two lines identify the same student, one who has a submission: no run could tell which one to fill.
---@param list table[] submissions
function Roster:check(list)
  local first = {}
  for i = 1, #self.rows do
    local value = identifier(self, i)
    local before = first[value:lower()]
    for _, submission in ipairs(before and list or {}) do
      if roster.matches(submission.name, value) then
        failure.raise("usage", ("the lines %d and %d of the roster are both for %s"):format(before, i,
          text.printable(value)), text.printable(self.path), "remove one of them; nothing was graded")
      end
    end
    first[value:lower()] = before or i
  end
end

---The roster's text with its column filled.
---@param list table[] submissions with their points
---@return string content, string[] problems, integer filled
function Roster:fill(list)
  local of_row, unclear, problems = match(self, list)
  local parts, at, filled = {}, 1, 0
  for i, row in ipairs(self.rows) do
    local submission, cell = of_row[i], row[self.column]
    if submission and not unclear[i] and cell then
      parts[#parts + 1] = self.content:sub(at, cell.from - 1)
      parts[#parts + 1] = cell_text(self.points, submission.points, cell, self.delimiter)
      at, filled = cell.to + 1, filled + 1
    elseif submission and not unclear[i] then
      problems[#problems + 1] = ("%s: line %d of the roster is too short"):format(submission.name, i)
    end
  end
  return table.concat(parts) .. self.content:sub(at), problems, filled
end

return roster
