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
    failure.usage(("--points %q is not a format with one number, such as %%g or *%%g"):format(format))
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
local function identifier(row, id)
  local value = row[id] and trimmed(row[id].value) or ""
  return value:match("^%S+%s+(%d+)$") or value -- "Participant 1234": folders have the number alone
end

-- The rows that may be a submission's; if one has its very name, that one.
local function rows_of(submission, rows, id)
  local found = {}
  for i, row in ipairs(rows) do
    local value = identifier(row, id)
    if value:lower() == submission.name:lower() then found.exact = found.exact or i end
    if roster.matches(submission.name, value) then found[#found + 1] = i end
  end
  return found.exact and { found.exact } or found
end

-- The submission for each row, and what is not clear.
local function match(rows, id, list)
  local of_row, unclear, problems = {}, {}, {}
  local function problem(...) problems[#problems + 1] = string.format(...) end
  for _, submission in ipairs(list) do
    local found = rows_of(submission, rows, id)
    if #found == 0 then problem("%s: no line of the roster is this student's", submission.name) end
    if #found > 1 then
      problem("%s: the lines %s of the roster may be this student's; none was filled in", submission.name,
        table.concat(found, ", "))
    end
    for _, i in ipairs(found) do
      if of_row[i] then
        problem("%s: both %s and %s are from this student; neither was filled in",
          text.printable(identifier(rows[i], id)), of_row[i].name, submission.name)
      end
      unclear[i] = unclear[i] or of_row[i] ~= nil or #found > 1
      of_row[i] = of_row[i] or submission
    end
  end
  return of_row, unclear, problems
end

---Raises if two lines identify the same student, one who has a submission: no run could tell which one to fill.
---@param content string @param list table[] submissions @param options {id: string, column: string, path: string}
function roster.check_lines(content, list, options)
  local rows, id = divided(content, options)
  local first = {}
  for i, row in ipairs(rows) do
    local value = identifier(row, id):lower()
    for _, submission in ipairs(first[value] and list or {}) do
      if roster.matches(submission.name, value) then
        failure.raise("usage", ("the lines %d and %d of the roster are both for %s"):format(first[value], i,
          text.printable(identifier(row, id))), text.printable(options.path), "remove one of them; nothing was graded")
      end
    end
    first[value] = first[value] or i
  end
end

---Fills the column of a roster's text.
---@param content string @param list table[] submissions with their points
---@param options {id: string, column: string, points: string, path: string}
---@return string content, string[] problems, integer filled
function roster.fill(content, list, options)
  local rows, id, column, delimiter = divided(content, options)
  local of_row, unclear, problems = match(rows, id, list)
  local parts, at, filled = {}, 1, 0
  for i, row in ipairs(rows) do
    local submission, cell = of_row[i], row[column]
    if submission and not unclear[i] and cell then
      parts[#parts + 1] = content:sub(at, cell.from - 1)
      parts[#parts + 1] = cell_text(options.points, submission.points, cell, delimiter)
      at, filled = cell.to + 1, filled + 1
    elseif submission and not unclear[i] then
      problems[#problems + 1] = ("%s: line %d of the roster is too short"):format(submission.name, i)
    end
  end
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
