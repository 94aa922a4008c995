-- What is graded, and the points for it. A scheme is a CSV file with the columns lab, exercise and points:
--
--   lab,exercise,points
--   3,swizzle,2
--   3,row-sums,1.5
--
-- or a Lua file that returns a list of the same: { { lab = 3, exercise = "swizzle", points = 2 }, ... }.
-- Without a scheme each exercise of the labs named is worth 1 point.
local csv = require "gpulab.base.csv"
local failure = require "gpulab.base.failure"
local labs = require "gpulab.grade.labs"
local text = require "gpulab.base.text"

local scheme = {}

local function fail(path, line, message, hint)
  failure.raise("usage", message, ("%s:%d"):format(text.printable(path), line), hint)
end

local function of_csv(path)
  local content = csv.read(path)
  local rows = csv.rows(content, csv.delimiter(content))
  local columns, entries = {}, {}
  for i, cell in ipairs(rows[1] or {}) do columns[csv.trimmed(cell.value)] = i end
  for _, name in ipairs { "lab", "exercise", "points" } do
    if not columns[name] then
      fail(path, 1, ("the scheme has no column %q"):format(name), "its first line is: lab,exercise,points")
    end
  end
  for i = 2, #rows do
    local function of(name)
      local cell = rows[i][columns[name]]
      return cell and csv.trimmed(cell.value)
    end
    entries[i - 1] = { lab = of "lab", exercise = of "exercise", points = tonumber(of "points") or of "points",
      line = i }
  end
  return entries
end

local function of_lua(path)
  local chunk, message = loadfile(path, "t")
  if not chunk then failure.usage(text.printable(message)) end
  local ok, entries = pcall(chunk)
  if not ok and type(entries) == "table" then error(entries, 0) end
  if not ok then failure.usage(text.printable(tostring(entries))) end
  if type(entries) ~= "table" then fail(path, 1, "the scheme does not return a table") end
  for i, entry in ipairs(entries) do
    if type(entry) ~= "table" then fail(path, 1, ("entry %d of the scheme is not a table"):format(i)) end
    entry.line = i
  end
  return entries
end

local function item_of(path, entry)
  local points = entry.points == nil and 1 or entry.points
  if type(points) ~= "number" or points < 0 or points ~= points or points == math.huge then
    fail(path, entry.line, ("the points of %s are not a number of at least 0"):format(tostring(entry.exercise)))
  end
  if not entry.lab or not entry.exercise then fail(path, entry.line, "a lab and an exercise are needed") end
  local lab, lab_path = labs.load(tostring(entry.lab))
  local ex = labs.exercise(lab, tostring(entry.exercise))
  return { id = labs.id(lab, ex), lab = lab, lab_path = lab_path, exercise = ex, points = points }
end

---@param path? string @param words string[] labs, where there is no scheme
---@return table[] items {id, lab, lab_path, exercise, points}
function scheme.load(path, words)
  local entries = {}
  if path then
    entries = path:match("%.lua$") and of_lua(path) or of_csv(path)
  else
    for _, word in ipairs(words) do
      for _, ex in ipairs(labs.load(word).exercises) do
        entries[#entries + 1] = { lab = word, exercise = ex.id, line = #entries + 1 }
      end
    end
  end
  local items, seen = {}, {}
  for i, entry in ipairs(entries) do
    items[i] = item_of(path or "the labs", entry)
    local other = seen[items[i].id]
    if other then
      fail(path or "the labs", entry.line, "two entries for " .. items[i].id, other ~= items[i].lab_path
        and ("%s and %s have the same number: give one of them another"):format(other, items[i].lab_path) or nil)
    end
    seen[items[i].id] = items[i].lab_path
  end
  if #items == 0 then
    failure.usage("nothing is to be graded", "name labs with --lab, or a scheme with --scheme")
  end
  return items
end

return scheme
