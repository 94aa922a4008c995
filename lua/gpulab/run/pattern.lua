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

-- Numbers from 0 to total - 1 that are all the members of some residues: "every second element, from element 1", and
-- how many they are. `set` has those that are wrong up to `last`.
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
      local all = 0
      for r = from, to do all = all + (total - 1 - r) // p + 1 end
      if from == to then return ("every %s %s, from %s %d"):format(nth(p), what, what, from), all end
      return ("%s of every %s"):format(range(from, to, what), text.count(p)), all
    end
    ::continue::
  end
end

-- One dimension: a range or a period; nil without either.
local function along(set, last, total, what, own, whole)
  local from, to = ends_of(set)
  if from and whole then
    local edge = to == total - 1 and from > 0 and (from == to and ", the last one" or ", to the end") or ""
    return range(from, to, what) .. edge, to - from + 1
  end
  return periodic(set, last, total, what, own)
end

-- Are there about as many wrong elements as a pattern has? Only the first ones are known.
local function holds(m, all) return m.count >= MOST * all and all >= MOST * m.count end

-- What holds for most of the wrong elements: those from one on, or one of every few.
local function mostly(m, last)
  local first, columns = m.wrong[1], m.columns and m.columns > 1 and m.columns
  local rest = m.count / (m.total - first)
  if rest >= MOST and m.wrong[#m.wrong] - first + 1 <= #m.wrong / MOST then
    local at = columns and ("row %s, column %d"):format(text.count(first // columns), first % columns)
      or "element " .. text.count(first)
    return ("%s from %s on"):format(rest == 1 and "everything" or "most", at)
  end
  for _, p in ipairs(PERIODS) do
    local counts, most = {}, 0
    for _, i in ipairs(m.wrong) do
      counts[i % p] = (counts[i % p] or 0) + 1
      if counts[i % p] > (counts[most] or 0) then most = i % p end
    end
    local wrong = counts[most] or 0
    local members = (last - most) // p + 1
    local all = (m.total - 1 - most) // p + 1
    if p * 2 <= m.total and wrong >= LEAST and wrong >= MOST * math.max(#m.wrong, members) and holds(m, all) then
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
  local nrows, ncolumns = 0, 0
  for _ in pairs(row_set) do nrows = nrows + 1 end
  for _ in pairs(column_set) do ncolumns = ncolumns + 1 end
  if #m.wrong ~= nrows * ncolumns and whole then return nil end
  local in_rows, in_columns, these, those
  if nrows < rows then in_rows, these = along(row_set, last_row, rows, "row", nil, whole) end
  if ncolumns < columns then in_columns, those = along(column_set, columns - 1, columns, "column", nil, true) end
  if in_rows and in_columns and whole then return ("%s in %s"):format(in_columns, in_rows), these * those end
  if ncolumns == columns then return in_rows, in_rows and these * columns end
  if nrows == rows or not whole and nrows == last_row + 1 then return in_columns, in_columns and those * rows end
end

-- Which bands of a matrix are wrong, by its map: bands of rows that are right or wrong but for a few elements.
local function of_bands(m)
  local rows, height = m.total // m.columns, m.total // m.columns // SIDE
  local set = {}
  if not m.cells or rows % SIDE ~= 0 then return nil end
  for band = 0, SIDE - 1 do
    local wrong = 0
    for k = 1, SIDE do wrong = wrong + m.cells[band * SIDE + k] end
    local share = wrong / (height * m.columns)
    if share > 1 - MOST and share < MOST then return nil end
    for row = band * height, (band + 1) * height - 1 do set[row] = share >= MOST or nil end
  end
  return next(set) and along(set, rows - 1, rows, "row", nil, true)
end

---The wrong elements in words; nil if they have no pattern.
---@param m {count: integer, total: integer, wrong: integer[], columns: integer?} of check.compare
---@param block integer? threads of a block
---@return string?
function pattern.words(m, block)
  if m.count == m.total then return "all elements" end
  local whole, set = #m.wrong == m.count, {} -- else the first ones are known
  local matrix = m.columns and m.columns > 1 and m.total % m.columns == 0
  if matrix then
    local said, all = of_matrix(m, whole)
    if said and holds(m, all) then return said end
  end
  if m.count >= MOST * m.total then return "nearly all elements" end
  local banded = matrix and of_bands(m)
  if banded then return banded end
  for _, i in ipairs(m.wrong) do set[i] = true end
  local last = whole and m.total - 1 or m.wrong[#m.wrong]
  local said, all = along(set, last, m.total, "element", block, whole)
  if said and holds(m, all) then return said end
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
