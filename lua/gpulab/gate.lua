-- An exercise's gate: bounds on what the emulated launch counted. The same on every machine, because structure is
-- counted and never a time.
local failure = require "gpulab.failure"
local runner = require "gpulab.runner"
local schema = require "gpulab.schema"
local text = require "gpulab.text"

local gate = {}

-- What a name stands for, after its number.
local meanings <const> = {
  shared_load = "passes for each shared load request", shared_store = "passes for each shared store request",
  global_load = "sectors for each global load request", global_store = "sectors for each global store request",
  constant = "passes for each load from constant memory", texture = "sectors for each texture fetch",
  surface = "sectors for each surface access", launches = "launches",
}

local singular <const> = { passes = "pass", sectors = "sector", launches = "launch" }

local function meaning(name, got)
  local said = meanings[name] or name:gsub("_", " ")
  return got == 1 and said:gsub("^%a+", singular) or said
end

-- What was counted; 0 where nothing of the kind happened at all. Raises for a name that is no counter's.
local function counted(name, counters, facts)
  if facts[name] ~= nil then return facts[name] end
  local got = runner.ratio(counters, name)
  if got then return got end
  if meanings[name] then return 0 end
  local message, hint = schema.unknown("counter", name, schema.sorted_keys(counters))
  failure.raise("usage", "the gate names an " .. message, nil, hint)
end

local function show(x)
  return x == math.floor(x) and text.count(x) or ("%.2f"):format(x)
end

-- Counts of more than a hundred are whole, and so are their bounds.
local function bounds_text(bound)
  local parts = {}
  local function whole(x, rounded) return show(math.abs(x) > 100 and rounded(x) or x) end
  if bound.at_least then parts[1] = "at least " .. whole(bound.at_least, math.ceil) end
  if bound.at_most then parts[#parts + 1] = "at most " .. whole(bound.at_most, math.floor) end
  return table.concat(parts, ", ")
end

-- How far inside its bounds a number is, of the bound: 0 on it, negative outside.
local function margin_of(got, bound)
  local margin = math.huge
  if bound.at_most then margin = math.min(margin, (bound.at_most - got) / math.max(math.abs(bound.at_most), 1e-9)) end
  if bound.at_least then
    margin = math.min(margin, (got - bound.at_least) / math.max(math.abs(bound.at_least), 1e-9))
  end
  return margin
end

---Holds what was counted against a gate: a row for each bound, {name, got, want, ok, margin, text}; text says it
---in words: "32 passes for each shared load request (at most 1.05)".
---@param bounds table an exercise's gate @param counters table<string, integer>
---@param facts? {launches: integer?} what is known beside the counters
---@return table[]
function gate.judge(bounds, counters, facts)
  facts = { launches = facts and facts.launches or 1 }
  local rows = {}
  for _, name in ipairs(schema.sorted_keys(bounds)) do
    if name ~= "rules" then
      local bound, got = bounds[name], counted(name, counters, facts)
      local ok = (not bound.at_most or got <= bound.at_most) and (not bound.at_least or got >= bound.at_least)
      rows[#rows + 1] = { name = name, got = got, want = bound, ok = ok, margin = margin_of(got, bound),
        text = ("%s %s (%s)"):format(show(got), meaning(name, got), bounds_text(bound)) }
    end
  end
  return rows
end

---Whether all bounds are kept.
---@param rows table[] as judge returns them
function gate.passed(rows)
  for _, row in ipairs(rows) do
    if not row.ok then return false end
  end
  return true
end

return gate
