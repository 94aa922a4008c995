-- What the warps of a predicted launch wait for, by Nsight Compute's names, and on which lines: from the replay of some
-- of its blocks (src/replay).
local lists = require "gpulab.base.lists"
local pictures = require "gpulab.base.pictures"
local text = require "gpulab.base.text"

local stalls = {}

local SHOWN <const>, LINES <const> = 4, 3
local LEAST <const> = 0.03 -- of the warps' cycles: what is less is left out
local SHOWN_FROM <const> = 0.005 -- of a line: what is less would be 0 %
local NAME <const>, NARROW <const>, BAR <const> = 20, 18, 20

-- What a warp waits for.
local meaning = {
  selected = "no stall: it issues",
  long_scoreboard = "global or local memory, textures",
  short_scoreboard = "shared memory, special functions",
  wait = "an arithmetic result",
  barrier = "other warps at a barrier",
  mio_throttle = "the queue for shared memory",
  lg_throttle = "the queue for global memory",
  tex_throttle = "the queue for textures",
  math_pipe_throttle = "an arithmetic unit",
  branch_resolving = "the target of a branch",
  dispatch_stall = "a register bank",
  not_selected = "its turn to issue",
  drain = "its stores to finish, at its end",
}

-- One queue serves several kinds of instructions. By the launch's counters: those it has.
local function served(counters)
  local shared, special = false, (counters.special_instructions or 0) > 0
  for name, count in pairs(counters) do shared = shared or count ~= 0 and name:match "^shared_" ~= nil end
  if shared then return "shared memory", special and "shared memory, special functions" or "shared memory" end
  if special then return "special functions", "special functions" end
  return "special registers", "special registers, conversions"
end

---What warps of a launch with these counters wait for at short_scoreboard and mio_throttle, in words.
---@param counters table @return string
function stalls.awaited(counters)
  return (select(2, served(counters)):gsub(", ", " or "))
end

---The reasons by their share of the warps' cycles, the largest first; nil without a replay.
---@param prediction table @return {name: string, share: number, meaning: string}[]?
function stalls.shares(prediction)
  if not prediction.stalls then return nil end
  local list, all = {}, 0
  for name, cycles in pairs(prediction.stalls) do
    all = all + cycles
    list[#list + 1] = { name = name, share = cycles, meaning = meaning[name] }
  end
  if all == 0 then return nil end
  for _, one in ipairs(list) do one.share = one.share / all end
  table.sort(list, function(a, b)
    if a.share ~= b.share then return a.share > b.share end
    return a.name < b.name
  end)
  return list
end

---The reason for which warps wait most; nil without a replay.
---@param prediction table @return string?
function stalls.longest(prediction)
  for _, one in ipairs(stalls.shares(prediction) or {}) do
    if one.name ~= "selected" and one.name ~= "not_selected" then return one.name end
  end
end

---The share of the warps' cycles on a line and its main reason: "35 % mio_throttle"; nil where it is not known.
---@param prediction table @param line integer @param file string? @return string?
function stalls.on_line(prediction, line, file)
  for _, one in ipairs(prediction.stalled or {}) do
    if one.line == line and one.share >= SHOWN_FROM and (not file or not one.file or one.file == file) then
      return ("%.0f %% %s"):format(100 * one.share, one.why)
    end
  end
end

---Whether lines of a report are in more than one file: a number alone does not say which.
---@param list {file: string}[]? @return boolean
function stalls.in_files(list)
  return list ~= nil and lists.any(list, function(line) return line.file ~= list[1].file end)
end

---How waits are assigned to lines, of what is said of some; "" where they explain themselves.
---@param said string @return string
function stalls.at_lines(said)
  local rules = {}
  if said:find "_scoreboard" then rules[1] = " A line waits where it uses a loaded value." end
  if said:find "%f[%w]barrier" then rules[#rules + 1] = " A wait at a barrier counts for the line after it." end
  return table.concat(rules)
end

-- Shared memory's wavefronts of a line.
local function wavefronts(line)
  return (line.counters.shared_load_wavefronts or 0) + (line.counters.shared_store_wavefronts or 0)
end

-- A line with few wavefronts waits for room in the queue that another line fills: the one with most of them.
local function behind(listed, lines)
  local fullest, own, waiting = nil, {}, {}
  for _, line in ipairs(lines or {}) do
    if not fullest or wavefronts(line) > wavefronts(fullest) then fullest = line end
    own[("%s:%d"):format(line.file, line.line)] = wavefronts(line)
  end
  for _, one in ipairs(fullest and listed or {}) do
    local few = own[("%s:%d"):format(one.file or fullest.file, one.line)] or 0
    if one.why == "mio_throttle" and 2 * few < wavefronts(fullest) then waiting[#waiting + 1] = one.line end
  end
  if #waiting == 0 then return "" end
  return (" %s %s in the queue behind the accesses of line %d."):format(#waiting > 1
    and "Lines " .. text.list(waiting) or "Line " .. waiting[1], #waiting > 1 and "wait" or "waits", fullest.line)
end

local function where(prediction, in_files, lines)
  local said, listed = {}, {}
  for i, one in ipairs(prediction.stalled or {}) do
    if i > LINES or one.share < LEAST then break end
    local place = in_files and one.file and ("%s:%d"):format(text.file_name(one.file), one.line) or "line " .. one.line
    said[i], listed[i] = ("%s (%.0f %%, mostly %s)"):format(place, 100 * one.share, one.why), one
  end
  if #said == 0 then return nil end
  local list = table.concat(said, ", ")
  return ("Most cycles: %s.%s%s"):format(list, behind(listed, lines), stalls.at_lines(list))
end

---In words and bars; empty without a replay.
---@param prediction table @param counters table? of the launch @param in_files boolean? stalls.in_files
---@param source table[]? the report's lines @return string[]
function stalls.lines(prediction, counters, in_files, source)
  local list, lines = stalls.shares(prediction), {}
  if not list then return lines end
  local queued, awaited = served(counters or {})
  local known = { mio_throttle = "the queue for " .. queued, short_scoreboard = awaited }
  text.add(lines, "Warps spend their cycles on (Nsight Compute's stall reasons, predicted):")
  for i = 1, math.min(SHOWN, #list) do
    local one = list[i]
    if one.share < LEAST then break end
    local most = math.min(BAR, text.columns - NAME - 46) -- on a narrow terminal there is no room for bars
    local bar = most > 3 and text.left(pictures.bar(one.share, most), most) .. "  " or ""
    local name = text.left(one.name, bar == "" and NARROW or NAME)
    lines[#lines + 1] = text.clip(("  %s %3.0f %%  %s%s"):format(name, 100 * one.share, bar,
      known[one.name] or one.meaning), text.columns)
  end
  local place = where(prediction, in_files, source)
  if place then text.add(lines, place) end
  return lines
end

return stalls
