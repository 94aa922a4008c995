-- What a program copies to the host although nothing wrote it: which of it is an issue, and how that is said.
local calls = require "gpulab.exec.calls"
local checkers = require "gpulab.run.checkers"
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

local POINTER <const> = 8 -- bytes
local SIZES <const> = { [2] = true, [4] = true, [8] = true, [16] = true } -- of elements that are not bytes

-- What the one call did that wrote a part of an allocation, what to write instead, and whether that is sure. counted:
-- it wrote as many bytes as there are elements.
local function fill_of(fill, counted)
  local place = checkers.place(calls.place(fill))
  local said = ("%s%s wrote %s of its %s bytes%s"):format(calls.name(fill), place and " at " .. place or "",
    text.count(fill.bytes), text.count(fill.all), fill.offset > 0 and (", from byte %d on"):format(fill.offset) or "")
  local counts = ("the count of %s is in bytes"):format(calls.name(fill))
  local sure = counted and "multiply by sizeof(element): " .. counts
    or fill.bytes == POINTER and "give n * sizeof(element), and not sizeof of a pointer: " .. counts
  return said, sure or counts .. ", n * sizeof(element)", sure
end

---Adds to an uninitialized read which call it was that wrote a part of the buffer.
---@param issue Issue with fill, if that is known
function unwritten.name_fill(issue)
  if not issue.fill then return end
  local width = issue.width or 1
  local said, hint, sure = fill_of(issue.fill, width > 1 and issue.fill.bytes * width == issue.fill.all)
  issue.message = ("%s %s."):format(issue.message, said)
  issue.hint = sure and hint or ("%s; %s"):format(hint, issue.hint)
end

-- What the launch had to do with it, and what to write.
local function cause_of(copied, ranges, all, fill)
  local whole = ranges[1][2] == all
  if copied.refused and not copied.kernel then
    return ("%s, which was given it, did not run: its launch was refused"):format(copied.refused),
      "correct that launch first"
  end
  if not copied.kernel and fill then
    local said, hint = fill_of(fill, SIZES[copied.bytes / fill.bytes])
    return "No kernel that ran was given this allocation; " .. said, hint
  end
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
    local rounded = all - blocks * threads < threads
    return shape, (rounded and "round the number of blocks up, (n + block - 1) / block"
      or "launch a thread per element, in (n + block - 1) / block blocks") .. "; or copy only what was computed"
  end
  return shape, "check the grid, the kernel's index, and its guard; if these are to have no value, copy only the others"
end

---@param copied table what exec.run reports @param fill table? the one call that wrote a part of the allocation
---@return table? issue nil: it is none
function unwritten.issue(copied, fill)
  local size = math.max(copied.element, 1)
  local ranges, total = elements_of(copied, size)
  local all, noun = copied.bytes // size, copied.element > 0 and "element" or "byte"
  if total == 0 or is_padding(ranges, all) then return nil end
  local cause, hint = cause_of(copied, ranges, all, fill)
  local message = ("%s copies to the host what nothing wrote: %s of %s of %s (%s). %s."):format(calls.name(copied),
    text.count(total), text.plural(all, noun), copied.buffer, places_of(ranges, noun), cause)
  return { check = "init", count = 1, message = message, hint = hint }
end

return unwritten
