-- How many lanes work, by source line: what divergence costs, and both sides of the branch that causes it.
local text = require "gpulab.base.text"

local divergence = {}

local LANES <const> = 32
local WORTH_IT <const> = 0.9 -- of the lanes active: above this a step has no divergence to speak of
local LINES <const> = 4

---The lanes of a warp that have a thread, on average: fewer than 32 in blocks of no multiple of 32.
---@param record table @return number
function divergence.lanes(record)
  local block = record.block
  if type(block) ~= "table" or record.launches then return LANES end
  local threads = block[1] * (block[2] or 1) * (block[3] or 1)
  return threads / ((threads + LANES - 1) // LANES)
end

local function active(c) return c.thread_instructions / c.warp_instructions end

-- The lines where lanes wait, the most lost lane slots first.
local function worst_lines(lines)
  local found = {}
  for _, line in ipairs(lines) do
    local c = line.counters
    local n = c.warp_instructions or 0
    if n > 0 and active(c) < WORTH_IT * LANES then
      found[#found + 1] = { line = line, lost = n * LANES - c.thread_instructions, active = active(c),
        divergent = c.divergent_branches or 0, branches = c.branches or 0 }
    end
  end
  table.sort(found, function(a, b)
    if a.lost ~= b.lost then return a.lost > b.lost end
    return a.line.line < b.line.line
  end)
  return found
end

-- The line with the most divergent branches, unless a shown line has some: often all lanes are active on it.
local function culprit(lines, shown)
  for _, entry in ipairs(shown) do
    if entry.divergent > 0 then return nil end
  end
  local most
  for _, line in ipairs(lines) do
    local c = line.counters
    if (c.divergent_branches or 0) > (most and most.divergent or 0) then
      most = { line = line, active = active(c), divergent = c.divergent_branches, branches = c.branches or 0 }
    end
  end
  return most
end

-- An entry's lines. Code that is too long for its line goes below it.
local function add_rows(lines, entry)
  local line = entry.line
  local place = ("%s:%d"):format(text.file_name(line.file), line.line)
  local code = text.printable(text.trim(line.text or ""))
  local branch = entry.divergent > 0 and ("  %s of %s branches divergent"):format(text.count(entry.divergent),
    text.count(entry.branches)) or ""
  local said = ("  %4.1f of %d lanes  %s"):format(entry.active, LANES, place)
  local whole = said .. "  " .. code .. branch
  if text.width(whole) <= text.columns then
    lines[#lines + 1] = whole
    return
  end
  local fits = text.width(said .. branch) <= text.columns
  lines[#lines + 1] = fits and said .. branch or said
  if not fits then text.add(lines, text.trim(branch), "      ") end
  text.add(lines, code, "      ")
end

---The lines where lanes are idle, in the order of what they cost, shown in the order of the source; empty if nearly all
---lanes work.
---@param record table @return string[]
function divergence.lines(record)
  local c = record.report.counters
  if not c or (c.warp_instructions or 0) == 0 or active(c) >= WORTH_IT * divergence.lanes(record) then return {} end
  local found, lines = worst_lines(record.report.lines), {}
  if #found == 0 then return {} end
  text.add(lines, ("Divergence: %.1f of %d lanes are active on average. The other lanes wait while these lines run:")
    :format(active(c), LANES))
  local shown = table.move(found, 1, math.min(LINES, #found), 1, {})
  shown[#shown + 1] = culprit(record.report.lines, shown)
  table.sort(shown, function(a, b)
    if a.line.file ~= b.line.file then return a.line.file < b.line.file end
    return a.line.line < b.line.line
  end)
  for _, entry in ipairs(shown) do add_rows(lines, entry) end
  return lines
end

return divergence
