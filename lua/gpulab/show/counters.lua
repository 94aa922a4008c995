-- The counters of a record: those that are not zero, with their ratios, and the names of the others.
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"
local tables = require "gpulab.base.table"
local text = require "gpulab.base.text"

local counters = {}

-- These first, then the others by name.
local FIRST <const> = { "warp_instructions", "thread_instructions", "branches", "divergent_branches", "barriers" }

local function names_of(c)
  local names, rank = {}, {}
  for i, name in ipairs(FIRST) do rank[name] = i end
  for name, n in pairs(c) do
    if type(n) == "number" then names[#names + 1] = name end
  end
  table.sort(names, function(a, b)
    local x, y = rank[a] or #FIRST + 1, rank[b] or #FIRST + 1
    if x ~= y then return x < y end
    return a < b
  end)
  return names
end

-- What a counter is compared with: {its name, a format of the ratio}.
local whole <const> = {
  thread_instructions = { "warp_instructions", "%.3g of 32 lanes active" },
  divergent_branches = { "branches", "%.3g per branch" },
  atomic_conflicts = { "atomics", "%.3g per atomic" },
}

local function ratio(c, name)
  local kind = name:match("^(.*)_sectors$") or name:match("^(.*)_wavefronts$")
  local of = kind and { kind .. "_requests", "%.4g per request" } or whole[name]
  local base = of and c[of[1]] or 0
  return base > 0 and of[2]:format(c[name] / base) or ""
end

local function check_names(c, wanted)
  local names = names_of(c)
  for _, name in ipairs(wanted) do
    if c[name] == nil then
      local near = text.nearest(name, names)
      failure.usage(("there is no counter %s"):format(text.printable(name)),
        near and ("did you mean %s?"):format(near) or "`counters` alone shows all that are not zero")
    end
  end
  return #wanted > 0 and wanted or names
end

---@param record Record @param wanted string[] names of counters; empty: all that are not zero
---@param options table of table.render @return string[]
function counters.of(record, wanted, options)
  record = record:with_counters()
  local c, rows, zero = record.report.counters, {}, {}
  for _, name in ipairs(check_names(c, wanted)) do
    if c[name] ~= 0 or #wanted > 0 then rows[#rows + 1] = { name, text.count(c[name]), ratio(c, name) }
    else zero[#zero + 1] = name end
  end
  local columns = tables.columns { { header = { record.title }, narrow = 24 }, ">", "ratio" }
  local lines = tables.render(columns, rows, options)
  if #zero > 0 then text.add(lines, "Zero: " .. table.concat(zero, ", ") .. ".") end
  text.add(lines, ("Counted by the rules of the %s%s."):format(record.report.rules, record.report.sampled
    and ", a sample of the blocks" or ""))
  return lines
end

local endings <const> = { "requests", "sectors", "wavefronts", "bytes", "instructions", "branches", "conflicts",
  "atomics", "barriers" }

function counters.is_name(word)
  return lists.any(endings, function(ending) return word:sub(-#ending) == ending end)
end

---@param record Record? @return string[] for completion
function counters.names(record)
  local report = record and record.report
  return report and report.counters and names_of(report.counters) or {}
end

return counters
