-- What a program copies to the host although nothing wrote it, or counted and does not copy: which of it is an issue,
-- and how that is said.
local calls = require "gpulab.exec.calls"
local text = require "gpulab.base.text"

local unwritten = {}

-- In structures and other elements whose size is not known, shorter gaps can be padding, or a member that is not used.
local LEAST_OF_UNKNOWN <const> = 64

-- Gaps as elements {first, count}: those that lie in a gap whole. Of bytes, elements have one byte.
local function elements_of(copied, size)
  local ranges, total = {}, 0
  for _, gap in ipairs(copied.gaps) do
    local first, last = (gap.at + size - 1) // size, (gap.at + gap.bytes) // size
    local whole = copied.element > 0 or gap.bytes >= LEAST_OF_UNKNOWN or gap.bytes == copied.bytes
    if last > first and whole then
      ranges[#ranges + 1] = { first, last - first }
      total = total + last - first
    end
  end
  return ranges, total
end

-- Between rows, or between members of structures: the same gap again and again, shorter than what is before each.
local function is_padding(ranges, all)
  if #ranges < 2 then return false end
  local count, step = ranges[1][2], ranges[2][1] - ranges[1][1]
  if ranges[1][1] ~= step - count or step <= 2 * count then return false end
  for i = 2, #ranges do
    local same = ranges[i][2] == count or i == #ranges and ranges[i][1] + ranges[i][2] == all and ranges[i][2] < count
    if not same or ranges[i][1] - ranges[i - 1][1] ~= step then return false end
  end
  return all - ranges[#ranges][1] <= step
end

-- "elements 768 to 999"
local function places_of(ranges, noun)
  local first, last = ranges[1][1], ranges[#ranges][1] + ranges[#ranges][2] - 1
  if first == last then return ("%s %d"):format(noun, first) end
  return ("%s%ss %d to %d"):format(#ranges > 1 and "among " or "", noun, first, last)
end

local function dims(d) return d[3] > 1 and ("%dx%dx%d"):format(d[1], d[2], d[3])
  or d[2] > 1 and ("%dx%d"):format(d[1], d[2]) or ("%d"):format(d[1]) end

-- What the launch had to do with it, and what to write.
local function cause_of(copied, ranges, all)
  local whole = ranges[1][2] == all
  if not copied.kernel then
    return "No kernel that ran was given this allocation, and nothing was copied to it" .. (whole and "" or " there"),
      "check that the copy has the right pointer"
  end
  local threads, blocks = 1, 1
  for i = 1, 3 do threads, blocks = threads * copied.block[i], blocks * copied.grid[i] end
  local shape = ("%s ran in %s of %s, %s"):format(copied.kernel, text.plural(blocks, "block"), dims(copied.block),
    text.plural(blocks * threads, "thread"))
  if copied.grid[2] > 1 or copied.grid[3] > 1 then
    shape = ("%s ran in a grid of %s blocks of %s threads"):format(copied.kernel, dims(copied.grid), dims(copied.block))
  end
  local short = #ranges == 1 and ranges[1][1] + ranges[1][2] == all and blocks * threads < all
  if short and copied.element > 0 and not whole then
    return shape, "round the number of blocks up, (n + block - 1) / block; or copy only what was computed"
  end
  return shape, "check the grid, the kernel's index, and its guard; if these are to have no value, copy only the others"
end

---@param copied table what exec.run reports @return table? issue nil: it is none
function unwritten.issue(copied)
  local size = math.max(copied.element, 1)
  local ranges, total = elements_of(copied, size)
  local all, noun = copied.bytes // size, copied.element > 0 and "element" or "byte"
  if total == 0 or is_padding(ranges, all) then return nil end
  local cause, hint = cause_of(copied, ranges, all)
  local message = ("%s copies to the host what nothing wrote: %s of %s of %s (%s). %s."):format(calls.name(copied),
    text.count(total), text.plural(all, noun), copied.buffer, places_of(ranges, noun), cause)
  return { check = "init", count = 1, message = message, hint = hint }
end

---A copy of as many bytes as there are elements, after which nothing else of them was copied.
---@param copied table what exec.run reports @return table issue
function unwritten.short(copied)
  local elements = copied.bytes
  return { check = "init", count = 1, hint = "multiply by sizeof(element)",
    message = ("%s copies %s of %s to the host: %s of the %s elements that %s was given. "
      .. "The others stay on the host as they were."):format(calls.name(copied),
      text.plural(copied.bytes, "byte"), copied.buffer, text.count(elements // copied.element), text.count(elements),
      copied.kernel) }
end

return unwritten
