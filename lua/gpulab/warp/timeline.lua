-- One block over time: a row per warp, the lines that it gets to. In operations of the emulator, or in the cycles that
-- the model of a GPU replays, where warps wait for memory, too.
local failure = require "gpulab.base.failure"
local lists = require "gpulab.base.lists"
local stalls = require "gpulab.show.stalls"
local text = require "gpulab.base.text"

local timeline = {}

local SIGNS <const> = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZacdefghijklnopqrtuvwxyz"

---@class TimelineSpan
---@field from number @field to number @field line integer
---@field state "runs"|"barrier"|"global"|"shared"
---@field mask integer? lanes @field nth integer 1: the first time that the warp gets to the line
---@class Timeline
---@field unit "operations"|"cycles" @field from number @field to number @field warps TimelineSpan[][]
---@field order integer[] the numbers of the warps @field lines integer[] @field signs table<integer, string>
---@field block string @field gpu string? @field waits table<string, string>? what warps wait for, by state

local waits <const> = { long_scoreboard = "global", lg_throttle = "global", tex_throttle = "global", drain = "global",
  short_scoreboard = "shared", mio_throttle = "shared", barrier = "barrier" }
timeline.LETTERS = { barrier = "b", global = "m", shared = "s" }

-- Signs for lines, and the spans' counts of arrivals.
local function finish(made)
  local seen = {}
  made.lines, made.signs = {}, {}
  for _, spans in ipairs(made.warps) do
    local visits, before = {}, nil
    for _, span in ipairs(spans) do
      if span.line ~= before and span.line > 0 then visits[span.line] = (visits[span.line] or 0) + 1 end
      before = span.line
      span.nth = visits[span.line] or 0
      if not seen[span.line] and span.line > 0 then made.lines[#made.lines + 1] = span.line end
      seen[span.line] = true
    end
  end
  table.sort(made.lines)
  for i, line in ipairs(made.lines) do
    local at = (i - 1) % #SIGNS + 1
    made.signs[line] = SIGNS:sub(at, at)
  end
  return made
end

-- The warps' lists in the order of their numbers.
local function in_order(made, by_warp)
  for warp in pairs(by_warp) do made.order[#made.order + 1] = warp end
  table.sort(made.order)
  for i, warp in ipairs(made.order) do made.warps[i] = by_warp[warp] end
  return finish(made)
end

---In the order in which the emulator runs the warps; a span ends where the warp gets to its next line.
---@param dbg Debugger @return Timeline
function timeline.of_operations(dbg)
  local events, last = dbg:trace()
  local made = { unit = "operations", from = 0, to = last, warps = {}, order = {}, block = dbg:block_text() }
  local by_warp = {}
  for _, e in ipairs(events) do
    local list = by_warp[e.warp] or {}
    by_warp[e.warp] = list
    if #list > 0 then list[#list].to = e.time end
    list[#list + 1] = { from = e.time, to = last, line = e.line, mask = e.mask,
      state = e.barrier and "barrier" or "runs" }
  end
  return in_order(made, by_warp)
end

---As the model of the stepper's GPU replays it. Raises where the model has no replay.
---@param dbg Debugger @return Timeline
function timeline.of_cycles(dbg)
  local gpu_name = dbg.stepping.gpu
  local found, counters = dbg:replayed()
  if not found then
    failure.usage(("the model of the %s has no cycles of single warps"):format(gpu_name),
      "models from compute capability 2.0 on have; `timeline` shows the order of the emulator")
  end
  local made = { unit = "cycles", from = math.huge, to = 0, warps = {}, order = {}, gpu = gpu_name,
    block = dbg:block_text(found.block),
    waits = { global = "global or generic memory", shared = stalls.awaited(counters), barrier = "barrier" } }
  local by_warp = {}
  table.sort(found, function(a, b) return a.from < b.from end)
  for _, e in ipairs(found) do
    local list, state = by_warp[e.warp] or {}, waits[e.why] or "runs"
    by_warp[e.warp] = list
    local span = list[#list]
    if span and span.line == e.line and span.state == state then
      span.to = e.from + e.cycles
    else
      list[#list + 1] = { from = e.from, to = e.from + e.cycles, line = e.line, state = state }
    end
    made.from, made.to = math.min(made.from, e.from), math.max(made.to, e.from + e.cycles)
  end
  return in_order(made, by_warp)
end

-- What covers most of a part of the time; nothing before the warp's first span.
local function most_of(spans, at, from, to)
  local covered, best = {}, nil
  while spans[at] and spans[at].from < to do
    local span = spans[at]
    local sign = timeline.LETTERS[span.state] or span.line
    covered[sign] = (covered[sign] or 0) + math.min(span.to, to) - math.max(span.from, from)
    if not best or covered[sign] > covered[best] then best = sign end
    at = at + 1
  end
  return best
end

---A row of characters: the line that the warp is at, b at a barrier, m and s where it waits for memory.
---@param made Timeline @param row integer @param from number @param to number @param width integer
function timeline.cells(made, row, from, to, width)
  local spans, cells, at = made.warps[row], {}, 1
  for column = 0, width - 1 do
    local begins, ends = from + column * (to - from) / width, from + (column + 1) * (to - from) / width
    while spans[at + 1] and spans[at].to < (made.unit == "cycles" and begins or ends) do at = at + 1 end
    local span, sign = spans[at], nil
    if made.unit == "cycles" then
      sign = most_of(spans, at, begins, ends)
    elseif ends >= span.from then
      sign = timeline.LETTERS[span.state] or span.line
    end
    cells[#cells + 1] = timeline.LETTERS[sign] and sign or made.signs[sign] or sign or " "
  end
  return table.concat(cells)
end

---The span of a row at a time; nil before its first.
function timeline.at(made, row, time)
  local found
  for _, span in ipairs(made.warps[row]) do
    if span.from <= time then found = span end
  end
  return found
end

---What the characters mean: the lines, then the letters.
---@param made Timeline @param dbg Debugger @param columns integer @return string[]
function timeline.legend(made, dbg, columns)
  local source, out = dbg.names:source(dbg.names.path), {}
  for _, line in ipairs(made.lines) do
    local code = source and source.lines[line] or ""
    out[#out + 1] = text.clip(("  %s  %4d  %s"):format(made.signs[line], line,
      (code:gsub("^%s+", ""):gsub("\t", "    "))), columns)
  end
  return lists.append(out, timeline.letters(made))
end

---@return string[]
function timeline.letters(made)
  if not made.waits then return { "  b  waits at a barrier; the order is the emulator's" } end
  return text.wrap(("waits: m %s, s %s, b %s"):format(made.waits.global, made.waits.shared, made.waits.barrier), "  ",
    text.columns - 1)
end

---All of it as text.
---@param made Timeline @param dbg Debugger @param columns integer @return string[]
function timeline.lines(made, dbg, columns)
  local out = {}
  if made.unit == "cycles" then
    out[1] = text.clip(("  block %s, cycles %.0f to %.0f, by the model of the %s"):format(made.block, made.from,
      made.to, made.gpu), columns)
  end
  for row, warp in ipairs(made.order) do
    out[#out + 1] = ("  warp %2d  %s"):format(warp, timeline.cells(made, row, made.from, made.to, columns - 12))
  end
  for _, line in ipairs(timeline.legend(made, dbg, columns)) do out[#out + 1] = line end
  return out
end

return timeline
