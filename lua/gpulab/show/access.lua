-- Explains one access of a kernel: the source line whose worst access exceeds its ideal number of wavefronts (or
-- sectors) the most, and for shared memory a picture of the lanes and their banks.
local lists = require "gpulab.base.lists"
local pictures = require "gpulab.base.pictures"
local text = require "gpulab.base.text"

local access = {}

local LANES = 32
local WORD = 4     -- bytes: banks deliver 32-bit words on every generation
local SECTOR = 32  -- bytes
local PER_LINE = 8 -- sectors in a line of their picture; on a narrow terminal 4
local PER_ROW = 16 -- lanes in a row of the picture: a half-warp, which is a request of its own on cc 1.x

-- The active lanes of an access, ascending.
local function lanes_of(worst)
  local lanes = {}
  for lane = 0, LANES - 1 do
    if worst.lanes[lane] then lanes[#lanes + 1] = lane end
  end
  return lanes
end

---Ranges of lanes: {0,1,2,3,8} is "0..3, 8".
function access.ranges(lanes)
  return table.concat(lists.map(lists.runs(lanes), function(run)
    local more = run[2] - run[1]
    return (more > 1 and "%d..%d" or more == 1 and "%d, %d" or "%d"):format(run[1], run[2])
  end), ", ")
end

---The distance between neighboring lanes in units of `width` bytes, if it is the same for all; else nil.
function access.stride(worst)
  local lanes, stride = lanes_of(worst), nil
  for i = 2, #lanes do
    if lanes[i] ~= lanes[i - 1] + 1 then return nil end
    local step = worst.lanes[lanes[i]] - worst.lanes[lanes[i - 1]]
    if stride and step ~= stride then return nil end
    stride = step
  end
  if not stride or stride % worst.width ~= 0 then return nil end
  return stride // worst.width
end

-- The line of the picture that names values for lanes from..to.
local function picture_row(label, from, to, cell, of)
  local cells = {}
  for lane = from, to do
    local v = of(lane)
    cells[#cells + 1] = text.right(v and tostring(v) or "·", cell)
  end
  return ("  %-5s"):format(label) .. table.concat(cells)
end

-- Columns for one value; 16 of them must fit next to the labels.
local function cell_width(values)
  local widest = 2
  for _, v in pairs(values) do widest = math.max(widest, #tostring(v)) end
  return widest + 1
end

---Lanes, the words they access and the words' banks, 16 lanes per row.
---@param worst table @param banks table the result of gpu.banks
---@return string[]
function access.picture(worst, banks)
  local words = {}
  for lane, address in pairs(worst.lanes) do words[lane] = address // WORD end
  local cell = cell_width(words)
  local with_words = 7 + PER_ROW * cell <= text.columns
  if not with_words then cell = cell_width(banks.banks) end
  local lines = {}
  for from = 0, LANES - 1, PER_ROW do
    local to = from + PER_ROW - 1
    if from > 0 then lines[#lines + 1] = "" end
    lines[#lines + 1] = picture_row("lane", from, to, cell, function(lane) return lane end)
    if with_words then
      lines[#lines + 1] = picture_row("word", from, to, cell, function(lane) return words[lane] end)
    end
    lines[#lines + 1] = picture_row("bank", from, to, cell, function(lane) return banks.banks[lane] end)
  end
  return lines
end

-- The number of different words per bank, over all lanes.
local function words_by_bank(worst, banks)
  local seen, count, used = {}, {}, 0
  for lane, address in pairs(worst.lanes) do
    local word, bank = address // WORD, banks.banks[lane]
    if not seen[word] then
      seen[word] = true
      if not count[bank] then used = used + 1 end
      count[bank] = (count[bank] or 0) + 1
    end
  end
  return count, used
end

-- The banks as a strip: how many different words each has to deliver.
local function bank_strip(worst, banks, nbanks)
  local counts = words_by_bank(worst, banks)
  return { "  banks  " .. pictures.strip(counts, nbanks), "         " .. pictures.scale(nbanks, 8) }
end

-- The sectors that a warp touches, 8 cells each, of which those with words that it uses are full.
local function sector_lines(worst)
  local sectors, order = {}, {}
  for _, address in pairs(worst.lanes) do
    for byte = address, address + math.max(worst.width, 1) - 1, WORD do
      local at = byte // SECTOR
      if not sectors[at] then sectors[at], order[#order + 1] = {}, at end
      sectors[at][byte % SECTOR // WORD] = true
    end
  end
  table.sort(order)
  local lines, line, gaps, gap = {}, " ", false, pictures.plain() and "|" or "┆"
  local per_line = text.columns < 2 + PER_LINE * (SECTOR // WORD + 1) and PER_LINE // 2 or PER_LINE
  for i, at in ipairs(order) do
    local apart = i > 1 and order[i - 1] + 1 ~= at
    line, gaps = line .. (apart and gap or " ") .. pictures.cells(sectors[at], SECTOR // WORD), gaps or apart
    if i % per_line == 0 or i == #order then lines[#lines + 1], line = line, " " end
  end
  text.add(lines, ("The sectors that the warp touches: a cell is a word of 4 bytes, filled if a lane accesses it%s.")
    :format(gaps and ("; %s: not neighbors"):format(gap) or ""))
  return lines
end

local function readers(worst, banks, bank)
  return lists.select(lanes_of(worst), function(lane) return banks.banks[lane] == bank end)
end

local verbs = { load = "read", store = "write", atomic = "update" }

local function conflict_sentence(worst, banks)
  local bank = banks.worst_bank
  local lanes, count = readers(worst, banks, bank), words_by_bank(worst, banks)
  return ("lanes %s all %s bank %d, %s"):format(access.ranges(lanes), verbs[worst.access] or "use", bank,
    (count[bank] or 0) == 1 and "the same word" or text.count(count[bank]) .. " different words")
end

-- Why more than one wavefront per request is the minimum: the words do not fit into fewer.
local function minimum_sentence(worst, banks, nbanks)
  local seen, words = {}, 0
  for _, address in pairs(worst.lanes) do
    for word = address // WORD, (address + worst.width - 1) // WORD do
      if not seen[word] then seen[word], words = true, words + 1 end
    end
  end
  if words <= nbanks * (banks.ideal - 1) then
    return ("the minimum for %d different words in accesses of %d bits per lane"):format(words, 8 * worst.width)
  end
  return ("the minimum for %d words in %d banks"):format(words, nbanks)
end

local function free_sentence(worst, banks, nbanks)
  if banks.ideal > banks.requests then return minimum_sentence(worst, banks, nbanks) end
  local count, used = words_by_bank(worst, banks)
  local most = 0
  for _, n in pairs(count) do most = math.max(most, n) end
  local lanes = #lanes_of(worst)
  if used == 1 and most == 1 and lanes > 1 then
    return "all lanes access the same word, which is broadcast"
  end
  if most > 1 and banks.requests == 1 then return "the bank delivers these words in one wavefront" end
  if used < lanes and used < nbanks then
    return "lanes that share a bank access the same word, which is broadcast"
  end
  return "each word is in a different bank"
end

local function wavefronts(banks)
  return ("%s for %s"):format(text.plural(banks.wavefronts, "wavefront"), text.plural(banks.requests, "request"))
end

local function stride_line(worst, nbanks)
  local stride = access.stride(worst)
  if not stride then return nil end
  if stride == 0 then return "stride 0: all lanes use one address" end
  local words = stride * worst.width // WORD
  if words * WORD ~= stride * worst.width then return nil end
  return ("stride %s: consecutive lanes differ by %s (%d modulo %d)"):format(text.plural(words, "word"),
    text.plural(words % nbanks, "bank"), words, nbanks)
end

-- The same addresses on all known GPUs that have the instruction, oldest first; only where the number changes.
-- Half-warps print as 2 × each.
local function generations(worst, record)
  local parts, last = {}, nil
  for _, model in ipairs(lists.select(gpu.models(), function(one) return record:supported_on(one.cc) end)) do
    local b = gpu.banks(model.name, worst.lanes, worst.width)
    local even = b.requests > 1 and b.wavefronts % b.requests == 0
    local cost = even and ("%d × %d"):format(b.requests, b.wavefronts // b.requests) or tostring(b.wavefronts)
    if cost ~= last then parts[#parts + 1] = text.together(("%s: %s"):format(model.name, cost)) end
    last = cost
  end
  local said = #parts > 1 and "by generation, from each GPU on" or "on all GPUs"
  return ("Wavefronts of this access %s: %s"):format(said, table.concat(parts, " · "))
end

-- The place and its code, which goes below it if the line is too narrow for both.
local function source_lines(line)
  local at = ("  %s:%d"):format(line.file:match("[^/]+$"), line.line)
  local code = text.printable(text.trim(line.text or ""))
  local both = at .. "   " .. code
  if text.width(both) <= text.columns then return { both } end
  return { at, table.unpack(text.wrap(code, "      ")) }
end

local function shared_lines(line, rules, pictured)
  local worst = line.worst
  local banks = gpu.banks(rules, worst.lanes, worst.width)
  local nbanks = gpu.model(rules).banks
  local conflicts = banks.wavefronts > banks.ideal
  local lines = source_lines(line)
  local what = ("%s of %s memory, %s per lane"):format(worst.access, worst.space,
    text.plural(worst.width, "byte"))
  local because = (conflicts and conflict_sentence or free_sentence)(worst, banks, nbanks)
  text.add(lines, ("%s: %s, %s"):format(what, wavefronts(banks), because))
  if not conflicts and not pictured then return lines end
  text.add_part(lines, access.picture(worst, banks))
  text.add_part(lines, bank_strip(worst, banks, nbanks))
  local stride = stride_line(worst, nbanks)
  if stride then text.add(lines, stride) end
  if conflicts then
    local _, used = words_by_bank(worst, banks)
    text.add(lines, ("It uses %d of %d banks and takes %s, ideally %d."):format(used, nbanks,
      text.plural(banks.wavefronts, "wavefront"), banks.ideal))
  else
    text.add(lines, "No conflict.")
  end
  return lines
end

---What a GPU counts accesses to global and local memory in, and how long it is.
---@param worst table @param rules string the GPU @return string unit, string size
function access.unit(worst, rules)
  local model = gpu.model(rules)
  if model.tesla_isa then return "transaction", " of 32 to 128 bytes" end
  local bytes = worst.access == "load" and model.load_line or SECTOR
  return bytes == SECTOR and "sector" or "line", (" of %d bytes"):format(bytes)
end

local function totals(line, rules, several)
  local c = line.counters
  local unit = ({ shared = "wavefront", global = "sector" })[line.worst.space]
  local said = unit == "sector" and access.unit(line.worst, rules) or unit
  local kind = ("%s_%s"):format(line.worst.space, line.worst.access)
  local requests = unit and line.worst.access ~= "atomic" and c[kind .. "_requests"] or 0
  if requests == 0 then return nil end
  return ("All %ss of this line%s: %s for %s."):format(line.worst.access, several and " in all launches" or "",
    text.plural(c[("%s_%ss"):format(kind, unit)], said), text.plural(requests, "request"))
end

---The line to explain: the one with the most expensive access, else the busiest one that accesses shared memory, else
-- the busiest one; nil if the kernel accesses neither.
function access.line(record)
  if record.worst then return record.worst.line end
  local best, most
  for _, space in ipairs { "shared", "global" } do
    for _, line in ipairs(record.report.lines) do
      local w = line.worst
      local n = w and w.space == space and (line.counters[("%s_%s_requests"):format(space, w.access)] or 0)
      if n and (not most or n > most or n == most and w.access == "load") then best, most = line, n end
    end
    if best then return best end
  end
end

---The explanation of a line's worst access: its lanes and banks, or its sectors.
---@param line table @param rules string the GPU whose rules counted it
---@param pictured boolean? the banks are shown even if there is no conflict
---@param record Record whose line it is @return string[]
function access.explain(line, rules, pictured, record)
  local w = line.worst
  local lines = w.space == "shared" and shared_lines(line, rules, pictured) or source_lines(line)
  if w.space == "const" then
    text.add(lines, ("load of constant memory, %s per lane: the warp accesses %s, and the constant cache "
      .. "delivers one at a time"):format(text.plural(w.width, "byte"), text.plural(w.cost, "different word")))
  elseif w.space ~= "shared" then
    local shared = w.cost < w.ideal and "lanes share words" or ("ideally %d"):format(w.ideal)
    local unit, size = access.unit(w, rules)
    text.add(lines, ("%s of %s memory, %s per lane: %s%s, %s"):format(w.access, w.space,
      text.plural(w.width, "byte"), text.plural(w.cost, unit), size, shared))
    text.add_part(lines, sector_lines(w))
  end
  local all = totals(line, rules, record.launches ~= nil)
  if all then text.add(lines, all) end
  if w.space == "shared" and (pictured or w.cost > w.ideal) then text.add(lines, generations(w, record)) end
  return lines
end

return access
