-- Which elements of a result are wrong, in words and as a small map: "every second element, from element 1". A pattern
-- often says more about the mistake than the values do.
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"

local pattern = {}

local PERIODS <const> = { 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024 }
local LEAST <const> = 3 -- wrong elements that make a pattern
local MOST <const> = 0.9 -- of the wrong elements, and of the elements of the pattern
local SIDE <const>, CELLS <const> = 8, 64 -- of the map (bind/values/mismatch.c)

-- Words -------------------------------------------------------------------------------------------

local function nth(n)
  if n == 2 then return "second" end
  local last = n % 100
  local ending = (last < 11 or last > 13) and ({ "st", "nd", "rd" })[n % 10] or "th"
  return n .. ending
end

local function range(first, last, what)
  if first == last then return ("%s %s"):format(what, text.count(first)) end
  return ("%ss %s to %s"):format(what, text.count(first), text.count(last))
end

-- Sorted numbers without holes: their first and last; nil if there is a hole.
local function ends_of(set)
  local sorted = lists.keys(set)
  local first, last = sorted[1], sorted[#sorted]
  if last - first + 1 == #sorted then return first, last end
end

-- Numbers from 0 to total - 1 that are all the members of some residues: "every second element, from element 1".
-- `set` has those that are wrong up to `last`.
local function periodic(set, last, total, what, own)
  local periods = table.move(PERIODS, 1, #PERIODS, 1, {})
  if own then periods[#periods + 1] = own end
  for _, p in ipairs(periods) do
    if p * 2 > total then goto continue end
    local residues, members, wrong = {}, 0, 0
    for x in pairs(set) do
      residues[x % p] = true
      wrong = wrong + 1
    end
    for r in pairs(residues) do members = members + (last - r) // p + 1 end
    local from, to = ends_of(residues)
    if wrong >= LEAST and members == wrong and from and to - from + 1 < p then
      local found = { period = p, count = 0, has = function(x) return residues[x % p] ~= nil end,
        words = from == to and ("every %s %s, from %s %d"):format(nth(p), what, what, from)
          or ("%s of every %s"):format(range(from, to, what), text.count(p)) }
      for r = from, to do found.count = found.count + (total - 1 - r) // p + 1 end
      return found
    end
    ::continue::
  end
end

-- One dimension: a range or a period; nil without either.
---@return {words: string, count: integer, has: (fun(x: integer): boolean), period: integer?}?
local function along(set, last, total, what, own, whole)
  local from, to = ends_of(set)
  if from and whole then
    local edge = to == total - 1 and from > 0 and (from == to and ", the last one" or ", to the end") or ""
    return { words = range(from, to, what) .. edge, count = to - from + 1,
      has = function(x) return x >= from and x <= to end }
  end
  return periodic(set, last, total, what, own)
end

-- How many wrong elements are in rows or columns that are none of the pattern's.
local function outside(counts, has)
  local n = 0
  for x = 0, #counts - 1 do n = n + (has(x) and 0 or counts[x]) end
  return n
end

-- The words if they hold for all elements, those that are right, too: `all` is how many the pattern has, `others` how
-- many wrong ones are none of it. The pattern comes from the first wrong elements only.
local function holding(m, words, all, others)
  if others == 0 and m.count == all then return words end
  if m.count - others >= MOST * math.max(m.count, all) then return words .. ", with few exceptions" end
end

-- What holds for most of the wrong elements: those from one on, or one of every few.
local function mostly(m, last)
  local first, columns = m.wrong[1], m.columns and m.columns > 1 and m.columns
  local rest = m.count / (m.total - first)
  if rest >= MOST and m.wrong[#m.wrong] - first + 1 <= #m.wrong / MOST then
    local at = columns and ("row %s, column %d"):format(text.count(first // columns), first % columns)
      or "element " .. text.count(first)
    return ("%s from %s on"):format(rest == 1 and "everything" or "most", at)
  end
  for _, p in ipairs(m.by_column and PERIODS or {}) do
    local counts, most = {}, 0
    for _, i in ipairs(m.wrong) do
      counts[i % p] = (counts[i % p] or 0) + 1
      if counts[i % p] > (counts[most] or 0) then most = i % p end
    end
    local wrong = counts[most] or 0
    local members = (last - most) // p + 1
    local all = (m.total - 1 - most) // p + 1
    if p * 2 <= m.total and #m.by_column % p == 0 and wrong >= LEAST and wrong >= MOST * math.max(#m.wrong, members)
      and holding(m, "", all, outside(m.by_column, function(x) return x % p == most end)) then
      return ("most are every %s element, from element %d"):format(nth(p), most)
    end
  end
end

-- In a matrix the pattern is whole rows, whole columns, or columns of some rows.
local function of_matrix(m, whole)
  local rows, columns, row_set, column_set, last_row = m.total // m.columns, m.columns, {}, {}, 0
  for _, i in ipairs(m.wrong) do
    row_set[i // columns], column_set[i % columns] = true, true
    last_row = math.max(last_row, i // columns)
  end
  local nrows, ncolumns = #lists.keys(row_set), #lists.keys(column_set)
  if #m.wrong ~= nrows * ncolumns and whole or not m.by_row or not m.by_column then return nil end
  local in_rows, in_columns
  if nrows < rows then in_rows = along(row_set, last_row, rows, "row", nil, whole) end
  if ncolumns < columns then in_columns = along(column_set, columns - 1, columns, "column", nil, true) end
  if ncolumns == columns then
    return in_rows and holding(m, in_rows.words, in_rows.count * columns, outside(m.by_row, in_rows.has))
  end
  local others = in_columns and outside(m.by_column, in_columns.has)
  if in_rows and in_columns and whole then
    return holding(m, ("%s in %s"):format(in_columns.words, in_rows.words), in_columns.count * in_rows.count,
      others + outside(m.by_row, in_rows.has))
  end
  return in_columns and holding(m, in_columns.words, in_columns.count * rows, others)
end

-- Which bands of a matrix are wrong, by its map: bands of rows that are right or wrong but for a few elements.
local function of_bands(m)
  local rows, height = m.total // m.columns, m.total // m.columns // SIDE
  local set = {}
  if not m.cells or rows % SIDE ~= 0 or not m.by_row then return nil end
  for band = 0, SIDE - 1 do
    local wrong = 0
    for k = 1, SIDE do wrong = wrong + m.cells[band * SIDE + k] end
    local share = wrong / (height * m.columns)
    if share > 1 - MOST and share < MOST then return nil end
    for row = band * height, (band + 1) * height - 1 do set[row] = share >= MOST or nil end
  end
  local found = next(set) and along(set, rows - 1, rows, "row", nil, true)
  return found and holding(m, found.words, found.count * m.columns, outside(m.by_row, found.has))
end

---The wrong elements in words; nil if they have no pattern.
---@param m table of check.compare
---@param block integer? threads of a block
---@return string?
function pattern.words(m, block)
  if m.count == m.total then return "all elements" end
  local whole, set = #m.wrong == m.count, {} -- else the first ones are known
  local matrix = m.columns and m.columns > 1 and m.total % m.columns == 0
  if matrix then
    local said = of_matrix(m, whole)
    if said then return said end
  end
  if m.count >= MOST * m.total then return "nearly all elements" end
  local banded = matrix and of_bands(m)
  if banded then return banded end
  for _, i in ipairs(m.wrong) do set[i] = true end
  local last = whole and m.total - 1 or m.wrong[#m.wrong]
  local found = along(set, last, m.total, "element", block, whole)
  local period = found and found.period
  local known = found and (whole or m.by_column and #m.by_column % period == 0)
  local said = known and holding(m, found.words, found.count, whole and 0 or outside(m.by_column, found.has))
  if said then return said end
  return #m.wrong > 0 and mostly(m, last) or nil
end

-- Map ---------------------------------------------------------------------------------------------

-- How many of 0 to total - 1 are in part k of `parts`.
local function size_of(total, k, parts)
  local function first(j) return (j * total + parts - 1) // parts end
  return first(k + 1) - first(k)
end

local function mark(wrong, all)
  if all == 0 then return "" end
  return wrong == 0 and "." or wrong == all and "X" or "+"
end

---The map as lines: "." right, "X" wrong, "+" partly wrong; 64 parts of a vector, 8 × 8 of a matrix.
---@param m {total: integer, columns: integer?, cells: integer[]} of check.compare @return string[]
function pattern.map(m)
  local lines, row = {}, {}
  local rows = m.columns and (m.total + m.columns - 1) // m.columns
  for k = 0, CELLS - 1 do
    local all = rows and size_of(rows, k // SIDE, SIDE) * size_of(m.columns, k % SIDE, SIDE)
      or size_of(m.total, k, CELLS)
    row[#row + 1] = mark(m.cells[k + 1], all)
    if rows and k % SIDE == SIDE - 1 or k == CELLS - 1 then
      if #table.concat(row) > 0 then lines[#lines + 1] = table.concat(row) end
      row = {}
    end
  end
  return lines
end

return pattern
