-- An exercise's acceptance check. A kernel is compared with the reference solution, which runs on the same inputs:
-- each launch has budgets in what the emulator counts. All of it is the same on every machine.
-- An author who gives nothing gets the budgets below; `accept` changes them and adds bounds on counters:
--
--   accept = {
--     warp_instructions = 1.5,          -- at most 1.5× the solution's, instead of 4×
--     shared_bytes = false,             -- no budget
--     barriers = { at_most = 0 },       -- a bound on a counter, with the inputs of the size that is shown
--   }
--
-- Counters are also compared block by block, as a total hides a few blocks that do it the old way.
--
-- If the starter's result is right and it stays within these budgets, it shows what the task is about: the quantity
-- in which it is farthest from the solution gets a budget between the two.
local failure = require "gpulab.base.failure"
local runner = require "gpulab.run.runner"
local schema = require "gpulab.lab.schema"
local text = require "gpulab.base.text"
local value = require "gpulab.base.value"

local acceptance = {}

-- Quantities --------------------------------------------------------------------------------------

local function sum(...)
  local names = { ... }
  return function(launch)
    local n = 0
    for _, name in ipairs(names) do n = n + launch.counters[name] end
    return n
  end
end

local function reach(name) return function(launch) return launch.reach[name] end end

-- Instructions of the busiest warp or block, in average ones: of this launch, or of the solution's if those do more, as
-- an idle warp does no harm where the others do no more for it.
local function share_of_busiest(name, per)
  return function(launch, solution)
    local average = math.max(launch.counters.warp_instructions, solution.counters.warp_instructions) / launch[per]
    return launch.reach[name] / math.max(average, 1)
  end
end

-- Short warps differ by more: one that loads 16 bytes at a time for three idle ones has a few instructions more.
local function short_warps(solution)
  local average = solution.counters.warp_instructions / math.max(solution.warps, 1)
  return share_of_busiest("busiest_warp", "warps")(solution, solution) * math.min(1.25, 1 + 8.5 / math.max(average, 1))
end

-- Global memory requests per warp that makes any, where a tenth of the solution's warps makes none: a warp that works
-- for another issues its requests as well.
local function requests_for_others(launch, solution)
  if launch ~= solution and launch.reach.working_warps >= 0.9 * solution.reach.working_warps then return 0 end
  local requests = launch.counters.global_load_requests + launch.counters.global_store_requests
  return requests / math.max(launch.reach.working_warps, 1)
end

-- Of the solution's shared memory wavefronts; four per warp if it has none.
local function of_wavefronts(share)
  return function(launch)
    local n = launch.counters.shared_load_wavefronts + launch.counters.shared_store_wavefronts
    return n > 0 and share * n or 4 * launch.warps
  end
end

-- Of all sectors that the solution needs: how the few stores of a reduction are made hardly matters.
local function of_sectors(share)
  local all = sum("global_load_sectors", "global_store_sectors", "texture_sectors", "surface_sectors")
  return function(launch) return share * all(launch) end
end

local function per_warp(n) return function(launch) return n * launch.warps end end
local function per_block(n) return function(launch) return n * launch.blocks end end

-- A thread may load a word of each warp, or as much as the average thread.
local function own_words(launch) return math.max(12, launch.reach.loaded_words / (32 * launch.warps)) end

-- of: its value for a launch, given the solution's. at_most, at_least: the budget, as a multiple of the solution's.
-- floor: what the solution is taken to need at least. cure: what a student can do. asked: a budget only if `accept`
-- gives one. by_block: each block has a budget, too. vague: says little about what is wrong, so it comes last. Nothing
-- is required at least that the solution does without.
local quantities <const> = {
  { name = "active_lanes", said = "active threads per warp instruction", at_least = 0.64,
    cure = "Give every lane of a warp work.",
    of = function(launch)
      return launch.counters.thread_instructions / math.max(launch.counters.warp_instructions, 1)
    end },
  { name = "warp_instructions", said = "warp instructions", at_most = 3, floor = per_warp(20),
    of = sum "warp_instructions", cure = "Do each part of the work once." },
  { name = "idle_warps", said = "instructions of the busiest warp, in average warps,", at_most = 1.48,
    floor = short_warps, of = share_of_busiest("busiest_warp", "warps"),
    cure = "Give every warp the same amount of work." },
  { name = "working_warps", said = "global memory requests per warp that makes any", at_most = 1.5,
    of = requests_for_others, cure = "Let every warp take part." },
  { name = "idle_blocks", said = "instructions of the busiest block, in average blocks,", at_most = 1.75,
    of = share_of_busiest("busiest_block", "blocks"), cure = "Give every block the same amount of work." },
  { name = "load_sectors", said = "sectors loaded from global memory", at_most = 1.35,
    of = sum("global_load_sectors", "texture_sectors", "surface_sectors"), lines = { "global_load_sectors" },
    cure = "Let the threads of a warp load neighboring elements, and load each element once." },
  { name = "scattered_sectors", said = "sectors of global memory due to scattered addresses", at_most = 1.25,
    floor = of_sectors(0.05), of = reach "scattered_sectors", by_block = true,
    lines = { "global_load_sectors", "global_store_sectors" },
    cure = "Let the threads of a warp access neighboring elements, in every warp and block." },
  { name = "store_bytes", said = "bytes stored to global memory", at_most = 1.3, of = sum "global_store_bytes",
    lines = { "global_store_bytes" }, cure = "Store each element once." },
  { name = "bank_conflicts", said = "wavefronts due to bank conflicts", at_most = 1.25, floor = of_wavefronts(0.2),
    of = sum "bank_conflicts", lines = { "bank_conflicts" },
    cure = "Change the layout, or the order in which the lanes of a warp access it." },
  { name = "wavefronts", said = "shared memory wavefronts", at_most = 1.75, floor = per_warp(24),
    of = sum("shared_load_wavefronts", "shared_store_wavefronts"),
    lines = { "shared_load_wavefronts", "shared_store_wavefronts" },
    cure = "Avoid bank conflicts and repeated loads." },
  { name = "global_atomics", said = "atomics on global memory", at_most = 1.05, floor = per_block(2),
    of = sum "global_atomics", lines = { "global_atomics" }, cure = "Combine values within the block first." },
  { name = "shared_atomics", said = "atomics on shared memory", at_most = 1.05, floor = per_warp(1),
    of = sum "shared_atomics", lines = { "shared_atomics" }, cure = "Combine values within the warp first." },
  { name = "atomic_conflicts", said = "lanes that wait in an atomic for another at the same address", at_most = 1.25,
    floor = per_warp(2), of = sum "atomic_conflicts", lines = { "atomic_conflicts" },
    cure = "Combine the values of a warp before one lane updates the address." },
  { name = "busiest_address", said = "atomics on the address that gets the most", at_most = 1.25, floor = per_block(2),
    of = reach "busiest_address", cure = "Combine values first, or spread them over addresses." },
  { name = "gathers", said = "texture gathers", at_most = 1, of = reach "gathers",
    cure = "Let the texture's filter compute the mean." },
  { name = "link_sectors", said = "sectors read over the link", at_most = 1.05, of = reach "link_sectors",
    cure = "Read each word over the link once, and nothing else." },
  { name = "busiest_loads", said = "loads from global memory by the busiest warp", at_most = 2.6,
    floor = function() return 1 end, of = reach "busiest_loads", cure = "Let all warps share the loads." },
  { name = "busiest_words", said = "words of global memory loaded by the busiest warp", at_most = 5.5,
    of = reach "busiest_words", cure = "Let all warps share the loads." },
  { name = "barriers", said = "barriers", at_most = 3, floor = per_warp(4), of = sum "barriers", lines = { "barriers" },
    cure = "Wait only where threads exchange data." },
  { name = "conversions", said = "conversions between floats and integers", at_most = 2.5, of = reach "conversions",
    cure = "Compute in the type of the data." },
  { name = "fp64_instructions", said = "double-precision instructions", at_most = 1.05, of = sum "fp64_instructions",
    lines = { "fp64_instructions" }, cure = "Compute in single precision: constants need an f." },
  { name = "lone_thread", said = "words that a thread loads with at most seven others of its warp", at_most = 1.25,
    floor = own_words, of = reach "lone_thread", vague = true,
    cure = "Let all threads of a warp take part, as in a tree." },
  { name = "staged", said = "shared memory wavefronts of stores", at_least = 0.7, asked = true,
    of = sum("shared_store_wavefronts"), cure = "Use shared memory, as the task asks." },
  { name = "serial_loads", said = "loads from global memory that do not overlap with shared loads",
    at_most = 1, asked = true, of = reach "serial_loads",
    cure = "Between two barriers, load the next tile and use the current one." },
  { name = "shared_bytes", said = "bytes of shared memory per block", at_most = 1.5, floor = function() return 8192 end,
    of = function(launch) return launch.shared_bytes end, cure = "Use less shared memory." },
}

-- By these a starter may differ from the solution, besides the quantities.
local telling <const> = { "shared_load_requests", "shared_store_requests", "shared_load_wavefronts",
  "shared_store_wavefronts", "global_load_sectors", "global_store_sectors", "global_load_requests",
  "global_store_requests",
  "texture_requests", "divergent_branches", "barriers", "constant_requests" }

local by_name <const> = {}
for _, q in ipairs(quantities) do by_name[q.name] = q end

for _, name in ipairs { "load_sectors", "store_bytes", "bank_conflicts", "wavefronts", "shared_atomics",
  "atomic_conflicts", "fp64_instructions" } do
  by_name[name].by_block = true
end

local MANY_BLOCKS <const> = 4 -- of fewer, the total shows what one of them does

local function quantity(name)
  return by_name[name]
    or { name = name, said = (name:gsub("_", " ")), of = sum(name), lines = { name }, by_block = true }
end

-- Budgets -----------------------------------------------------------------------------------------

local function show(x)
  return x == math.floor(x) and text.count(x) or ("%.2f"):format(x)
end

local function budget_row(q, got, solution, bound, floor)
  local row = { name = q.name, want = bound, lines = q.lines, cure = q.cure, budget = true }
  local base = math.max(solution, floor)
  if base == 0 then
    row.got, row.ok = got, got == 0
    row.text = ("%s %s (the reference solution has none)"):format(show(got), q.said)
    row.margin = row.ok and 0 or -1
    return row
  end
  row.got = got / base
  row.ok = (not bound.at_most or row.got <= bound.at_most) and (not bound.at_least or row.got >= bound.at_least)
  row.margin = bound.at_most and 1 - row.got / bound.at_most or row.got / bound.at_least - 1
  row.text = ("%s the %s of the reference solution (%s %s)"):format(value.times(got / math.max(solution, 1e-9)), q.said,
    bound.at_most and "at most" or "at least",
    value.times((bound.at_most or bound.at_least) * base / math.max(solution, 1e-9)))
  if solution == 0 then
    row.text = ("%s %s (at most %s; the reference solution has none)"):format(show(got), q.said,
      show(bound.at_most * base))
  end
  return row
end

local function bound_of(q, given)
  if given == false then return nil end
  if type(given) == "number" then return q.at_least and { at_least = given } or { at_most = given } end
  return not q.asked and (q.at_most or q.at_least) and { at_most = q.at_most, at_least = q.at_least } or nil
end

-- A launch as if it were one block that has most of everything.
local function one_block(launch)
  return { counters = launch.busiest, reach = { scattered_sectors = launch.reach.scattered_in_block }, blocks = 1,
    warps = launch.warps / launch.blocks }
end

-- Whether no block of the solution has much more of it than the others: only then a block can be compared with one.
local function alike(q, solution)
  return q.of(one_block(solution)) * solution.blocks <= 2.5 * q.of(solution)
end

-- The row of a block that exceeds the budget; nil if none does. A block may have more work than others, but hardly more
-- of what the task is about.
local function block_row(q, accept, bound, floor, candidate, solution)
  local more = accept.idle_blocks
  if more == nil then more = type(accept[q.name]) == "number" and 1.3 or by_name.idle_blocks.at_most end
  if not q.by_block or not bound.at_most or not more or solution.blocks < MANY_BLOCKS
    or not alike(quantity "warp_instructions", solution) or not alike(q, solution) then
    return nil
  end
  local got, base = q.of(one_block(candidate)), q.of(one_block(solution))
  local row = budget_row(q, got, base, { at_most = more * bound.at_most }, floor / solution.blocks)
  row.text = "in one block: " .. row.text
  return not row.ok and row or nil
end

-- A row per budget of one launch.
local function compare(rows, accept, tight, candidate, solution, which)
  local names, seen = {}, {}
  for _, q in ipairs(quantities) do
    if not q.vague then names[#names + 1] = q.name end
    seen[q.name] = true
  end
  for _, name in ipairs(schema.sorted_keys(accept)) do
    if type(accept[name]) == "number" and not seen[name] then names[#names + 1], seen[name] = name, true end
  end
  if tight and not seen[tight.name] then names[#names + 1] = tight.name end
  for _, q in ipairs(quantities) do names[#names + 1] = q.vague and q.name or nil end
  for _, name in ipairs(names) do
    local q = quantity(name)
    local bound = bound_of(q, accept[name])
    local floor = q.floor and q.floor(solution) or 0
    if type(accept[name]) == "number" and q.at_most then floor = math.min(floor, q.of(solution, solution)) end
    if tight and tight.name == name then bound, floor = { at_most = tight.at_most }, tight.floor end
    local got, base = q.of(candidate, solution), q.of(solution, solution)
    local needless = base == 0 and bound and not bound.at_most
    if bound and not needless then
      local row = budget_row(q, got, base, bound, floor)
      row = row.ok and block_row(q, accept, bound, floor, candidate, solution) or row
      if which then row.text = which .. ": " .. row.text end
      row.vague = q.vague
      rows[#rows + 1] = row
    end
  end
end

-- A printf that was left in for debugging costs no one the acceptance.
local function without_printf(counters)
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
  local launches = {}
  for i, item in ipairs(report.items) do
    local config = items[i].config
    local grid, block = config.grid, config.block
    local blocks, threads = grid[1] * (grid[2] or 1) * (grid[3] or 1), block[1] * (block[2] or 1) * (block[3] or 1)
    launches[i] = { counters = without_printf(item.counters), busiest = without_printf(item.busiest),
      reach = item.reach, blocks = blocks,
      warps = blocks * ((threads + 31) // 32), shared_bytes = items[i].kernel.shared_bytes + (config.shared or 0) }
  end
  return launches
end

---Compares each launch with the solution's.
---@param accept table an exercise's @param candidate table[] @param solution table[] of acceptance.launches
---@param tight? {name: string, at_most: number} of acceptance.tighten
---@return table[] rows {name, got, want, ok, margin, text, cure, lines}
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
    local q = quantity(name)
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
  for _, q in ipairs(quantities) do try(q.name) end
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

local singular <const> = { wavefronts = "wavefront", sectors = "sector", launches = "launch", accesses = "access" }

local function meaning(name, got)
  local said = meanings[name] or name:gsub("_", " ")
  return got == 1 and said:gsub("^%a+", singular) or said
end

-- A counter or ratio; 0 if no such event happened. Raises for an unknown name.
local function counted(name, counters, facts)
  if facts[name] ~= nil then return facts[name] end
  local got = runner.ratio(counters, name)
  if got then return got end
  if meanings[name] then return 0 end
  local message, hint = schema.unknown("counter", name, schema.sorted_keys(counters))
  failure.usage("the acceptance check names an " .. message, hint)
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

---Compares counters with the bounds: a row per bound, {name, got, want, ok, margin, text}; text says it in words:
---"32 wavefronts per shared load request (at most 1.05)".
---@param bounds table an exercise's `accept` @param counters table<string, integer>
---@param facts? {launches: integer?} what is known besides the counters
---@return table[]
function acceptance.judge(bounds, counters, facts)
  facts = { launches = facts and facts.launches or 1 }
  local rows = {}
  for _, name in ipairs(schema.sorted_keys(bounds)) do
    if type(bounds[name]) == "table" then
      local bound, got = bounds[name], counted(name, counters, facts)
      local ok = (not bound.at_most or got <= bound.at_most) and (not bound.at_least or got >= bound.at_least)
      rows[#rows + 1] = { name = name, got = got, want = bound, ok = ok, margin = margin_of(got, bound),
        text = ("%s %s (%s)"):format(show(got), meaning(name, got), bounds_text(bound)) }
    end
  end
  return rows
end

---Whether all bounds are kept.
---@param rows table[] as judge returns them @param clear? boolean those that say what is wrong
function acceptance.passed(rows, clear)
  for _, row in ipairs(rows) do
    if not row.ok and not (clear and row.vague) then return false end
  end
  return true
end

return acceptance
