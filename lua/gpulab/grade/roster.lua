-- A roster as a learning management system exports it: one column gets the points, every other byte stays as it was.
-- The columns are named by the first line, or by their numbers where there is no such line.
local csv = require "gpulab.grade.csv"
local failure = require "gpulab.base.failure"
local files = require "gpulab.base.files"
local text = require "gpulab.base.text"

local roster = {}

local trimmed <const> = csv.trimmed

-- The place of a column in the first row; nil without one.
local function named(row, name)
  for i, cell in ipairs(row or {}) do
    if trimmed(cell.value) == name then return i end
  end
end

local delimiters <const> = { ",", ";", "\t", ":" }

-- The rows by the delimiter that shows both columns, and the columns' places.
local function columns_of(content, options)
  for _, delimiter in ipairs(delimiters) do
    local rows = csv.rows(content, delimiter)
    local id, column = named(rows[1], options.id), named(rows[1], options.column)
    if id and column then return rows, id, column, delimiter end
  end
  local delimiter = csv.delimiter(content)
  local rows = csv.rows(content, delimiter)
  local id = named(rows[1], options.id) or math.tointeger(tonumber(options.id))
  local column = named(rows[1], options.column) or math.tointeger(tonumber(options.column))
  if id and column then return rows, id, column, delimiter end
  local names = {}
  for i, cell in ipairs(rows[1] or {}) do names[i] = trimmed(cell.value) end
  failure.raise("usage", ("the roster has no column %q"):format(id and options.column or options.id), options.path,
    "its columns: " .. table.concat(names, ", ") .. "; or give the number of a column")
end

local function divided(content, options)
  local rows, id, column, delimiter = columns_of(content, options)
  if rows.open then
    failure.raise("usage", "a cell begins with a quotation mark that nothing closes",
      ("%s, row %d"):format(text.printable(options.path), rows.open))
  end
  return rows, id, column, delimiter
end

---Raises if the columns are not there.
---@param content string @param options {id: string, column: string, path: string}
function roster.check(content, options) divided(content, options) end

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
    if not before:match("[%w]") and not after:match("[%w]") then return true end
    from = first + 1
  end
end

---A format with one number in it, such as "*%g".
function roster.check_format(format)
  local plain = format:gsub("%%%%", "")
  local _, n = plain:gsub("%%%d*%.?%d*[gfd]", "")
  local _, all = plain:gsub("%%", "")
  if n ~= 1 or all ~= 1 or not pcall(string.format, format, 1) then
    failure.raise("usage", ("--points %q is not a format with one number, such as %%g or *%%g"):format(format))
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

-- The submission for each row, and what is not clear.
local function match(rows, id, list)
  local of_row, taken, problems = {}, {}, {}
  for i, row in ipairs(rows) do
    local value = row[id] and trimmed(row[id].value) or ""
    value = value:match("^%S+%s+(%d+)$") or value -- "Participant 1234": folders have the number alone
    for _, submission in ipairs(list) do
      if roster.matches(submission.name, value) then
        if of_row[i] then
          problems[#problems + 1] = ("%s: both %s and %s are from this student; neither was filled in"):format(
            text.printable(value), of_row[i].name, submission.name)
          of_row[i].unclear = true
        elseif taken[submission] then
          problems[#problems + 1] = ("%s: two lines of the roster are this student's"):format(submission.name)
        end
        of_row[i], taken[submission] = of_row[i] or submission, true
      end
    end
  end
  for _, submission in ipairs(list) do
    if not taken[submission] then
      problems[#problems + 1] = submission.name .. ": no line of the roster is this student's"
    end
  end
  return of_row, problems
end

---Fills the column of a roster's text.
---@param content string @param list table[] submissions with their points
---@param options {id: string, column: string, points: string, path: string}
---@return string content, string[] problems, integer filled
function roster.fill(content, list, options)
  local rows, id, column, delimiter = divided(content, options)
  local of_row, problems = match(rows, id, list)
  local parts, at, filled = {}, 1, 0
  for i, row in ipairs(rows) do
    local submission, cell = of_row[i], row[column]
    if submission and not submission.unclear and cell then
      parts[#parts + 1] = content:sub(at, cell.from - 1)
      parts[#parts + 1] = cell_text(options.points, submission.points, cell, delimiter)
      at, filled = cell.to + 1, filled + 1
    elseif submission and not cell then
      problems[#problems + 1] = ("%s: line %d of the roster is too short"):format(submission.name, i)
    end
  end
  for _, submission in ipairs(list) do submission.unclear = nil end
  return table.concat(parts) .. content:sub(at), problems, filled
end

---@param path string @return string
function roster.read(path)
  local content, reason = files.read(path)
  if not content then failure.raise("setup", "cannot read " .. reason) end
  csv.check_text(content, path)
  return content
end

return roster
