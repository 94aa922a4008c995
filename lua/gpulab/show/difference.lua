-- What differs between two texts, line by line: the shortest list of lines to delete and insert (Myers, "An O(ND)
-- Difference Algorithm and Its Variations", 1986), after removing their common beginning and end.
local difference = {}

local MOST <const> = 600 -- edits; with more, everything between the common ends counts as replaced
local CELLS <const> = 1 << 19 -- pairs of lines that are weighed; with more, any shortest list of edits will do

---The lines of a text; the last may end without a line break.
---@param s string @return string[]
function difference.split(s)
  local lines = {}
  if s ~= "" and s:sub(-1) ~= "\n" then s = s .. "\n" end
  for line in s:gmatch("([^\n]*)\n") do lines[#lines + 1] = line end
  return lines
end

-- The farthest points each number of edits reaches, kept for backtracking; nil if there are too many edits.
local function search(a, b, from, a_end, b_end)
  local n, m = a_end - from, b_end - from
  local far, trace = { [1] = 0 }, {}
  for d = 0, math.min(n + m, MOST) do
    local row = {}
    for k = -d, d, 2 do
      local x = (k == -d or k ~= d and far[k - 1] < far[k + 1]) and far[k + 1] or far[k - 1] + 1
      local y = x - k
      while x < n and y < m and a[from + x + 1] == b[from + y + 1] do x, y = x + 1, y + 1 end
      far[k], row[k] = x, x
      if x >= n and y >= m then
        trace[d] = row
        return trace, d
      end
    end
    trace[d] = row
  end
end

-- The edits, found backwards from the end and returned in order: {op = "-"|"+", line}.
local function walk_back(trace, d, n, m, from)
  local edits, x, y = {}, n, m
  for step = d, 1, -1 do
    local before, k = trace[step - 1], x - y
    local down = k == -step or k ~= step and before[k - 1] < before[k + 1]
    local k_before = down and k + 1 or k - 1
    local x_before = before[k_before]
    local y_before = x_before - k_before
    edits[#edits + 1] = down and { op = "+", at = from + y_before + 1 } or { op = "-", at = from + x_before + 1 }
    x, y = x_before, y_before
  end
  for i = 1, #edits // 2 do edits[i], edits[#edits + 1 - i] = edits[#edits + 1 - i], edits[i] end
  return edits
end

local function common_ends(a, b)
  local from, a_end, b_end = 0, #a, #b
  while from < a_end and from < b_end and a[from + 1] == b[from + 1] do from = from + 1 end
  while a_end > from and b_end > from and a[a_end] == b[b_end] do a_end, b_end = a_end - 1, b_end - 1 end
  return from, a_end, b_end
end

-- Of the shortest lists the one that keeps the pairs of the greatest weight: from the end, the best of what follows.
local function weighed(a, b, weight)
  local KEPT <const> = 1 << 20 -- above all weights together
  local best = { [#a + 1] = {} }
  for j = 1, #b + 1 do best[#a + 1][j] = 0 end
  local function kept(i, j) return a[i] == b[j] and best[i + 1][j + 1] + KEPT + weight(i, j) or -1 end
  for i = #a, 1, -1 do
    local row = { [#b + 1] = 0 }
    best[i] = row
    for j = #b, 1, -1 do row[j] = math.max(best[i + 1][j], row[j + 1], kept(i, j)) end
  end
  local deleted, inserted, i, j = {}, {}, 1, 1
  while i <= #a or j <= #b do
    if i <= #a and j <= #b and best[i][j] == kept(i, j) then
      i, j = i + 1, j + 1
    elseif i <= #a and best[i][j] == best[i + 1][j] then
      deleted[i], i = true, i + 1
    else
      inserted[j], j = true, j + 1
    end
  end
  return deleted, inserted
end

---The deleted lines of a and the inserted lines of b: two sets of line numbers.
---@param a string[] @param b string[]
---@param weight? fun(i: integer, j: integer): integer how much two equal lines belong together, where it is a choice
---@return table<integer, true> deleted, table<integer, true> inserted
function difference.edits(a, b, weight)
  if weight and #a * #b <= CELLS then return weighed(a, b, weight) end
  local from, a_end, b_end = common_ends(a, b)
  local deleted, inserted = {}, {}
  local trace, d = search(a, b, from, a_end, b_end)
  if not trace then
    for i = from + 1, a_end do deleted[i] = true end
    for j = from + 1, b_end do inserted[j] = true end
    return deleted, inserted
  end
  for _, edit in ipairs(walk_back(trace, d, a_end - from, b_end - from, from)) do
    local set = edit.op == "-" and deleted or inserted
    set[edit.at] = true
  end
  return deleted, inserted
end

---All lines of both in reading order: {op = " "|"-"|"+", a = line number in a, b = in b, text}; deleted lines precede
---the lines that replace them.
---@param a string[] @param b string[] @param weight? fun(i: integer, j: integer): integer
function difference.merge(a, b, weight)
  local deleted, inserted = difference.edits(a, b, weight)
  local merged, i, j = {}, 1, 1
  while i <= #a or j <= #b do
    if deleted[i] then
      merged[#merged + 1] = { op = "-", a = i, text = a[i] }
      i = i + 1
    elseif inserted[j] then
      merged[#merged + 1] = { op = "+", b = j, text = b[j] }
      j = j + 1
    else
      merged[#merged + 1] = { op = " ", a = i, b = j, text = a[i] }
      i, j = i + 1, j + 1
    end
  end
  return merged
end

---For each line of b its line in a: the same line if unchanged; replaced lines pair up in order.
---@param merged table[] @return table<integer, integer>
function difference.origins(merged)
  local origin, waiting, taken = {}, {}, 0
  for _, entry in ipairs(merged) do
    if entry.op == " " then
      origin[entry.b], waiting, taken = entry.a, {}, 0
    elseif entry.op == "-" then
      waiting[#waiting + 1] = entry.a
    else
      taken = taken + 1
      origin[entry.b] = waiting[taken]
    end
  end
  return origin
end

local CONTEXT <const> = 3

-- Hunks: ranges of merged lines that cover all changes, each with some lines of context.
local function hunks(merged)
  local found
  local all = {}
  for i, entry in ipairs(merged) do
    if entry.op ~= " " then
      if found and i - CONTEXT <= found.last + 1 then
        found.last = math.min(i + CONTEXT, #merged)
      else
        found = { first = math.max(i - CONTEXT, 1), last = math.min(i + CONTEXT, #merged) }
        all[#all + 1] = found
      end
    end
  end
  return all
end

local function range(merged, hunk, side)
  local first, count, before = nil, 0, 0
  for i = 1, hunk.last do
    local at = merged[i][side]
    if at and i < hunk.first then before = at end
    if at and i >= hunk.first then first, count = first or at, count + 1 end
  end
  return count == 1 and tostring(first) or ("%d,%d"):format(first or before, count)
end

---A unified diff as entries {op = "@"|" "|"-"|"+", text}; none if the texts are the same.
---@param a string[] @param b string[] @param weight? fun(i: integer, j: integer): integer
function difference.unified(a, b, weight)
  local merged, entries = difference.merge(a, b, weight), {}
  for _, hunk in ipairs(hunks(merged)) do
    entries[#entries + 1] = { op = "@",
      text = ("@@ -%s +%s @@"):format(range(merged, hunk, "a"), range(merged, hunk, "b")) }
    for i = hunk.first, hunk.last do entries[#entries + 1] = merged[i] end
  end
  return entries
end

return difference
