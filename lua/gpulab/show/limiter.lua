-- What limits a step's time by the model of a GPU: the time that each resource alone would take, the longest first, and
-- what would shorten it.
local divergence = require "gpulab.show.divergence"
local lists = require "gpulab.base.lists"
local nondeterminism = require "gpulab.show.nondeterminism"
local pictures = require "gpulab.base.pictures"
local stalls = require "gpulab.show.stalls"
local text = require "gpulab.base.text"
local value = require "gpulab.base.value"

local limiter = {}

local SHOWN <const> = 4    -- resources in the picture
local LEAST <const> = 0.05 -- of the longest: what is shorter is left out
local EXCESS <const> = 1.3 -- bytes moved per byte used: more where accesses are not coalesced
local PIECE <const> = 64 -- bytes: DRAM that reads two sectors at once
local REST <const> = 0.01 -- of the predicted time: what no limit explains
local MOST_IDLE <const> = 24 -- active lanes on average: with fewer, divergence comes first
local COALESCED <const> = 4 -- sectors per request of 4 bytes per lane
local UNUSED <const> = 1.1 -- bytes moved per byte that the step counts as useful: more is said
local CLOSE <const> = 0.8 -- of the longest: a limit that takes nearly as long
local FUSED <const> = 0.98 -- of a cycle per shared wavefront as counted: less is that of fused loads
local FEW_REQUESTS <const> = 0.05 -- per warp instruction: below, the latency is that of the arithmetic
local MOST_WARPS <const> = 64 -- per SM, where the GPU's own number is not known
local BUSY <const> = 0.6 -- of the time: a resource that is busy for less is no limiter (src/model/model.c)
local WAVEFRONT <const> = 128 -- bytes: of shared memory per cycle, one wavefront
local LABEL <const>, BAR <const> = 22, 24

---The prediction for the GPU that a record is about: the one it was counted for, else the first that is known.
---@param record table @return table? prediction, string? gpu
function limiter.prediction(record)
  local models = record.report and record.report.models or {}
  local own = models[record.report and record.report.rules]
  if own and own.known and own.limits then return own, record.report.rules end
  for _, row in ipairs(record.models or {}) do
    local known = models[row.gpu]
    if known and known.known and known.limits then return known, row.gpu end
  end
end

-- "Only 8.0 of 32 lanes are active": nil where most are. lanes: those that have a thread, on average.
local function idle_lanes(c, lanes)
  local active = c.thread_instructions / c.warp_instructions
  if active >= MOST_IDLE then return nil end
  if active > lanes - 1 then
    return ("Only %.1f of 32 lanes have a thread. Launch blocks of a multiple of 32 threads."):format(lanes)
  end
  return ("Only %.1f of 32 lanes are active on average. Let the threads of a warp take the same branch."):format(active)
end

-- The warps that the grid gives an SM where more blocks would fit on it; nil otherwise.
local function given_warps(record, prediction, name)
  local grid, block, known, model = record.grid, record.block, pcall(gpu.model, name)
  if not grid or not block or not known or record.launches or not prediction.blocks_per_sm then return nil end
  local blocks = (grid[1] * (grid[2] or 1) * (grid[3] or 1) + model.sms - 1) // model.sms
  local warps = (block[1] * (block[2] or 1) * (block[3] or 1) + 31) // 32
  return blocks < prediction.blocks_per_sm and blocks * warps or nil
end

-- Requests to memory of any kind, in warp instructions.
local function all_requests(c)
  local n = 0
  for name, count in pairs(c) do
    if name:match("_requests$") then n = n + count end
  end
  return n
end

local combine_updates <const> = "Updates of one word are serialized. Combine values in the warp or in shared memory "
  .. "first, then update once per block."

-- Latency, by what warps wait for most: in words, and what shortens it.
local shared <const> = { "Warps wait for shared memory",
  "Give each thread several independent accesses, keep operands in registers" }
local waiting <const> = {
  wait = { "Each instruction waits for the one before", "Give each thread several independent operations" },
  barrier = { "Warps wait for others at barriers", "Use fewer barriers" },
  short_scoreboard = shared, mio_throttle = shared,
  long_scoreboard = { "Too few accesses are in flight",
    "Issue loads earlier, or give each thread several independent accesses" },
}
local stores <const> = { "Too few accesses are in flight", "Give each thread several independent accesses" }
local special <const> = { "Warps wait for special registers and conversions",
  "Compute an index once for several elements of a thread" }

-- What warps wait for, and what shortens it. most: a stall reason, which tells neither memory from other units.
local function waits_for(most, c)
  local words = waiting[most] or waiting.long_scoreboard
  if words == shared and c.shared_load_requests + c.shared_store_requests == 0 then return special end
  return words == waiting.long_scoreboard and c.global_load_requests == 0 and stores or words
end

-- Accesses that use their sectors in full. useful: the bytes that the step counts, if it does.
local function move_less(moved, useful)
  if useful and moved > UNUSED * useful then
    return ("Threads access every byte that moves, but these are %s the bytes that the rate counts as useful. Do not "
      .. "move the others."):format(value.times(moved / useful))
  end
  return "No byte moves in vain: threads access each of them. Move fewer: reuse data in registers or shared memory, or "
    .. "store smaller types."
end

-- What shortens the time where this is the limiter. Each says what to do, and why that helps. about: {given, lanes,
-- idle, useful, most_warps, to_fill}, as add_advice finds them.
local advice = {
  ["DRAM bandwidth"] = function(c, p, about)
    local used = math.max(1, c.global_load_bytes + c.global_store_bytes)
    local sectors = (c.global_load_sectors + c.global_store_sectors) * 32
    local excess = (p.dram_bytes or sectors) / used
    if excess > EXCESS and sectors > EXCESS * used then
      local more = p.dram_piece == PIECE and p.dram_bytes > EXCESS * sectors
        and (" The sectors that it uses are %s: DRAM reads %d bytes for a sector of 32."):format(
          value.times(sectors / used), PIECE) or ""
      return ("Let neighboring lanes access neighboring words: DRAM moves %s the bytes that the launch uses.%s")
        :format(value.times(excess), more)
    end
    return move_less(p.dram_bytes or sectors, about.useful)
  end,
  ["DRAM pages"] = function()
    return "Let blocks that run at the same time access neighboring addresses, so that open DRAM pages are used longer."
  end,
  ["L2 bandwidth"] = function()
    return "Let each request use whole sectors, and keep data that a block uses again in shared memory."
  end,
  ["atomics in L2"] = function() return combine_updates end,
  ["L1 wavefronts"] = function(c)
    local requests = (c.global_load_requests or 0) + (c.global_store_requests or 0)
    if requests > 0 and c.global_load_sectors + c.global_store_sectors <= COALESCED * requests then
      return "The lanes of a request already access few sectors. Make fewer requests: wider words, or values that "
        .. "threads use again in registers or shared memory."
    end
    return "Let the lanes of a request access fewer cache lines, or wider words."
  end,
  ["shared wavefronts"] = function(c)
    local requests = c.shared_load_requests + c.shared_store_requests
    local per = (c.shared_load_wavefronts + c.shared_store_wavefronts) / math.max(1, requests)
    if per > 1.1 then return "Pad or permute the array so that the lanes of a request use different banks." end
    return "There are no bank conflicts. Keep operands in registers, so that shared memory is read less often."
  end,
  ["constant cache"] = function() return "Let all lanes of a warp read the same constant." end,
  barriers = function() return "Use fewer barriers, or exchange data within a warp by shuffles." end,
  ["texture units"] = function() return "Fetch fewer texels, or load several values per fetch." end,
  ["issue slots"] = function(c, p, about)
    if about.to_fill and p.warps_per_sm < about.to_fill then
      return ("An SM holds %s, fewer than the %d that fill its issue slots here: each waits for its last result. Run "
        .. "more blocks per SM (see `resources`)."):format(text.plural(p.warps_per_sm, "warp"), about.to_fill)
    end
    return idle_lanes(c, about.lanes) or "Execute fewer instructions per result: unroll loops, move invariant work out "
      .. "of them, use wider accesses."
  end,
  ["register banks"] = function()
    return "Operands share register banks. Let neighboring FMAs share an operand, or leave it to the compiler."
  end,
  ["load and store units"] = function()
    return "Use wider accesses, such as float4: fewer instructions move the same bytes."
  end,
  ["arithmetic units"] = function(c, _, about)
    return idle_lanes(c, about.lanes) or "Use cheaper operations: FMA instead of division and special functions, lower "
      .. "precision, or tensor cores where they fit."
  end,
  latency = function(c, p, about)
    local given, idle = about.given, idle_lanes(c, about.lanes)
    if idle then return idle end
    local behind = p.limits[2]
    if behind and behind.name == "atomics in L2" and behind.ms > CLOSE * p.limits[1].ms then
      return "Warps wait for atomics. " .. combine_updates
    end
    local arithmetic = all_requests(c) < FEW_REQUESTS * c.warp_instructions
    local warps, has = given or p.warps_per_sm, given and "the grid gives an SM" or "an SM holds"
    local full = about.idle or not given and p.warps_per_sm >= about.most_warps
    local more = full and "" or given and ", or launch more blocks: a larger problem"
      or ", or run more blocks per SM (see `resources`)"
    local most = stalls.longest(p)
    if arithmetic and most ~= "barrier" then most = "wait" end
    local waits, change = table.unpack(waits_for(most, c))
    local most_of = full and not about.idle and ", the most it can" or ""
    return ("%s: %s %s%s. %s%s."):format(waits, has, text.plural(warps, "warp"), most_of, change, more)
  end,
  ["block launch overhead"] = function(_, _, about)
    return not about.idle and "Use fewer blocks, and let each do more work." or nil
  end,
}

-- The launches of a record, or those among which it is the costliest: {kernel, ms}.
local function launched(record, name)
  if record.among then
    return lists.map(record.among, function(one)
      local p = one.report and one.report.models[name]
      return { kernel = one.kernel, ms = p and p.known and p.ms }
    end)
  end
  return lists.map(record.launches and record.report.items or {}, function(item, i)
    return { kernel = record.launches[i].kernel, ms = item.models[name] }
  end)
end

-- What a record launched, by name, with the time that is predicted for all launches of that name, the longest first;
-- nil where it is one launch or only a sample of the launches ran. most: the time of the longest single launch; sum, n:
-- of all launches.
local function shares(record, prediction, name)
  local rows, of, sum, most, list = {}, {}, 0, 0, launched(record, name)
  for _, one in ipairs(list) do
    local ms, title = one.ms, one.kernel
    if not ms then return nil end
    if not of[title] then
      of[title] = { title = title, n = 0, ms = 0 }
      rows[#rows + 1] = of[title]
    end
    of[title].n, of[title].ms = of[title].n + 1, of[title].ms + ms
    sum = sum + ms
    if ms > most then most, rows.longest = ms, title end
  end
  if #rows == 0 or not record.among and math.abs(sum - prediction.ms) > REST * sum then return nil end
  rows.most, rows.sum, rows.n = most, record.among and sum or prediction.ms, #list
  table.sort(rows, function(a, b) return a.ms > b.ms end)
  return rows
end

-- Times as bars beside their names, the longest full. rows: {label, ms}, and whole: the ms that choose the unit
local function bars(lines, rows)
  local unit, scale = "ms", 1
  if rows.whole < 1 then unit, scale = "µs", 1000 end
  local decimals = math.max(0, 2 - math.floor(math.log(scale * rows[1].ms, 10)))
  for _, row in ipairs(rows) do
    local picture = pictures.bar(row.ms / rows[1].ms, math.min(BAR, text.columns - LABEL - 16))
    lines[#lines + 1] = ("  %s %8s %s  %s"):format(text.left(text.clip(row.label, LABEL), LABEL),
      ("%%.%df"):format(decimals):format(scale * row.ms), unit, picture)
  end
end

---The limiter's name; nil without a prediction.
---@param record table @return string?
function limiter.name(record)
  local prediction = limiter.prediction(record)
  return prediction and prediction.limits[1] and prediction.limits[1].name
end

-- A grid that leaves SMs idle, in words.
local function idle_sms(record, name)
  local grid, known, model = record.grid, pcall(gpu.model, name)
  if not grid or not known or record.launches then return nil end
  local blocks = grid[1] * grid[2] * grid[3]
  if blocks >= model.sms then return nil end
  return ("The grid has %s, so %d of %d SMs are idle. Launch more blocks."):format(text.plural(blocks, "block"),
    model.sms - blocks, model.sms)
end

-- How the parts make the predicted time of a launch, if that is known.
local function whole(first, ms, name, alone)
  local known, model = pcall(gpu.model, name)
  local launch = known and ms and model.launch_us and model.launch_us / 1000
  if not launch and alone then return "The predicted time includes the launch." end
  if not launch then return "These overlap: the predicted time is less than their sum. It includes the launch." end
  local rest = ms - launch - first.ms
  local said = ("%sAn empty launch takes %s"):format(alone and "" or "These overlap. ", text.duration(launch))
  if rest < REST * ms or first.name == "latency" then return said .. " of the predicted time." end
  return ("%s, and for %s the limiter is not busy: warps wait, or start and end."):format(said, text.duration(rest))
end

-- Of several launches: how long each kernel's take together.
local function add_launches(lines, list, gpu_name)
  text.add(lines, ("Predicted for the %s: %s in %d launches."):format(gpu_name, text.duration(list.sum), list.n))
  local rows = { whole = list.sum }
  for i, row in ipairs(list) do
    if i > SHOWN then break end
    rows[i] = { label = row.n > 1 and ("%d × %s"):format(row.n, row.title) or row.title, ms = row.ms }
  end
  bars(lines, rows)
  if #list > SHOWN then text.add(lines, ("and %d more"):format(#list - SHOWN)) end
  lines[#lines + 1] = ""
end

-- Shared wavefronts that take less than a cycle each: the model has neighboring loads as one, the counters do not.
local function fused_loads(record, limits, gpu_name)
  local limit = lists.find(limits, function(one) return one.name == "shared wavefronts" end)
  local c, known, model = record.report.counters, pcall(gpu.model, gpu_name)
  if not limit or not c or record.report.sampled or not known or model.shared_bytes_per_clock ~= WAVEFRONT then
    return nil
  end
  local counted = (c.shared_load_wavefronts or 0) + (c.shared_store_wavefronts or 0)
  if limit.ms > FUSED * counted / (model.sms * model.shader_ghz * 1e6) then return nil end
  return "The counters are of PTX; the time of shared wavefronts is that of SASS, where neighboring loads are fused."
end

-- The second limit, where it takes nearly as long as the first.
local function close_second(limits)
  local second = limits[2]
  return second and second.ms > CLOSE * limits[1].ms and second or nil
end

-- The bytes that the record's rate counts; nil where it counts none of DRAM's.
local function useful_bytes(record)
  local rate = record:unit() == "GB/s" and not record.cached and record:rate_of(1)
  return rate and rate.number * 1e6 or nil
end

-- Of cc 1.x: the warps that are needed so that one can issue in each slot, of 4 cycles, while others wait for a result.
local function warps_to_fill(gpu_name)
  local known, model = pcall(gpu.model, gpu_name)
  return known and model.tesla_isa and model.latency_alu and math.ceil(model.latency_alu / 4) or nil
end

local function most_warps(gpu_name)
  local known, model = pcall(gpu.model, gpu_name)
  return known and model.warps_per_sm or MOST_WARPS
end

-- What would shorten the time: idle SMs first, then the limiter, then a limit that is close to it.
local function add_advice(lines, record, prediction, gpu_name)
  local counters, limits = record.report.counters, prediction.limits
  local about = { idle = idle_sms(record, gpu_name), given = given_warps(record, prediction, gpu_name),
    lanes = divergence.lanes(record), useful = useful_bytes(record), most_warps = most_warps(gpu_name),
    to_fill = warps_to_fill(gpu_name) }
  local counted = counters and (counters.warp_instructions or 0) > 0
  local function of(limit)
    local change = counted and limit and advice[limit.name]
    return change and change(counters, prediction, about) or nil
  end
  local first, second = of(limits[1]), of(close_second(limits))
  local said = lists.joined({ about.idle }, { first })
  if #said > 0 then text.add(lines, "To change it: " .. table.concat(said, " ")) end
  if second and not (first or ""):find(second, 1, true) then
    text.add(lines, ("Against %s: %s"):format(limits[2].name, second))
  end
end

---The limiter in a sentence, the longest resources as bars, and what would change it; empty without a prediction. Of
---several launches: the longest one's.
---@param record table @return string[]
function limiter.lines(record)
  local prediction, gpu_name = limiter.prediction(record)
  if not prediction or not prediction.limits[1] then return {} end
  local limits, lines = prediction.limits, {}
  local first, second, list = limits[1], close_second(limits), shares(record, prediction, gpu_name)
  local ms = list and list.most or prediction.ms
  if list then add_launches(lines, list, gpu_name) end
  text.add(lines, ("Limiter on the %s%s: %s. By itself it takes %s%s; predicted: %s."):format(gpu_name,
    list and (", longest launch (%s)"):format(list.longest) or "", first.name, text.duration(first.ms),
    second and (", and %s nearly as long"):format(second.name) or "", text.duration(ms)))
  local rows = { whole = ms }
  for i = 1, math.min(SHOWN, #limits) do
    if limits[i].ms < LEAST * first.ms then break end
    rows[i] = { label = limits[i].name, ms = limits[i].ms }
  end
  bars(lines, rows)
  local fused = fused_loads(record, limits, gpu_name)
  if fused then text.add(lines, fused) end
  text.add(lines, whole(first, (list or not record.launches) and ms, gpu_name, #rows == 1))
  if first.name == "latency" and limits[2] and limits[2].ms < BUSY * first.ms then
    text.add(lines, ("Warps mostly wait: no resource is busy for even %.0f %% of the time."):format(100 * BUSY))
  end
  local differs = nondeterminism.of_time(record.report)
  if differs then text.add(lines, differs) end
  add_advice(lines, record, prediction, gpu_name)
  return text.add_part(lines, stalls.lines(prediction, record.report.counters,
    stalls.in_files(record.report.lines), record.report.lines))
end

return limiter
