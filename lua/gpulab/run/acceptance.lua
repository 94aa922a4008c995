-- An exercise's acceptance check. A kernel is compared with the reference solution, which runs on the same inputs:
-- each launch has budgets in what the emulator counts. All of it is the same on every machine.
-- An author who gives nothing gets the budgets of quantities.lua; `accept` changes them and adds what the task asks:
--
--   accept = {
--     warp_instructions = 1.5,          -- at most 1.5× the solution's, instead of 4×
--     shared_bytes = false,             -- no budget
--     barriers = { at_most = 0 },       -- a bound on a counter
--     loads_per_thread = { at_most = 1 }, -- a bound on a quantity, for each launch
--   }
--
-- Counters are also compared block by block, as a total hides a few blocks that do it the old way.
--
-- If the starter's result is right and it stays within these budgets, it shows what the task is about: the quantity
-- in which it is farthest from the solution gets a budget between the two.
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"
local quantities = require "gpulab.run.quantities"
local runner = require "gpulab.run.runner"
local schema = require "gpulab.lab.schema"
local text = require "gpulab.base.text"
local value = require "gpulab.base.value"

local acceptance = {}

-- By these a starter may differ from the solution, besides the quantities.
local telling <const> = { "shared_load_requests", "shared_store_requests", "shared_load_wavefronts",
  "shared_store_wavefronts", "global_load_sectors", "global_store_sectors", "global_load_requests",
  "global_store_requests", "texture_requests", "divergent_branches", "barriers", "constant_requests" }

local MANY_BLOCKS <const> = 4 -- of fewer, the total shows what one of them does

-- Texts -------------------------------------------------------------------------------------------

local function number(x, more)
  return x == math.floor(x) and text.count(x) or ("%%.%df"):format(2 + more):format(x)
end

local function percent(x, more) return ("%%.%df %%%%"):format(more):format(100 * x) end

-- A number, and its bounds in words. Bounds of a count are whole, as counts are.
local function with_bounds(got, bound, shown)
  local said, parts = shown(got, 0), {}
  local function add(words, limit)
    local a, b = value.apart(got, limit, shown)
    if #a > #said then said = a end
    parts[#parts + 1] = words .. b
  end
  if bound.at_least then add("at least ", bound.at_least) end
  if bound.at_most then add("at most ", bound.at_most) end
  return said, table.concat(parts, ", ")
end

local function is_within(got, bound)
  return (not bound.at_most or got <= bound.at_most) and (not bound.at_least or got >= bound.at_least)
end

-- A count is whole, so its bounds can be whole numbers, too.
local function whole(bound)
  return { at_least = bound.at_least and math.ceil(bound.at_least),
    at_most = bound.at_most and math.floor(bound.at_most) }
end

-- What a student can do about a quantity of this launch.
local function cure_of(q, launch, solution)
  if type(q.cure) == "function" then return q.cure(launch, solution) end
  return q.cure
end

-- Budgets -----------------------------------------------------------------------------------------

local function budget_row(q, got, solution, bound, floor)
  local row = { name = q.name, want = bound, lines = q.lines, label = q.label, budget = true }
  local base = math.max(solution, floor)
  if base == 0 then
    row.got, row.ok, row.bound, row.said, row.limits = got, got == 0, 0, number(got, 0), "at most 0"
    row.text = ("%s %s (the reference solution has none)"):format(row.said, q.said)
    row.margin = row.ok and 0 or -1
    return row
  end
  row.got = got / base
  row.ok = is_within(row.got, bound)
  row.margin = bound.at_most and 1 - row.got / bound.at_most or row.got / bound.at_least - 1
  if solution == 0 then
    local said, limit = with_bounds(got, whole { at_most = bound.at_most * base }, number)
    row.said, row.limits = said, limit
    row.text = ("%s %s (%s; the reference solution has none)"):format(said, q.said, limit)
    return row
  end
  local function relative(x) return x and x * base / solution end
  local said, limit = with_bounds(got / solution,
    { at_least = relative(bound.at_least), at_most = relative(bound.at_most) }, value.times)
  row.said, row.limits = said, limit
  row.text = got == 0 and ("no %s (%s those of the reference solution)"):format(q.said, limit)
    or ("%s as many %s as the reference solution (%s)"):format(said, q.said, limit)
  return row
end

local function bound_of(q, given)
  if given == false then return nil end
  if type(given) == "number" then return q.at_least and { at_least = given } or { at_most = given } end
  return not q.asked and (q.at_most or q.at_least) and { at_most = q.at_most, at_least = q.at_least } or nil
end

-- A launch as if it were one block that has most of everything.
local function one_block(launch)
  local reach = { scattered_sectors = launch.reach.scattered_in_block, waiting = launch.reach.waiting / launch.blocks }
  return { counters = launch.busiest, reach = reach, blocks = 1, warps = launch.warps / launch.blocks }
end

-- Whether no block of the solution has much more of it than the others: only then a block can be compared with one.
local function alike(q, solution)
  return q.of(one_block(solution)) * solution.blocks <= 2.5 * q.of(solution)
end

-- The row of a block that exceeds the budget; nil if none does. A block may have more work than others, but hardly more
-- of what the task is about.
local function block_row(q, accept, bound, floor, candidate, solution)
  local more = type(accept[q.name]) == "number" and 1.3 or 1.75
  if not q.by_block or not bound.at_most or accept.by_block == false or solution.blocks < MANY_BLOCKS
    or not alike(quantities.of "warp_instructions", solution) or not alike(q, solution) then
    return nil
  end
  local got, base = q.of(one_block(candidate)), q.of(one_block(solution))
  local row = budget_row(q, got, base, { at_most = more * bound.at_most }, floor / solution.blocks)
  row.text = "in one block: " .. row.text
  return not row.ok and row or nil
end

-- What has a budget: first what the exercise names besides the usual ones, last what says little about what is wrong.
local function budget_names(accept, tight)
  local names = lists.select(lists.keys(accept), function(name)
    return type(accept[name]) == "number" and (not quantities.known(name) or quantities.of(name).asked)
  end)
  if tight then lists.add_new(names, tight.name) end
  for _, vague in ipairs { false, true } do
    for _, q in ipairs(quantities.list) do
      if (q.vague or false) == vague then lists.add_new(names, q.name) end
    end
  end
  return names
end

-- A row per budget of one launch.
local function compare(rows, accept, tight, candidate, solution, which)
  for _, name in ipairs(budget_names(accept, tight)) do
    local q = quantities.of(name)
    local bound = bound_of(q, accept[name])
    local floor = q.floor and q.floor(solution) or 0
    if type(accept[name]) == "number" and q.at_most then floor = math.min(floor, q.of(solution, solution)) end
    if tight and tight.name == name then bound, floor = { at_most = tight.at_most }, tight.floor end
    local got, base = q.of(candidate, solution), q.of(solution, solution)
    local needless = base == 0 and bound and not bound.at_most
    if bound and not needless then
      local row = budget_row(q, got, base, bound, floor)
      row = row.ok and block_row(q, accept, bound, floor, candidate, solution) or row
      if which then row.text, row.which = which .. ": " .. row.text, which end
      row.cure, row.vague, row.key = cure_of(q, candidate, solution), q.vague, ("budget %s %s"):format(which, q.name)
      rows[#rows + 1] = row
    end
  end
end

-- A printf that was left in for debugging costs no one the acceptance.
local function adjusted(counters)
  if not counters then return end
  local own = setmetatable({}, { __index = counters })
  for _, what in ipairs { "load_requests", "load_sectors", "store_requests", "store_sectors" } do
    local all, printed = counters["global_" .. what], counters["printf_" .. what]
    own["global_" .. what] = printed and math.max(0, all - printed)
  end
  return own
end

---What a report with reach says of each launch.
---@param report CountReport @param items table[] the launch list
function acceptance.launches(report, items)
  return lists.map(report.items, function(item, i)
    local config = items[i].config
    local grid, block = config.grid, config.block
    local blocks, threads = grid[1] * (grid[2] or 1) * (grid[3] or 1), block[1] * (block[2] or 1) * (block[3] or 1)
    return { counters = adjusted(item.counters), busiest = adjusted(item.busiest), reach = item.reach, blocks = blocks,
      warps = blocks * ((threads + 31) // 32), shared_bytes = items[i].kernel.shared_bytes + (config.shared or 0) }
  end)
end

---Compares each launch with the solution's.
---@param accept table an exercise's @param candidate table[] @param solution table[] of acceptance.launches
---@param tight? {name: string, at_most: number} of acceptance.tighten
---@return table[] rows {name, which, got, want, ok, margin, text, said, limits, cure, lines}; said and limits are what
---there is and what is allowed, in words
function acceptance.budgets(accept, candidate, solution, tight)
  local rows = {}
  for i, launch in ipairs(candidate) do
    compare(rows, accept, tight, launch, solution[i], #candidate > 1 and ("launch %d"):format(i) or nil)
  end
  return rows
end

---Which budget keeps a starter out that is right and within all others; and what is half way to the solution.
---@param starter table[] @param solution table[] @return {name: string, at_most: number}?
function acceptance.tighten(starter, solution)
  local best
  local function try(name)
    local q = quantities.of(name)
    if q.at_least or q.asked or q.vague then return end
    for i, launch in ipairs(starter) do
      local a, b = q.of(launch, solution[i]), q.of(solution[i], solution[i])
      if a > 0 then
        local base = math.max(b, a / 16) -- it needs none: a sixteenth is taken for it
        local ratio = a / base
        if ratio > (best and best.ratio or 1.1) * 1.0001 then best = { name = name, ratio = ratio, floor = base } end
      end
    end
  end
  for _, q in ipairs(quantities.list) do try(q.name) end
  for _, name in ipairs(telling) do try(name) end
  if not best then return nil end
  local share = best.name == "divergent_branches" and 0.6 or 0.4 -- a comparison of data may be a branch, too
  return { name = best.name, at_most = math.min(best.ratio ^ share, 1 + (best.ratio - 1) / 2), floor = best.floor }
end

-- Bounds on counters ---------------------------------------------------------------------------

-- The words that follow a counter's number.
local meanings <const> = {
  shared_load = "wavefronts per shared load request", shared_store = "wavefronts per shared store request",
  global_load = "sectors per global load request", global_store = "sectors per global store request",
  constant = "accesses per load from constant memory", texture = "sectors per texture fetch",
  surface = "sectors per surface access", launches = "launches",
}

-- "1 load per thread": of one thing, its first noun has no plural.
local function of_one(said, got)
  return got == 1 and said:gsub("^(%a-)(e?)s%f[%A]", function(noun, e)
    return noun .. ((noun:match "ch$" or noun:match "ss$") and "" or e)
  end) or said
end

local function meaning(name) return meanings[name] or name:gsub("_", " ") end

-- A counter or ratio; 0 if no such event happened. Raises for an unknown name.
local function counted(name, counters, facts)
  if facts[name] ~= nil then return facts[name] end
  local got = runner.ratio(counters, name)
  if got then return got end
  if meanings[name] then return 0 end
  local message, hint = schema.unknown("counter", name, schema.sorted_keys(counters))
  failure.usage("the acceptance check names an " .. message, hint)
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

-- A cure is for what there is too much of, or too little of; a bound on the other side is the task's own.
local function bound_cure(q, got, bound, launch)
  if bound.advice or not q then return bound.advice end
  if got < (bound.at_least or -math.huge) and not q.at_least then return nil end
  return bound.at_most == 0 and q.without or cure_of(q, launch, launch)
end

local function bound_row(name, got, bound, said, q, launch)
  local count = got == math.floor(got) and not (q and q.share)
  local shown, limits = with_bounds(got, count and math.abs(got) > 100 and whole(bound) or bound,
    q and q.share and percent or number)
  return { name = name, got = got, want = bound, ok = is_within(got, bound), margin = margin_of(got, bound),
    lines = q and q.lines, cure = bound_cure(q, got, bound, launch), said = shown, limits = limits,
    text = ("%s %s (%s)"):format(shown, of_one(said, got), limits) }
end

-- The row of the launch that is farthest outside its bounds, or the nearest to them.
local function worst_launch(q, bound, launches)
  local worst
  for _, launch in ipairs(launches) do
    local row = bound_row(q.name, q.of(launch, launch), bound, q.said, q, launch)
    if not worst or row.margin < worst.margin then worst = row end
  end
  return worst
end

---Compares what ran with the bounds: a row per bound, {name, got, want, ok, margin, text}; text says it in words:
---"32 wavefronts per shared load request (at most 1.05)".
---@param bounds table an exercise's `accept` @param counters table<string, integer> of all launches
---@param launches? table[] of acceptance.launches
---@param any_size? boolean only those that hold at every size: counters have bounds for the one that is shown
---@return table[]
function acceptance.judge(bounds, counters, launches, any_size)
  local facts, rows = { launches = launches and #launches or 1 }, {}
  for _, name in ipairs(schema.sorted_keys(bounds)) do
    local bound = bounds[name]
    if type(bound) ~= "table" then goto continue end
    if quantities.known(name) and launches then
      local q = quantities.of(name)
      if not any_size or q.asked and not q.total then rows[#rows + 1] = worst_launch(q, bound, launches) end
    elseif not any_size then
      local got = counted(name, counters, facts)
      rows[#rows + 1] = bound_row(name, got, bound, meaning(name))
    end
    ::continue::
  end
  return rows
end

---Rows of several trials: of each condition the row that says what is wrong, else the first.
---@param rows table[]? @param more table[] @return table[]
function acceptance.joined(rows, more)
  rows = rows or {}
  local at = {}
  for i, row in ipairs(rows) do at[row.key or row.name] = i end
  for _, row in ipairs(more) do
    local i = at[row.key or row.name]
    if not i then
      rows[#rows + 1] = row
    elseif rows[i].ok and not row.ok then
      rows[i] = row
    end
  end
  return rows
end

---Rows in the order in which to fix them: first what the starter does not meet, either, as the exercise is about
---that, and of these the counters that the exercise names; what says little comes last.
---@param rows table[] @param accept table @param of_starter table? those that it does not meet, by name
---@return table[]
function acceptance.in_order(rows, accept, of_starter)
  local ranks, sorted = {}, lists.append({}, rows)
  for i, row in ipairs(rows) do
    local taught, named = of_starter and of_starter[row.name], accept[row.name] and not quantities.known(row.name)
    ranks[row] = ((row.vague and 4 or taught and 0 or 2) + (named and 0 or 1)) * #rows + i
  end
  table.sort(sorted, function(a, b) return ranks[a] < ranks[b] end)
  return sorted
end

---Whether all bounds are kept.
---@param rows table[] as judge returns them @param clear? boolean those that say what is wrong
function acceptance.passed(rows, clear)
  return not lists.any(rows, function(row) return not row.ok and not (clear and row.vague) end)
end

return acceptance
