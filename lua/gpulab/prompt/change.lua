-- What a change of a kernel did: the two times, the main cause in words, the lines that changed, the counters that
-- changed. Made of two records (runner.lua) and the two source texts they were compiled from.
local difference = require "gpulab.show.difference"
local lists = require "gpulab.base.lists"
local runner = require "gpulab.run.runner"
local show = require "gpulab.base.show"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"
local value = require "gpulab.base.value"

local change = {}

-- What may explain a time: cost is the counter that grows with the time, ratio its value per request, bound the words
-- in a model's bound that mean it.
local causes = {
  { name = "shared load wavefronts", ratio = "shared_load", cost = "shared_load_wavefronts", bound = "shared" },
  { name = "shared store wavefronts", ratio = "shared_store", cost = "shared_store_wavefronts", bound = "shared" },
  { name = "global load sectors", ratio = "global_load", cost = "global_load_sectors", bound = "DRAM L2" },
  { name = "global store sectors", ratio = "global_store", cost = "global_store_sectors", bound = "DRAM L2" },
  { name = "local load sectors", cost = "local_load_sectors", bound = "local" },
  { name = "local store sectors", cost = "local_store_sectors", bound = "local" },
  { name = "atomics", cost = "atomics", bound = "atomic" },
  { name = "divergent branches", cost = "divergent_branches", bound = "issue units" },
  { name = "barriers", cost = "barriers", bound = "latency" },
  { name = "warp instructions", cost = "warp_instructions", bound = "issue units" },
}

local SAME <const> = 0.005 -- of a time: less is called the same

local function logarithm(before, after)
  if before == after then return 0 end
  return math.log(math.max(after, 0.5) / math.max(before, 0.5)) -- one that came from nothing counts as half of one
end

local function plain_number(x)
  return x == math.floor(x) and text.count(x) or text.number(x)
end

-- Times -------------------------------------------------------------------------------------------

-- Do the quartiles of two measured times overlap?
local function within_spread(a, b)
  if a.kind ~= "measured" or b.kind ~= "measured" or not (a.q1 and a.q3 and b.q1 and b.q3) then return false end
  return a.q1 <= b.q3 and b.q1 <= a.q3
end

-- Logarithm of the times' ratio, 0 if they count as the same; nil without two times of one kind.
local function time_change(before, after)
  local a, b = before.times, after.times
  if not a or not b or a.kind ~= b.kind or a.ms <= 0 or b.ms <= 0 then return nil end
  if math.abs(b.ms - a.ms) <= SAME * a.ms or within_spread(a, b) then return 0 end
  return math.log(b.ms / a.ms)
end

local function verdict(before, after)
  local moved = time_change(before, after)
  if moved == 0 then
    return within_spread(before.times, after.times) and before.times.ms ~= after.times.ms
      and "within the spread of the samples"
      or "the same"
  end
  local factor = math.exp(math.abs(moved))
  local share = 100 * (factor - 1)
  if factor >= value.LARGE then return ("%s as %s"):format(value.ratio(factor), moved < 0 and "fast" or "slow") end
  return ("%s %% %s"):format(text.number(share), moved < 0 and "faster" or "slower")
end

local function time_line(before, after)
  local function rates()
    if not before.rate or not after.rate then return "" end
    return ("%s → %s, "):format(value.number(before.rate), value.show(after.rate))
  end
  if not time_change(before, after) then
    if before.times and before.rate then
      return ("was %s, %s"):format(value.show(before.rate), text.duration(before.times.ms))
    end
    return "no earlier time to compare with"
  end
  return ("%s%s → %s: %s"):format(rates(), text.duration(before.times.ms), text.duration(after.times.ms),
    verdict(before, after))
end

-- Causes ------------------------------------------------------------------------------------------

---The counters that differ, the largest change first: {name, before, after, log, per_before, per_after, ...}.
function change.moved(before, after)
  local a, b = runner.counters(before), runner.counters(after)
  local list = {}
  if not a or not b then return list end
  for order, cause in ipairs(causes) do
    local was, is = a[cause.cost] or 0, b[cause.cost] or 0
    if was ~= is then
      list[#list + 1] = { cause = cause, name = cause.name, order = order, before = was, after = is,
        log = logarithm(was, is), per_before = cause.ratio and runner.ratio(a, cause.ratio),
        per_after = cause.ratio and runner.ratio(b, cause.ratio) }
    end
  end
  table.sort(list, function(x, y)
    if math.abs(x.log) ~= math.abs(y.log) then return math.abs(x.log) > math.abs(y.log) end
    return x.order < y.order
  end)
  return list
end

-- Does the model name this as the limiter of the slower of the two?
local function is_bound(entry, slower)
  local bound = slower.times and slower.times.bound
  if not bound then return false end
  for word in entry.cause.bound:gmatch("%S+") do
    if bound:lower():find(word:lower(), 1, true) then return true end
  end
  return false
end

-- Among the counters that changed in the direction of the time: the one that limits the slower of the two, else the one
-- that changed most.
local function first_cause(moved, before, after)
  local direction = time_change(before, after)
  if not direction or direction == 0 then return nil end
  local slower = direction < 0 and before or after
  local first
  for _, entry in ipairs(moved) do
    if entry.log * direction > 0 then
      first = first or entry
      if is_bound(entry, slower) then return entry end
    end
  end
  return first
end

local function by_line(record)
  local lines = {}
  for _, line in ipairs(record.report.lines or {}) do
    if text.file_name(line.file) == text.file_name(record.step.kernel.file) then lines[line.line] = line end
  end
  return lines
end

-- The line of the new source whose counter changed most; unchanged lines give its old line number.
local function line_of(entry, before, after, origin)
  local a, b = by_line(before), by_line(after)
  local best, most
  for number, line in pairs(b) do
    local was = origin[number] and a[origin[number]]
    local by = (line.counters[entry.cause.cost] or 0) - (was and was.counters[entry.cause.cost] or 0)
    if by * entry.log > 0 and (not most or math.abs(by) > most or math.abs(by) == most and number < best) then
      best, most = number, math.abs(by)
    end
  end
  return best
end

-- "shared load wavefronts per request 32 → 1, transpose.cu:41"
local function cause_text(entry, before, after, origin)
  local said
  if entry.per_before and entry.per_after and entry.per_before ~= entry.per_after then
    said = ("%s per request %s → %s"):format(entry.name, plain_number(entry.per_before), plain_number(entry.per_after))
  else
    said = ("%s %s → %s"):format(entry.name, text.count(entry.before), text.count(entry.after))
  end
  local line = line_of(entry, before, after, origin)
  return line and ("%s, %s:%d"):format(said, show.printable(text.file_name(after.step.kernel.file)), line) or said
end

local function bound_text(before, after)
  local a, b = before.times and before.times.bound, after.times and after.times.bound
  if not a or not b or a == "" or b == "" or a == b then return nil end
  return ("limited by %s → %s"):format(a, b)
end

-- Lines -------------------------------------------------------------------------------------------

local MOST_LINES <const> = 8

local function expanded(s)
  return (show.printable(s:gsub("\t", "    ")))
end

local function source_lines(merged, options)
  local changed = lists.select(merged, function(entry) return entry.op ~= " " end)
  local left = #changed - MOST_LINES
  local lines = lists.map(table.move(changed, 1, MOST_LINES, 1, {}), function(entry)
    local line = ("  %s %4d  %s"):format(entry.op, entry.a or entry.b, expanded(entry.text))
    return tables.paint(text.clip(line, options.width), entry.op == "-" and "bad" or "good", options.color)
  end)
  local more = left > 0 and ("  … and %s: `diff` shows all of them"):format(text.plural(left, "more line")) or nil
  return lists.append(lines, { more })
end

-- Counters ----------------------------------------------------------------------------------------

local MOST_COUNTERS <const> = 6

local function factor_text(entry)
  if entry.before == 0 then return "new" end
  if entry.after == 0 then return "gone" end
  local factor = entry.after / entry.before
  if factor >= value.LARGE then return value.ratio(factor) end
  if factor <= 1 / value.LARGE then return "÷ " .. text.number(1 / factor) end
  return ("%+.1f %%"):format(100 * (factor - 1))
end

local function per_text(entry)
  if not entry.per_before or not entry.per_after or entry.per_before == entry.per_after then return "" end
  return ("%s → %s"):format(plain_number(entry.per_before), plain_number(entry.per_after))
end

local function counter_lines(moved, options)
  if #moved == 0 then return {} end
  local columns = tables.columns { "counter:12", ">before", ">after", ">", "per request" }
  local rows, per = {}, false
  for i, entry in ipairs(moved) do
    if i > MOST_COUNTERS then break end
    rows[i] = { entry.name, text.count(entry.before), text.count(entry.after), factor_text(entry), per_text(entry) }
    per = per or rows[i][5] ~= ""
  end
  if not per then
    columns[5] = nil
    for _, row in ipairs(rows) do row[5] = nil end
  end
  return tables.render(columns, rows, options)
end

-- The whole ---------------------------------------------------------------------------------------

-- The causes, as sentences without a full stop.
local function explanation(moved, before, after, origin)
  local moved_time = time_change(before, after)
  local said = {}
  local cause = first_cause(moved, before, after)
  if cause then
    said[1] = cause_text(cause, before, after, origin)
  elseif moved_time and moved_time ~= 0 and runner.counters(after) then
    said[1] = #moved > 0 and "no counter changed in the direction of the time" or "no counter changed"
  elseif moved_time == 0 and #moved == 0 then
    said[1] = "no counter changed"
  end
  said[#said + 1] = bound_text(before, after)
  return said
end

---The report of a change as lines of text.
---@param before {record: table, text: string} @param after {record: table, text: string}
---@param options? {width: integer?, color: boolean?}
---@return string[]
function change.lines(before, after, options)
  options = { width = options and options.width or text.columns, color = options and options.color or false }
  local merged = difference.merge(difference.split(before.text), difference.split(after.text))
  local moved = change.moved(before.record, after.record)
  local lines = text.wrap("change: " .. time_line(before.record, after.record), "  ", options.width)
  for i, line in ipairs(lines) do lines[i] = tables.paint(line, "strong", options.color) end
  for _, said in ipairs(explanation(moved, before.record, after.record, difference.origins(merged))) do
    text.add(lines, said, "  ", options.width)
  end
  return lists.append(lists.append(lines, source_lines(merged, options)), counter_lines(moved, options))
end

return change
