-- The tables in the journal's file (gpulab.store): runs of steps, and marks: exercises passed, hints seen,
-- predictions, notes, the place in each lab. A field that is nil or "" is not known.
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"

local records = {}

local NAME <const>, NOTE <const>, COUNTERS <const> = 1024, 64 * 1024, 256 * 1024 -- bytes
local MOST <const> = 10000 -- rows that are read at once
local YEAR_10000 <const> = 253402300800000 -- ms since 1970

-- Checks ------------------------------------------------------------------------------------------

local outcomes <const> = lists.set [[ok compile fault limit timeout wrong interrupted setup usage gate finding absent]]
local marks <const> = lists.set { "passed", "hint", "solution", "guess", "seen", "note", "place", "setting" }
local rates <const> = { "value", "q1", "q3", "min", "clock_ghz", "temperature" }

local function is_json_number(s)
  local number = tonumber(s)
  if tostring(number) == s then return true end
  return number and s:find("^%-?%d") and not s:find("^%-?0%d") and not (s .. " "):find("%.%D")
end

-- A flat JSON object of numbers; names are printable ASCII without ", \ and a comma.
local function is_counters(s)
  local inside = s:gsub("[ \t\r\n]+", " "):match("^ ?{(.*)} ?$")
  if not inside or inside == "" or inside == " " then return inside ~= nil end
  for field in (inside .. ","):gmatch("([^,]*),") do
    local number = field:match('^ ?"[ !#-[^-~%]]+" ?: ?([%d.eE+-]+) ?$')
    if not number or not is_json_number(number) then return false end
  end
  return true
end

local function counters_complaint(counters)
  if #counters > COUNTERS then return "its counters are too long" end
  return not is_counters(counters) and "its counters are not a flat JSON object of numbers" or nil
end

local function time_complaint(row)
  local time = row.time or 1
  return (time <= 0 or time >= YEAR_10000) and "its time is out of range" or nil
end

local function rate_complaint(run)
  for _, name in ipairs(rates) do
    local rate = run[name] or 0
    if rate < 0 or rate == math.huge then return "a rate is negative or infinite" end
  end
  if not run.unit then return "its rate has no unit" end
  if run.kind ~= "measured" and run.kind ~= "predicted" then return "its rate is neither measured nor predicted" end
  return (run.samples or 0) < 0 and "the number of samples is negative" or nil
end

local function run_complaint(run)
  if not run.lab or not run.step then return "lab and step are needed" end
  if not outcomes[run.outcome] then return "the journal does not know its outcome" end
  return run.counters and counters_complaint(run.counters) or time_complaint(run) or run.value and rate_complaint(run)
end

local function is_infinite(number) return math.abs(number or 0) == math.huge end

local function mark_complaint(mark)
  if not mark.lab or not mark.name then return "lab and name are needed" end
  if not marks[mark.what] then return "the journal does not know its kind" end
  return time_complaint(mark) or (is_infinite(mark.number) or is_infinite(mark.truth)) and "a number is infinite"
end

-- Tables ------------------------------------------------------------------------------------------

local function is_string(v) return type(v) == "string" end

local kinds <const> = {
  text = { "a string", is_string }, -- cut where it is too long
  document = { "a string", is_string }, -- refused
  number = { "a number", function(v) return type(v) == "number" end },
  whole = { "a whole number", function(v) return math.type(v) and math.tointeger(v) end },
  boolean = { "a boolean", function(v) return type(v) == "boolean" end },
}

-- Names by kind become a list of all, what each is, and the statements. The time's column is called "at".
local function table_of(t)
  t.names, t.kinds = {}, {}
  local columns, selected, values = {}, { "id" }, {}
  for _, group in ipairs(t) do
    for name in group[2]:gmatch("%S+") do
      local i = #t.names + 1
      t.names[i], t.kinds[name] = name, group[1]
      columns[i], selected[i + 1], values[i] = name, name, "?" .. i
    end
  end
  columns[1], selected[2] = "at", "at AS time"
  values[1] = "coalesce(?1, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))" -- ms since 1970
  t.insert = ("INSERT INTO %s (%s) VALUES (%s)"):format(t.name, table.concat(columns, ", "), table.concat(values, ", "))
  t.select = ("SELECT %s FROM %s WHERE %s ORDER BY id DESC LIMIT ?3"):format(table.concat(selected, ", "), t.name,
    t.where)
  return t
end

local runs = table_of { name = "runs", said = "run of", subject = "step", complaint = run_complaint,
  where = "lab = ?1 AND step = ?2", { "whole", "time samples" }, { "boolean", "verified" },
  { "text", "lab step kernel source params device gpu driver nvrtc outcome unit kind" },
  { "number", "value q1 q3 min clock_ghz temperature" }, { "document", "counters" } }

local marked = table_of { name = "marks", said = "mark on", subject = "name", complaint = mark_complaint,
  where = "(?1 IS NULL OR lab = ?1) AND (?2 IS NULL OR what = ?2)", longest = { text = NOTE },
  { "whole", "time" }, { "text", "lab what name text unit" }, { "number", "number truth" } }
-- A place takes the older ones' place; every other mark stays.
marked.insert = marked.insert .. "; DELETE FROM marks WHERE lab = ?2 AND what = 'place' AND id <"
  .. " (SELECT max(id) FROM marks WHERE lab = ?2 AND what = 'place')"

-- Writing -----------------------------------------------------------------------------------------

-- Any text as the file keeps it: UTF-8 without NUL, cut at the edge of a character.
local function clean(s, most)
  if #s > most then s = s:sub(1, most + 4) end -- what is further cannot matter
  s = text.valid_utf8(s):gsub("%z", "\u{FFFD}")
  return #s > most and s:sub(1, utf8.offset(s, 0, most + 1) - 1) or s
end

local function is_clean(s, most) return #s <= most and utf8.len(s) and not s:find("\0", 1, true) end

local function longest(of, name) return of.longest and of.longest[name] or NAME end

local function check_fields(of, row)
  if type(row) ~= "table" then failure.usage(("table expected, got %s"):format(type(row))) end
  for name, value in pairs(row) do
    if type(name) ~= "string" then failure.usage("fields have names") end
    local kind = of.kinds[name]
    if not kind then
      local near = text.nearest(name, of.names)
      failure.usage(("unknown field '%s'%s"):format(name, near and (", did you mean '%s'?"):format(near) or ""))
    end
    local expected, is = table.unpack(kinds[kind])
    if not is(value) then failure.usage(("%s: %s expected, got %s"):format(name, expected, type(value))) end
  end
end

-- The row as it will be kept.
local function prepared(of, given)
  local row = {}
  check_fields(of, given)
  for name, value in pairs(given) do
    if of.kinds[name] == "text" then value = clean(value, longest(of, name)) end
    if value ~= "" and value == value then row[name] = value end
  end
  return row
end

local function insert(file, of, row)
  local why, values = of.complaint(row), {}
  if why then
    failure.usage(("this %s %.60s cannot be recorded: %s"):format(of.said, row[of.subject] or "a step", why))
  end
  for i, name in ipairs(of.names) do values[i] = row[name] end
  return file:write(of.insert, table.unpack(values, 1, #of.names))
end

---Records a run of a step, durably; the fields are those of `runs` above.
---@param file table of gpulab.store @return integer its number
function records.run(file, run)
  local row = prepared(runs, run)
  if not row.value then -- what says more about a rate that is not there is left out
    for _, name in ipairs { "unit", "kind", "samples", table.unpack(rates) } do row[name] = nil end
  end
  return insert(file, runs, row)
end

---The same for a mark.
function records.mark(file, mark) return insert(file, marked, prepared(marked, mark)) end

-- Reading -----------------------------------------------------------------------------------------

local flags <const> = { [0] = false, [1] = true }

-- The file may have been edited: false for a row that makes no sense.
local function is_sound(of, row)
  if flags[row.verified] ~= nil then row.verified = flags[row.verified] end
  for name, kind in pairs(of.kinds) do
    local value = row[name]
    if value == "" then row[name] = nil end
    if value ~= nil and not kinds[kind][2](value) then return false end
    if kind == "text" and value and not is_clean(value, longest(of, name)) then return false end
  end
  return row.time and not of.complaint(row)
end

local function select_rows(file, of, first, second, n)
  local found, left_out = {}, 0
  first, second = first and clean(first, NAME), second and clean(second, NAME)
  for _, row in ipairs(file:read(of.select, first, second, n)) do
    if is_sound(of, row) then
      found[#found + 1] = row
    else
      left_out = left_out + 1
    end
  end
  return found, left_out
end

---The newest n runs of a step (20), newest first, and how many invalid rows were left out.
---@return table[] runs, integer left_out
function records.runs(file, lab, step, n)
  n = n or 20
  if n < 1 or n > MOST then failure.usage(("1 to %d runs can be asked for"):format(MOST)) end
  return select_rows(file, runs, lab, step, n)
end

---The marks of a lab and a kind, newest first; nil: of all.
---@return table[] marks, integer left_out
function records.marks(file, lab, what) return select_rows(file, marked, lab, what, MOST) end

return records
