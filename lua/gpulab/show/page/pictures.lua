-- Pictures of a report, as SVG: bars of steps, the banks and the sectors that a warp accesses.
local markup = require "gpulab.base.markup"
local text = require "gpulab.base.text"

local pictures = {}

local tag, label = markup.tag, markup.text
local LANES <const> = 32

local function rect(class, x, y, width, height)
  return tag("rect", { class = class, x = x, y = y, width = width, height = height })
end

-- Shares ------------------------------------------------------------------------------------------

local LEFT <const>, RIGHT <const>, BAR <const>, GAP <const>, WIDTH <const> = 190, 60, 11, 10, 520

local series_of <const> = {
  { key = "lecture", name = "lecture" }, { key = "model", name = "model" }, { key = "here", name = "here" },
}

---Bars of the steps of a group, each series relative to its own best, because a GTX 280 and a current GPU have no
---common scale.
---@param rows {title: string, lecture: number?, model: number?, here: number?}[]
---@param names {lecture: string?, model: string?, here: string} what the legend calls the series
---@return string? svg nil where there is nothing to compare
function pictures.shares(rows, names)
  local best, used = {}, {}
  for _, series in ipairs(series_of) do
    for _, row in ipairs(rows) do
      if row[series.key] then best[series.key] = math.max(best[series.key] or 0, row[series.key]) end
    end
    if names[series.key] and best[series.key] and best[series.key] > 0 then used[#used + 1] = series end
  end
  if #used == 0 or #rows < 2 then return nil end
  local step = #used * (BAR + 2) + GAP
  local scale, height = WIDTH - LEFT - RIGHT, #rows * step + 34
  local out = {}
  for i, series in ipairs(used) do
    local x = (i - 1) * 173
    out[#out + 1] = rect(series.key, x, 4, 14, 9)
    out[#out + 1] = label("text", { x = x + 20, y = 13 }, names[series.key])
  end
  for i, row in ipairs(rows) do
    local y = 26 + (i - 1) * step
    out[#out + 1] = label("text", { x = LEFT - 8, y = y + (step - GAP) / 2 + 3, ["text-anchor"] = "end" },
      text.clip(row.title, 28))
    for k, series in ipairs(used) do
      local v = row[series.key]
      if v then
        local at, long = y + (k - 1) * (BAR + 2), scale * v / best[series.key]
        out[#out + 1] = rect(series.key, LEFT, at, math.max(long, 1), BAR)
        out[#out + 1] = label("text", { class = "tiny", x = LEFT + long + 5, y = at + BAR - 2 }, text.number(v))
      end
    end
  end
  return markup.svg(WIDTH, height, "The steps of this group compared", out)
end

-- Banks -------------------------------------------------------------------------------------------

-- Per bank the different words accessed, each with its lanes.
local function by_bank(worst, banks)
  local list, most = {}, 0
  for lane = 0, LANES - 1 do
    local address, bank = worst.lanes[lane], banks.banks[lane]
    if address and bank then
      list[bank] = list[bank] or { words = {} }
      local word, entry = address // 4, list[bank]
      if not entry.words[word] then
        entry.words[word] = {}
        entry[#entry + 1] = entry.words[word]
        most = math.max(most, #entry)
      end
      table.insert(entry.words[word], lane)
    end
  end
  return list, most
end

local function lanes_of(lanes)
  if #lanes == 1 then return tostring(lanes[1]) end
  return #lanes == 2 and lanes[1] .. "," .. lanes[2] or lanes[1] .. "+"
end

---A column per bank with the words accessed in it; a cell has the lane that accesses the word, "5+" for 5 and others.
---@param worst table a line's worst access to shared memory @param banks table the result of gpu.banks for it
---@param nbanks integer
---@return string svg
function pictures.banks(worst, banks, nbanks)
  local list, most = by_bank(worst, banks)
  local size, left, top = 20, 46, 22
  local tall = most > 12 and 13 or size
  local out = { label("text", { class = "soft", x = 0, y = 13 }, "bank") }
  for bank = 0, nbanks - 1 do
    local x = left + bank * size
    out[#out + 1] = label("text", { class = "tiny soft", x = x + size / 2, y = 13, ["text-anchor"] = "middle" }, bank)
    for row = 1, most do
      local lanes, y = list[bank] and list[bank][row], top + (row - 1) * tall
      local class = lanes and (#list[bank] > 1 and "crowded" or "asked") or "cell"
      if lanes or row == 1 then out[#out + 1] = rect(class, x + 1, y, size - 2, tall - 2) end
      if lanes then
        out[#out + 1] = label("text", { class = "tiny", x = x + size / 2, y = y + tall / 2 + 3,
          ["text-anchor"] = "middle" }, lanes_of(lanes))
      end
    end
  end
  return markup.svg(left + nbanks * size, top + most * tall + 4,
    ("Lanes and the %d banks they access: at most %s per bank"):format(nbanks, text.plural(most, "word")), out)
end

-- Sectors -----------------------------------------------------------------------------------------

local SECTOR <const>, MOST_SHOWN <const> = 32, 64

-- The sectors that lanes access, ascending, each with its number of lanes.
local function sectors_of(worst)
  local count, list = {}, {}
  for lane = 0, LANES - 1 do
    local address = worst.lanes[lane]
    for at = address and address // SECTOR or 1, address and (address + worst.width - 1) // SECTOR or 0 do
      if not count[at] then list[#list + 1] = at end
      count[at] = (count[at] or 0) + 1
    end
  end
  table.sort(list)
  return list, count
end

---Sectors of 32 bytes in the order of their addresses, with gaps between nonconsecutive ones.
---@param worst table a line's worst access to global memory @return string svg
function pictures.sectors(worst)
  local list, count = sectors_of(worst)
  local out, size, x, y, last = {}, 20, 4, 4, nil
  for i = 1, math.min(#list, MOST_SHOWN) do
    local at = list[i]
    if last and at ~= last + 1 then x = x + 10 end
    if x + size > 716 then x, y = 4, y + size + 8 end
    out[#out + 1] = rect("asked", x, y, size - 2, size - 2)
    out[#out + 1] = label("text", { class = "tiny", x = x + size / 2 - 1, y = y + 13, ["text-anchor"] = "middle" },
      count[at])
    x, last = x + size, at
  end
  return markup.svg(720, y + size + 4,
    ("A warp's access: %s of 32 bytes, each with its number of lanes"):format(text.plural(#list, "sector")), out)
end

return pictures
