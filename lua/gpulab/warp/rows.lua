-- Rows of 32 columns, one per lane: masks, values with their sizes as heat, memory. 80 columns with label and summary.
local lists = require "gpulab.base.lists"
local text = require "gpulab.base.text"
local tables = require "gpulab.base.table"

local rows = {}

local LANES <const> = 32
local LABEL <const> = 12
local LEVELS <const> = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" }
local PLAIN_LEVELS <const> = { ".", ":", "-", "+", "*", "x", "#", "@" }
local DIGITS <const> = "0123456789abcdefghijklmnopqrstuvwxyz"

---Can the terminal show more than ASCII? Set by the caller that draws.
rows.utf8 = true

local function mark(wide, plain) return rows.utf8 and wide or plain end

---A row: what it is, a character per lane, what to say about it.
---@param label string @param of fun(lane: integer): string @param summary string? @param style string?
---@param color boolean?
function rows.line(label, of, summary, style, color)
  local cells = {}
  for lane = 0, LANES - 1 do cells[#cells + 1] = of(lane) end
  local drawn = tables.paint(table.concat(cells), style or "", color)
  -- The end of pp.a[3].y says more than its beginning; so does that of a name after "load".
  local verb, name = label:match "^(%l* ?)([%w_.%[%]()*>-]+)$"
  if name and text.width(label) >= LABEL then label = verb .. mark("…", "~") .. name:sub(-(LABEL - 2 - #verb)) end
  local line = ("  %s%s"):format(text.left(text.clip(label, LABEL - 1), LABEL), drawn)
  if not summary or summary == "" then return line end
  return line .. "  " .. text.clip(summary, math.max(20, text.columns - LABEL - LANES - 4))
end

---The numbers of the lanes; with a mark under one of them.
---@return string[]
function rows.ruler(lane)
  local head = "  " .. text.left("lane", LABEL) .. "0       8       16      24"
  if not lane then return { head } end
  return { head, rows.line("", function(l) return l == lane and mark("▼", "v") or " " end) }
end

function rows.has(mask, lane) return mask >> lane & 1 == 1 end

function rows.count(mask)
  local n = 0
  for lane = 0, LANES - 1 do n = n + (mask >> lane & 1) end
  return n
end

---Lanes as text: "0..15, 20".
function rows.lanes(mask)
  local even = mask == 0x55555555 and "the even lanes" or mask == 0xaaaaaaaa and "the odd lanes"
  local lanes = {}
  for lane = 0, LANES - 1 do lanes[#lanes + 1] = rows.has(mask, lane) and lane or nil end
  local parts = lists.map(lists.runs(lanes), function(run)
    return (run[1] == run[2] and "%d" or "%d..%d"):format(run[1], run[2])
  end)
  if even or #parts > 4 then return even or ("%d lanes"):format(#lanes) end
  return (#lanes > 1 and "lanes " or "lane ") .. table.concat(parts, ", ")
end

function rows.mask(label, mask, sign, summary, style, color)
  return rows.line(label, function(lane) return rows.has(mask, lane) and sign or mark("·", "-") end, summary, style,
    color)
end

-- Values ------------------------------------------------------------------------------------------

---A value as a person reads it.
function rows.number(v, of)
  if v == nil then return "?" end
  if of == "f32" or of == "f64" then
    if v ~= v then return "nan" end
    if v == math.huge or v == -math.huge then return v > 0 and "inf" or "-inf" end
    return ("%.6g"):format(v)
  end
  if of == "u64" and (v < 0 or v > 0xffffffff) then return ("0x%x"):format(v) end
  return tostring(v)
end

local function known_lanes(value)
  local list = {}
  for lane = 0, LANES - 1 do
    if value.lanes[lane] ~= nil then list[#list + 1] = lane end
  end
  return list
end

local function tally(value, list)
  local count, order = {}, {}
  for _, lane in ipairs(list) do
    local v = value.lanes[lane]
    if v ~= v then v = "nan" end
    if not count[v] then order[#order + 1] = v end
    count[v] = (count[v] or 0) + 1
  end
  table.sort(order, function(a, b) return count[a] > count[b] end)
  return count, order
end

-- "64 + 4 × lane"; nil if the values do not follow from the lane so.
local function by_lane(value, list)
  if #list < 3 then return nil end
  local first, second = list[1], list[2]
  local step = (value.lanes[second] - value.lanes[first]) / (second - first)
  if step ~= math.floor(step) or step == 0 or math.abs(step) > 1 << 40 then return nil end
  for _, lane in ipairs(list) do
    if value.lanes[lane] ~= value.lanes[first] + step * (lane - first) then return nil end
  end
  local base = math.tointeger(value.lanes[first] - step * first) or value.lanes[first] - step * first
  local function times(n) return n == 1 and "lane" or ("%d %s lane"):format(n, mark("×", "x")) end
  if base == 0 then return times(step) end
  return ("%s %s %s"):format(rows.number(base, value.type), step < 0 and "-" or "+", times(math.abs(step)))
end

---What the lanes' values have in common, in a few words.
---@param value {type: string, lanes: table<integer, number>}
function rows.summary(value)
  local list = known_lanes(value)
  if #list == 0 then return "no value yet" end
  local count, order = tally(value, list)
  local function say(v) return v == "nan" and v or rows.number(v, value.type) end
  if #order == 1 then return (#list > 1 and "all " or "") .. say(order[1]) end
  local line = not count.nan and by_lane(value, list)
  if line then return line end
  if #order == 2 and count[order[2]] > 3 then
    return ("%s in %d lanes, %s in %d"):format(say(order[1]), count[order[1]], say(order[2]), count[order[2]])
  end
  if count[order[1]] >= #list - 3 and #list > 4 then
    local odd = {}
    for _, lane in ipairs(list) do
      local v = value.lanes[lane]
      if v ~= order[1] and not (v ~= v and order[1] == "nan") then
        odd[#odd + 1] = ("lane %d: %s"):format(lane, say(v))
      end
    end
    return ("%s, but %s"):format(say(order[1]), table.concat(odd, ", "))
  end
  local low, high
  for _, v in ipairs(order) do
    if v ~= "nan" then low, high = math.min(low or v, v), math.max(high or v, v) end
  end
  return ("%s to %s, %d different"):format(rows.number(low, value.type), rows.number(high, value.type), #order)
end

---A variable's row: heat by value; `=` where all are equal; the lanes that differ from nearly all are marked.
function rows.value(label, value, style, color)
  local list = known_lanes(value)
  local count, order = tally(value, list)
  local low, high
  for _, v in ipairs(order) do
    if v ~= "nan" and v ~= math.huge and v ~= -math.huge then
      low, high = math.min(low or v, v), math.max(high or v, v)
    end
  end
  local most = #order > 1 and #list > 4 and count[order[1]] >= #list - 3 and order[1] or nil
  local levels = rows.utf8 and LEVELS or PLAIN_LEVELS
  local function cell(lane)
    local v = value.lanes[lane]
    if v == nil then return mark("·", "-") end
    if #order == 1 then return "=" end
    if most then return (v == most or v ~= v and most == "nan") and "=" or mark("≠", "!") end
    if v ~= v then return "?" end
    if v == math.huge or v == -math.huge then return v > 0 and "^" or "_" end
    if high == low then return "=" end
    local part = (v - low) / (high - low)
    return levels[math.max(1, math.min(#levels, 1 + math.floor(part * #levels)))]
  end
  return rows.line(label, cell, value.trouble and value.trouble or rows.summary(value), style, color)
end

---The values of all lanes, 8 in a row.
---@return string[]
function rows.table(label, value)
  local out, widest = {}, 1
  for lane = 0, LANES - 1 do widest = math.max(widest, #rows.number(value.lanes[lane], value.type)) end
  local per = widest <= 7 and 8 or widest <= 16 and 4 or 2
  for from = 0, LANES - 1, per do
    local cells, any = {}, false
    for lane = from, from + per - 1 do
      local v = value.lanes[lane]
      any = any or v ~= nil
      cells[#cells + 1] = text.right(v ~= nil and rows.number(v, value.type) or mark("·", "-"), widest + 1)
    end
    if any then
      out[#out + 1] = ("  %s%2d: %s"):format(text.left(#out == 0 and label or "", LABEL), from, table.concat(cells))
    end
  end
  return out
end

-- Memory ------------------------------------------------------------------------------------------

local function digit(n) return DIGITS:sub(n % #DIGITS + 1, n % #DIGITS + 1) end

-- The different sectors of 32 bytes that the lanes access.
local function sectors_of(access)
  local seen, order = {}, {}
  for lane = 0, LANES - 1 do
    local at = access.lanes[lane]
    for s = at and at // 32 or 0, at and (at + access.width - 1) // 32 or -1 do
      if not seen[s] then order[#order + 1] = s end
      seen[s] = true
    end
  end
  table.sort(order)
  for i, s in ipairs(order) do seen[s] = i - 1 end
  return seen, #order
end

-- The different addresses that the lanes access, numbered from 0 in the lanes' order, and how many they are.
local function distinct(access)
  local seen, n = {}, 0
  for lane = 0, LANES - 1 do
    local at = access.lanes[lane]
    if at and not seen[at] then n, seen[at] = n + 1, n end
  end
  return seen, n
end

---An access of the warp: what it takes by the rules of the GPU, and a digit per lane for its bank or sector.
---@param access table of a moment @param model string the GPU whose rules count @param name string
---@return string[]
function rows.access(access, model, name, color)
  local label = ("%s %s"):format(access.access, name ~= "" and name or access.space)
  local function drawn(number, said, style)
    return rows.line(label, function(lane)
      return access.lanes[lane] and digit(number(lane)) or mark("·", "-")
    end, said, style, color)
  end
  if access.space == "shared" then
    local banks = gpu.banks(model, access.lanes, access.width)
    local costly = banks.wavefronts > banks.ideal
    local ways = banks.wavefronts // math.max(1, banks.requests)
    local said = costly and ("%s%d-way bank conflict"):format(banks.requests > 1
      and ("%d %s "):format(banks.requests, mark("×", "x")) or "", ways)
      or text.plural(banks.wavefronts, "wavefront") .. ", no bank conflict"
    return { drawn(function(lane) return banks.banks[lane] end, said, costly and "bad" or "good"), "bank" }
  elseif access.space == "global" then
    local seen, n = sectors_of(access)
    local _, different = distinct(access)
    local ideal = math.max(1, (different * access.width + 31) // 32)
    local said = ("%s of 32 bytes, ideally %d"):format(text.plural(n, "sector"), ideal)
    return { drawn(function(lane) return seen[access.lanes[lane] // 32] end, said, n > ideal and "bad" or "good"),
      "sector" }
  end
  local seen, n = distinct(access)
  local constant = access.space == "const"
  local said = constant and text.plural(n, "different word") .. (n > 1 and ", one at a time" or "")
    or ("%s memory, %s"):format(access.space, text.plural(n, "address"))
  return { drawn(function(lane) return seen[access.lanes[lane]] end, said,
    constant and (n > 1 and "bad" or "good") or nil), constant and "word" or "" }
end

rows.LANES = LANES
return rows
